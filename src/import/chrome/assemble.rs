//! Puts tracks in their order, gives names and categories their numbers, and makes a profile of it.

use foldhash::HashMap;
use rayon::prelude::*;

use super::asyncs::Group;
use super::event::{NONE, TextId};
use super::names::Names;
use super::slices::Slice;
use super::texts::{Events, Texts};
use crate::profile::{
    Category, CategoryId, Counter, Marker, MarkerId, MarkerTable, Ns, PayloadRef, Process, ProcessId, Profile,
    StringId, Strings, Supplement, Thread, TimeRange, TrackKind,
};

/// A line of the chart with its slices in their order.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) kind: TrackKind,
    pub(super) pid: TextId,
    pub(super) tid: TextId,
    pub(super) slices: Vec<Slice>,
    /// Of async lines: number of each slice's group.
    pub(super) groups: Vec<u32>,
    /// Number of events it was made from.
    pub(super) events: u64,
}

/// One line of async slices a process, and for each group the line it stands on.
pub(super) fn async_lines(groups: &[Group]) -> Vec<Line> {
    let mut lines: Vec<(TextId, Vec<(Slice, u32)>)> = Vec::new();
    let mut by_process: HashMap<TextId, usize> = HashMap::default();
    for (number, group) in (0_u32..).zip(groups) {
        let at = *by_process.entry(group.pid).or_insert_with(|| {
            lines.push((group.pid, Vec::new()));
            lines.len() - 1
        });
        lines[at].1.extend(group.slices.iter().map(|slice| (*slice, number)));
    }
    let line = |(pid, mut slices): (TextId, Vec<(Slice, u32)>)| {
        slices.sort_unstable_by_key(|(slice, _)| slice.order());
        let events = slices.len() as u64;
        let (slices, groups) = slices.into_iter().unzip();
        Line { kind: TrackKind::Async, pid, tid: NONE, slices, groups, events }
    };
    lines.into_par_iter().map(line).collect()
}

/// Numbers of names and categories.
struct Interned {
    names: Vec<StringId>,
    categories: Vec<CategoryId>,
}

/// Categories a marker can name; those beyond share one.
const MOST_CATEGORIES: usize = 60_000;
/// Stands for what has no number yet.
const UNSEEN: u32 = u32::MAX;

/// Gives numbers to all names and categories in the order in which lines mention them.
fn intern(lines: &[Line], texts: &Texts, strings: &mut Strings, list: &mut Vec<Category>) -> Interned {
    // One more for slices without a name or category.
    let place = |text: TextId| if text == NONE { texts.len() } else { text as usize };
    let mut names = vec![StringId(UNSEEN); texts.len() + 1];
    let mut categories = vec![CategoryId(UNSEEN); texts.len() + 1];
    for slice in lines.iter().flat_map(|line| &line.slices) {
        let name = &mut names[place(slice.name)];
        if name.0 == UNSEEN {
            *name = strings.intern(texts.get(slice.name));
        }
        let category = &mut categories[place(slice.cat)];
        if category.0 == UNSEEN {
            let text = texts.get(slice.cat);
            if list.len() < MOST_CATEGORIES {
                list.push(Category { name: text.to_owned(), color: super::colors::of_category(text).into() });
            }
            *category = CategoryId::new(list.len() - 1);
        }
    }
    Interned { names, categories }
}

impl Interned {
    fn marker(&self, slice: &Slice) -> Marker {
        let place = |text: TextId| if text == NONE { self.names.len() - 1 } else { text as usize };
        let has_begin = slice.begin != Slice::NO_BEGIN;
        Marker {
            start: slice.start,
            end: slice.end,
            name: self.names[place(slice.name)],
            category: self.categories[place(slice.cat)],
            kind: None,
            flags: slice.flags,
            payload: PayloadRef(slice.event),
            supplement: has_begin.then(|| Box::new(Supplement::Start(PayloadRef(slice.begin)))),
        }
    }
}

/// Process of what belongs to the whole recording; processes without a number are another one.
const WHOLE: TextId = NONE - 1;

/// Makes processes and threads of lines; also says, for each line, where its markers begin.
pub(super) fn assemble(
    lines: &mut Vec<Line>,
    counters: Vec<(TextId, Counter)>,
    events: &Events,
    names: &Names,
    profile: &mut Profile,
) -> Vec<MarkerId> {
    let texts = &events.texts;
    add_silent_threads(lines, events, names);
    let pids = lines.iter().map(|line| if line.kind == TrackKind::Global { WHOLE } else { line.pid });
    // Those that are only named are worth knowing, too.
    let named = events.pairs.iter().map(|pair| pair.0).filter(|pid| names.processes.contains_key(pid));
    let owners = pids.chain(counters.iter().map(|(pid, _)| *pid)).chain(named);
    let processes = Processes::of(owners, texts, names);
    let interned = intern(lines, texts, &mut profile.strings, &mut profile.categories);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let process_of = |line: &Line| processes.number(if line.kind == TrackKind::Global { WHOLE } else { line.pid });
    let sort_index = |line: &Line| names.threads.get(&(line.pid, line.tid)).map_or(0, |named| named.sort_index);
    order.sort_by_key(|at| {
        let line = &lines[*at];
        (process_of(line), line.kind, sort_index(line), *at)
    });

    let build = |line: &Line| -> (MarkerTable, Option<TimeRange>) {
        let markers = MarkerTable::build(line.slices.iter().map(|slice| interned.marker(slice)).collect());
        let own = line.slices.iter().map(|slice| TimeRange { start: slice.start, end: slice.end });
        (markers, own.reduce(TimeRange::union))
    };
    let mut tables: Vec<(MarkerTable, Option<TimeRange>)> = lines.par_iter().with_max_len(1).map(build).collect();
    let mut first_markers = vec![MarkerId(0); lines.len()];
    let mut next = 0_u32;
    let mut range: Option<TimeRange> = None;
    for at in order {
        let (markers, own) = std::mem::take(&mut tables[at]);
        let line = &lines[at];
        first_markers[at] = MarkerId(next);
        next = next.saturating_add(u32::try_from(markers.len()).unwrap_or(u32::MAX));
        range = range.into_iter().chain(own).reduce(TimeRange::union);
        profile.threads.push(Thread {
            process: process_of(line),
            tid: texts.get(line.tid).to_owned(),
            name: line_name(line, texts, names),
            kind: line.kind,
            is_main: line.kind == TrackKind::Thread && line.tid == line.pid,
            range: own.unwrap_or_default(),
            shift: Ns(0),
            raw_markers: line.events,
            markers,
            strings: std::sync::Arc::default(),
            first_marker: first_markers[at],
            groups: line.groups.clone().into(),
        });
    }
    let owned = |(pid, counter): (TextId, Counter)| Counter { process: Some(processes.number(pid)), ..counter };
    profile.counters = counters.into_iter().map(owned).collect();
    let sampled = profile.counters.iter().flat_map(|counter| &counter.series).filter_map(|series| {
        let (first, last) = (series.samples.first()?, series.samples.last()?);
        Some(TimeRange { start: first.time, end: last.time })
    });
    profile.meta.range = range.into_iter().chain(sampled).reduce(TimeRange::union).unwrap_or_default();
    profile.processes = processes.list;
    first_markers
}

/// Adds the threads that are named but have no events: that they were silent is worth knowing.
fn add_silent_threads(lines: &mut Vec<Line>, events: &Events, names: &Names) {
    let seen: std::collections::HashSet<(TextId, TextId)> =
        lines.iter().filter(|line| line.kind == TrackKind::Thread).map(|line| (line.pid, line.tid)).collect();
    let silent = events.pairs.iter().filter(|pair| names.threads.contains_key(*pair) && !seen.contains(*pair));
    lines.extend(silent.map(|&(pid, tid)| Line {
        kind: TrackKind::Thread,
        pid,
        tid,
        slices: Vec::new(),
        groups: Vec::new(),
        events: 0,
    }));
}

fn line_name(line: &Line, texts: &Texts, names: &Names) -> String {
    match line.kind {
        TrackKind::Global => "Global instants".into(),
        TrackKind::Process => "Process instants".into(),
        TrackKind::Async => "Async".into(),
        TrackKind::Thread => match names.threads.get(&(line.pid, line.tid)).filter(|named| !named.name.is_empty()) {
            Some(named) => named.name.clone(),
            None => format!("Thread {}", texts.get(line.tid)),
        },
    }
}

/// Processes in their order, and the number of each.
pub(super) struct Processes {
    list: Vec<Process>,
    numbers: HashMap<TextId, ProcessId>,
}

impl Processes {
    /// Of all processes that own something, in the order of their sort indexes; ties as they come.
    fn of(pids: impl Iterator<Item = TextId>, texts: &Texts, names: &Names) -> Self {
        let mut seen = std::collections::HashSet::new();
        let mut order: Vec<TextId> = pids.filter(|pid| seen.insert(*pid)).collect();
        let named = |pid: &TextId| names.processes.get(pid);
        order.sort_by_key(|pid| (*pid != WHOLE, named(pid).map_or(0, |named| named.sort_index)));
        let mut processes = Self { list: Vec::with_capacity(order.len()), numbers: HashMap::default() };
        for pid in order {
            processes.numbers.insert(pid, ProcessId::new(processes.list.len()));
            let name = match named(&pid) {
                _ if pid == WHOLE => "Whole recording".into(),
                Some(named) if !named.name.is_empty() && !named.labels.is_empty() => {
                    format!("{}: {}", named.name, named.labels)
                }
                Some(named) if !named.name.is_empty() => named.name.clone(),
                _ => format!("Process {}", texts.get(pid)),
            };
            processes.list.push(Process { pid: texts.get(pid).to_owned(), name });
        }
        processes
    }

    fn number(&self, pid: TextId) -> ProcessId {
        self.numbers.get(&pid).copied().unwrap_or_default()
    }
}
