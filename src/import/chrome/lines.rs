//! Lines of the chart: what a track's slices become, before names and categories have their numbers.

use foldhash::HashMap;
use rayon::prelude::*;

use super::asyncs::Group;
use super::batch::Pairs;
use super::event::{NONE, TextId};
use super::flows::{self, Stand, Step};
use super::ids::IdKind;
use super::slices::Slice;
use super::trace::Trace;
use super::tracks::Track;
use super::{colors, slices};
use crate::profile::{
    CategoryId, LocalMarker, Marker, MarkerTable, Ns, PayloadRef, StringId, TimeRange, TrackKind, Warnings,
};

/// A line of the chart with its markers in their order.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) kind: TrackKind,
    pub(super) pid: TextId,
    pub(super) tid: TextId,
    /// Markers whose names are numbers of `labels`.
    pub(super) markers: MarkerTable,
    /// Name and category, in the order in which markers mention them.
    pub(super) labels: Vec<(TextId, TextId)>,
    /// First start and last end.
    pub(super) range: Option<TimeRange>,
    /// Of async lines: number of each marker's group.
    pub(super) groups: Vec<u32>,
    /// Number of events it was made from.
    pub(super) events: u64,
    /// Markers whose events name a colour.
    pub(super) colors: Vec<(LocalMarker, &'static str)>,
}

impl Line {
    /// A line without markers.
    pub(super) fn empty(kind: TrackKind, pid: TextId, tid: TextId) -> Self {
        Self::of_slices(&Trace::default(), (kind, pid, tid), &[])
    }

    /// A line of slices in their order.
    fn of_slices(trace: &Trace, (kind, pid, tid): (TrackKind, TextId, TextId), slices: &[Slice]) -> Self {
        let mut labels = Pairs::default();
        let marker = |slice: &Slice| Marker {
            start: slice.start,
            end: slice.end,
            name: StringId(labels.number(slice.name, slice.cat)),
            category: CategoryId(0),
            kind: None,
            flags: slice.flags(),
            payload: PayloadRef(slice.event),
            begin: slice.begin().map_or(PayloadRef::NONE, PayloadRef),
            supplement: None,
        };
        let markers = MarkerTable::of_sorted(slices.iter().map(marker));
        let color = |(at, slice): (usize, &Slice)| {
            let cname = if slice.extra == NONE { NONE } else { trace.extra_of(slice.extra).cname };
            let word = if cname == NONE { None } else { colors::of_cname(trace.texts.get(cname)) };
            Some((LocalMarker::new(at), word?))
        };
        let last = markers.end.iter().max();
        Self {
            kind,
            pid,
            tid,
            labels: labels.list,
            range: markers.start.first().zip(last).map(|(start, end)| TimeRange { start: *start, end: *end }),
            groups: Vec::new(),
            events: slices.len() as u64,
            colors: slices.iter().enumerate().filter_map(color).collect(),
            markers,
        }
    }
}

/// The line of a track, and the steps that flow events and `bind_id`s make; `number` is the line's.
pub(super) fn of_track(trace: &Trace, number: u32, mut track: Track, warnings: &mut Warnings) -> (Line, Vec<Step>) {
    let events = track.events.len() as u64;
    let slices = slices::build(trace, track.events, warnings);
    let mut steps = flows::bind(trace, number, &mut track.flows, &slices);
    steps.extend(flows::bound_slices(trace, number, &slices));
    (Line { events, ..Line::of_slices(trace, (track.kind, track.pid, track.tid), &slices) }, steps)
}

/// What a group of async slices is called, once its slices stand on their lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupName {
    /// Place of its id's text; none if it has no id.
    pub(super) id: Option<u64>,
    /// The name of its first slice.
    pub(super) name: TextId,
}

/// One line of async slices a process, the first of which has number `first`; their steps; and what the groups are called.
pub(super) fn of_groups(trace: &Trace, first: u32, groups: Vec<Group>) -> (Vec<Line>, Vec<Step>, Vec<GroupName>) {
    let mut lines: Vec<(TextId, Vec<(Slice, u32)>)> = Vec::new();
    let mut by_process: HashMap<TextId, usize> = HashMap::default();
    let mut names = Vec::with_capacity(groups.len());
    for (number, group) in (0_u32..).zip(groups) {
        let at = *by_process.entry(group.pid).or_insert_with(|| {
            lines.push((group.pid, Vec::new()));
            lines.len() - 1
        });
        let id = (group.id.kind() != IdKind::None).then(|| group.id.offset());
        names.push(GroupName { id, name: group.slices.first().map_or(NONE, |slice| slice.name) });
        lines[at].1.extend(group.slices.into_iter().map(|slice| (slice, number)));
    }
    let line = |(number, (pid, mut slices)): (u32, (TextId, Vec<(Slice, u32)>))| {
        slices.sort_unstable_by_key(|(slice, _)| slice.order());
        let (slices, groups): (Vec<Slice>, Vec<u32>) = slices.into_iter().unzip();
        let steps: Vec<Step> = flows::bound_slices(trace, number, &slices).collect();
        (Line { groups, ..Line::of_slices(trace, (TrackKind::Async, pid, NONE), &slices) }, steps)
    };
    let numbered: Vec<_> = (first..).zip(lines).collect();
    let built: Vec<(Line, Vec<Step>)> = numbered.into_par_iter().map(line).collect();
    let (mut lines, mut steps) = (Vec::new(), Vec::new());
    for (line, found) in built {
        lines.push(line);
        steps.extend(found);
    }
    (lines, steps, names)
}

/// Where the markers of groups stand, group by group.
#[derive(Debug)]
pub(super) struct Members {
    /// Behind the last of each group.
    ends: Vec<u32>,
    stands: Vec<Stand>,
}

impl Members {
    /// Of so many groups; `first` is the number of the first of their lines.
    pub(super) fn of_lines(lines: &[Line], first: u32, groups: usize) -> Self {
        // Counted, then dealt out: `ends` are beginnings until each group has its own.
        let mut ends = vec![0_u32; groups];
        lines.iter().flat_map(|line| &line.groups).for_each(|group| ends[*group as usize] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut stands = vec![(Ns(0), NONE, NONE); before as usize];
        for (number, line) in (first..).zip(lines) {
            for ((at, group), start) in (0_u32..).zip(&line.groups).zip(&line.markers.start) {
                let end = &mut ends[*group as usize];
                stands[*end as usize] = (*start, number, at);
                *end += 1;
            }
        }
        Self { ends, stands }
    }

    /// The number of members of all groups.
    pub(super) fn len(&self) -> usize {
        self.stands.len()
    }

    /// The members of each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Stand]> {
        let mut rest = self.stands.as_slice();
        let mut before = 0;
        self.ends.iter().map(move |end| {
            let (own, others) = rest.split_at((end - before) as usize);
            (before, rest) = (*end, others);
            own
        })
    }
}
