//! The list of visible entries of threads, their paths and their costs.

use std::collections::BTreeMap;

use foldhash::HashMap;

use super::entry::{CALL, EntryId, EntryItem, EntrySet};
use super::groups::{EntryGroups, GroupNumber};
use super::names;
use super::names::{BROWSER_EVENTS, TASK, Work};
use crate::samples::trees::{Cost, Grouping, StackView};
use flowline_profile::samples::{CallRef, FuncFlags, NONE};
use flowline_profile::{Implementation, MarkerId, Ns, Profile, StackId, StringId, ThreadId, TimeRange, TrackKind};

/// The visible entries of threads with a nonzero length, thread by thread, each before its nested entries.
#[derive(Clone, Debug, Default)]
pub struct EntryList {
    /// Starts; ascending within a thread.
    pub start: Vec<Ns>,
    /// Ends.
    pub end: Vec<Ns>,
    /// Innermost visible entry around each entry; [`NONE`] if there is none.
    pub parent: Vec<EntryId>,
    /// Path of each entry.
    pub(super) path: Vec<u32>,
    /// Number of the marker within its thread or, with [`CALL`], of the call.
    pub(super) item: Vec<u32>,
    /// Threads, and the first entry of each.
    pub(super) threads: Vec<(ThreadId, EntryId)>,
    /// Paths of names; parents come before children.
    pub(super) paths: Paths,
    /// Number of entries dropped because they begin inside another entry and end after it.
    pub omitted: usize,
    /// Groups that split entries with equal names; they are the subcategories of paths.
    pub(super) groups: Option<EntryGroups>,
}

/// Paths of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    parent: Vec<u32>,
    func: Vec<u32>,
    stack: Vec<StackId>,
    category: Vec<[u16; 2]>,
    known: HashMap<(u32, u32, GroupNumber), u32>,
}

impl Paths {
    /// Number of a path, given a stack that ends with its function.
    pub(super) fn number(&mut self, profile: &Profile, parent: u32, stack: StackId, group: GroupNumber) -> u32 {
        let tables = &profile.stacks;
        let func = tables.func(stack).0;
        *self.known.entry((parent, func, group)).or_insert_with(|| {
            self.parent.push(parent);
            self.func.push(func);
            self.stack.push(stack);
            self.category.push([tables.category[stack.index()], group]);
            u32::try_from(self.func.len() - 1).unwrap_or(NONE)
        })
    }
}

/// The costs of entries within a range.
#[derive(Clone, Debug, Default)]
pub struct EntryCosts {
    /// Self cost of each path. Samples and weights are the number of entries.
    pub own: Vec<Cost>,
    /// First entry of each path; [`NONE`] if it has none in the range.
    pub first: Vec<EntryId>,
    /// Number of entries.
    pub count: usize,
    /// Sum over all threads of the length of the range or, without a range, of the thread's entries.
    pub span: Ns,
}

/// True if a thread has calls from the importer, which trees combine with its slices.
fn has_calls(profile: &Profile, thread: ThreadId) -> bool {
    profile.samples(thread).is_some_and(|samples| samples.calls.as_ref().is_some_and(|calls| !calls.is_empty()))
}

/// True if a thread has samples of any kind.
#[must_use]
pub fn has_samples(profile: &Profile, thread: ThreadId) -> bool {
    profile.samples(thread).is_some_and(|samples| {
        !samples.cpu.is_empty() || !samples.js_allocations.is_empty() || !samples.native_allocations.is_empty()
    })
}

/// True if a thread has slices or calls, so that it can be shown as entries. Entries have times.
#[must_use]
pub fn has_entries(profile: &Profile, thread: ThreadId) -> bool {
    let owner = profile.thread(thread);
    if !profile.meta.capabilities.axis.is_time() {
        return false;
    }
    has_calls(profile, thread) || (owner.kind == TrackKind::Thread && owner.markers.has_slices())
}

/// Default contents of the trees of threads: the entries that DevTools shows for V8 threads with calls; else samples; if
/// no thread has samples, all slices.
#[must_use]
#[inline]
pub fn default_entries(profile: &Profile, threads: &[ThreadId]) -> Option<EntrySet> {
    let any = |is: fn(&Profile, ThreadId) -> bool| threads.iter().any(|thread| is(profile, *thread));
    if profile.meta.capabilities.trees_of_entries && any(has_calls) {
        return Some(EntrySet::Shown);
    }
    (!any(has_samples) && any(has_entries)).then_some(EntrySet::All)
}

impl EntryList {
    /// Entries of threads. If the grouping depends on arguments, entries with equal names have one path per group.
    #[must_use]
    pub fn new(profile: &Profile, threads: &[ThreadId], set: EntrySet, grouping: Grouping) -> Self {
        Self::divided(profile, threads, set, EntryGroups::new(profile, grouping, false))
    }

    /// The same with one path per function that events called, unless calls from samples tell the functions.
    #[must_use]
    pub fn titled(profile: &Profile, threads: &[ThreadId], set: EntrySet, grouping: Grouping) -> Self {
        let has_titles = set != EntrySet::Calls && !threads.iter().any(|thread| has_calls(profile, *thread));
        let has_titles = has_titles && profile.strings.iter().any(|(name, _)| profile.is_call_name(name));
        Self::divided(profile, threads, set, EntryGroups::new(profile, grouping, has_titles))
    }

    fn divided(profile: &Profile, threads: &[ThreadId], set: EntrySet, groups: Option<EntryGroups>) -> Self {
        let mut list = Self { groups, ..Self::default() };
        let events = EventStacks::new(profile, set);
        for thread in threads.iter().filter(|thread| has_entries(profile, **thread)) {
            list.threads.push((*thread, list.len_id()));
            list.add(profile, *thread, &events);
        }
        list.paths.known = HashMap::default();
        list
    }

    /// Number of entries.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.start.len()
    }

    /// True if there are no entries.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    fn len_id(&self) -> EntryId {
        u32::try_from(self.start.len()).unwrap_or(NONE)
    }

    /// The marker or call of an entry.
    #[must_use]
    pub fn item(&self, profile: &Profile, entry: EntryId) -> EntryItem {
        let after = self.threads.partition_point(|(_, first)| *first <= entry);
        let thread = self.threads[after.saturating_sub(1)].0;
        let number = self.item[entry as usize];
        if number & CALL != 0 {
            EntryItem::Call(CallRef { thread, functions: Implementation::All, call: number & !CALL })
        } else {
            EntryItem::Marker(MarkerId(profile.thread(thread).first_marker.0.saturating_add(number)))
        }
    }

    /// Function of an entry; events are functions, too.
    #[must_use]
    #[inline]
    pub fn func(&self, entry: EntryId) -> u32 {
        self.paths.func[self.path[entry as usize] as usize]
    }

    /// Path of an entry, as a stack of the view of these entries.
    #[must_use]
    pub(crate) fn path(&self, entry: usize) -> StackId {
        StackId(self.path[entry])
    }

    /// Category of an entry.
    #[must_use]
    #[inline]
    pub fn category(&self, entry: EntryId) -> u16 {
        self.paths.category[self.path[entry as usize] as usize][0]
    }

    /// True if entries with equal names are divided, by numbers that are the subcategories of nodes.
    #[must_use]
    #[inline]
    pub const fn is_divided(&self) -> bool {
        self.groups.is_some()
    }

    /// True if they are divided by the functions that events called.
    #[must_use]
    #[inline]
    pub fn has_titles(&self) -> bool {
        self.groups.as_ref().is_some_and(|groups| groups.has_titles)
    }

    /// The title of calls of a function, by the number of their part; `None` for entries that are titled with their name.
    #[must_use]
    #[inline]
    pub fn title(&self, part: u16) -> Option<&str> {
        let group = self.groups.as_ref()?.all.get(usize::from(part))?;
        Some(group.title.as_str()).filter(|title| !title.is_empty())
    }

    /// The address by which the entries of each part are grouped, empty without one; `None` without groups by address.
    #[must_use]
    pub fn addresses(&self) -> Option<impl Iterator<Item = &str>> {
        let groups = self.groups.as_ref().filter(|groups| groups.is_by_address())?;
        Some(groups.all.iter().map(|group| group.address.as_str()))
    }

    /// The next entry that is not inside an entry.
    #[must_use]
    pub fn after(&self, entry: EntryId) -> EntryId {
        let at = entry as usize;
        let thread = self.threads.partition_point(|(_, first)| *first <= entry);
        let limit = self.threads.get(thread).map_or(self.len(), |(_, first)| *first as usize);
        let (end, first) = (self.end[at], at + 1);
        let inside = self.start[first.min(limit)..limit].partition_point(|start| *start < end);
        u32::try_from(first.min(limit) + inside).unwrap_or(NONE)
    }

    /// Paths as stacks; path numbers are the stacks of the view.
    #[must_use]
    pub(crate) fn view(&self) -> StackView {
        let paths = &self.paths;
        StackView {
            prefix: paths.parent.clone(),
            func: paths.func.clone(),
            origin: paths.stack.clone(),
            category: paths.category.clone(),
            group: Vec::new(),
            of_stack: (0..u32::try_from(paths.func.len()).unwrap_or(NONE)).collect(),
        }
    }

    /// Costs of the parts of entries within a range or, for `None`, of all entries.
    #[must_use]
    pub fn costs(&self, range: Option<TimeRange>) -> EntryCosts {
        let count = self.paths.func.len();
        let mut costs =
            EntryCosts { own: vec![Cost::default(); count], first: vec![NONE; count], ..Default::default() };
        let ends = self.threads.iter().skip(1).map(|(_, first)| *first as usize).chain([self.len()]);
        for ((_, first), end) in self.threads.iter().zip(ends) {
            let entries = *first as usize..end;
            let Some(extent) = self.extent_of(entries.clone()) else { continue };
            let range = range.unwrap_or(extent);
            costs.span = costs.span + (range.end - range.start);
            for entry in entries.take_while(|entry| self.start[*entry] < range.end) {
                let length = self.end[entry].min(range.end) - self.start[entry].max(range.start);
                if length <= Ns(0) {
                    continue;
                }
                let path = self.path[entry] as usize;
                costs.count += 1;
                costs.own[path] += Cost { weight: 1.0, time: length, samples: 1 };
                if costs.first[path] == NONE {
                    costs.first[path] = u32::try_from(entry).unwrap_or(NONE);
                }
                if let Some(parent) = self.path.get(self.parent[entry] as usize) {
                    let own = &mut costs.own[*parent as usize].time;
                    *own = *own - length;
                }
            }
        }
        costs
    }

    /// Time from the first start to the last end of all entries.
    #[must_use]
    #[inline]
    pub fn extent(&self) -> Option<TimeRange> {
        Some(TimeRange { start: *self.start.iter().min()?, end: *self.end.iter().max()? })
    }

    /// Calls `each` for every piece of an entry's self time within a range, with the entry's path, the start and the
    /// length.
    pub fn each_self_piece(&self, range: TimeRange, mut each: impl FnMut(StackId, Ns, Ns)) {
        let mut piece = |entry: usize, from: Ns, to: Ns| {
            let (from, to) = (from.max(range.start), to.min(range.end));
            if to > from {
                each(StackId(self.path[entry]), from, to - from);
            }
        };
        let ends = self.threads.iter().skip(1).map(|(_, first)| *first as usize).chain([self.len()]);
        for ((_, first), end) in self.threads.iter().zip(ends) {
            let mut around: Vec<usize> = Vec::new();
            let mut now = Ns(i64::MIN);
            for entry in *first as usize..end {
                while let Some(over) = around.pop_if(|over| self.end[*over] <= self.start[entry]) {
                    piece(over, now, self.end[over]);
                    now = self.end[over];
                }
                around.last().into_iter().for_each(|over| piece(*over, now, self.start[entry]));
                now = self.start[entry];
                around.push(entry);
            }
            while let Some(over) = around.pop() {
                piece(over, now, self.end[over]);
                now = self.end[over];
            }
        }
    }

    /// Time from the first start to the last end of some entries of a thread.
    fn extent_of(&self, entries: std::ops::Range<usize>) -> Option<TimeRange> {
        let end = self.end[entries.clone()].iter().max()?;
        Some(TimeRange { start: *self.start[entries].first()?, end: *end })
    }

    /// Self times by kind of work within a range, longest first, without kinds that have none.
    #[must_use]
    #[inline]
    pub fn summary(&self, profile: &Profile, range: Option<TimeRange>) -> Vec<(Work, Ns)> {
        let costs = self.costs(range);
        times_by_work(profile, self.paths.func.iter().copied().zip(costs.own.iter().map(|cost| cost.time)))
    }
}

/// Self times of functions and events by kind of work, longest first, without kinds that have none.
pub(crate) fn times_by_work(profile: &Profile, own: impl Iterator<Item = (u32, Ns)>) -> Vec<(Work, Ns)> {
    let mut sums: BTreeMap<Work, Ns> = BTreeMap::new();
    for (func, time) in own {
        let sum = sums.entry(work_of(profile, func)).or_default();
        *sum = *sum + time;
    }
    let mut sums: Vec<(Work, Ns)> = sums.into_iter().filter(|(_, time)| *time > Ns(0)).collect();
    sums.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    sums
}

/// True if the events of a recording are those of a browser or of V8, so that kinds of work describe them.
#[must_use]
pub fn has_work(profile: &Profile) -> bool {
    let funcs = || profile.stacks.funcs.iter();
    profile.meta.capabilities.trees_of_entries
        && (is_of_browser(profile) || funcs().any(|func| !func.flags.has(FuncFlags::IS_EVENT)))
}

fn is_of_browser(profile: &Profile) -> bool {
    BROWSER_EVENTS.iter().any(|name| profile.strings.find(name).is_some())
}

/// Kind of work of a function or event.
#[must_use]
pub fn work_of(profile: &Profile, func: u32) -> Work {
    let tables = &profile.stacks;
    match tables.funcs.get(func as usize) {
        Some(func) if func.flags.has(FuncFlags::IS_EVENT) => {
            let name = tables.strings.get(func.name);
            Work::of_event(name).or_else(|| names::of_hidden(name)).unwrap_or(Work::Other)
        }
        Some(func) if func.source == NONE && tables.strings.get(func.name) == "(idle)" => Work::Idle,
        Some(_) => Work::Scripting,
        None => Work::Other,
    }
}

/// The stacks that represent event names.
pub(super) struct EventStacks {
    /// Stack of each visible name.
    pub(super) shown: HashMap<StringId, StackId>,
}

impl EventStacks {
    fn new(profile: &Profile, set: EntrySet) -> Self {
        let tables = &profile.stacks;
        let is_browser = is_of_browser(profile);
        let is_shown = |name: &str| match set {
            EntrySet::Calls => false,
            EntrySet::All => true,
            EntrySet::Shown if is_browser => name != TASK && Work::of_event(name).is_some(),
            EntrySet::Shown => true,
        };
        let roots = (0..tables.len()).map(StackId::new).filter(|stack| tables.caller(*stack).is_none());
        let events = roots.filter(|stack| tables.funcs[tables.func(*stack).index()].flags.has(FuncFlags::IS_EVENT));
        let named = events.filter_map(|stack| {
            let name = tables.name(tables.func(stack));
            is_shown(name).then(|| profile.strings.find(name)).flatten().map(|name| (name, stack))
        });
        Self { shown: named.collect() }
    }
}
