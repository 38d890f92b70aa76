//! Markers whose payloads refer to a matching string by its index in the string table.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::fields::{SchemaField, SearchedFields};
use super::occurrences::Places;
use super::term::CompiledTerm;
use crate::flows::FlowGraph;
use flowline_profile::text::FieldKind;
use flowline_profile::{LocalMarker, Profile, StringMembers, StringTable, Thread, ThreadId, TypeId};

/// Number of 64-marker words that one job reads.
const WORDS: usize = 1 << 10;

/// Adds the markers whose payloads may refer to a matching string: one bit per marker and thread, with the first marker
/// in the lowest bit. `None` if `keep_going` returned `false`.
pub(super) fn add_markers(
    profile: &Profile,
    flows: &FlowGraph,
    term: &CompiledTerm<'_>,
    places: &Places,
    kept: &mut [Vec<u64>],
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<()> {
    // Threads of a processed profile can share one table.
    let tables: HashMap<*const StringTable, &StringTable> =
        profile.threads.iter().map(|thread| (Arc::as_ptr(&thread.strings), &*thread.strings)).collect();
    // Members with a flow format contain only indexes of strings that are flow ids.
    let is_id = |table: &StringTable, index: &u64| {
        let text = table.get(profile.source.bytes(), *index);
        text.is_some_and(|text| !flows.with_id(profile, &text).is_empty())
    };
    let matching = |(known, table)| {
        let found = places.strings(profile, term, table);
        let some_id = found.iter().any(|index| is_id(table, index));
        (known, (found, some_id))
    };
    let strings: HashMap<*const StringTable, (HashSet<u64>, bool)> = tables.into_iter().map(matching).collect();
    for ((id, thread), kept) in profile.threads_with_ids().zip(kept) {
        let Some((wanted, some_id)) = strings.get(&Arc::as_ptr(&thread.strings)) else { continue };
        if wanted.is_empty() {
            continue;
        }
        let keys = keys_by_type(profile, term, id, (wanted, *some_id), keep_going)?;
        if keys.iter().any(|keys| !keys.is_empty()) {
            let add = |(word, kept): (usize, &mut [u64])| {
                add_batch(profile, thread, &keys, wanted, word * WORDS, kept);
                keep_going().then_some(())
            };
            kept.par_chunks_mut(WORDS).enumerate().with_max_len(1).try_for_each(add)?;
        }
    }
    Some(())
}

/// For each type, the keys of the payload members of a thread that may contain such indexes. `None` if `keep_going`
/// returned `false`.
fn keys_by_type<'t>(
    profile: &Profile,
    term: &'t CompiledTerm<'_>,
    thread: ThreadId,
    (wanted, some_id): (&HashSet<u64>, bool),
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Vec<Vec<&'t str>>> {
    let of_type = |(choice, kind): (&'t SearchedFields, TypeId)| -> Option<Vec<&'t str>> {
        let SearchedFields::Schema { fields, .. } = choice else { return Some(Vec::new()) };
        let indexes = fields.iter().filter(|field| field.kind == FieldKind::StringIndex && field.tests.any());
        let (flows, others): (Vec<&SchemaField>, Vec<&SchemaField>) = indexes.partition(|field| field.names_flow);
        let mut keys = Vec::new();
        if some_id {
            keys.extend(flows.iter().map(|field| field.key.as_str()));
        }
        if !others.is_empty() && profile.payload_strings(keep_going)?.may_name(thread, kind, wanted) {
            keys.extend(others.iter().map(|field| field.key.as_str()));
        }
        Some(keys)
    };
    term.fields.iter().zip((0..).map(TypeId)).map(of_type).collect()
}

/// Adds the markers of a batch. `first` is the index of its first word.
fn add_batch(
    profile: &Profile,
    thread: &Thread,
    keys: &[Vec<&str>],
    wanted: &HashSet<u64>,
    first: usize,
    kept: &mut [u64],
) {
    let reader = |keys: &Vec<_>| (!keys.is_empty()).then(|| StringMembers::new(keys.iter().copied()));
    let mut readers: Vec<Option<StringMembers<'_>>> = keys.iter().map(reader).collect();
    let mut begins = thread.markers.start_payloads();
    let end = thread.markers.len().min((first + kept.len()) * 64);
    for marker in (first * 64..end).map(LocalMarker::new) {
        let kind = thread.markers.kind(marker);
        let Some(reader) = kind.and_then(|kind| readers.get_mut(kind.index())?.as_mut()) else { continue };
        let payloads = [Some(thread.markers.payload(marker)), begins.of(marker)];
        let may_name = payloads.into_iter().flatten().any(|payload| {
            let mut found = false;
            let read = reader.indexes(&profile.source, payload, |index| found |= wanted.contains(&index));
            found || read.is_none()
        });
        kept[marker.index() / 64 - first] |= u64::from(may_name) << (marker.index() % 64);
    }
}
