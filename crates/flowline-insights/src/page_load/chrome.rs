//! Milestones of Chrome traces. Paints are joined with their navigation by its id, `DOMContentLoaded` and `load` by frame
//! and time. Events of a process that never hosted their frame, and of frames that are not part of the page, are left
//! out.

use std::collections::{BTreeMap, BTreeSet};

use super::inputs::last_input;
use super::milestone::{Milestone, MilestoneKind, PageId};
use crate::dropped::Dropped;
use crate::page::{Event, Navigation, Page, PageFrames, events};
use flowline_profile::{Ns, Profile, Value};

/// A largest paint may be followed by a larger one for this long.
const SETTLED: Ns = Ns(2_500_000_000);

/// The milestones of a trace, in no order, and the events that were left out.
pub(super) fn read(profile: &Profile) -> (Vec<Milestone>, Dropped) {
    let events = events(profile);
    let page = Page::of_events(profile, &events);
    let reader = Reader::new(&events, &page);
    let mut found: Vec<Milestone> = Vec::new();
    for navigation in page.navigations().iter().filter(|navigation| navigation.id.is_some()) {
        let own = reader.milestone(&events[navigation.event], MilestoneKind::Navigation, navigation);
        found.push(Milestone { since: Some(Ns(0)), ..own });
    }
    let mut dropped = Dropped::default();
    found.extend(reader.paints(&mut dropped));
    found.extend(reader.documents());
    found.extend(reader.interactive());
    found.extend(reader.soft_paints(&mut dropped));
    reader.add_unknown(&mut found);
    mark_unsettled(profile, &page, &mut found);
    (found, dropped)
}

/// Marks the largest paints after which the recording ends too soon to know that they are the largest. Inputs and
/// navigations settle them.
fn mark_unsettled(profile: &Profile, page: &Page, found: &mut [Milestone]) {
    let end = profile.meta.range.end;
    let left: BTreeMap<&str, Ns> = page.navigations().iter().map(|own| (own.frame.as_str(), own.time)).collect();
    let is_unsettled = |own: &Milestone| {
        let PageId::Frame(frame) = &own.page else { return false };
        let last = left.get(frame.as_str()).copied();
        own.kind == MilestoneKind::LargestContentfulPaint
            && own.time.is_some_and(|time| end - time < SETTLED && last.is_none_or(|last| last <= time))
    };
    let mut open: Vec<&mut Milestone> = found.iter_mut().filter(|own| is_unsettled(own)).collect();
    let Some(first) = open.iter().filter_map(|own| own.time).min() else { return };
    let input = last_input(profile, first);
    for own in &mut open {
        own.is_so_far = input.is_none_or(|input| own.time.is_some_and(|time| input <= time));
    }
}

/// Finds the milestones of navigations.
struct Reader<'a> {
    events: &'a [Event],
    frames: &'a PageFrames,
    navigations: &'a [Navigation],
    /// Positions of navigations, by kind and id.
    by_id: BTreeMap<(bool, &'a str), usize>,
    /// Positions of navigations with a new document of each frame, by time.
    of_frame: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Reader<'a> {
    fn new(events: &'a [Event], page: &'a Page) -> Self {
        let navigations = page.navigations();
        let mut by_id = BTreeMap::new();
        let mut of_frame: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, own) in navigations.iter().enumerate() {
            if let Some(id) = own.id.as_deref() {
                by_id.entry((own.is_soft, id)).or_insert(at);
            }
            if !own.is_soft {
                of_frame.entry(own.frame.as_str()).or_default().push(at);
            }
        }
        Self { events, frames: page.frames(), navigations, by_id, of_frame }
    }

    /// A milestone at the time of an event.
    fn milestone(&self, event: &Event, kind: MilestoneKind, navigation: &Navigation) -> Milestone {
        // Navigations without an id are not numbered, and nothing is rated by them.
        let since = navigation.id.is_some().then(|| event.time - navigation.time);
        Milestone {
            kind,
            is_soft: navigation.is_soft,
            time: Some(event.time),
            since,
            value: None,
            rating: since.and_then(|since| kind.rate(since)),
            is_main: self.frames.is_main(&navigation.frame),
            page: PageId::Frame(navigation.frame.clone()),
            url: navigation.url.clone(),
            thread: event.thread,
            marker: Some(event.marker),
            navigation: navigation.number,
            is_so_far: false,
            is_prerendered: navigation.is_prerendered,
            inactive: None,
            unknown: None,
            mark: String::new(),
        }
    }

    fn by_id(&self, id: &str, is_soft: bool) -> Option<&'a Navigation> {
        self.by_id.get(&(is_soft, id)).map(|at| &self.navigations[*at])
    }

    /// The latest hard navigation of a frame at or before a time.
    fn by_time(&self, frame: &str, time: Ns) -> Option<&'a Navigation> {
        let own = self.of_frame.get(frame)?;
        let before = own.partition_point(|at| self.navigations[*at].time <= time);
        before.checked_sub(1).map(|last| &self.navigations[own[last]])
    }

    /// Position of a candidate for the largest paint; candidates without one do not count.
    fn candidate(event: &Event) -> Option<i64> {
        event.data("candidateIndex").and_then(Value::as_i64).filter(|index| *index >= 1)
    }

    /// FP, FCP and LCP.
    fn paints(&self, dropped: &mut Dropped) -> Vec<Milestone> {
        let mut found: Vec<Milestone> = Vec::new();
        let mut known = BTreeSet::new();
        let mut largest = Largest::new();
        for event in self.events {
            let kind = match event.name {
                "firstPaint" => MilestoneKind::FirstPaint,
                "firstContentfulPaint" => MilestoneKind::FirstContentfulPaint,
                "largestContentfulPaint::Candidate" => MilestoneKind::LargestContentfulPaint,
                _ => continue,
            };
            let Some(navigation) = event.data_text("navigationId").and_then(|id| self.by_id(id, false)) else {
                continue;
            };
            if !self.frames.is_hosted(&navigation.frame, &event.pid) {
                continue;
            }
            let own = || self.milestone(event, kind, navigation);
            if event.time < navigation.time {
                dropped.add(Some(event.marker));
            } else if kind != MilestoneKind::LargestContentfulPaint {
                let is_new = known.insert((kind, event.time, navigation.frame.as_str()));
                found.extend(is_new.then(own));
            } else if let Some(index) = Self::candidate(event) {
                take_largest(&mut largest, navigation.event, index, own());
            } else {
                dropped.add(Some(event.marker));
            }
        }
        found.extend(largest.into_values().map(|(_, own)| own));
        found
    }

    /// FCP and LCP of soft navigations.
    fn soft_paints(&self, dropped: &mut Dropped) -> Vec<Milestone> {
        let mut found = Vec::new();
        for navigation in self.navigations.iter().filter(|navigation| navigation.is_soft) {
            let event = &self.events[navigation.event];
            let context = event.args.get("context");
            let painted = context.and_then(|context| context.get("firstContentfulPaint")).and_then(Value::as_f64);
            if let Some(painted) = painted.and_then(|us| Ns::from_ms(us / 1e3)) {
                let kind = MilestoneKind::FirstContentfulPaint;
                let own = self.milestone(event, kind, navigation);
                let since = painted - navigation.time;
                found.push(Milestone { time: Some(painted), since: Some(since), rating: kind.rate(since), ..own });
            }
        }
        let mut largest = Largest::new();
        let name = "largestContentfulPaint::CandidateForSoftNavigation";
        for event in self.events.iter().filter(|event| event.name == name) {
            let id = event.data("performanceTimelineNavigationId").map(Value::display_js);
            let navigation = id.and_then(|id| self.by_id(&id, true));
            let Some(navigation) = navigation.filter(|own| self.frames.is_hosted(&own.frame, &event.pid)) else {
                continue;
            };
            if let Some(index) = Self::candidate(event) {
                let own = self.milestone(event, MilestoneKind::LargestContentfulPaint, navigation);
                take_largest(&mut largest, navigation.event, index, own);
            } else {
                dropped.add(Some(event.marker));
            }
        }
        found.extend(largest.into_values().map(|(_, own)| own));
        found
    }

    /// DCL and Load; of several in a navigation, the last one.
    fn documents(&self) -> Vec<Milestone> {
        let mut found: BTreeMap<(usize, MilestoneKind), Milestone> = BTreeMap::new();
        for event in self.events {
            let kind = match event.name {
                "MarkDOMContent" => MilestoneKind::DomContentLoaded,
                "MarkLoad" => MilestoneKind::Load,
                _ => continue,
            };
            let Some(frame) = event.data_text("frame") else { continue };
            let Some(navigation) = self.by_time(frame, event.time) else { continue };
            if self.frames.is_hosted(frame, &event.pid) {
                found.insert((navigation.event, kind), self.milestone(event, kind, navigation));
            }
        }
        found.into_values().collect()
    }

    /// TTI and TBT.
    fn interactive(&self) -> Vec<Milestone> {
        let mut found = Vec::new();
        for event in self.events.iter().filter(|event| event.name == "InteractiveTime") {
            let Some(frame) = event.text("frame") else { continue };
            let Some(navigation) = self.by_time(frame, event.time) else { continue };
            if !self.frames.is_hosted(frame, &event.pid) {
                continue;
            }
            found.push(self.milestone(event, MilestoneKind::TimeToInteractive, navigation));
            let blocked = event.args.get("args").and_then(|args| args.get("total_blocking_time_ms"));
            if let Some(value) = blocked.and_then(Value::as_f64).and_then(Ns::from_ms) {
                let kind = MilestoneKind::TotalBlockingTime;
                let (time, since, rating) = (None, None, kind.rate(value));
                let own = self.milestone(event, kind, navigation);
                found.push(Milestone { time, since, value: Some(value), rating, ..own });
            }
        }
        found
    }

    /// Adds the usual milestones of the main frame's navigations that are not in the recording, with the reason.
    fn add_unknown(&self, found: &mut Vec<Milestone>) {
        let usual = [
            (MilestoneKind::FirstPaint, "firstPaint"),
            (MilestoneKind::FirstContentfulPaint, "firstContentfulPaint"),
            (MilestoneKind::LargestContentfulPaint, "largestContentfulPaint::Candidate"),
            (MilestoneKind::DomContentLoaded, "MarkDOMContent"),
            (MilestoneKind::Load, "MarkLoad"),
        ];
        let known: BTreeSet<(MilestoneKind, Option<u32>)> =
            found.iter().map(|own| (own.kind, own.navigation)).collect();
        for (kind, name) in usual {
            let lacks_id = |event: &Event| event.name == name && event.data_text("navigationId").is_none();
            let is_joined_by_id = name.contains("Paint");
            let reason = match is_joined_by_id && self.events.iter().any(lacks_id) {
                true => format!("{name} has no navigation id"),
                false => format!("{name} is not in the recording"),
            };
            let numbered = self.navigations.iter().filter(|own| own.number.is_some() && !own.is_soft);
            for navigation in numbered.filter(|own| !known.contains(&(kind, own.number))) {
                let own = self.milestone(&self.events[navigation.event], kind, navigation);
                let (time, since, rating, marker) = (None, None, None, None);
                found.push(Milestone { time, since, rating, marker, unknown: Some(reason.clone()), ..own });
            }
        }
    }
}

/// The candidate with the greatest index so far, by navigation.
type Largest = BTreeMap<usize, (i64, Milestone)>;

fn take_largest(largest: &mut Largest, navigation: usize, index: i64, own: Milestone) {
    if largest.get(&navigation).is_none_or(|(known, _)| *known < index) {
        largest.insert(navigation, (index, own));
    }
}
