//! Puts tracks in their order, gives names and categories their numbers, and makes a profile of it.

use foldhash::HashMap;
use rayon::prelude::*;

use super::event::{NONE, TextId};
use super::lines::Line;
use super::names::Names;
use super::trace::{Texts, Trace};
use crate::profile::{
    Category, CategoryId, Counter, LocalMarker, MarkerId, Ns, Process, ProcessId, Profile, StringId, Strings, Thread,
    TimeRange, TrackKind,
};

/// Categories a marker can name; those beyond share one.
const MOST_CATEGORIES: usize = 60_000;
/// Stands for what has no number yet.
const UNSEEN: u32 = u32::MAX;

/// Gives numbers to all names and categories in the order in which lines mention them; and to the labels of each line.
fn intern(
    lines: &[Line],
    texts: &Texts,
    strings: &mut Strings,
    list: &mut Vec<Category>,
) -> Vec<Vec<(StringId, CategoryId)>> {
    // One more for slices without a name or category.
    let place = |text: TextId| if text == NONE { texts.len() } else { text as usize };
    let mut names = vec![StringId(UNSEEN); texts.len() + 1];
    let mut categories = vec![CategoryId(UNSEEN); texts.len() + 1];
    let mut number = |&(name, cat): &(TextId, TextId)| {
        let known = &mut names[place(name)];
        if known.0 == UNSEEN {
            *known = strings.intern(texts.get(name));
        }
        let category = &mut categories[place(cat)];
        if category.0 == UNSEEN {
            let text = texts.get(cat);
            if list.len() < MOST_CATEGORIES {
                list.push(Category { name: text.to_owned(), color: super::colors::of_category(text).into() });
            }
            *category = CategoryId::new(list.len() - 1);
        }
        (*known, *category)
    };
    lines.iter().map(|line| line.labels.iter().map(&mut number).collect()).collect()
}

/// Process of what belongs to the whole recording; processes without a number are another one.
const WHOLE: TextId = NONE - 1;

/// Makes processes and threads of lines; also says, for each line, where its markers begin.
pub(super) fn assemble(
    mut lines: Vec<Line>,
    counters: Vec<(TextId, Counter)>,
    trace: &Trace,
    names: &Names,
    profile: &mut Profile,
) -> Vec<MarkerId> {
    let texts = &trace.texts;
    let pids = lines.iter().map(|line| if line.kind == TrackKind::Global { WHOLE } else { line.pid });
    // Those that are only named are worth knowing, too.
    let named = trace.pairs.list.iter().map(|pair| pair.0).filter(|pid| names.processes.contains_key(pid));
    let owners = pids.chain(counters.iter().map(|(pid, _)| *pid)).chain(named);
    let processes = Processes::of(owners, texts, names);
    let labels = intern(&lines, texts, &mut profile.strings, &mut profile.categories);
    lines.par_iter_mut().zip(&labels).with_max_len(1).for_each(|(line, labels)| line.markers.relabel(labels));
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let process_of = |line: &Line| processes.number(if line.kind == TrackKind::Global { WHOLE } else { line.pid });
    let sort_index = |line: &Line| names.threads.get(&(line.pid, line.tid)).map_or(0, |named| named.sort_index);
    order.sort_by_key(|at| {
        let line = &lines[*at];
        (process_of(line), line.kind, sort_index(line), *at)
    });

    let mut first_markers = vec![MarkerId(0); lines.len()];
    let mut next = 0_u32;
    let mut range: Option<TimeRange> = None;
    for at in order {
        let line = &mut lines[at];
        first_markers[at] = MarkerId(next);
        next = next.saturating_add(u32::try_from(line.markers.len()).unwrap_or(u32::MAX));
        range = range.into_iter().chain(line.range).reduce(TimeRange::union);
        let first_marker = first_markers[at];
        let colors = std::mem::take(&mut line.colors);
        let global = |marker: LocalMarker| MarkerId(first_marker.0.saturating_add(marker.0));
        for (marker, word) in colors {
            profile.own_colors.push(global(marker), word);
        }
        profile.threads.push(Thread {
            process: process_of(line),
            tid: texts.get(line.tid).to_owned(),
            name: line_name(line, texts, names),
            kind: line.kind,
            is_main: line.kind == TrackKind::Thread && line.tid == line.pid,
            range: line.range.unwrap_or_default(),
            shift: Ns(0),
            raw_markers: line.events,
            markers: std::mem::take(&mut line.markers),
            strings: std::sync::Arc::default(),
            first_marker,
            groups: std::mem::take(&mut line.groups).into(),
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

/// The threads that are named but have no events: that they were silent is worth knowing.
pub(super) fn silent_threads(lines: &[Line], trace: &Trace, names: &Names) -> Vec<Line> {
    let seen: std::collections::HashSet<(TextId, TextId)> =
        lines.iter().filter(|line| line.kind == TrackKind::Thread).map(|line| (line.pid, line.tid)).collect();
    let silent = trace.pairs.list.iter().filter(|pair| names.threads.contains_key(*pair) && !seen.contains(*pair));
    silent.map(|&(pid, tid)| Line::empty(TrackKind::Thread, pid, tid)).collect()
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
