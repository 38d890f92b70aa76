//! Searches payloads: in place where that decides, decoded where derivation changes them.

use super::fields::FieldChoice;
use super::nested;
use super::term::CompiledTerm;
use crate::profile::json::{Cursor, JsonError, Kind, RawString};
use crate::profile::{LocalMarker, Profile, Supplement, Thread, Value};

impl CompiledTerm<'_> {
    /// Whether the payload of a marker matches, in the members that are chosen.
    pub(super) fn in_payload(
        &self,
        profile: &Profile,
        thread: &Thread,
        marker: LocalMarker,
        choice: &FieldChoice,
    ) -> bool {
        if *choice == FieldChoice::None {
            return false;
        }
        // A damaged payload may contain anything.
        let in_text = |place| {
            let cursor = profile.source.payload_at(place);
            cursor.map_or(Ok(false), |mut cursor| self.scan(profile, thread, &mut cursor, choice))
        };
        let own = in_text(thread.markers.payload[marker.index()]);
        let Some(supplement) = thread.markers.supplement(marker) else { return own.unwrap_or(false) };
        // Derivation only adds and changes numbers. If the source objects do not contain a text that is no number, the
        // derived payload does not either; otherwise the derived payload decides.
        let may_stand = own.unwrap_or(true)
            || match supplement {
                Supplement::Start(start) => in_text(start).unwrap_or(true),
                Supplement::Network { .. } | Supplement::Ipc { .. } => false,
            };
        (may_stand || self.numbers) && self.in_decoded(profile, thread, marker, choice)
    }

    /// Scans a payload in place.
    fn scan(
        &self,
        profile: &Profile,
        thread: &Thread,
        cursor: &mut Cursor<'_>,
        choice: &FieldChoice,
    ) -> Result<bool, JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let (tests, is_index) = match choice {
                FieldChoice::Schema(fields) => match fields.iter().find(|field| field.key.as_bytes() == key.bytes) {
                    Some(field) => (field.tests, field.is_index),
                    None => {
                        cursor.skip_value()?;
                        continue;
                    }
                },
                _ if key.bytes == b"type" && names_type(profile) => {
                    cursor.skip_value()?;
                    continue;
                }
                _ => (self.term.tests(&key.decode().to_lowercase()), false),
            };
            let found = match cursor.peek()? {
                Kind::String => {
                    let text = cursor.string()?;
                    self.term.found_in(tests, text)
                }
                Kind::Null => {
                    cursor.skip_value()?;
                    false
                }
                Kind::Number if is_index => {
                    let index = std::str::from_utf8(cursor.scalar()?).ok().and_then(|text| text.parse().ok());
                    let text = index.and_then(|index| thread.strings.raw(profile.source.bytes(), index));
                    text.is_some_and(|bytes| self.term.found_in(tests, RawString { bytes, offset: 0 }))
                }
                Kind::Object | Kind::Array if *choice == FieldChoice::Plain => {
                    nested::in_text(&self.term, tests, cursor)?
                }
                Kind::Object | Kind::Array => {
                    let value = crate::profile::json::decode_value(cursor)?;
                    self.term.found(tests, value.display_js().as_bytes())
                }
                _ => self.term.found(tests, cursor.scalar()?),
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Decodes a derived payload and searches it.
    pub(super) fn in_decoded(
        &self,
        profile: &Profile,
        thread: &Thread,
        marker: LocalMarker,
        choice: &FieldChoice,
    ) -> bool {
        let payload = crate::profile::payload::decode_full(
            &profile.source,
            thread.markers.payload[marker.index()],
            thread.markers.supplement(marker).as_ref(),
            thread.shift,
        );
        let Value::Object(members) = payload else { return false };
        members.iter().any(|(key, value)| {
            if value.is_null() || (key == "type" && names_type(profile)) {
                return false;
            }
            match choice {
                FieldChoice::Schema(fields) => fields.iter().find(|field| field.key == *key).is_some_and(|field| {
                    let text = match value {
                        Value::Int(index) if field.is_index => u64::try_from(*index)
                            .ok()
                            .and_then(|index| thread.strings.get(profile.source.bytes(), index))
                            .unwrap_or_default(),
                        value => value.display_js(),
                    };
                    self.term.found(field.tests, text.as_bytes())
                }),
                _ => nested::in_value(&self.term, self.term.tests(&key.to_lowercase()), value),
            }
        })
    }
}

/// Whether the member `type` of a payload is its type, as in Firefox profiles; in trace events it is an argument.
fn names_type(profile: &Profile) -> bool {
    profile.source.member().is_none()
}
