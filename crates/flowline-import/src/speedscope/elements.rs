//! Lists in which elements of the wrong type are skipped.

use crate::sampled::warn_json;
use flowline_json::{Cursor, JsonError};
use flowline_profile::Warnings;

/// Calls `element` for each element of a list. Elements that it rejects for their type are skipped with a warning.
pub(super) fn for_each<'a>(
    cursor: &mut Cursor<'a>,
    warnings: &mut Warnings,
    what: &str,
    mut element: impl FnMut(&mut Cursor<'a>, &mut Warnings) -> Result<(), JsonError>,
) -> Result<(), JsonError> {
    cursor.enter_array()?;
    while cursor.next_element()? {
        match element(cursor, warnings) {
            Err(error) if error.is_wrong_type() => warn_json(warnings, error, || what.to_owned()),
            result => result?,
        }
    }
    Ok(())
}
