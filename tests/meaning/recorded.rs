//! Recorded page loads, compared with what the pages measured about themselves with `PerformanceObserver`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::interactions::{Interaction, Interactions};
use flowline::insights::layout_shifts::LayoutShifts;
use flowline::insights::page::Page;
use flowline::insights::page_load::{Milestone, MilestoneKind, Milestones, PageId};
use flowline::insights::warnings::PageWarnings;
use flowline::profile::{Ns, WarningKind};
use serde_json::Value;

use crate::recording::real::open;

/// Browsers round paints to 4 ms and durations of events to 8 ms; other times to 1 ms at most.
const PAINT: f64 = 4.5;
const DURATION: f64 = 8.5;
const EXACT: f64 = 1.5;

/// A recording, its index, and what its page measured.
struct Recorded {
    name: &'static str,
    index: Index,
    facts: Value,
}

fn recorded(name: &'static str) -> Recorded {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recorded");
    let facts = std::fs::read(folder.join(format!("{name}.facts.json"))).expect("facts");
    let profile = open(&folder.join(format!("{name}.json.gz"))).expect("a recording");
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    Recorded { name, index, facts: serde_json::from_slice(&facts).expect("JSON") }
}

impl Recorded {
    fn list(&self, key: &str) -> &[Value] {
        self.facts[key].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn navigated(&self, key: &str) -> f64 {
        number(&self.facts["navigation"][key])
    }

    /// A milestone of the page.
    fn milestone(&self, kind: MilestoneKind) -> Option<&Milestone> {
        let url = self.facts["url"].as_str().expect("an address");
        let all = Milestones::of(&self.index).all().iter();
        all.filter(|own| own.is_main && own.url == url).find(|own| own.kind == kind)
    }

    fn since(&self, kind: MilestoneKind) -> f64 {
        let own = self.milestone(kind).and_then(|own| own.since);
        own.unwrap_or_else(|| panic!("{}: {} is unknown", self.name, kind.name())).as_ms()
    }

    fn start(&self) -> Ns {
        self.milestone(MilestoneKind::Navigation).and_then(|own| own.time).expect("a navigation")
    }

    fn close(&self, what: &str, found: f64, measured: f64, tolerance: f64) {
        assert!((found - measured).abs() <= tolerance, "{}: {what} is {found} ms, measured {measured} ms", self.name);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn milestones_are_those_that_the_page_measured() {
    for name in ["chrome-late", "chrome-click", "chrome-shifts", "firefox-late", "firefox-click"] {
        let own = recorded(name);
        let painted = own.list("paint").iter().find(|paint| paint["name"] == "first-contentful-paint");
        let painted = number(&painted.expect("a paint")["t"]);
        own.close("FCP", own.since(MilestoneKind::FirstContentfulPaint), painted, PAINT);
        own.close("DCL", own.since(MilestoneKind::DomContentLoaded), own.navigated("dcl"), 2.0 * EXACT);
        own.close("Load", own.since(MilestoneKind::Load), own.navigated("loadStart"), EXACT);
        let largest = number(&own.list("lcp").last().expect("a largest paint")["t"]);
        if name.starts_with("chrome") {
            own.close("LCP", own.since(MilestoneKind::LargestContentfulPaint), largest, PAINT);
        } else {
            // Firefox measures it, but does not record it.
            assert!(own.milestone(MilestoneKind::LargestContentfulPaint).is_none());
            own.close("TTFB", own.since(MilestoneKind::FirstByte), own.navigated("ttfb"), EXACT);
            own.close("interactive", own.since(MilestoneKind::DomInteractive), own.navigated("interactive"), EXACT);
        }
    }
}

#[test]
fn interactions_are_those_that_the_page_measured() {
    for name in ["chrome-click", "chrome-shifts", "firefox-click"] {
        let own = recorded(name);
        let all = Interactions::of(&own.index);
        let mut longest = 0.0_f64;
        let mut compared = 0;
        for event in own.list("event").iter().filter(|event| event["id"] != 0) {
            longest = longest.max(number(&event["duration"]));
            let since = |time: Ns| (time - own.start()).as_ms();
            let is_it = |found: &&Interaction| {
                let is_named = found.event == event["name"].as_str().unwrap_or_default();
                is_named && !found.is_nested && (since(found.start) - number(&event["t"])).abs() < EXACT
            };
            let Some(found) = all.list().iter().find(is_it) else { continue };
            compared += 1;
            // The handlers of the nested events count, too.
            assert!(since(found.processing_start) <= number(&event["from"]) + EXACT, "{name}: {event} {found:?}");
            assert!(since(found.processing_end) >= number(&event["to"]) - EXACT, "{name}: {event} {found:?}");
            if let Some(length) = found.length() {
                own.close("an interaction", length.as_ms(), number(&event["duration"]), DURATION);
            }
        }
        assert!(compared >= 1, "{name}");
        let window = own.milestone(MilestoneKind::Navigation).expect("a navigation");
        let inp = match window.page {
            PageId::Window(window) => all.inp_of_window(window),
            _ => all.inp(window.navigation),
        };
        own.close("INP", inp.and_then(Interaction::length).expect("an interaction").as_ms(), longest, DURATION);
    }
}

/// The greatest sum of a window of shifts that are at most 1 s apart and last at most 5 s, as pages compute it.
fn greatest_window(shifts: &[(f64, f64)]) -> f64 {
    let (mut best, mut sum, mut first, mut last) = (0.0_f64, 0.0, f64::MIN, f64::MIN);
    for (time, value) in shifts {
        if time - last > 1_000.0 || time - first > 5_000.0 {
            (sum, first) = (0.0, *time);
        }
        (sum, last) = (sum + value, *time);
        best = best.max(sum);
    }
    best
}

#[test]
fn layout_shifts_are_those_that_the_page_measured() {
    for name in ["chrome-late", "chrome-shifts"] {
        let own = recorded(name);
        let shifts = LayoutShifts::of(&own.index);
        let main = Page::of(&own.index).frames().main().expect("a main frame");
        let found: Vec<_> = shifts.shifts().iter().filter(|shift| shift.frame == main).collect();
        let measured = own.list("shift");
        assert_eq!(found.len(), measured.len(), "{name}");
        for (shift, fact) in found.iter().zip(measured) {
            assert!((shift.score - number(&fact["value"])).abs() < 1e-9, "{name}: {fact}");
            assert_eq!(shift.is_after_input, fact["input"] == true, "{name}: {fact}");
        }
        let counted = measured.iter().filter(|fact| fact["input"] != true);
        let counted: Vec<(f64, f64)> = counted.map(|fact| (number(&fact["t"]), number(&fact["value"]))).collect();
        let navigation = own.milestone(MilestoneKind::Navigation).expect("a navigation").navigation;
        let score = shifts.score(navigation).expect("a score");
        assert!((score - greatest_window(&counted)).abs() < 1e-6, "{name}: {score}");
    }
}

/// A trace of the whole browser also has pages that the browser keeps ready.
#[test]
fn the_only_frame_with_a_document_is_the_main_frame() {
    let own = recorded("chrome-late");
    let mut documents: BTreeMap<&str, usize> = BTreeMap::new();
    for navigation in Page::of(&own.index).main_navigations() {
        *documents.entry(navigation.frame.as_str()).or_default() += 1;
    }
    assert_eq!(documents.into_values().collect::<Vec<_>>(), [1]);
    assert_eq!(PageWarnings::with_import(&own.index).count(WarningKind::PageEventLimit), 0);
}
