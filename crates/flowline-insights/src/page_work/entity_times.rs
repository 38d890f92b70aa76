//! For whom the main threads of a page worked: self times by entity and navigation, and the slices of entities.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::entries::PageEntries;
use crate::page::Page;
use flowline_index::entities::entity_of;
use flowline_index::network::RequestUrls;
use flowline_index::samples::entries::{EntryId, EntryItem, EntryList, event_address};
use flowline_index::{Derived, Index};
use flowline_profile::samples::{FuncFlags, NONE};
use flowline_profile::{FuncId, MarkerId, Ns, Profile, TimeRange};

/// Slices of entities of at least this length are listed.
const LISTED: Ns = Ns(1_000_000);
/// Events that are frequent and state no address.
const WITHOUT_ADDRESS: [&str; 20] = [
    "BlinkGC.AtomicPhase",
    "Commit",
    "CompositeLayers",
    "ComputeIntersections",
    "CppGC.IncrementalSweep",
    "FireAnimationFrame",
    "FireIdleCallback",
    "GPUTask",
    "HitTest",
    "Layerize",
    "Layout",
    "MajorGC",
    "MinorGC",
    "Paint",
    "PrePaint",
    "RasterTask",
    "RunMicrotasks",
    "TimerFire",
    "UpdateLayerTree",
    "UpdateLayoutTree",
];

/// A slice of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntitySlice {
    pub(crate) times: TimeRange,
    pub(crate) marker: MarkerId,
    /// Number of its entity.
    pub(crate) entity: u32,
}

/// Times by entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntityTimes {
    names: Vec<String>,
    /// Starts of the navigations of the main frame.
    starts: Vec<Ns>,
    /// Self times by entity: before the first navigation, and after each.
    times: Vec<BTreeMap<u32, Ns>>,
    /// By start.
    slices: Vec<EntitySlice>,
}

/// Entries of which one job finds the entities.
const CHUNK: usize = 1 << 13;

/// Numbers for the names of entities.
#[derive(Debug, Default)]
struct Numbers {
    names: Vec<String>,
    known: BTreeMap<String, u32>,
}

impl Numbers {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.known.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(NONE);
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), number);
        number
    }

    fn of_address(&mut self, address: &str) -> u32 {
        entity_of(address).map_or(NONE, |entity| self.number(entity.name))
    }
}

/// Self times of the period between two navigations that is added to, by entity. Pieces of a thread are added in time order.
struct Sums<'a> {
    starts: &'a [Ns],
    times: &'a mut [BTreeMap<u32, Ns>],
    /// Number of navigations before the pieces.
    period: usize,
    by_entity: Vec<Ns>,
}

impl Sums<'_> {
    /// Adds a piece of self time, split at the starts of navigations.
    fn add(&mut self, entity: u32, mut from: Ns, to: Ns) {
        while from < to {
            while self.starts.get(self.period).is_some_and(|next| *next <= from) {
                self.flush();
                self.period += 1;
            }
            let end = self.starts.get(self.period).map_or(to, |next| (*next).min(to));
            if let Some(sum) = self.by_entity.get_mut(entity as usize) {
                *sum = *sum + (end - from);
            }
            from = end;
        }
    }

    fn flush(&mut self) {
        for (entity, time) in (0..).zip(&mut self.by_entity).filter(|(_, time)| **time > Ns(0)) {
            let sum = self.times[self.period].entry(entity).or_default();
            *sum = *sum + std::mem::take(time);
        }
    }
}

impl EntityTimes {
    /// Entities and their self times after the start of a navigation, up to the next one.
    pub(crate) fn times(&self, start: Ns) -> impl Iterator<Item = (&str, Ns)> {
        let period = self.starts.partition_point(|own| *own <= start);
        let times = self.times.get(period).into_iter().flatten();
        times.filter_map(|(entity, time)| Some((self.name(*entity)?, *time)))
    }

    /// The slices of entities that begin in a range.
    pub(crate) fn slices(&self, range: TimeRange) -> &[EntitySlice] {
        let first = self.slices.partition_point(|slice| slice.times.start < range.start);
        let end = self.slices.partition_point(|slice| slice.times.start <= range.end);
        self.slices.get(first..end).unwrap_or_default()
    }

    /// The name of an entity.
    pub(crate) fn name(&self, entity: u32) -> Option<&str> {
        self.names.get(entity as usize).map(String::as_str)
    }
}

impl Derived for EntityTimes {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let starts: Vec<Ns> = Page::of(index).main_navigations().map(|navigation| navigation.time).collect();
        let times = vec![BTreeMap::new(); starts.len() + 1];
        let mut all = Self { starts, times, ..Self::default() };
        let entries = PageEntries::of(index).all();
        if entries.is_empty() {
            return all;
        }
        let urls = RequestUrls::new(profile);
        let mut numbers = Numbers::default();
        let funcs = (0..profile.stacks.funcs.len()).map(FuncId::new);
        let sources: Vec<Source> = funcs.map(|func| source(profile, func, &mut numbers)).collect();
        for (_, list) in entries {
            let mut entity = entities(profile, (&sources, &urls), list, &mut numbers);
            give_to_callers(profile, list, &mut entity);
            let by_entity = vec![Ns(0); numbers.names.len()];
            let mut sums = Sums { starts: &all.starts, times: &mut all.times, period: 0, by_entity };
            each_self_piece(list, |entry, from, to| sums.add(entity[entry], from, to));
            sums.flush();
            for entry in (0..list.len()).filter(|entry| list.end[*entry] - list.start[*entry] >= LISTED) {
                let item = list.item(profile, u32::try_from(entry).unwrap_or(NONE));
                if let (true, EntryItem::Marker(marker)) = (entity[entry] != NONE, item) {
                    let times = TimeRange { start: list.start[entry], end: list.end[entry] };
                    all.slices.push(EntitySlice { times, marker, entity: entity[entry] });
                }
            }
        }
        all.names = numbers.names;
        all.slices.sort_by_key(|slice| (slice.times.start, slice.marker));
        all
    }
}

/// How the entity of an entry is found.
enum Source {
    /// By the file of its function, which has this entity; [`NONE`] if it has none.
    Function(u32),
    /// By the arguments of the event.
    Arguments,
}

/// The entity of each entry; [`NONE`] for those without.
fn entities(
    profile: &Profile,
    (sources, urls): (&[Source], &RequestUrls),
    list: &EntryList,
    numbers: &mut Numbers,
) -> Vec<u32> {
    let starts: Vec<usize> = (0..list.len()).step_by(CHUNK).collect();
    // Each chunk numbers its entities by itself; few of them have a stated address.
    let of_chunk = |first: usize| {
        let (mut own, mut stated) = (Numbers::default(), Vec::new());
        for entry in first..list.len().min(first + CHUNK) {
            let id: EntryId = u32::try_from(entry).unwrap_or(NONE);
            if let Some(Source::Arguments) = sources.get(list.func(id) as usize) {
                stated.push((entry, own.of_address(&event_address(profile, urls, list, id))));
            }
        }
        (own.names, stated)
    };
    let chunks: Vec<_> = starts.into_par_iter().map(of_chunk).collect();
    let of_function = |entry: usize| match sources.get(list.func(u32::try_from(entry).unwrap_or(NONE)) as usize) {
        Some(Source::Function(entity)) => *entity,
        _ => NONE,
    };
    let mut all: Vec<u32> = (0..list.len()).into_par_iter().with_min_len(CHUNK).map(of_function).collect();
    for (names, stated) in chunks {
        let numbered: Vec<u32> = names.iter().map(|name| numbers.number(name)).collect();
        for (entry, own) in stated {
            all[entry] = numbered.get(own as usize).copied().unwrap_or(NONE);
        }
    }
    all
}

/// Gives calls without an entity, such as those of built-in functions, to the nearest entry around them that has one.
fn give_to_callers(profile: &Profile, list: &EntryList, entity: &mut [u32]) {
    let mut nearest = entity.to_vec();
    for entry in 0..list.len() {
        let Some(around) = nearest.get(list.parent[entry] as usize).copied().filter(|_| nearest[entry] == NONE) else {
            continue;
        };
        nearest[entry] = around;
        let func = list.func(u32::try_from(entry).unwrap_or(NONE)) as usize;
        if !profile.stacks.funcs[func].flags.has(FuncFlags::IS_EVENT) {
            entity[entry] = around;
        }
    }
}

/// Calls `each` for every piece of an entry's self time, in time order.
fn each_self_piece(list: &EntryList, mut each: impl FnMut(usize, Ns, Ns)) {
    let mut around: Vec<usize> = Vec::new();
    let mut now = Ns(i64::MIN);
    for entry in 0..list.len() {
        while let Some(over) = around.pop_if(|over| list.end[*over] <= list.start[entry]) {
            each(over, now, list.end[over]);
            now = list.end[over];
        }
        around.last().into_iter().for_each(|over| each(*over, now, list.start[entry]));
        now = list.start[entry];
        around.push(entry);
    }
    while let Some(over) = around.pop() {
        each(over, now, list.end[over]);
        now = list.end[over];
    }
}

fn source(profile: &Profile, func: FuncId, numbers: &mut Numbers) -> Source {
    if !profile.stacks.funcs[func.index()].flags.has(FuncFlags::IS_EVENT) {
        return Source::Function(numbers.of_address(profile.stacks.file(func)));
    }
    let is_without = WITHOUT_ADDRESS.contains(&profile.stacks.name(func));
    if is_without { Source::Function(NONE) } else { Source::Arguments }
}
