//! Keys of the flow panel: pinning, history, searching, chains, leaving.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Node, Window, session};
use crate::recording::{Recording, Track, instant};
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::index::{Arrangement, Index};
use flowline::profile::{Direction, FlowId, MarkerId};
use flowline::session::Job;
use flowline::ui::KeyMap;
use flowline::view::{ALL_STEPS, Command, FlowCommand};
use serde_json::json;

#[test]
fn pins_stay_while_other_flows_are_entered() {
    let mut window = Window::example();
    let (first, second) = (window.longest(), FlowId(1));
    window.enter(&[first]);
    window.key(Key::P);
    assert_eq!(window.pinned(), [first], "without a selection, the entered flow");
    assert!(window.has(Role::Canvas, "Flow panel: rows of pinned flows"));
    window.enter(&[second]);
    assert_eq!((window.entered(), window.pinned()), (&[second][..], &[first][..]));
    assert!(window.sections().contains(&"Pinned: 1 flow".to_owned()), "{:?}", window.sections());
    let id = window.graph().id_text(&window.profile(), first);
    let is_pinned = |row: &Node| row.text.contains(&id) && row.text.ends_with(", pinned");
    assert!(window.flow_rows().iter().any(is_pinned), "{:#?}", window.flow_rows());
    window.key(Key::P);
    assert_eq!(window.pinned(), [first, second]);
    window.key(Key::P);
    assert_eq!(window.pinned(), [first], "P again unpins");
    // Its button is in its own row at the bottom.
    let row = window.flow_rows().into_iter().rfind(is_pinned).expect("the pinned row");
    let buttons = window.all(Role::Button, "Unpin this flow");
    let own = buttons.iter().find(|button| row.rect.contains(button.rect.center())).expect("its button");
    window.click_at(own.rect.center());
    assert!(window.pinned().is_empty());
    assert!(!window.has(Role::Canvas, "Flow panel: rows of pinned flows"));
}

#[test]
fn p_pins_the_hovered_or_focused_row() {
    let mut window = Window::example();
    window.enter(&[window.longest()]);
    let panel = window.get(Role::Canvas, "Flow panel: rows of flows").rect;
    let rows = window.flow_rows();
    let is_other = |row: &&Node| !row.text.contains(", entered") && panel.y_range().contains(row.rect.center().y);
    let other = rows.iter().find(is_other).expect("another row on screen");
    window.point_at(other.rect.center());
    let hovered = window.view().flows.hovered.expect("the pointer is over a row");
    assert_ne!(hovered, window.longest());
    window.key(Key::P);
    assert_eq!(window.pinned(), [hovered]);
    window.key(Key::P);
    assert!(window.pinned().is_empty());
    window.point_at(window.chart().center());
    assert_eq!(window.view().flows.hovered, None);
    let label = other.text.clone();
    window.harness.get_by_label(&label).focus();
    window.settle();
    window.key(Key::P);
    assert_eq!(window.pinned(), [hovered], "the row with the focus");
    window.key(Key::Enter);
    assert_eq!(window.entered(), [hovered], "Enter presses it");
}

#[test]
fn history_goes_back_and_forward() {
    let mut window = Window::example();
    let flows = [FlowId(1), FlowId(8), FlowId(32)];
    for flow in flows {
        window.enter(&[flow]);
    }
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flows[1]]);
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flows[0]]);
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flows[0]], "the first one has no predecessor");
    window.alt(Key::ArrowRight, "");
    assert_eq!(window.entered(), [flows[1]]);
    window.press("Go forward in flow history (Alt+Right)");
    assert_eq!(window.entered(), [flows[2]], "the header's buttons do the same");
    window.press("Go back in flow history (Alt+Left)");
    assert_eq!(window.entered(), [flows[1]]);
    window.enter(&[FlowId(54)]);
    window.alt(Key::ArrowRight, "");
    assert_eq!(window.entered(), [FlowId(54)], "the forward history is cleared");
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flows[1]]);
    assert_eq!(window.view().selected, None, "arrows with Alt select nothing");
}

#[test]
fn the_v_key_shows_only_threads_of_the_flow() {
    let mut window = Window::tall();
    let (flow, profile) = (window.longest(), window.profile());
    window.enter(&[flow]);
    window.key(Key::V);
    let name = window.graph().name(&profile, flow).to_string();
    assert!(name.contains(';'));
    window.wait_for_search(&format!("flow:{name}"));
    let mut expected: Vec<String> = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        let hits = window.graph().members(flow).iter().filter(|marker| profile.locate(**marker).expect("it").0 == id);
        let hits = hits.count();
        if hits > 0 {
            expected.push(format!("Thread {}, {hits} hit{}", thread.name, if hits == 1 { "" } else { "s" }));
        }
    }
    let mut headings: Vec<String> = window
        .headings()
        .into_iter()
        .map(|heading| heading.text.rsplit_once(", ").expect("a state").0.to_owned())
        .collect();
    headings.sort_unstable();
    expected.sort_unstable();
    assert_eq!(headings, expected);
    assert!(expected.len() > 3 && expected.len() < profile.threads.len());
}

#[test]
fn connections_and_path_are_toggled_by_key_and_button() {
    let mut window = Window::example();
    window.enter(&[window.longest()]);
    let state = |window: &Window| (window.view().flows.all_connections, window.view().flows.path);
    let selected = |window: &Window, label: &str| window.get(Role::Button, label).selected;
    assert_eq!(state(&window), (false, false));
    window.key(Key::C);
    assert_eq!(state(&window), (true, false));
    window.key(Key::G);
    assert_eq!(state(&window), (true, true));
    window.press("More flow actions");
    assert!(selected(&window, "Connections") && selected(&window, "Path"));
    window.press("Connections");
    assert_eq!(state(&window), (false, true));
    window.press("More flow actions");
    window.press("Path");
    assert_eq!(state(&window), (false, false));
}

#[test]
fn chains_are_followed_step_by_step() {
    let mut window = Window::tall();
    let deep = |window: &Window, way| {
        let graph = window.graph();
        graph.iter().find(|flow| graph.chain(&[*flow], way, 3, 10_000).steps.len() > 2).expect("a long chain")
    };
    for (way, key, all, title) in
        [(Direction::Forward, ".", ">", "Led to, 2 on"), (Direction::Back, ",", "<", "Cause, 2 back")]
    {
        let flow = deep(&window, way);
        window.enter(&[flow]);
        window.shell().set_panel_sizes(flowline::ui::SavedPanelSizes {
            flows: Some(2400.0),
            ..flowline::ui::SavedPanelSizes::default()
        });
        window.settle();
        let before = window.sections();
        assert!(!before.iter().any(|section| section.starts_with(title)), "{before:?}");
        let expected = window.graph().chain(&[flow], way, 2, 10_000);
        window.type_text(key);
        window.wait("the chain", |window| !window.session().flows.is_busy());
        let after = window.sections();
        assert!(after.iter().any(|section| section.starts_with(title)), "{} steps: {after:?}", expected.steps.len());
        assert!(window.flow_rows().len() > before.len());
        window.type_text(all);
        window.wait("the whole chain", |window| !window.session().flows.is_busy());
        let steps = &window.view().flows;
        let (back, forward) = if way == Direction::Back { (ALL_STEPS, 0) } else { (0, ALL_STEPS) };
        assert_eq!((steps.chain_back, steps.chain_forward), (back, forward));
        window.press("More flow actions");
        window.press("Show only one step in each direction");
        window.wait("one step", |window| !window.session().flows.is_busy());
        assert_eq!(window.sections(), before);
        window.press("More flow actions");
        assert!(!window.has(Role::Button, "Show only one step in each direction"));
        window.key(Key::Escape);
    }
}

#[test]
fn escape_finally_closes_the_panel() {
    let mut window = Window::example();
    let flow = window.longest();
    let marker = window.graph().members(flow)[3];
    window.enter(&[flow]);
    window.apply(Command::Flow(FlowCommand::TogglePin(FlowId(1))));
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    window.apply(Command::Reveal(marker));
    let state = |window: &Window| {
        let view = window.view();
        [!view.search.is_empty(), view.selected.is_some(), !view.flows.entered.is_empty()]
    };
    for open in (0..=3).rev() {
        let mut expected = [false; 3];
        expected[3 - open..].fill(true);
        assert_eq!(state(&window), expected);
        window.key(Key::Escape);
    }
    assert!(window.has(Role::Canvas, "Flow panel: rows of pinned flows"), "pinned flows stay");
    assert!(!window.has(Role::Canvas, "Flow panel: rows of flows"));
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flow], "going back restores the flow");
    window.key(Key::Escape);
    window.press("Leave the flow");
    assert!(
        !window.has(Role::Canvas, "Flow panel: rows of pinned flows"),
        "the header's close button also removes pins"
    );
}

#[test]
fn shift_f_zooms_to_the_flow() {
    let mut window = Window::example();
    for flow in [window.longest(), FlowId(2)] {
        window.key(Key::Num0);
        window.enter(&[flow]);
        let span = window.view().axis.span();
        let range = window.graph().range(&window.profile(), flow);
        let check = |window: &Window| {
            let visible = window.view().axis.visible();
            assert!(visible.start <= range.start && range.end <= visible.end, "{visible:?} contains {range:?}");
            assert!(visible.len() < range.len() * 5 / 4 + 2_000_000, "the view fits tightly");
        };
        window.chord(Modifiers::SHIFT, Key::F);
        check(&window);
        window.key(Key::Backspace);
        assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "Backspace returns");
        window.press("Zoom to flow");
        check(&window);
    }
}

#[test]
fn brackets_lead_from_a_message_to_its_other_side() {
    let message = |own: usize, sending: bool, at: f64| {
        instant("IPC", at).with(json!({
            "type": "IPC", "otherPid": Recording::pid(1 - own), "messageType": "PTest::Msg_A", "messageSeqno": 5,
            "side": "parent", "direction": if sending { "sending" } else { "receiving" }, "phase": "endpoint",
            "sync": false,
        }))
    };
    let mut recording = Recording::of(vec![message(0, true, 1.0)]);
    recording.starts = vec![1000.0, 1000.0];
    let rows = vec![message(1, false, 5.0)];
    recording.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0, 6.0], rows });
    let [(_, profile), _] = recording.read_both();
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1200.0, 800.0), 1.0);
    let profile = window.profile();
    let name = |marker: MarkerId| {
        let (thread, local) = profile.locate(marker).expect("a marker");
        profile.marker_name(thread, local)
    };
    let received = (0..profile.marker_count()).map(MarkerId::new).find(|marker| name(*marker) == "IPCIn");
    window.apply(Command::Reveal(received.expect("the received message")));
    window.type_text("[");
    assert_eq!(name(window.selected()), "IPCOut");
    window.type_text("[");
    assert_eq!(name(window.selected()), "IPCOut", "nothing is before the sender");
    window.type_text("]");
    assert_eq!(name(window.selected()), "IPCIn");
}
