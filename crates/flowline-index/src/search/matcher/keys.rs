//! Finds the keys of a query that no payload has.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::search::query::Query;
use flowline_json::{Cursor, JsonError, Kind, RawString};
use flowline_profile::{LocalMarker, Profile, Supplement};

/// Number of markers visited between two cancellation checks.
const BATCH: usize = 1 << 12;

/// The field keys of a query that neither a schema nor any payload has, in lower case; `None` if `keep_going` returned
/// `false`. Payloads are read only for keys that no schema has.
#[must_use]
pub fn unknown_keys(profile: &Profile, query: &Query, keep_going: &(impl Fn() -> bool + Sync)) -> Option<Vec<String>> {
    let in_schema = |key: &str| {
        let schemas = profile.types.iter().filter_map(|(_, kind)| kind.schema.as_ref());
        schemas.flat_map(|schema| &schema.fields).any(|field| field.key.to_lowercase() == key)
    };
    let mut asked: Vec<&str> = query.terms().filter_map(|term| term.test.key()).filter(|key| !in_schema(key)).collect();
    asked.sort_unstable();
    asked.dedup();
    let (known, new): (Vec<&str>, Vec<&str>) =
        asked.into_iter().partition(|key| profile.searched.has_key(key).is_some());
    let wanted: Vec<(&str, AtomicBool)> = new.into_iter().map(|key| (key, AtomicBool::new(false))).collect();
    let all_seen = || wanted.iter().all(|(_, seen)| seen.load(Ordering::Relaxed));
    let batches: Vec<(usize, usize)> = (0..profile.threads.len())
        .flat_map(|thread| (0..profile.threads[thread].markers.len()).step_by(BATCH).map(move |first| (thread, first)))
        .collect();
    let look = |&(thread, first): &(usize, usize)| -> Option<()> {
        let markers = &profile.threads[thread].markers;
        for marker in (first..(first + BATCH).min(markers.len())).map(LocalMarker::new) {
            let mut places = vec![markers.payload(marker)];
            if let Some(Supplement::Start(start)) = markers.supplement(marker) {
                places.push(start);
            }
            for place in places {
                // A malformed payload is read up to the error.
                let _damage = profile.source.with_payload(place, |cursor| {
                    visit_keys(cursor, &mut |key| {
                        if let Some((_, seen)) = wanted.iter().find(|(wanted, _)| is_key(key, wanted)) {
                            seen.store(true, Ordering::Relaxed);
                        }
                    })
                });
            }
        }
        (keep_going() && !all_seen()).then_some(())
    };
    if !all_seen() {
        let done = batches.par_iter().try_for_each(look);
        if done.is_none() && !all_seen() {
            return None;
        }
    }
    // Cached because the same keys are needed again with every typed letter.
    for (key, seen) in &wanted {
        profile.searched.keep_key(key, seen.load(Ordering::Relaxed));
    }
    let all = known.into_iter().chain(wanted.iter().map(|(key, _)| *key));
    Some(all.filter(|key| profile.searched.has_key(key) == Some(false)).map(str::to_owned).collect())
}

/// True if a key of the input equals the wanted key, which is in lower case.
fn is_key(key: RawString<'_>, wanted: &str) -> bool {
    if key.bytes.is_ascii() && !key.bytes.contains(&b'\\') {
        return key.bytes.eq_ignore_ascii_case(wanted.as_bytes());
    }
    key.decode().to_lowercase() == wanted
}

/// Visits all keys of the next object, at any depth, without recursion.
fn visit_keys(cursor: &mut Cursor<'_>, visit: &mut dyn FnMut(RawString<'_>)) -> Result<(), JsonError> {
    // For each open container, true if it is an object.
    let mut open: Vec<bool> = Vec::new();
    loop {
        match cursor.peek()? {
            Kind::Object => {
                cursor.enter_object()?;
                open.push(true);
            }
            Kind::Array => {
                cursor.enter_array()?;
                open.push(false);
            }
            _ => cursor.skip_value()?,
        }
        loop {
            let Some(is_object) = open.last() else { return Ok(()) };
            if *is_object {
                if let Some(key) = cursor.next_key()? {
                    visit(key);
                    break;
                }
            } else if cursor.next_element()? {
                break;
            }
            open.pop();
        }
    }
}
