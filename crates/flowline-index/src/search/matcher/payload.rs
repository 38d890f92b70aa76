//! Searches payloads: in place if possible, decoded if derivation changes them.

use super::fields::{SearchedFields, unlisted};
use super::nested;
use super::term::CompiledTerm;
use flowline_json::{Cursor, JsonError, Kind, RawString};
use flowline_profile::text::FieldKind;
use flowline_profile::{AT_BEGIN, LocalMarker, Ns, Profile, Supplement, Thread, Value};

impl CompiledTerm<'_> {
    /// True if the payload of a marker matches in the selected members.
    pub(super) fn in_payload(
        &self,
        profile: &Profile,
        thread: &Thread,
        marker: LocalMarker,
        choice: &SearchedFields,
    ) -> bool {
        if *choice == SearchedFields::None {
            return false;
        }
        if self.tests_message_end() && profile.is_message(thread, marker) {
            return self.in_decoded(profile, thread, marker, choice);
        }
        // A malformed payload may contain anything.
        let in_text = |place| {
            let found = profile.source.with_payload(place, |cursor| self.scan(profile, thread, cursor, choice));
            found.unwrap_or(Ok(false))
        };
        let own = in_text(thread.markers.payload(marker));
        let Some(supplement) = thread.markers.supplement(marker) else { return own.unwrap_or(false) };
        // Derivation only adds and changes numbers. If the source objects do not contain a non-numeric text, the
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
        choice: &SearchedFields,
    ) -> Result<bool, JsonError> {
        if let Some(member) = profile.source.member()
            && cursor.peek()? != Kind::Object
        {
            // Arguments that are not an object are displayed as one with that single member.
            let (tests, _) = unlisted(&self.term, member);
            return nested::in_text(&self.term, tests, cursor);
        }
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let unescaped = || choice.listed(&key.text());
            let listed = choice.listed(key.bytes).or_else(|| key.has_escapes().then(unescaped)?);
            let is_skipped = match (choice, listed) {
                (SearchedFields::Schema { .. }, Some(field)) => !field.tests.any(),
                (SearchedFields::Schema { others: false, .. }, None) => true,
                _ => false,
            };
            if is_skipped || profile.is_internal_bytes(key.bytes) {
                cursor.skip_value()?;
                continue;
            }
            let (tests, kind) = match listed {
                Some(field) => (field.tests, field.kind),
                None => unlisted(&self.term, &key.decode()),
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
                Kind::Number if kind == FieldKind::Time && !self.numbers => {
                    cursor.skip_value()?;
                    false
                }
                Kind::Number if kind == FieldKind::StringIndex => {
                    let index = std::str::from_utf8(cursor.scalar()?).ok().and_then(|text| text.parse().ok());
                    let text = index.and_then(|index| thread.strings.raw(profile.source.bytes(), index));
                    text.is_some_and(|bytes| self.term.found_in(tests, RawString { bytes, offset: 0 }))
                }
                Kind::Object => nested::in_text(&self.term, tests, cursor)?,
                Kind::Array if listed.is_none() => nested::in_text(&self.term, tests, cursor)?,
                Kind::Array | Kind::Number if kind != FieldKind::Plain => {
                    let value = flowline_json::decode_value(cursor)?;
                    let texts = profile.searched_texts(thread, kind, &value, thread.shift, self.clock);
                    texts.iter().any(|text| self.term.found(tests, text.as_bytes()))
                }
                Kind::Array => {
                    let value = flowline_json::decode_value(cursor)?;
                    self.term.found(tests, value.display_js().as_bytes())
                }
                _ => nested::in_scalar(&self.term, tests, cursor)?,
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
        choice: &SearchedFields,
    ) -> bool {
        let payload = match self.tests_message_end() {
            true => profile.described_payload(thread, marker),
            false => profile.payload_in(thread, marker),
        };
        let Value::Object(members) = payload else { return false };
        members.iter().any(|(key, value)| {
            let key = key.strip_suffix(AT_BEGIN).unwrap_or(key);
            if value.is_null() || profile.is_internal(key) {
                return false;
            }
            let (tests, kind, is_listed) = match choice {
                SearchedFields::Schema { others, .. } => match choice.listed(key.as_bytes()) {
                    Some(field) => (field.tests, field.kind, true),
                    None if !others => return false,
                    None => {
                        let (tests, kind) = unlisted(&self.term, key);
                        (tests, kind, false)
                    }
                },
                _ => {
                    let (tests, kind) = unlisted(&self.term, key);
                    (tests, kind, false)
                }
            };
            if value.is_nested() && (!is_listed || matches!(value, Value::Object(_))) {
                return nested::in_value(&self.term, tests, value);
            }
            let texts = profile.searched_texts(thread, kind, value, Ns(0), self.clock);
            texts.iter().any(|text| self.term.found(tests, text.as_bytes()))
        })
    }
}
