//! Joins threads into one [`Profile`]: derives their markers in parallel, then assigns recording-wide ids to names,
//! types and categories.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::builtin_schemas;
use super::categories::{self, CategoryMap};
use super::counters;
use super::graphs;
use super::stack_fields;
use crate::firefox::derive::{self, Derived, Messages, NameRef, PayloadTypeInfo, ThreadContext};
use crate::firefox::document::meta::Meta;
use crate::firefox::document::parts::Parts;
use crate::firefox::stacks::{self, SampledThread};
use crate::firefox::threads::marker_stack::RawMarkerStack;
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sampled::Sampled;
use crate::firefox::threads::sentinels::NONE;
use crate::progress::{Phase, Progress};
use flowline_profile::{
    CategoryId, Column, LocalMarker, MarkerId, MarkerTable, Ns, PayloadRef, Process, ProcessId, Profile, Schema,
    Source, StringId, StringTable, Thread, ThreadSamples, TimeRange, TrackKind, TypeId, WarningKind, Warnings,
};

/// A thread's markers; names, types and categories are still thread-local.
#[derive(Default)]
struct DerivedThread {
    markers: MarkerTable,
    names: Vec<NameRef>,
    /// Number of raw markers.
    rows: u64,
    /// The markers with a stack.
    stacks: Vec<(LocalMarker, RawMarkerStack)>,
    warnings: Warnings,
}

/// Derive context: inputs for the derivation of all threads.
pub(in crate::firefox) struct DeriveContext {
    schemas: Vec<Schema>,
    interval: Ns,
    /// The payload types of each thread.
    pub(in crate::firefox) kinds: Vec<Vec<PayloadTypeInfo>>,
    /// The time range of each thread.
    pub(in crate::firefox) ranges: Vec<Option<TimeRange>>,
    /// The time range of the recording.
    pub(in crate::firefox) range: TimeRange,
    shared: Arc<StringTable>,
    /// The string table of each thread.
    tables: Vec<Arc<StringTable>>,
    messages: Messages,
}

/// Prepares the derivation of all threads; moves schemas and strings out of `parts`.
pub(in crate::firefox) fn prepare(parts: &mut Parts, source: &Source, warnings: &mut Warnings) -> DeriveContext {
    let schemas = merge_schemas(&mut parts.metas, warnings);
    let by_name: HashMap<&str, &Schema> = schemas.iter().map(|schema| (schema.name.as_str(), schema)).collect();
    let interval = parts.metas.first().map_or(Ns(0), |meta| meta.interval);
    let kinds: Vec<Vec<PayloadTypeInfo>> =
        parts.threads.iter().map(|thread| derive::payload_type_infos(thread, &by_name)).collect();
    let ranges: Vec<Option<TimeRange>> =
        parts.threads.par_iter().map(|thread| derive::thread_range(thread, interval)).collect();
    let range = recording_range(parts, &ranges);
    let shared = Arc::new(StringTable::new(std::mem::take(&mut parts.shared.strings)));
    let tables: Vec<Arc<StringTable>> = parts.threads.iter_mut().map(|thread| string_table(thread, &shared)).collect();
    let messages = derive::correlate(&parts.threads, &kinds, source);
    drop(by_name);
    DeriveContext { schemas, interval, kinds, ranges, range, shared, tables, messages }
}

impl DeriveContext {
    /// The derive context of one thread.
    pub(in crate::firefox) fn context<'a>(
        &'a self,
        index: usize,
        raw: &'a RawThread,
        source: &'a Source,
        metas: &[Meta],
    ) -> ThreadContext<'a> {
        ThreadContext {
            raw,
            kinds: &self.kinds[index],
            range: self.ranges[index].unwrap_or(self.range),
            source,
            strings: &self.tables[index],
            messages: &self.messages,
            index,
            categories: metas.get(raw.meta_index).map_or(0, |meta| meta.categories.len()),
            wants_rows: false,
        }
    }
}

/// Derives markers and joins the threads.
pub(in crate::firefox) fn join(
    mut parts: Parts,
    source: Source,
    warnings: &mut Warnings,
    progress: &Progress,
) -> Profile {
    let derive_context = prepare(&mut parts, &source, warnings);
    progress.begin(Phase::Derive, parts.threads.len() as u64);
    let derive = |(index, mut raw): (usize, RawThread)| {
        if progress.is_cancelled() {
            return (index, (raw, DerivedThread::default()));
        }
        let (derived, warnings) = derive::derive(&derive_context.context(index, &raw, &source, &parts.metas));
        // Freed immediately, so that only a few threads have both raw and derived markers at the same time.
        let rows = std::mem::take(&mut raw.markers).len() as u64;
        let Derived { markers, names, .. } = derived;
        let markers = MarkerTable::build(markers);
        let mut stacks = raw.sampled.as_ref().map_or_else(Vec::new, |sampled| marker_stacks(&markers, sampled));
        stack_fields::add(&derive_context.kinds[index], &markers, &source, &mut raw, &mut stacks);
        progress.advance(1);
        (index, (raw, DerivedThread { markers, names, rows, stacks, warnings }))
    };
    let mut threads: Vec<(usize, RawThread)> = std::mem::take(&mut parts.threads).into_iter().enumerate().collect();
    // Largest first: a large thread that starts last would keep a single core busy.
    threads.sort_by_key(|(_, raw)| Reverse(raw.markers.len()));
    let mut derived: Vec<(usize, (RawThread, DerivedThread))> =
        threads.into_par_iter().with_max_len(1).map(derive).collect();
    derived.sort_by_key(|(index, _)| *index);
    let mut derived: Vec<(RawThread, DerivedThread)> = derived.into_iter().map(|(_, thread)| thread).collect();
    let DeriveContext { schemas, interval, kinds, ranges, range, shared, tables, messages } = derive_context;
    drop((messages, kinds));

    let mut profile = Profile { source, ..Profile::default() };
    profile.meta.range = range;
    profile.meta.interval = interval;
    if let Some(meta) = parts.metas.first() {
        profile.meta.product.clone_from(&meta.product);
        profile.meta.start_epoch_ms = meta.start_epoch_ms.unwrap_or(0.0);
    }
    profile.pages = std::mem::take(&mut parts.pages);
    let category_maps = categories::merge(&parts.metas, &mut profile.categories);
    for schema in schemas {
        let name = profile.strings.intern(&schema.name);
        profile.types.define(name, schema);
    }
    let meta_indexes: Vec<usize> = derived.iter().map(|(thread, _)| thread.meta_index).collect();
    let samples = merge_stacks(&mut profile, &parts, &mut derived, (&tables, &shared), &category_maps, warnings);
    add_threads(&mut profile, derived, tables, &ranges, &category_maps, warnings);
    for (thread, samples) in profile.threads.iter_mut().zip(samples) {
        thread.samples = samples;
    }
    counters::attach(&mut profile, parts.counters, &meta_indexes);
    graphs::attach(&mut profile);
    profile
}

/// The schemas of all processes, the parent's first, then the built-in ones. A built-in schema also adds missing fields
/// to a recorded schema of the same name.
fn merge_schemas(metas: &mut [Meta], warnings: &mut Warnings) -> Vec<Schema> {
    let mut all: Vec<Schema> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for meta in metas {
        for schema in meta.schemas.drain(..) {
            if let Some(&first) = seen.get(&schema.name) {
                let differs = all[first].fields.len() != schema.fields.len();
                if differs {
                    warnings.add(WarningKind::SchemaConflict, || format!("schema \"{}\"", schema.name));
                }
                continue;
            }
            seen.insert(schema.name.clone(), all.len());
            all.push(schema);
        }
    }
    for schema in builtin_schemas::schemas() {
        match seen.get(&schema.name) {
            // Fields of the recording's schema win; the built-in schema adds the others.
            Some(&own) => {
                let missing: Vec<_> =
                    schema.fields.into_iter().filter(|field| all[own].field(&field.key).is_none()).collect();
                all[own].fields.extend(missing);
            }
            None => all.push(schema),
        }
    }
    all
}

/// The stacks of markers, in marker order. The end's stack wins for a pair of start and end, the start's stack for a
/// network request.
fn marker_stacks(markers: &MarkerTable, sampled: &Sampled) -> Vec<(LocalMarker, RawMarkerStack)> {
    let taken = &sampled.marker_stacks;
    if taken.is_empty() {
        return Vec::new();
    }
    // The order of markers is almost the order of their payloads.
    let mut near = 0;
    let mut stack = |payload: u64| {
        if PayloadRef(payload) == PayloadRef::NONE {
            return None;
        }
        near = lower_bound_near(taken, near, payload);
        taken.get(near).filter(|taken| taken.payload == payload && taken.stack != NONE).copied()
    };
    let mut found: Vec<(LocalMarker, RawMarkerStack)> = Vec::with_capacity(taken.len());
    let owned = (0..).map(LocalMarker).zip(markers.payloads());
    found.extend(owned.filter_map(|(marker, payload)| Some((marker, stack(payload.0)?))));
    let own = found.len();
    found.extend(markers.begins().filter_map(|(marker, payload)| Some((marker, stack(payload.0)?))));
    let of_requests = markers.requests().filter_map(|(marker, payload)| Some((marker, stack(payload.0)?)));
    let of_requests: Vec<_> = of_requests.collect();
    if found.len() > own || !of_requests.is_empty() {
        let mut all = of_requests;
        all.append(&mut found);
        // The sort is stable, so the first stack of a marker wins.
        all.sort_by_key(|(marker, _)| *marker);
        all.dedup_by_key(|(marker, _)| *marker);
        return all;
    }
    found
}

/// Index of the first stack whose payload is at or after `payload`; the search starts at the index `near`.
fn lower_bound_near(stacks: &[RawMarkerStack], near: usize, payload: u64) -> usize {
    const STEPS: usize = 8;
    let is_before = |place: usize| stacks.get(place).is_some_and(|stack| stack.payload < payload);
    let mut place = near;
    for _ in 0..STEPS {
        match (is_before(place), place.checked_sub(1)) {
            (true, _) => place += 1,
            (false, Some(before)) if !is_before(before) => place = before,
            _ => return place,
        }
    }
    stacks.partition_point(|stack| stack.payload < payload)
}

/// Assigns recording-wide numbers to functions, frames and stacks. Returns the samples of each thread.
fn merge_stacks(
    profile: &mut Profile,
    parts: &Parts,
    derived: &mut [(RawThread, DerivedThread)],
    (tables, shared): (&[Arc<StringTable>], &StringTable),
    category_maps: &[CategoryMap],
    warnings: &mut Warnings,
) -> Vec<Option<Box<ThreadSamples>>> {
    let root = parts.metas.first();
    let inputs = stacks::Inputs {
        text: profile.source.bytes(),
        shared: &parts.shared.stacks,
        sources: &parts.shared.sources,
        strings: shared,
        libraries: &parts.libraries,
        processes: &parts.processes,
        extensions: root.map_or(&[], |meta| &meta.extensions),
        category_maps,
        has_cpu_unit: root.is_some_and(|meta| meta.cpu_unit.is_some()),
        ignores_implementation: root.is_some_and(|meta| meta.ignores_implementation),
    };
    let threads = derived.iter_mut().zip(tables).map(|((thread, derived), strings)| {
        Some(SampledThread {
            sampled: thread.sampled.take()?,
            markers: std::mem::take(&mut derived.stacks),
            strings,
            name: &thread.name,
            shift: thread.shift,
            process: thread.meta_index,
        })
    });
    let (tables, samples) = stacks::unite(&inputs, threads.collect(), &mut profile.categories, warnings);
    profile.stacks = tables;
    let has_deltas = samples.iter().flatten().any(|samples| samples.cpu.has_cpu_deltas());
    profile.meta.cpu_unit = root.and_then(|meta| meta.cpu_unit).filter(|_| has_deltas);
    samples
}

/// The range in the recording's meta, else the union of its threads' ranges.
fn recording_range(parts: &Parts, ranges: &[Option<TimeRange>]) -> TimeRange {
    let explicit = parts.metas.first().and_then(|meta| meta.profiling_start.zip(meta.profiling_end));
    match explicit {
        Some((start, end)) => TimeRange::new(start, end),
        None => ranges.iter().flatten().copied().reduce(TimeRange::union).unwrap_or_default(),
    }
}

fn string_table(thread: &mut RawThread, shared: &Arc<StringTable>) -> Arc<StringTable> {
    match thread.strings.take() {
        Some(offsets) => Arc::new(StringTable::new(offsets)),
        None => Arc::clone(shared),
    }
}

fn add_threads(
    profile: &mut Profile,
    mut derived: Vec<(RawThread, DerivedThread)>,
    tables: Vec<Arc<StringTable>>,
    ranges: &[Option<TimeRange>],
    category_maps: &[CategoryMap],
    warnings: &mut Warnings,
) {
    let other = profile.categories.iter().position(|category| category.name == "Other");
    let other = other.map_or(CategoryId::default(), CategoryId::new);
    let mut decoded = DecodedNames::new();
    let mut maps: Vec<(Vec<StringId>, Vec<TypeId>)> = Vec::with_capacity(derived.len());
    for ((thread, derived), table) in derived.iter().zip(&tables) {
        warnings.merge(thread.warnings.clone());
        warnings.merge(derived.warnings.clone());
        let names = derived.names.iter().map(|name| name_id(profile, &mut decoded, table, *name)).collect();
        let kinds = thread
            .kinds
            .names()
            .iter()
            .map(|name| {
                let name = profile.strings.intern(name);
                profile.types.intern(name)
            })
            .collect();
        maps.push((names, kinds));
    }
    if profile.types.len() > usize::from(u16::MAX) {
        let count = profile.types.len();
        warnings.add(WarningKind::TooManyTypes, || format!("{count} payload types in all threads"));
    }
    derived.par_iter_mut().zip(&maps).with_max_len(1).for_each(|((thread, derived), (names, kinds))| {
        let categories = category_maps.get(thread.meta_index).map_or(&[][..], |map| map.ids.as_slice());
        derived.markers.remap(names, categories, other, kinds);
    });
    let mut processes: HashMap<(String, usize), ProcessId> = HashMap::new();
    let mut first_marker = 0;
    for (index, ((thread, derived), strings)) in derived.into_iter().zip(tables).enumerate() {
        let DerivedThread { markers, rows, .. } = derived;
        let process = intern_process(profile, &mut processes, &thread);
        let range = ranges[index].unwrap_or(profile.meta.range);
        let count = u32::try_from(markers.len()).unwrap_or(u32::MAX);
        profile.threads.push(Thread {
            process,
            is_main: thread.is_main || thread.name == "GeckoMain",
            tid: thread.tid.into(),
            name: thread.name.into(),
            range: TimeRange::new(
                thread.register.map_or(range.start, |time| (time + thread.shift).min(range.start)),
                thread.unregister.map_or(range.end, |time| (time + thread.shift).max(range.end)),
            ),
            shift: thread.shift,
            raw_markers: rows,
            markers,
            strings,
            first_marker: MarkerId(first_marker),
            kind: TrackKind::Thread,
            parent: None,
            nested: 0,
            groups: Column::new(),
            event_threads: None,
            samples: None,
        });
        first_marker += count;
    }
}

/// Names decoded so far, by table and index.
type DecodedNames = HashMap<(*const StringTable, u32), StringId>;

/// The interned name; each string of a table is decoded once.
fn name_id(profile: &mut Profile, decoded: &mut DecodedNames, table: &Arc<StringTable>, name: NameRef) -> StringId {
    match name {
        NameRef::Builtin(text) => profile.strings.intern(text),
        NameRef::Table(index) => *decoded.entry((Arc::as_ptr(table), index)).or_insert_with(|| {
            let text = table.get(profile.source.bytes(), u64::from(index));
            profile.strings.intern(text.as_deref().unwrap_or(derive::UNKNOWN_NAME))
        }),
    }
}

/// The process of a thread, by pid; in raw profiles also by the profile that contains the thread.
fn intern_process(
    profile: &mut Profile,
    known: &mut HashMap<(String, usize), ProcessId>,
    thread: &RawThread,
) -> ProcessId {
    let key = (thread.pid.clone(), thread.meta_index);
    if let Some(&id) = known.get(&key) {
        return id;
    }
    let mut name = if thread.process_name.is_empty() { "Process".to_owned() } else { thread.process_name.clone() };
    if let Some(site) = &thread.site {
        name = format!("{name} {site}");
    }
    let id = ProcessId::new(profile.processes.len());
    profile.processes.push(Process { pid: thread.pid.as_str().into(), name: name.into() });
    known.insert(key, id);
    id
}
