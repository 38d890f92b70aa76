//! Warnings about damaged text and about values of unexpected types.

use flowline_json::{Cursor, JsonError, Kind, Problem};
use flowline_profile::{WarningKind, Warnings};

/// Turns the error for a skipped value of the wrong type into a warning, so that reading continues after it. `what` names
/// the value and its owner.
pub(in crate::firefox) fn skip_wrong_type<T>(
    warnings: &mut Warnings,
    what: impl FnOnce() -> String,
    result: Result<T, JsonError>,
) -> Result<Option<T>, JsonError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(JsonError { problem: Problem::WrongType(kind), offset }) => {
            if kind != Kind::Null {
                warnings.add(WarningKind::WrongType, || format!("{} is {kind:?}, byte {offset}", what()));
            }
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Adds a warning about damaged text.
pub(in crate::firefox) fn warn_damage(warnings: &mut Warnings, error: JsonError, place: impl FnOnce() -> String) {
    let kind = match error.problem {
        Problem::Truncated => WarningKind::Truncated,
        Problem::Unexpected(_) => WarningKind::BrokenJson,
        Problem::WrongType(_) => WarningKind::WrongType,
    };
    warnings.add(kind, || format!("{}: {error}", place()));
}

/// The text of a string or number: process and thread ids are written as either.
pub(in crate::firefox) fn id_text(cursor: &mut Cursor<'_>) -> Result<String, JsonError> {
    match cursor.peek()? {
        Kind::String => Ok(cursor.string()?.decode()),
        _ => Ok(String::from_utf8_lossy(cursor.scalar()?).into_owned()),
    }
}
