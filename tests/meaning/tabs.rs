//! Tabs of Firefox profiles: the tab in the foreground is the page, and frames, figures and requests belong to the page
//! that they are about. `fixtures/cases/tabs.json` has two tabs: a.example in a private window, loaded in the background
//! with the busier process, and b.example in the foreground.

use std::sync::Arc;

use flowline::index::network::{Network, PhaseKind};
use flowline::index::{Arrangement, Derived, Index, Tab};
use flowline::insights::frames::{FrameState, Frames};
use flowline::insights::page_load::{MainLoad, MilestoneKind, Milestones, PageId};
use flowline::insights::report::{MetricKind, MetricValue, Section, Sections};
use flowline::profile::{Ns, TabId};

use crate::recording::read_bytes;

const TABS: &str = include_str!("../../fixtures/cases/tabs.json");
const A: TabId = TabId(5);
const B: TabId = TabId(6);

fn read(text: &str) -> Index {
    Index::build(Arc::new(read_bytes(text.as_bytes().to_vec()).expect("a profile")), Arrangement::Stack)
}

fn pid(index: &Index, tab: &Tab) -> String {
    index.profile().processes[tab.process.index()].pid.to_string()
}

#[test]
fn the_tab_in_the_foreground_is_the_page() {
    let index = read(TABS);
    let tabs = index.pages().tabs();
    let list: Vec<_> =
        tabs.list().iter().map(|tab| (tab.id, tab.url.as_str(), tab.is_private, pid(&index, tab))).collect();
    let expected = [
        (B, "https://b.example/", false, "102".to_owned()),
        // The window of the browser itself is no tab.
        (A, "https://a.example/", true, "101".to_owned()),
    ];
    assert_eq!(list, expected);
    assert_eq!(tabs.of_window(12).map(|tab| tab.id), Some(A), "the window of a frame inside the page");
    assert_eq!((tabs.of_window(2), tabs.of_window(99)), (None, None));
    let first = tabs.first().expect("a tab").process;
    assert_eq!(index.page_process(), Some(first));
    assert_eq!(index.time_order().processes[0], first);
    let milestones = Milestones::of(&index);
    let url = |tab| milestones.main_navigation(tab).map(|own| own.url.as_str());
    assert_eq!((url(None), url(Some(A))), (Some("https://b.example/"), Some("https://a.example/")));
    let load = |tab| MainLoad::of(&index).milestone(tab, MilestoneKind::Load).and_then(|own| own.since);
    assert_eq!((load(None), load(Some(A))), (Some(Ns(70_000_000)), Some(Ns(99_500_000))));
}

#[test]
fn without_a_statement_the_tab_that_painted_most_is_first() {
    let index = read(&TABS.replace("foreground tab", "this tab was inactive"));
    let tabs = index.pages().tabs();
    assert_eq!(tabs.list().iter().map(|tab| tab.id).collect::<Vec<_>>(), [A, B], "three ticks against one");
    assert!(tabs.list().iter().all(|tab| !tab.is_foreground));
}

#[test]
fn frames_belong_to_the_page_that_they_present() {
    let index = read(TABS);
    let frames = Frames::of(&index);
    let found: Vec<_> = frames.list().iter().map(|own| (own.times.start.as_ms(), own.state, own.tab)).collect();
    let expected = [
        // Both processes tick when the first content begins; only that of b.example makes a display list then.
        (50.0, FrameState::Shown, Some(B)),
        (60.0, FrameState::Missed, Some(B)),
        (90.0, FrameState::Shown, Some(A)),
        (100.0, FrameState::Missed, Some(A)),
    ];
    assert_eq!(found, expected);
    for own in frames.list() {
        let tab = own.tab.and_then(|id| index.pages().tabs().get(id)).expect("a tab");
        assert_eq!(own.page, Some(tab.process));
    }
}

#[test]
fn each_page_has_the_figures_of_its_own_tab() {
    let index = read(TABS);
    let sections = Sections::of(&index);
    let of = |window: i64| -> &Section {
        sections.list().iter().find(|own| own.page == PageId::Window(window)).expect("a section")
    };
    for (window, tab) in [(11, A), (22, B)] {
        let own = of(window);
        assert_eq!(own.tab(&index), Some(tab));
        let frames = own.frames.as_ref().expect("frames");
        assert_eq!((frames.shown, frames.dropped), (1, 1), "{window}");
        let dropped = own.metric(MetricKind::DroppedFrames).and_then(|own| own.value);
        assert_eq!(dropped, Some(MetricValue::Count(1)), "{window}");
    }
    // The page of another tab does not end the page before it.
    assert_eq!(of(11).times.end, index.profile().meta.range.end);
    let main = |tab| sections.main(tab).map(|at| sections.list()[at].url.as_str());
    assert_eq!((main(None), main(Some(A))), (Some("https://b.example/"), Some("https://a.example/")));
}

#[test]
fn a_request_in_two_processes_is_one() {
    let index = read(TABS);
    let network = Network::build(index.profile());
    assert_eq!(network.requests().len(), 2, "one of the page, one of the browser itself");
    let own = network.requests().iter().find(|own| own.url.starts_with("https://b.")).expect("the page's request");
    let process = &index.profile().processes[own.process.index()];
    assert_eq!(process.pid, "102", "the process of the page");
    let ms = |ms: i64| Ns(ms * 1_000_000);
    assert_eq!((own.start, own.end), (ms(28), ms(45)), "from the page's call until the page has the response");
    let phases: Vec<_> = own.segments().iter().map(|own| (own.kind, own.start, own.end)).collect();
    let expected = [
        (PhaseKind::Queued, ms(28), ms(30)),
        (PhaseKind::Stalled, ms(30), ms(31)),
        (PhaseKind::Waiting, ms(31), ms(36)),
        (PhaseKind::Download, ms(36), ms(38)),
        (PhaseKind::Processing, ms(38), ms(45)),
    ];
    assert_eq!(phases, expected);
    assert_eq!((own.encoded_bytes, own.protocol.as_str()), (Some(1000), "h2"), "as the parent process counts");
    let id = network.request_of(own.marker).expect("a request");
    let markers = network.markers(id);
    assert_eq!(markers.len(), 2);
    assert!(markers.iter().all(|marker| network.request_of(*marker) == Some(id)));
}

#[test]
fn requests_of_different_channels_stay_apart() {
    let text = TABS.replacen(r#""id":77"#, r#""id":78"#, 2);
    let network = Network::build(read(&text).profile());
    assert_eq!(network.requests().len(), 3, "the parent's ids differ from that of the page");
}
