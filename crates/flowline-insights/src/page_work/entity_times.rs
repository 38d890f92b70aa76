//! For whom the main threads of a page worked: self times by entity and navigation, and the slices of entities.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::entries::PageEntries;
use crate::entities::entity_of;
use crate::page::Page;
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

/// The entities of a thread.
struct OfThread<'a> {
    list: &'a EntryList,
    /// The entity of each entry.
    names: Vec<String>,
    entity: Vec<u32>,
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

    fn number(&mut self, name: &str, known: &mut BTreeMap<String, u32>) -> u32 {
        *known.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            u32::try_from(self.names.len() - 1).unwrap_or(NONE)
        })
    }

    /// Adds a piece of self time, split at the starts of navigations.
    fn add(&mut self, entity: u32, mut from: Ns, to: Ns) {
        while from < to {
            let period = self.starts.partition_point(|own| *own <= from);
            let end = self.starts.get(period).map_or(to, |next| (*next).min(to));
            let sum = self.times[period].entry(entity).or_default();
            *sum = *sum + (end - from);
            from = end;
        }
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
        let funcs = (0..profile.stacks.funcs.len()).into_par_iter().with_min_len(1 << 10);
        let sources: Vec<Source> = funcs.map(|func| source(profile, FuncId::new(func))).collect();
        let mut known = BTreeMap::new();
        for (_, list) in entries {
            let thread = OfThread::new(profile, (&sources, &urls), list);
            let numbers: Vec<u32> = thread.names.iter().map(|name| all.number(name, &mut known)).collect();
            let number = |entry: usize| numbers.get(thread.entity[entry] as usize).copied();
            thread.each_self_piece(|entry, from, to| {
                if let Some(entity) = number(entry) {
                    all.add(entity, from, to);
                }
            });
            for entry in (0..list.len()).filter(|entry| list.end[*entry] - list.start[*entry] >= LISTED) {
                let item = list.item(profile, u32::try_from(entry).unwrap_or(NONE));
                if let (Some(entity), EntryItem::Marker(marker)) = (number(entry), item) {
                    let times = TimeRange { start: list.start[entry], end: list.end[entry] };
                    all.slices.push(EntitySlice { times, marker, entity });
                }
            }
        }
        all.slices.sort_by_key(|slice| (slice.times.start, slice.marker));
        all
    }
}

/// How the entity of an entry is found.
enum Source {
    /// By the file of its function, which has this entity.
    Function(Option<String>),
    /// By the arguments of the event.
    Arguments,
}

impl<'a> OfThread<'a> {
    fn new(profile: &Profile, (sources, urls): (&[Source], &RequestUrls), list: &'a EntryList) -> Self {
        let count = u32::try_from(list.len()).unwrap_or(NONE);
        let source = |entry: EntryId| sources.get(list.func(entry) as usize);
        let stated = |entry: EntryId| match source(entry) {
            Some(Source::Arguments) => named(&event_address(profile, urls, list, entry)),
            _ => None,
        };
        let stated: Vec<Option<String>> = (0..count).into_par_iter().with_min_len(1 << 10).map(stated).collect();
        let (mut names, mut known) = (Vec::new(), BTreeMap::new());
        let mut number = |name: &String| {
            *known.entry(name.clone()).or_insert_with_key(|name| {
                names.push(name.clone());
                u32::try_from(names.len() - 1).unwrap_or(NONE)
            })
        };
        let entities = (0..count).zip(&stated).map(|(entry, stated)| {
            let name = match source(entry) {
                Some(Source::Function(name)) => name.as_ref(),
                _ => stated.as_ref(),
            };
            name.map_or(NONE, &mut number)
        });
        let entity = entities.collect();
        Self { list, names, entity }
    }

    /// Calls `each` for every piece of an entry's self time.
    fn each_self_piece(&self, mut each: impl FnMut(usize, Ns, Ns)) {
        let list = self.list;
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
}

fn source(profile: &Profile, func: FuncId) -> Source {
    if !profile.stacks.funcs[func.index()].flags.has(FuncFlags::IS_EVENT) {
        return Source::Function(named(profile.stacks.file(func)));
    }
    let is_without = WITHOUT_ADDRESS.contains(&profile.stacks.name(func));
    if is_without { Source::Function(None) } else { Source::Arguments }
}

/// The name of the entity of an address.
fn named(address: &str) -> Option<String> {
    entity_of(address).map(|entity| entity.name.to_owned())
}
