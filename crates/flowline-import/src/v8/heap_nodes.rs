//! The nodes of a heap profile.

use super::profile_part::ProfilePart;
use super::tree::Tree;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::Warnings;
use flowline_profile::samples::StackTablesBuilder;

/// The nodes of a heap profile, as read.
#[derive(Debug, Default)]
pub(crate) struct HeapNodes<'a>(ProfilePart<'a>);

impl<'a> HeapNodes<'a> {
    /// Reads the profile at the cursor: an object with the nodes below its member `head`.
    ///
    /// # Errors
    /// If the text is damaged; the nodes before the damage have been read.
    pub(crate) fn read(&mut self, cursor: &mut Cursor<'a>, warnings: &mut Warnings) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes == b"head" && cursor.peek()? == Kind::Object {
                self.0.member(b"head", cursor, warnings)?;
            } else {
                // The listed samples add up to the sizes of their nodes.
                cursor.skip_value()?;
            }
        }
        Ok(())
    }

    /// Adds the stacks of the nodes to `tables`. Returns the stack ([`flowline_profile::samples::NONE`] for the root) and
    /// the size in bytes, as written, of each node, in file order.
    pub(crate) fn samples(&self, tables: &mut StackTablesBuilder, warnings: &mut Warnings) -> Vec<(u32, &'a [u8])> {
        let tree = Tree::new(&self.0, tables, warnings, &|| "the heap profile".to_owned());
        self.0.sizes.iter().map(|(node, size)| (tree.stack[*node], *size)).collect()
    }
}
