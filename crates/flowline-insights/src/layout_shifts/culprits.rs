//! What moved the layout: fonts that arrived, frames that were inserted, animations that the compositor could not run, and
//! images without a size.
//!
//! A shift happens in a `PrePaint`. Fonts, frames and animations explain it if their end is the last one before that
//! `PrePaint`, images if they are painted right after it. Only events of the same process and navigation count.

use std::collections::{BTreeMap, BTreeSet};

use super::culprit::{Culprit, CulpritKind};
use super::culprit_events::{CulpritEvents, Ended};
use super::layout_shift::LayoutShift;
use super::list::LayoutShifts;
use crate::page::Page;
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, ProcessId, Profile, TimeRange, Value};

/// The culprits of all shifts.
#[derive(Clone, Debug, Default)]
pub struct ShiftCulprits {
    all: Vec<Culprit>,
    /// The culprits of each shift: first, and one past the last.
    of_shift: Vec<(u32, u32)>,
}

impl ShiftCulprits {
    /// The culprits of a shift, given by its position, by kind.
    #[must_use]
    pub fn of_shift(&self, shift: usize) -> &[Culprit] {
        let place = self.of_shift.get(shift).map(|(first, end)| *first as usize..*end as usize);
        place.and_then(|place| self.all.get(place)).unwrap_or_default()
    }
}

impl Derived for ShiftCulprits {
    fn derive(index: &Index) -> Self {
        let shifts = LayoutShifts::of(index);
        if shifts.clusters().is_empty() {
            return Self::default();
        }
        let finder = Finder::new(index);
        let mut found = Self::default();
        let mut known: BTreeMap<(ProcessId, usize, Option<u32>), (u32, u32)> = BTreeMap::new();
        for shift in shifts.shifts() {
            let process = finder.profile.thread(shift.thread).process;
            let own = finder.pre_paint(process, shift).map(|at| {
                *known.entry((process, at, shift.navigation)).or_insert_with(|| {
                    let first = found.all.len();
                    found.all.extend(finder.culprits(process, at, shift.navigation));
                    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                    (place(first), place(found.all.len()))
                })
            });
            found.of_shift.push(own.unwrap_or_default());
        }
        found
    }
}

struct Finder<'a> {
    profile: &'a Profile,
    events: CulpritEvents,
    /// The times of the navigations of the main frame; `None` is the time before the first one.
    periods: BTreeMap<Option<u32>, TimeRange>,
}

impl<'a> Finder<'a> {
    fn new(index: &'a Index) -> Self {
        let (profile, page) = (index.profile(), Page::of(index));
        let own = page.main_navigations().map(|own| (own.number, TimeRange { start: own.time, end: own.end }));
        let mut periods: BTreeMap<Option<u32>, TimeRange> = own.collect();
        let first = page.main_navigations().next().map_or(Ns(i64::MAX), |first| first.time - Ns(1));
        periods.insert(None, TimeRange { start: Ns(i64::MIN), end: first });
        Self { profile, events: CulpritEvents::read(index, page), periods }
    }

    /// The position of the `PrePaint` that contains a shift.
    fn pre_paint(&self, process: ProcessId, shift: &LayoutShift) -> Option<usize> {
        if shift.is_after_input {
            return None;
        }
        let all = self.events.pre_paints.get(&process)?;
        let at = all.partition_point(|own| own.start <= shift.time).checked_sub(1)?;
        (all[at].end >= shift.time).then_some(at)
    }

    /// The culprits of the shifts in a `PrePaint`.
    fn culprits(&self, process: ProcessId, at: usize, navigation: Option<u32>) -> Vec<Culprit> {
        let Some(all) = self.events.pre_paints.get(&process) else { return Vec::new() };
        let Some((own, period)) = all.get(at).zip(self.periods.get(&navigation)) else { return Vec::new() };
        let is_in_period = |time: Ns| period.start <= time && time <= period.end;
        // An end before the previous `PrePaint` would have had its effect there.
        let since = at.checked_sub(1).map_or(Ns(i64::MIN), |before| all[before].start);
        let ended = self.events.ended.get(&process).map(Vec::as_slice).unwrap_or_default();
        let first = ended.partition_point(|other| other.end < since);
        let before = ended[first..].iter().take_while(|other| other.end < own.start);
        let is_soon = |other: &&Ended| other.within.is_none_or(|limit| own.start - other.end <= limit);
        let causes = before.filter(|other| is_soon(other) && is_in_period(other.start));
        let mut found: Vec<Culprit> = causes.map(|other| other.culprit.clone()).collect();
        found.extend(self.unsized_image(process, own.end, is_in_period));
        found.sort_by_key(|culprit| culprit.kind);
        found
    }

    /// The first image painted after a time, if it has no size.
    fn unsized_image(&self, process: ProcessId, after: Ns, is_in_period: impl Fn(Ns) -> bool) -> Option<Culprit> {
        let paints = self.events.image_paints.get(&process)?;
        let (start, thread, local) = *paints.get(paints.partition_point(|(start, ..)| *start <= after))?;
        let thread = self.profile.thread(thread);
        let payload = self.profile.payload_in(thread, local);
        let data = payload.get("data")?;
        let node = data.get("nodeId").and_then(Value::as_i64)?;
        let sized: &BTreeSet<(i64, Ns)> = self.events.unsized_nodes.get(&process)?;
        let is_unsized = sized.range((node, Ns(i64::MIN))..=(node, Ns(i64::MAX))).any(|(_, time)| is_in_period(*time));
        (is_unsized && is_in_period(start)).then(|| Culprit {
            kind: CulpritKind::UnsizedImage,
            name: data.get("url").and_then(Value::as_str).unwrap_or_default().to_owned(),
            node: Some(node),
            reasons: Vec::new(),
            properties: Vec::new(),
            marker: thread.global(local),
        })
    }
}
