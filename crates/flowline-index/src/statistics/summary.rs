//! The summary of a selection: the time and the markers of each kind of work, the names with the longest self time, and
//! the number of flows.
//!
//! A marker that overlaps the range counts, with the part of its self time inside the range if it is work
//! ([`WorkSlices`]). Self times never overlap on a thread, so the kinds divide the time in which it works. Samples state
//! it more exactly than the slices of Firefox, so they divide the time of threads with samples there ([`kind_times`]).
//! Instants, asynchronous operations, states, requests and annotations take no time of a thread; they are only counted. The
//! operations of tracks and of GPUs are summed if the subject contains no thread.

use std::collections::HashMap;

use rayon::prelude::*;

use super::subject::{Subject, ThreadPart};
use crate::Index;
use crate::colors::IDLE_ENTRY;
use crate::nesting::visit_self_times;
use crate::samples::{SampleKind, SampleSelection};
use crate::work::WorkSlices;
use flowline_profile::{FlowId, Kind, MarkerId, Ns, Profile, StringId, ThreadId, TimeRange, parallel_chunk_size};

/// At most this many names are listed.
pub const SUMMARY_NAMES: usize = 20;
/// Number of markers or flows between two cancellation checks.
const BATCH: usize = 1 << 14;
/// Place of idle time among the kinds.
const IDLE: usize = Kind::ALL.len();

/// The work of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindTime {
    /// The kind; `None` for recorded idle time.
    pub kind: Option<Kind>,
    /// Self time inside the range, in nanoseconds.
    pub self_time: i128,
    /// Number of markers.
    pub count: u64,
}

impl KindTime {
    /// The name in tables.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.kind.map_or("Idle", Kind::title)
    }
}

/// The markers of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameTime {
    /// The name.
    pub name: String,
    /// The kind of most of their self time; `None` for idle time.
    pub kind: Option<Kind>,
    /// Self time inside the range, in nanoseconds.
    pub self_time: i128,
    /// Number of markers.
    pub count: u64,
}

/// Sums over the markers of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The time span of the subject.
    pub span: TimeRange,
    /// Number of markers.
    pub markers: u64,
    /// Number of threads with at least one of them.
    pub threads: u64,
    /// Number of flows with at least one of them.
    pub flows: u64,
    /// The sum of the self times inside the range, in nanoseconds.
    pub self_time: i128,
    /// Number of the markers that take no time of a thread.
    pub also: Also,
    /// The kinds with time or a marker, by descending self time, then in the order of legends.
    pub kinds: Vec<KindTime>,
    /// The names with the longest self times, then the most markers; at most [`SUMMARY_NAMES`].
    pub names: Vec<NameTime>,
    /// Number of all names.
    pub name_count: u64,
}

/// Markers of a subject that are counted but take no time of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Also {
    /// Points in time.
    pub instants: u64,
    /// Asynchronous operations, intervals that do not nest, states, annotations.
    pub operations: u64,
}

/// Self time and number of markers.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    self_time: i128,
    count: u64,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.self_time += other.self_time;
        self.count += other.count;
    }
}

/// The sums of a name, and the kind of its largest part.
#[derive(Clone, Copy, Debug, Default)]
struct NameSum {
    sum: Sum,
    largest: Option<i128>,
    kind: usize,
}

/// The sums of a thread.
struct ThreadSums {
    kinds: [Sum; IDLE + 1],
    /// By number of the attributes.
    names: Vec<(StringId, NameSum)>,
    also: Also,
}

/// Sums the markers of a subject. `None` if `keep_going` returned `false`.
#[must_use]
pub fn summary(subject: &Subject<'_>, index: &Index, keep_going: &(impl Fn() -> bool + Sync)) -> Option<Summary> {
    let job_len = parallel_chunk_size(subject.threads.len());
    let threads = subject.threads.par_iter().with_max_len(job_len);
    // The work of GPUs and of other tracks is no work of threads; it counts if nothing else is selected.
    let is_own = |part: &ThreadPart<'_>| {
        let profile = subject.profile();
        profile.is_thread(part.id) && !WorkSlices::of(profile, part.thread).is_stream()
    };
    let counts = |part: &ThreadPart<'_>| !subject.has_threads || is_own(part);
    let of_part = |part: &ThreadPart<'_>| of_thread(subject, index, part, counts(part), keep_going);
    let of_threads = || threads.map(of_part).collect::<Option<Vec<_>>>();
    let (found, flows) = rayon::join(of_threads, || count_flows(subject, index, keep_going));
    let found: Vec<ThreadSums> = found?;
    let mut summary = Summary { span: subject.span(), flows: flows?, ..Summary::default() };
    let mut kinds = [Sum::default(); IDLE + 1];
    let mut names: HashMap<StringId, NameSum> = HashMap::new();
    for ThreadSums { kinds: of_kinds, names: of_names, also } in &found {
        summary.also.instants += also.instants;
        summary.also.operations += also.operations;
        let counted = of_kinds.iter().map(|sum| sum.count).sum::<u64>() + also.instants + also.operations;
        summary.threads += u64::from(counted > 0);
        kinds.iter_mut().zip(of_kinds).for_each(|(kind, sum)| kind.add(*sum));
        for (name, own) in of_names {
            let all = names.entry(*name).or_default();
            all.sum.add(own.sum);
            if own.largest > all.largest {
                (all.largest, all.kind) = (own.largest, own.kind);
            }
        }
    }
    for thread in &subject.bare {
        let times = kind_times(index, *thread, subject.range()).into_iter().flatten();
        kinds.iter_mut().zip(times).for_each(|(sum, time)| sum.self_time += i128::from(time.0));
    }
    summary.markers = kinds.iter().map(|sum| sum.count).sum::<u64>() + summary.also.instants + summary.also.operations;
    summary.self_time = kinds.iter().map(|sum| sum.self_time).sum();
    let listed = Kind::ALL.iter().map(|kind| (Some(*kind), kinds[*kind as usize])).chain([(None, kinds[IDLE])]);
    let of_kind = |(kind, sum): (Option<Kind>, Sum)| KindTime { kind, self_time: sum.self_time, count: sum.count };
    summary.kinds = listed.filter(|(_, sum)| sum.count > 0 || sum.self_time > 0).map(of_kind).collect();
    summary.kinds.sort_by_key(|kind| std::cmp::Reverse(kind.self_time));
    summary.name_count = names.len() as u64;
    summary.names = longest(subject.profile(), names);
    Some(summary)
}

/// The names with the longest self times.
fn longest(profile: &Profile, names: HashMap<StringId, NameSum>) -> Vec<NameTime> {
    let mut names: Vec<(StringId, NameSum)> = names.into_iter().collect();
    names.sort_unstable_by_key(|(name, own)| {
        (std::cmp::Reverse((own.sum.self_time, own.sum.count)), profile.strings.get(*name))
    });
    names.truncate(SUMMARY_NAMES);
    let named = |(name, own): (StringId, NameSum)| NameTime {
        name: profile.strings.get(name).to_owned(),
        kind: kind_of(own.kind),
        self_time: own.sum.self_time,
        count: own.sum.count,
    };
    names.into_iter().map(named).collect()
}

/// The kind at a place among the sums.
fn kind_of(place: usize) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| *kind as usize == place)
}

/// The place among the sums of a palette entry. Shades of `System` count as it, and so do colors that state no kind.
fn place_of(entry: u8) -> usize {
    match entry {
        IDLE_ENTRY => IDLE,
        entry => Kind::from_entry(entry).unwrap_or(Kind::System) as usize,
    }
}

/// The sums of a thread or track; if `counts` is false, its markers are only counted.
fn of_thread(
    subject: &Subject<'_>,
    index: &Index,
    part: &ThreadPart<'_>,
    counts: bool,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<ThreadSums> {
    let (markers, first) = (&part.thread.markers, part.thread.first_marker.index());
    let (attributes, times) = (markers.attributes(), markers.times());
    let styles = index.source().styles;
    let place = |marker: usize| place_of(styles.get(MarkerId::new(first + marker)).color());
    let mut kinds = [Sum::default(); IDLE + 1];
    // Markers with equal attributes have the same name, and nearly always the same kind.
    let mut sums = vec![[Sum::default(); IDLE + 1]; attributes.items().len()];
    let mut add = |marker: usize, sum: Sum| {
        let kind = place(marker);
        kinds[kind].add(sum);
        sums[attributes.number(marker)][kind].add(sum);
    };
    let work = WorkSlices::of(subject.profile(), part.thread);
    let mut also = Also::default();
    for position in part.from..part.to {
        if position % BATCH == 0 && !keep_going() {
            return None;
        }
        let Some(member) = subject.member(part, position) else { continue };
        if counts && work.contains(attributes.number(member.marker.index())) {
            add(member.marker.index(), Sum { self_time: 0, count: 1 });
        } else if member.length().is_none() {
            also.instants += 1;
        } else {
            also.operations += 1;
        }
    }
    let last = subject.range().map_or(times.len(), |range| times.partition_point(|time| time < range.end));
    visit_self_times(part.thread, 0..last, subject.range(), keep_going, |marker, time| {
        if time.0 == 0 || !counts || !work.contains(attributes.number(marker.index())) {
            return;
        }
        let Some(position) = part.position(marker) else { return };
        if subject.member(part, position).is_some_and(|member| member.length().is_some()) {
            add(marker.index(), Sum { self_time: i128::from(time.0), count: 0 });
        }
    })?;
    let of_name = |(own, sums): (&flowline_profile::Attributes, [Sum; IDLE + 1])| {
        let mut all = NameSum::default();
        for (kind, sum) in sums.into_iter().enumerate().filter(|(_, sum)| sum.count > 0) {
            all.sum.add(sum);
            if Some(sum.self_time) > all.largest {
                (all.largest, all.kind) = (Some(sum.self_time), kind);
            }
        }
        (own.name, all)
    };
    let names = attributes.items().iter().zip(sums).map(of_name).filter(|(_, own)| own.sum.count > 0);
    let names = names.collect();
    // Samples know nothing of a search or of rows.
    if let Some(times) = kind_times(index, part.id, subject.range()).filter(|_| part.is_whole()) {
        kinds.iter_mut().zip(times).for_each(|(sum, time)| sum.self_time = i128::from(time.0));
    }
    Some(ThreadSums { kinds, names, also })
}

/// The time of each kind that the samples of a thread state within a range, by place, without idle samples. `None` if slices
/// state it: for traces of events, and without samples that have times. Call trees, details and summaries agree, because all
/// of them give a sample the time until the next one.
#[must_use]
pub fn kind_times(index: &Index, thread: ThreadId, range: Option<TimeRange>) -> Option<[Ns; IDLE + 1]> {
    let profile = index.profile();
    profile.samples(thread).filter(|samples| !samples.cpu.is_empty() && !profile.source.holds_events())?;
    let threads = [thread];
    let selection = SampleSelection { profile, threads: &threads, kind: SampleKind::Cpu, range };
    let mut times = [Ns(0); IDLE + 1];
    selection.has_time().then(|| {
        selection.each(|_, stack, cost| {
            let time = &mut times[place_of(index.charts().colors(stack).kind)];
            *time = Ns(time.0.saturating_add(cost.time.0));
        });
        times[IDLE] = Ns(0);
        times
    })
}

/// Number of flows with a marker of the subject.
fn count_flows(subject: &Subject<'_>, index: &Index, keep_going: &(impl Fn() -> bool + Sync)) -> Option<u64> {
    let (profile, graph) = (index.profile(), index.flows());
    let mut parts: Vec<Option<&ThreadPart<'_>>> = vec![None; profile.threads.len()];
    for part in &subject.threads {
        parts[part.id.index()] = Some(part);
    }
    let is_member = |marker: &MarkerId| {
        profile.locate(*marker).is_some_and(|(thread, local)| {
            let part = parts[thread.index()];
            part.and_then(|part| subject.member(part, part.position(local)?)).is_some()
        })
    };
    let is_inside = |flow: &&FlowId| {
        let overlaps = |range: TimeRange| {
            let own = graph.range(profile, **flow);
            range.overlaps(own.start, own.end)
        };
        subject.range().is_none_or(overlaps) && graph.members(**flow).iter().any(is_member)
    };
    let flows: Vec<FlowId> = graph.iter().collect();
    let count = |flows: &[FlowId]| keep_going().then(|| flows.iter().filter(is_inside).count() as u64);
    flows.par_chunks(BATCH).map(count).sum()
}
