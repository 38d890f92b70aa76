//! The strings of the string tables that payloads reference, by payload type.
//!
//! A payload of a Firefox profile references a string by its index. A search that finds text in a string table must
//! read the payloads of the types that reference this string. Usually there are none, because the strings of a table
//! are also marker names.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::text::FieldKind;
use super::{LocalMarker, PayloadRef, Profile, Source, StringTable, Thread, ThreadId, TypeId};
use flowline_json::{KeyPredictor, fast_path};

/// Number of markers that one thread reads at a time.
const BATCH: usize = 1 << 15;

/// Finds payload members that are string indexes, for one type.
#[derive(Debug)]
pub struct StringMembers<'a> {
    keys: Vec<(&'a str, u64)>,
    predictor: KeyPredictor<bool>,
}

impl<'a> StringMembers<'a> {
    /// Finds members with these keys.
    #[must_use]
    pub fn new(keys: impl Iterator<Item = &'a str>) -> Self {
        let keys = keys.map(|key| (key, fast_path::key_word(key.as_bytes()))).collect();
        Self { keys, predictor: KeyPredictor::default() }
    }

    /// Calls `found` with each index in a payload. `None` if the payload has an unusual form and may reference any
    /// string.
    pub fn indexes(&mut self, source: &Source, payload: PayloadRef, mut found: impl FnMut(u64)) -> Option<()> {
        let Some(start) = payload.offset() else { return Some(()) };
        if source.member().is_some() {
            return None;
        }
        let (text, keys) = (source.bytes(), &self.keys);
        let is_index =
            |word, at| keys.iter().any(|(key, key_word)| fast_path::is_key(text, at, word, key.as_bytes(), *key_word));
        let end = self.predictor.members(text, start, is_index, |is_index, value| {
            if !is_index || text.get(value) == Some(&b'n') {
                return fast_path::value_end(text, value);
            }
            let (raw, end) = fast_path::scalar(text, value)?;
            if let Some(index) = std::str::from_utf8(raw).ok().and_then(|raw| raw.parse().ok()) {
                found(index);
            }
            Some(end)
        });
        end.map(|_| ())
    }
}

/// The strings of a table that payloads of a type reference.
#[derive(Debug)]
struct Named {
    /// One bit per string.
    bits: Vec<AtomicU64>,
    /// True if some payloads could not be read.
    has_unknown: AtomicBool,
}

impl Named {
    fn new(strings: usize) -> Self {
        let bits = (0..strings.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Self { bits, has_unknown: AtomicBool::new(false) }
    }

    fn add(&self, string: u64) {
        let (word, bit) = (usize::try_from(string / 64), 1 << (string % 64));
        let word = word.ok().and_then(|word| self.bits.get(word));
        if let Some(word) = word.filter(|word| word.load(Ordering::Relaxed) & bit == 0) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn holds(&self, string: u64) -> bool {
        let word = usize::try_from(string / 64).ok().and_then(|word| self.bits.get(word));
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (string % 64) & 1 == 1)
    }
}

/// The strings that payloads reference, excluding members with flow ids.
#[derive(Debug, Default)]
pub struct PayloadStrings {
    /// Number of the string table of each thread.
    table_of: Vec<usize>,
    /// The referenced strings of each table, by payload type. Types that do not occur or have no such members are not
    /// listed.
    tables: Vec<HashMap<TypeId, Named>>,
}

impl PayloadStrings {
    /// Reads all payloads that can reference strings. `None` if `keep_going` returned `false` in the meantime.
    pub(super) fn build(profile: &Profile, keep_going: &(impl Fn() -> bool + Sync)) -> Option<Self> {
        let mut all = Self::default();
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
            .flat_map(|(thread, table)| {
                (0..thread.markers.len()).step_by(BATCH).map(move |first| (thread, table, first))
            })
            .collect();
        let read = |(thread, table, first): (&Thread, &HashMap<TypeId, Named>, usize)| {
            add_batch(profile, thread, table, first);
            keep_going().then_some(())
        };
        batches.into_par_iter().with_max_len(1).try_for_each(read)?;
        Some(all)
    }

    /// True if a payload of a type in a thread may reference one of these strings.
    #[must_use]
    pub fn may_name(&self, thread: ThreadId, kind: TypeId, strings: &HashSet<u64>) -> bool {
        let table = self.table_of.get(thread.index()).and_then(|table| self.tables.get(*table));
        table.and_then(|table| table.get(&kind)).is_some_and(|named| {
            named.has_unknown.load(Ordering::Relaxed) || strings.iter().any(|string| named.holds(*string))
        })
    }
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
