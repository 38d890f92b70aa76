//! Reads all payloads once to find the strings that they reference.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::payload_strings::{Named, PayloadStrings};
use super::string_members::StringMembers;
use crate::text::FieldKind;
use crate::{LocalMarker, Profile, StringTable, Thread, TypeId, get_or_build};

/// Number of markers that one thread reads at a time.
const BATCH: usize = 1 << 15;

impl Profile {
    /// The strings that payloads reference, computed on first use. `None` if `keep_going` returned `false` in the
    /// meantime.
    #[must_use]
    pub fn payload_strings(&self, keep_going: &(impl Fn() -> bool + Sync)) -> Option<&PayloadStrings> {
        let slot = &self.searched.payload_strings;
        if let Some(known) = slot.get() {
            return Some(known);
        }
        let built = Arc::new(read(self, keep_going)?);
        let known: &Arc<PayloadStrings> = get_or_build(slot, || built);
        Some(known)
    }
}

/// Reads all payloads that can reference strings. `None` if `keep_going` returned `false` in the meantime.
fn read(profile: &Profile, keep_going: &(impl Fn() -> bool + Sync)) -> Option<PayloadStrings> {
    let mut all = PayloadStrings::default();
    // The threads of a processed profile share one table.
    let mut numbers: HashMap<*const StringTable, usize> = HashMap::default();
    for thread in &profile.threads {
        let number = *numbers.entry(Arc::as_ptr(&thread.strings)).or_insert(all.tables.len());
        if number == all.tables.len() {
            all.tables.push(HashMap::default());
        }
        all.table_of.push(number);
        let kinds: HashSet<TypeId> = attributes_kinds(thread).collect();
        for kind in kinds.into_iter().filter(|kind| string_keys(profile, *kind).next().is_some()) {
            all.tables[number].entry(kind).or_insert_with(|| Named::new(thread.strings.len()));
        }
    }
    let batches: Vec<(&Thread, &HashMap<TypeId, Named>, usize)> = profile
        .threads
        .iter()
        .zip(&all.table_of)
        .map(|(thread, table)| (thread, &all.tables[*table]))
        .filter(|(thread, table)| attributes_kinds(thread).any(|kind| table.contains_key(&kind)))
        .flat_map(|(thread, table)| (0..thread.markers.len()).step_by(BATCH).map(move |first| (thread, table, first)))
        .collect();
    let read = |(thread, table, first): (&Thread, &HashMap<TypeId, Named>, usize)| {
        add_batch(profile, thread, table, first);
        keep_going().then_some(())
    };
    batches.into_par_iter().with_max_len(1).try_for_each(read)?;
    Some(all)
}

/// The types of a thread's payloads, with repetitions.
fn attributes_kinds(thread: &Thread) -> impl Iterator<Item = TypeId> {
    thread.markers.attributes().items().iter().filter_map(|attributes| attributes.kind())
}

/// Keys of a type's members that are string indexes but not flow ids.
fn string_keys(profile: &Profile, kind: TypeId) -> impl Iterator<Item = &str> {
    let name = profile.types.get(kind).map(|kind| profile.strings.get(kind.name));
    let schema = profile.types.schema(kind);
    let fields = schema.into_iter().flat_map(|schema| &schema.fields);
    fields.map(|field| field.key.as_str()).filter(move |key| {
        let names_flow = schema.and_then(|schema| schema.field(key)).is_some_and(|field| field.format.is_flow());
        FieldKind::of(schema, name, key) == FieldKind::StringIndex && !names_flow
    })
}

/// Reads the payloads of a batch of markers.
fn add_batch(profile: &Profile, thread: &Thread, table: &HashMap<TypeId, Named>, first: usize) {
    let mut readers: Vec<Option<(StringMembers<'_>, &Named)>> = Vec::new();
    readers.extend(profile.types.iter().map(|(kind, _)| {
        let named = table.get(&kind)?;
        Some((StringMembers::new(string_keys(profile, kind)), named))
    }));
    let mut begins = thread.markers.start_payloads();
    for marker in (first..thread.markers.len().min(first + BATCH)).map(LocalMarker::new) {
        let kind = thread.markers.kind(marker);
        let Some((reader, named)) = kind.and_then(|kind| readers.get_mut(kind.index())?.as_mut()) else { continue };
        for payload in [Some(thread.markers.payload(marker)), begins.of(marker)].into_iter().flatten() {
            if reader.indexes(&profile.source, payload, |string| named.add(string)).is_none() {
                named.has_unknown.store(true, Ordering::Relaxed);
            }
        }
    }
}
