//! The kind of a profile whose nodes are nested below `head`.

use flowline_json::{Cursor, JsonError, Kind};

/// Content of a `head`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// The root of an old CPU profile.
    Cpu,
    /// The root of a heap profile.
    Heap,
    /// Not a node.
    Other,
}

/// Returns the kind of the value at the cursor. A heap profile states the size of each node, before its children.
///
/// # Errors
/// If the text ends or is damaged before the kind is known.
pub(crate) fn head_of(mut node: Cursor<'_>) -> Result<Head, JsonError> {
    if node.peek()? != Kind::Object {
        return Ok(Head::Other);
    }
    node.enter_object()?;
    let mut head = Head::Other;
    while let Some(key) = node.next_key()? {
        match key.bytes {
            b"selfSize" => return Ok(Head::Heap),
            b"callFrame" | b"functionName" => head = Head::Cpu,
            b"children" if head == Head::Cpu => break,
            _ => {}
        }
        node.skip_value()?;
    }
    Ok(head)
}
