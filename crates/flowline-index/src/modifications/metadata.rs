//! The metadata that DevTools writes beside the events of a trace.

use flowline_json::{Cursor, Kind, decode_value};
use flowline_profile::{Profile, Value};

/// A member of the metadata of a trace, without decoding the rest of it.
#[must_use]
pub fn metadata_member(profile: &Profile, member: &str) -> Option<Value> {
    // Only traces have event arguments.
    profile.source.member()?;
    let (_, place) = profile.parts.iter().rev().find(|(part, _)| part == "metadata")?;
    let mut cursor = Cursor::at(profile.source.bytes(), usize::try_from(*place).ok()?);
    if cursor.peek().ok()? != Kind::Object {
        return None;
    }
    cursor.enter_object().ok()?;
    let mut found = None;
    while let Ok(Some(key)) = cursor.next_key() {
        if key.bytes == member.as_bytes() {
            found = decode_value(&mut { cursor }).ok();
        }
        cursor.skip_value().ok()?;
    }
    found
}
