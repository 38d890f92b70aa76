//! Builds a profile from tracks: sorts them, and assigns recording-wide ids to names and categories.

use std::sync::Arc;

use foldhash::HashMap;

use super::marker_tracks::MarkerTrack;
use super::track_tree::{TrackTree, states_of};
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::metadata::TraceMetadata;
use crate::trace_events::text::trace::{Trace, TraceStrings};
use flowline_format::natural;
use flowline_profile::{
    Category, CategoryId, CompactString, Counter, Labels, LocalMarker, MarkerId, Ns, Process, ProcessId, Profile,
    StringId, Strings, Thread, ThreadId, TimeRange, TrackKind, format_compact, relabel_tables, split_machine,
};

/// Maximum number of categories; further ones share the last category.
const MAX_CATEGORIES: usize = 60_000;
/// Id that is not assigned yet.
const UNNUMBERED: u32 = u32::MAX;

/// The ids of the labels of all tracks, and the first index of each track.
struct LabelIds {
    ids: Vec<(StringId, CategoryId)>,
    firsts: Vec<usize>,
}

impl LabelIds {
    fn of(&self, track: usize) -> Labels<'_> {
        &self.ids[self.firsts[track]..self.firsts[track + 1]]
    }
}

/// Interns all names and categories in the order of the tracks' labels.
fn intern(tracks: &[MarkerTrack], texts: &TraceStrings, strings: &mut Strings, list: &mut Vec<Category>) -> LabelIds {
    // The last index represents slices without a name or category.
    let index = |text: TextId| if text == NONE { texts.len() } else { text as usize };
    let mut names = vec![StringId(UNNUMBERED); texts.len() + 1];
    let mut categories = vec![CategoryId(UNNUMBERED); texts.len() + 1];
    let mut number = |&(name, cat): &(TextId, TextId)| {
        let known = &mut names[index(name)];
        if known.0 == UNNUMBERED {
            *known = strings.intern(texts.get(name));
        }
        let category = &mut categories[index(cat)];
        if category.0 == UNNUMBERED {
            let text = texts.get(cat);
            if list.len() < MAX_CATEGORIES {
                list.push(Category { name: text.to_owned(), color: "grey".into(), subcategories: Vec::new() });
            }
            *category = CategoryId::new(list.len() - 1);
        }
        (*known, *category)
    };
    let mut firsts = Vec::with_capacity(tracks.len() + 1);
    let mut ids = Vec::new();
    for track in tracks {
        firsts.push(ids.len());
        ids.extend(track.labels.iter().map(&mut number));
    }
    firsts.push(ids.len());
    LabelIds { ids, firsts }
}

/// The process of global tracks. Events without a process belong to a different one.
const RECORDING: TextId = NONE - 1;

/// Builds processes and threads from the tracks. Returns the id of each track's first marker.
pub(in crate::trace_events) fn assemble(
    mut tracks: Vec<MarkerTrack>,
    counters: Vec<(TextId, Counter)>,
    trace: &Trace,
    names: &TraceMetadata,
    profile: &mut Profile,
) -> Vec<MarkerId> {
    let texts = &trace.texts;
    let pids = tracks.iter().map(|track| if track.kind == TrackKind::Global { RECORDING } else { track.pid });
    // Processes with a name but without events are included.
    let named = trace.pairs.list.iter().map(|pair| pair.0).filter(|pid| names.processes.contains_key(pid));
    let owners = pids.chain(counters.iter().map(|(pid, _)| *pid)).chain(named);
    let processes = Processes::new(owners, texts, names);
    let labels = intern(&tracks, texts, &mut profile.strings, &mut profile.categories);
    let tables = tracks.iter_mut().enumerate().map(|(at, track)| (&mut track.markers, labels.of(at)));
    relabel_tables(tables.collect());
    drop(labels);
    let mut order: Vec<usize> = (0..tracks.len()).collect();
    let process_of =
        |track: &MarkerTrack| processes.id(if track.kind == TrackKind::Global { RECORDING } else { track.pid });
    let sort_index =
        |track: &MarkerTrack| names.threads.get(&(track.pid, track.tid)).map_or(0, |named| named.sort_index);
    let track_names: Vec<CompactString> = tracks.iter().map(|track| track_name(track, texts, names)).collect();
    let tree = TrackTree::new(&tracks, trace, names);
    let rank = |at: usize| {
        let (track, name) = (&tracks[at], &track_names[at]);
        let is_main = is_main_thread(track, name, texts)
            || states_of(track, trace) == Some(split_machine(texts.get(track.pid)).1);
        (process_of(track), track.kind, sort_index(track), !is_main, tree.first(at))
    };
    let ranks: Vec<_> = (0..tracks.len()).map(rank).collect();
    order.sort_by(|a, b| {
        let by_name = || natural::compare(&track_names[*a], &track_names[*b]);
        ranks[*a].cmp(&ranks[*b]).then_with(by_name).then(a.cmp(b))
    });
    let mut track_names = track_names;
    let items = tree.arrange(&order);
    let order: Vec<usize> = items.iter().map(|item| item.track).collect();

    let no_strings = Arc::default();
    profile.threads.reserve_exact(tracks.len());
    let mut first_markers = vec![MarkerId(0); tracks.len()];
    let mut next = 0_u32;
    let mut range: Option<TimeRange> = None;
    for item in &items {
        let at = item.track;
        let track = &mut tracks[at];
        first_markers[at] = MarkerId(next);
        next = next.saturating_add(u32::try_from(track.markers.len()).unwrap_or(u32::MAX));
        range = range.into_iter().chain(track.range).reduce(TimeRange::union);
        let first_marker = first_markers[at];
        let is_main = is_main_thread(track, &track_names[at], texts);
        let colors = std::mem::take(&mut track.colors);
        let global = |marker: LocalMarker| MarkerId(first_marker.0.saturating_add(marker.0));
        for (marker, word) in colors {
            profile.marker_colors.push(global(marker), word);
        }
        profile.threads.push(Thread {
            process: process_of(track),
            tid: texts.get(track.tid).into(),
            name: std::mem::take(&mut track_names[at]),
            kind: track.kind,
            parent: item.parent.map(ThreadId::new),
            nested: item.nested,
            is_main,
            range: track.range.unwrap_or_default(),
            shift: Ns(0),
            raw_markers: track.events,
            markers: std::mem::take(&mut track.markers),
            strings: Arc::clone(&no_strings),
            first_marker,
            groups: std::mem::take(&mut track.groups).into(),
            event_threads: None,
            samples: track.samples.take(),
        });
    }
    name_event_threads(&tracks, &order, trace, profile);
    let owned = |(pid, counter): (TextId, Counter)| Counter { process: Some(processes.id(pid)), ..counter };
    profile.counters = counters.into_iter().map(owned).collect();
    let sampled = profile.counters.iter().flat_map(|counter| &counter.series).filter_map(|series| {
        let (first, last) = (series.samples.first()?, series.samples.last()?);
        Some(TimeRange { start: first.time, end: last.time })
    });
    profile.meta.range = range.into_iter().chain(sampled).reduce(TimeRange::union).unwrap_or_default();
    profile.processes = processes.list;
    first_markers
}

/// Assigns the threads whose events began and ended the markers of async tracks.
fn name_event_threads(tracks: &[MarkerTrack], order: &[usize], trace: &Trace, profile: &mut Profile) {
    if tracks.iter().all(|track| track.event_pairs.is_empty()) {
        return;
    }
    let numbered = || (0_u32..).zip(order.iter().map(|at| &tracks[*at]));
    let threads: HashMap<(TextId, TextId), u32> = numbered()
        .filter(|(_, track)| track.kind == TrackKind::Thread)
        .map(|(number, track)| ((track.pid, track.tid), number))
        .collect();
    let of_pair = |pair: u32| threads.get(&trace.pairs.get(pair)).copied().unwrap_or(u32::MAX);
    for (thread, (_, track)) in profile.threads.iter_mut().zip(numbered()) {
        if !track.event_pairs.is_empty() {
            let of_side =
                |side: usize| -> Vec<u32> { track.event_pairs.iter().map(|pairs| of_pair(pairs[side])).collect() };
            thread.event_threads = Some(Box::new((of_side(0).into(), of_side(1).into())));
        }
    }
}

/// Returns the name of a process or a thread that has only an id. An id that is not a number is a name already.
fn name_of_id(what: &str, id: &str) -> CompactString {
    let own = split_machine(id).1;
    let digits = own.strip_prefix('-').unwrap_or(own);
    let is_hex = digits.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let is_number = is_hex || digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number { format_compact!("{what} {id}") } else { id.into() }
}

fn track_name(track: &MarkerTrack, texts: &TraceStrings, names: &TraceMetadata) -> CompactString {
    match track.kind {
        TrackKind::Global => "Global instants".into(),
        TrackKind::Process => "Process instants".into(),
        TrackKind::Async if track.tid == NONE => "Async".into(),
        TrackKind::Async | TrackKind::Thread => {
            match names.threads.get(&(track.pid, track.tid)).filter(|named| !named.name.is_empty()) {
                Some(named) => named.name.clone(),
                None => name_of_id("Thread", texts.get(track.tid)),
            }
        }
    }
}

/// Returns true if a track is the main thread of its process, by its ids or by common names such as Chrome's.
fn is_main_thread(track: &MarkerTrack, name: &str, texts: &TraceStrings) -> bool {
    let is_named_main = || {
        let is_chrome = name.strip_prefix("Cr").is_some_and(|name| name.ends_with("Main"));
        is_chrome || ["main", "mainthread", "main thread"].iter().any(|main| name.eq_ignore_ascii_case(main))
    };
    let is_main_of_machine = || {
        let (machine, own) = split_machine(texts.get(track.pid));
        !machine.is_empty() && texts.get(track.tid) == own
    };
    track.kind == TrackKind::Thread && (track.tid == track.pid || is_named_main() || is_main_of_machine())
}

/// Processes in display order, and their ids by pid.
pub(in crate::trace_events) struct Processes {
    list: Vec<Process>,
    ids: HashMap<TextId, ProcessId>,
}

impl Processes {
    /// Returns the processes of all `pids`: by sort index, the main process of a browser first, then in natural order
    /// of name and id.
    fn new(pids: impl Iterator<Item = TextId>, texts: &TraceStrings, names: &TraceMetadata) -> Self {
        let mut seen = foldhash::HashSet::default();
        let order: Vec<TextId> = pids.filter(|pid| seen.insert(*pid)).collect();
        let named = |pid: &TextId| names.processes.get(pid);
        let name_of = |pid: TextId| -> CompactString {
            match named(&pid) {
                _ if pid == RECORDING => "Whole recording".into(),
                Some(named) if !named.name.is_empty() => match named.labels.as_deref().unwrap_or_default() {
                    "" => named.name.clone(),
                    labels => format_compact!("{}: {labels}", named.name),
                },
                _ => name_of_id("Process", texts.get(pid)),
            }
        };
        let mut order: Vec<(TextId, CompactString)> = order.into_iter().map(|pid| (pid, name_of(pid))).collect();
        let is_browser = |pid: &TextId| named(pid).is_some_and(|named| named.name == "Browser");
        let rank = |pid: &TextId| (*pid != RECORDING, named(pid).map_or(0, |named| named.sort_index), !is_browser(pid));
        order.sort_by(|(a, name_a), (b, name_b)| {
            let by_number = || natural::compare(texts.get(*a), texts.get(*b));
            rank(a).cmp(&rank(b)).then_with(|| natural::compare(name_a, name_b)).then_with(by_number)
        });
        let mut processes = Self { list: Vec::with_capacity(order.len()), ids: HashMap::default() };
        for (pid, name) in order {
            processes.ids.insert(pid, ProcessId::new(processes.list.len()));
            processes.list.push(Process { pid: texts.get(pid).into(), name });
        }
        processes
    }

    fn id(&self, pid: TextId) -> ProcessId {
        self.ids.get(&pid).copied().unwrap_or_default()
    }
}
