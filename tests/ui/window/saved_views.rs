//! Saved views: the arrangement of a window is restored in another one through the text of a link, and damaged views
//! are harmless.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, vec2};
use flowline::index::Derived;
use flowline::insights::insights::Insights;
use flowline::profile::notes::{Note, NoteKind};
use flowline::profile::{
    ColorBy, CounterId, Direction, FlowId, GroupKind, Implementation, LocalMarker, MarkerId, Ns, ProcessId, Profile,
    ThreadId, TimeRange,
};
use flowline::session::{Session, insight_focus};
use flowline::ui::{KeyMap, SavedView, TableKind};
use flowline::view::{
    Arrangement, Command, FlowCommand, FlowLaneCommand, FlowLaneOrder, Measure, PathTarget, RowSelection, TrackId,
    TrackRef,
};

use crate::harness::window::{Window, example, session};

fn window(size: egui::Vec2) -> Window {
    Window::showing(session(example(), std::path::Path::new("")), KeyMap::Flowline, size, 1.0)
}

fn usual() -> Window {
    window(vec2(1440.0, 900.0))
}

/// The view of a window, taken from its link.
fn linked(window: &mut Window) -> SavedView {
    let view = window.shell().saved_view().expect("a recording is open");
    let read = SavedView::from_link(&view.to_link()).expect("the link is valid");
    assert_eq!(read, view);
    assert_eq!(SavedView::from_json(view.to_json().as_bytes()).expect("the link is valid"), view);
    read
}

/// A new window that shows a view.
fn opened(view: &SavedView) -> Window {
    let mut window = usual();
    assert_eq!(window.shell().show_view(view), 0, "no entries are missing");
    wait(&mut window);
    window
}

/// Waits for all background work.
fn wait(window: &mut Window) {
    for _ in 0..4 {
        // The panels get their positions first.
        window.settle();
        window.shell().wait();
    }
    window.settle();
}

fn range(random: &mut fastrand::Rng, whole: TimeRange) -> TimeRange {
    let at = |random: &mut fastrand::Rng| whole.start + Ns(random.i64(0..whole.len().max(1)));
    TimeRange::new(at(random), at(random))
}

fn thread(random: &mut fastrand::Rng, profile: &Profile) -> ThreadId {
    ThreadId::new(random.usize(..profile.threads.len()))
}

fn group(random: &mut fastrand::Rng, profile: &Profile) -> (ThreadId, GroupKind) {
    let thread = thread(random, profile);
    let markers = &profile.thread(thread).markers;
    let name = (!markers.is_empty()).then(|| markers.name(LocalMarker::new(random.usize(..markers.len()))));
    let named = name.map_or(GroupKind::Stack, GroupKind::Name);
    (thread, [named, named, GroupKind::Network, GroupKind::Stack][random.usize(..4)])
}

fn rows(random: &mut fastrand::Rng, profile: &Profile) -> RowSelection {
    let mut rows = RowSelection::default();
    let id = thread(random, profile);
    match random.u8(..5) {
        4 => rows.add_track_rows(TrackId::new("network", 0), 0..2),
        0 => _ = rows.threads.insert(id),
        1 => _ = rows.samples.insert(id),
        2 if !profile.counters.is_empty() => {
            rows.counters.insert(CounterId::new(random.usize(..profile.counters.len())));
        }
        _ => rows.add_rows(
            id,
            Arrangement::ByName,
            0..u32::try_from(profile.thread(id).markers.len().min(3)).expect("3"),
        ),
    }
    rows
}

/// Any command that changes the view.
fn command(random: &mut fastrand::Rng, session: &Session) -> Command {
    let (profile, whole) = (session.index.profile(), session.view.bounds().whole);
    let marker = MarkerId(random.u32(..u32::try_from(profile.marker_count()).expect("few")));
    let flow = FlowId(random.u32(..u32::try_from(session.index.flows().len()).expect("few")));
    let process = ProcessId::new(random.usize(..profile.processes.len()));
    let id = thread(random, profile);
    let (group_thread, group) = group(random, profile);
    let directions = [Direction::Back, Direction::Forward];
    match random.u8(..43) {
        0 => Command::Show(range(random, whole)),
        1 => Command::Zoom { pixel: random.f64() * 900.0, factor: 0.5 + random.f64() * 20.0, animated: false },
        2 => Command::SelectRange(Some(range(random, whole))),
        3 => Command::ZoomToSelection,
        4 => Command::ZoomToMarker(marker),
        5 => Command::Scroll(random.f64() * 900.0),
        6 => Command::SelectBox(Some(range(random, whole)), rows(random, profile)),
        7 => Command::ToggleRows(rows(random, profile)),
        8 => Command::ToggleThreads(vec![id]),
        9 => Command::Measure(Some(Measure { a: range(random, whole).start, b: random.bool().then_some(whole.end) })),
        10 => Command::Select(Some(marker)),
        11 => Command::Reveal(marker),
        12 => Command::ToggleProcess(process),
        13 => Command::ToggleThread(id),
        14 => Command::ToggleGroup(group_thread, group),
        15 => Command::ToggleMoreGroups(id),
        16 => Command::HideEmptyRows(random.bool()),
        17 => Command::ToggleCounters(random.bool().then_some(process)),
        18 => Command::ToggleTrack(TrackId::new("network", process.0)),
        19 => Command::HideThread(id),
        20 => Command::ToggleEmpty(process),
        21 => Command::ShowAllMarkers(random.bool()),
        22 => Command::ToggleStackChart(id),
        23 => Command::ColorBy([ColorBy::Kind, ColorBy::File][random.usize(..2)]),
        24 => Command::ShowCalls(Implementation::ALL[random.usize(..3)]),
        25 => Command::SetArrangement([Arrangement::ByName, Arrangement::Stack][random.usize(..2)]),
        26 => Command::FlowLane(FlowLaneCommand::Show(random.bool())),
        27 => Command::FlowLane(FlowLaneCommand::Order(FlowLaneOrder::ALL[random.usize(..6)])),
        28 => Command::FlowLane(FlowLaneCommand::Switch { path: vec!["Network".into()], on: random.bool() }),
        29 => Command::Search(["", "paint", "name:x", "-load, ö\"\\"][random.usize(..4)].into()),
        30 => Command::ZeroAt(Some(marker)),
        31 => Command::ShowPath(random.bool().then(|| PathTarget::end_of(marker))),
        32 => Command::Flow(FlowCommand::Enter(vec![flow])),
        33 => Command::Flow(FlowCommand::TogglePin(flow)),
        34 => Command::Flow(FlowCommand::Back),
        35 => Command::Flow(FlowCommand::ChainStep(directions[random.usize(..2)])),
        36 => Command::Flow(FlowCommand::AllConnections(random.bool())),
        37 => Command::TogglePinnedThread(id),
        38 => {
            let process =
                |random: &mut fastrand::Rng| TrackRef::Process(ProcessId::new(random.usize(..profile.processes.len())));
            Command::MoveTrack { track: process(random), beside: process(random), side: directions[random.usize(..2)] }
        }
        39 => {
            let pinned = session.view.flows.pinned.first().copied().unwrap_or(flow);
            Command::Flow(FlowCommand::NamePin(pinned, ["mine", "", "ö \""][random.usize(..3)].into()))
        }
        40 => Command::ToggleTrack(TrackId::new("custom_tracks", random.u32(..3))),
        41 => {
            let insight = Insights::of(&session.index).list().first().map(|own| insight_focus(&session.index, own));
            Command::FocusInsight(insight.map(Arc::new).filter(|_| random.bool()))
        }
        _ => Command::ZoomBack,
    }
}

#[test]
fn every_arrangement_is_restored_in_another_window() {
    let mut random = fastrand::Rng::with_seed(17);
    let mut open = usual();
    for round in 0..25 {
        for _ in 0..random.usize(1..25) {
            let command = command(&mut random, open.session());
            open.shell().apply_to(flowline::view::Pane::A, command);
        }
        let tables = [None, Some(TableKind::Markers), Some(TableKind::Network), Some(TableKind::Statistics)];
        open.shell().state.table = tables[random.usize(..4)];
        open.shell().state.hidden.labels = random.bool();
        open.shell().state.hidden.overview = random.bool();
        open.shell().state.hidden.flows = random.bool();
        wait(&mut open);
        let view = linked(&mut open);
        let mut again = opened(&view);
        let shown = again.shell().saved_view().expect("a recording is open").to_json();
        let wanted = view.to_json();
        let same = shown.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count();
        let part =
            |text: &str| text.get(same.saturating_sub(150)..).map(|text| text.chars().take(300).collect::<String>());
        assert!(shown == wanted, "round {round}: {:?} is not {:?}", part(&shown), part(&wanted));
        // It looks the same: both the drawn items and the state.
        let items = |window: &Window| {
            let item = |item: &flowline::scene::Item| (item.kind.widget_key(), item.y.to_bits());
            window.session().list().items().iter().map(item).collect::<Vec<_>>()
        };
        let (shown, wanted) = (items(&again), items(&open));
        let other = shown.iter().zip(&wanted).find(|(shown, wanted)| shown != wanted);
        assert!(shown == wanted, "round {round}: {other:?}, {} and {} rows", shown.len(), wanted.len());
        assert_eq!(again.session().canvas.regions, open.session().canvas.regions, "round {round}");
        let axes = [&again, &open].map(|window| window.view().axis.visible());
        let off = [axes[0].start.0 - axes[1].start.0, axes[0].end.0 - axes[1].end.0];
        assert!(off.iter().all(|off| off.abs() <= 1), "round {round}: {axes:?}");
    }
}

#[test]
fn the_scroll_position_is_restored_after_rows_are_built() {
    let mut open = window(vec2(1000.0, 500.0));
    open.apply(Command::SetArrangement(Arrangement::Stack));
    open.apply(Command::ExpandAll);
    wait(&mut open);
    open.apply(Command::Scroll(1e9));
    let scroll = open.view().scroll;
    assert!(scroll > 100.0, "{scroll}");
    let view = linked(&mut open);
    let mut again = window(vec2(1000.0, 500.0));
    again.shell().show_view(&view);
    wait(&mut again);
    assert!((again.view().scroll - scroll).abs() < 0.5, "{} {scroll}", again.view().scroll);
}

#[test]
fn a_copied_link_opens_the_same_view() {
    let mut open = usual();
    let (marker, _) = open.marker_with_fields();
    open.apply(Command::Reveal(marker));
    open.apply(Command::HideEmptyRows(true));
    let held = Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT;
    let events = [Event::ModifiersChanged(held), Event::Copy, Event::ModifiersChanged(Modifiers::NONE)];
    let texts = open.copied_by(events);
    let word = texts.first().and_then(|text| text.strip_prefix("flowline --view=")).expect("a link").to_owned();
    let again = opened(&SavedView::from_link(&word).expect("whole"));
    assert_eq!(again.selected(), marker);
    assert!(again.view().tracks.hide_empty_rows);

    let mut open = usual();
    let (_, place) = open.marker_with_fields();
    open.click_at(place);
    open.chord(Modifiers::SHIFT, Key::F10);
    // Other buttons have the same name, but only entries of menus are as wide.
    let copy = open.all(Role::Button, "Copy").into_iter().find(|node| node.rect.width() > 150.0);
    open.click_at(copy.expect("a submenu").rect.center());
    assert!(!open.nodes_with_prefix(Role::Button, "Copy link").is_empty() && open.has(Role::Button, "Copy as command"));
}

#[test]
fn damaged_views_and_views_of_other_recordings_are_tolerated() {
    let mut open = usual();
    let (marker, _) = open.marker_with_fields();
    open.apply(Command::Reveal(marker));
    let view = linked(&mut open);
    for damage in ["", "x", "!!!!", "eJwDAAAAAAE"] {
        assert!(SavedView::from_link(damage).is_err(), "{damage}");
    }
    for damage in ["{}", "[]", "{\"version\":\"1\"}", "{\"version\":2}"] {
        assert!(SavedView::from_json(damage.as_bytes()).is_err(), "{damage}");
    }
    // Numbers and names without meaning.
    let text = view.to_json();
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..60 {
        let digits: Vec<usize> =
            text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|at| at.0).collect();
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.usize(1..20) {
            bytes[digits[random.usize(..digits.len())]] = random.u8(b'0'..=b'9');
        }
        // A changed version may be refused.
        let Ok(view) = SavedView::from_json(&bytes) else { continue };
        let mut window = usual();
        window.shell().show_view(&view);
        wait(&mut window);
        assert!(window.view().axis.span().is_finite());
    }
    let unsupported = r#"{"version":1,"tracks":{"expanded":["9/9 nobody"],"hidden":["*"]},"selection":{"rows":[["*",1,0,4294967295]],
        "marker":{"thread":"1/1 x","start_ns":1,"name":"y"}},"flows":{"entered":["no;1"],"at":7},"times":{"shown":[0,5,-1]}}"#;
    let mut window = usual();
    let missing = window.shell().show_view(&SavedView::from_json(unsupported.as_bytes()).expect("a view"));
    assert_eq!(missing, 4, "two threads, a marker, a flow");
    wait(&mut window);
    assert_eq!(window.view().tracks.hidden.len(), window.profile().threads.len());
}

#[test]
fn views_identify_items_by_name() {
    let mut open = usual();
    let profile = open.profile();
    let (marker, _) = open.marker_with_fields();
    open.apply(Command::Reveal(marker));
    let (thread, _) = profile.locate(marker).expect("a marker");
    open.apply(Command::TogglePinnedThread(thread));
    let text = open.shell().saved_view().expect("a view").to_json();
    let (process, own) = (profile.process_of(thread), profile.thread(thread));
    let name = format!("{}/{} {}", process.pid, own.tid, own.name);
    assert!(text.contains(&format!("\"top_threads\":[\"{name}\"")), "{text}");
    assert!(text.contains(&format!("\"marker\":{{\"thread\":\"{name}\"")), "{text}");
    assert!(Arc::strong_count(&profile) > 1);
}

#[test]
fn a_link_can_carry_notes() {
    let mut window = usual();
    let marker = MarkerId(5);
    let entry = window.session().entry_of(marker).expect("an entry");
    let start = window.session().index.extent().start;
    let range = TimeRange::new(start, start + Ns(1_000_000));
    let notes = vec![
        Note { kind: NoteKind::Bookmark(start + Ns(7)), text: "here".to_owned() },
        Note { kind: NoteKind::Range(range), text: "this part".to_owned() },
        Note { kind: NoteKind::Label(entry.clone()), text: "slow".to_owned() },
        Note { kind: NoteKind::Hidden(entry), text: String::new() },
    ];
    window.shell().session_mut().expect("open").set_notes(notes.clone());
    window.settle();
    let read = |copied: Vec<String>| -> SavedView {
        let word = copied.first().and_then(|text| text.strip_prefix("flowline --view=")).expect("a link").to_owned();
        SavedView::from_link(&word).expect("the link is valid")
    };
    window.chord(Modifiers::COMMAND, Key::P);
    window.type_text("Copy link with notes");
    let enter =
        Event::Key { key: Key::Enter, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    // The command runs a few frames later.
    let later = (0..6).map(|_| Event::ModifiersChanged(Modifiers::NONE));
    let view = read(window.copied_by(std::iter::once(enter).chain(later)));
    let mut other = opened(&view);
    let shown = |window: &Window| window.session().view.notes.list.to_vec();
    assert_eq!(shown(&other), notes[..3], "hidden entries are no notes for others");
    // Notes that are already there are not repeated.
    other.shell().show_view(&view);
    assert_eq!(shown(&other).len(), 3);
    let held = Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT;
    let events = [Event::ModifiersChanged(held), Event::Copy, Event::ModifiersChanged(Modifiers::NONE)];
    let mut plain = opened(&read(window.copied_by(events)));
    plain.settle();
    assert!(shown(&plain).is_empty());
}
