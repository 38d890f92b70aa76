//! Milestones of Chrome traces. Paints are joined with their navigation by its id, `DOMContentLoaded` and `load` by frame
//! and time. Events of a process that never hosted their frame, and of frames that are not part of the page, are left
//! out.

use super::milestone::{Milestone, MilestoneKind, PageId};
use crate::page::{Event, Navigation, Page, PageFrames, events};
use flowline_profile::{Ns, Profile, Value};

/// The milestones of a trace, in no order.
pub(super) fn read(profile: &Profile) -> Vec<Milestone> {
    let events = events(profile);
    let page = Page::of_events(profile, &events);
    let (frames, navigations) = (page.frames(), page.navigations());
    let mut found: Vec<Milestone> = Vec::new();
    for navigation in navigations.iter().filter(|navigation| navigation.id.is_some()) {
        let event = &events[navigation.event];
        let own = milestone(event, MilestoneKind::Navigation, Some(navigation), &navigation.frame, frames);
        found.push(Milestone { since: Some(Ns(0)), ..own });
    }
    let reader = Reader { events: &events, frames, navigations };
    found.extend(reader.paints());
    found.extend(reader.documents());
    found.extend(reader.interactive());
    found.extend(reader.soft_paints());
    reader.add_unknown(&mut found);
    found
}

/// A milestone at the time of an event.
fn milestone(
    event: &Event,
    kind: MilestoneKind,
    navigation: Option<&Navigation>,
    frame: &str,
    frames: &PageFrames,
) -> Milestone {
    // Navigations without an id are not numbered, and nothing is rated by them.
    let begun = navigation.filter(|navigation| navigation.id.is_some());
    let since = begun.map(|navigation| event.time - navigation.time);
    Milestone {
        kind,
        is_soft: navigation.is_some_and(|navigation| navigation.is_soft),
        time: Some(event.time),
        since,
        value: None,
        rating: since.and_then(|since| kind.rate(since)),
        is_main: frames.is_main(frame),
        page: PageId::Frame(frame.to_owned()),
        url: navigation.map(|navigation| navigation.url.clone()).unwrap_or_default(),
        thread: event.thread,
        marker: Some(event.marker),
        navigation: navigation.and_then(|navigation| navigation.number),
        inactive: None,
        unknown: None,
        mark: String::new(),
    }
}

struct Reader<'a> {
    events: &'a [Event],
    frames: &'a PageFrames,
    navigations: &'a [Navigation],
}

impl Reader<'_> {
    fn by_id(&self, id: &str, is_soft: bool) -> Option<&Navigation> {
        self.navigations.iter().find(|own| own.is_soft == is_soft && own.id.as_deref() == Some(id))
    }

    /// The latest hard navigation of a frame at or before a time.
    fn by_time(&self, frame: &str, time: Ns) -> Option<&Navigation> {
        let before = self.navigations.iter().filter(|own| !own.is_soft && own.frame == frame && own.time <= time);
        before.max_by_key(|own| own.time)
    }

    /// Position of a candidate for the largest paint; candidates without one do not count.
    fn candidate(event: &Event) -> Option<i64> {
        event.data("candidateIndex").and_then(Value::as_i64).filter(|index| *index >= 1)
    }

    /// FP, FCP and LCP.
    fn paints(&self) -> Vec<Milestone> {
        let mut found: Vec<Milestone> = Vec::new();
        let mut largest: Vec<(usize, i64, Milestone)> = Vec::new();
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
            let own = milestone(event, kind, Some(navigation), &navigation.frame, self.frames);
            if kind != MilestoneKind::LargestContentfulPaint {
                let is_known =
                    |other: &Milestone| (other.kind, other.time) == (own.kind, own.time) && other.page == own.page;
                if !found.iter().any(is_known) {
                    found.push(own);
                }
                continue;
            }
            if let Some(index) = Self::candidate(event) {
                take_largest(&mut largest, (navigation.event, index, own));
            }
        }
        found.extend(largest.into_iter().map(|(.., own)| own));
        found
    }

    /// FCP and LCP of soft navigations.
    fn soft_paints(&self) -> Vec<Milestone> {
        let mut found = Vec::new();
        for navigation in self.navigations.iter().filter(|navigation| navigation.is_soft) {
            let event = &self.events[navigation.event];
            let context = event.args.get("context");
            let painted = context.and_then(|context| context.get("firstContentfulPaint")).and_then(Value::as_f64);
            #[expect(clippy::cast_possible_truncation, reason = "a time of the trace")]
            let painted = painted.filter(|us| us.is_finite()).map(|us| Ns((us * 1000.0).round() as i64));
            if let Some(painted) = painted {
                let kind = MilestoneKind::FirstContentfulPaint;
                let own = milestone(event, kind, Some(navigation), &navigation.frame, self.frames);
                let since = painted - navigation.time;
                found.push(Milestone { time: Some(painted), since: Some(since), rating: kind.rate(since), ..own });
            }
        }
        let mut largest: Vec<(usize, i64, Milestone)> = Vec::new();
        let name = "largestContentfulPaint::CandidateForSoftNavigation";
        for event in self.events.iter().filter(|event| event.name == name) {
            let id = event.data("performanceTimelineNavigationId").map(Value::display_js);
            let Some(navigation) = id.and_then(|id| self.by_id(&id, true)) else { continue };
            let kind = MilestoneKind::LargestContentfulPaint;
            let own = milestone(event, kind, Some(navigation), &navigation.frame, self.frames);
            if let Some(index) = Self::candidate(event) {
                take_largest(&mut largest, (navigation.event, index, own));
            }
        }
        found.extend(largest.into_iter().map(|(.., own)| own));
        found
    }

    /// DCL and Load; of several in a navigation, the last one.
    fn documents(&self) -> Vec<Milestone> {
        let mut found: Vec<(Option<usize>, Milestone)> = Vec::new();
        for event in self.events {
            let kind = match event.name {
                "MarkDOMContent" => MilestoneKind::DomContentLoaded,
                "MarkLoad" => MilestoneKind::Load,
                _ => continue,
            };
            let Some(frame) = event.data_text("frame") else { continue };
            let Some(navigation) = self.by_time(frame, event.time) else { continue };
            if !self.frames.is_hosted(frame, &event.pid) {
                continue;
            }
            let own = milestone(event, kind, Some(navigation), frame, self.frames);
            found.retain(|(of, other)| *of != Some(navigation.event) || other.kind != kind);
            found.push((Some(navigation.event), own));
        }
        found.into_iter().map(|(_, own)| own).collect()
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
            let own = |kind| milestone(event, kind, Some(navigation), frame, self.frames);
            found.push(own(MilestoneKind::TimeToInteractive));
            let blocked = event.args.get("args").and_then(|args| args.get("total_blocking_time_ms"));
            if let Some(value) = blocked.and_then(Value::as_f64).and_then(Ns::from_ms) {
                let kind = MilestoneKind::TotalBlockingTime;
                let (time, since, rating) = (None, None, kind.rate(value));
                found.push(Milestone { time, since, value: Some(value), rating, ..own(kind) });
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
        for navigation in self.navigations.iter().filter(|own| own.number.is_some() && !own.is_soft) {
            for (kind, name) in usual {
                if found.iter().any(|own| own.kind == kind && own.navigation == navigation.number) {
                    continue;
                }
                let lacks_id = |event: &Event| event.name == name && event.data_text("navigationId").is_none();
                let is_joined_by_id = name.contains("Paint");
                let reason = match is_joined_by_id && self.events.iter().any(lacks_id) {
                    true => format!("{name} has no navigation id"),
                    false => format!("{name} is not in the recording"),
                };
                let event = &self.events[navigation.event];
                let own = milestone(event, kind, Some(navigation), &navigation.frame, self.frames);
                let (time, since, rating, marker) = (None, None, None, None);
                found.push(Milestone { time, since, rating, marker, unknown: Some(reason), ..own });
            }
        }
    }
}

/// Keeps the candidate with the greatest index of each navigation.
fn take_largest(largest: &mut Vec<(usize, i64, Milestone)>, candidate: (usize, i64, Milestone)) {
    match largest.iter_mut().find(|(navigation, ..)| *navigation == candidate.0) {
        Some(known) if known.1 < candidate.1 => *known = candidate,
        Some(_) => {}
        None => largest.push(candidate),
    }
}
