//! Flows by details and keys: what a marker's card offers, walking along a flow, entering and pinning, the way back.

use std::collections::BTreeSet;

use crate::window::{Node, Window};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use flowline::index::FlowGraph;
use flowline::index::flows::{Direction, MarkerFlow};
use flowline::index::search::flow_query;
use flowline::profile::{FlowId, MarkerId, ThreadId};
use flowline::view::{ALL_STEPS, Command, FlowCommand};

impl Window {
    pub(crate) fn graph(&self) -> &FlowGraph {
        self.document().index.flows()
    }

    pub(crate) fn entered(&self) -> &[FlowId] {
        &self.view().flows.entered
    }

    pub(crate) fn pinned(&self) -> &[FlowId] {
        &self.view().flows.pinned
    }

    pub(crate) fn enter(&mut self, flows: &[FlowId]) {
        self.apply(Command::Flow(FlowCommand::Enter(flows.to_vec())));
        self.wait("the flow panel", |window| !window.document().flows.is_busy());
    }

    /// The flow with the most members.
    pub(crate) fn longest(&self) -> FlowId {
        self.graph().iter().max_by_key(|flow| self.graph().members(*flow).len()).expect("flows")
    }

    /// The first marker of several flows that has one before and one after it in each.
    pub(crate) fn of_several(&self) -> MarkerId {
        let (graph, profile) = (self.graph(), self.profile());
        let inside = |marker: &MarkerId| {
            let flows = graph.flows_of(*marker);
            let both =
                |flow: &FlowId| [true, false].iter().all(|way| graph.beside(&profile, *flow, *marker, *way).is_some());
            flows.len() > 1 && flows.iter().all(both)
        };
        (0..profile.marker_count()).map(MarkerId::new).find(inside).expect("a marker amid several flows")
    }

    /// The rows of flows in the accessibility tree, those of the label column.
    pub(crate) fn flow_rows(&self) -> Vec<Node> {
        let is_row =
            |node: &Node| node.role == Role::Button && node.text.starts_with("Flow ") && node.text.contains(" · ");
        self.nodes().into_iter().filter(is_row).collect()
    }

    /// Headings of the panel with their counts.
    fn sections(&self) -> Vec<String> {
        let is_heading = |node: &Node| {
            let (title, count) = node.text.rsplit_once(": ").unwrap_or_default();
            let sections = ["CAUSED BY", "ENTERED", "CONNECTED", "LED TO", "PINNED"];
            count.contains(" flow") && sections.iter().any(|section| title.starts_with(section))
        };
        self.nodes().into_iter().filter(is_heading).map(|node| node.text).collect()
    }

    /// A key with Alt as a keyboard sends it: the key, and the text it makes.
    fn alt(&mut self, key: Key, text: &str) {
        let modifiers = Modifiers::ALT;
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        let text = (!text.is_empty()).then(|| Event::Text(text.to_owned()));
        let down = [Event::ModifiersChanged(modifiers), event(true)].into_iter().chain(text);
        self.together(down.chain([event(false), Event::ModifiersChanged(Modifiers::NONE)]).collect::<Vec<_>>());
        self.settle();
    }

    /// Fails unless a marker is selected and can be seen: its thread unfolded, its row on screen, its time in view.
    #[track_caller]
    pub(crate) fn shows(&self, marker: MarkerId) {
        assert_eq!(self.view().selected, Some(marker));
        let (thread, _) = self.profile().locate(marker).expect("a marker");
        assert!(self.view().tracks.expanded.contains(&thread), "its thread is unfolded");
        let item = self.document().item_of(marker).expect("it is listed");
        let (scroll, room) = (self.view().scroll, f64::from(self.chart().height()));
        assert!(item.y >= scroll && item.y + item.height <= scroll + room, "its row is on screen");
        let (times, visible) = (self.view().times_of(marker).expect("a marker"), self.view().axis.visible());
        assert!(times.start <= visible.end && times.end >= visible.start, "its time is in view");
        assert!(self.details_of(marker), "its details are shown");
    }
}

fn plural(count: usize) -> String {
    format!("{count} {}", if count == 1 { "flow" } else { "flows" })
}

#[test]
fn details_list_the_flows_of_a_marker_with_buttons_that_work() {
    let mut window = Window::tall();
    let (marker, profile) = (window.of_several(), window.profile());
    window.apply(Command::Reveal(marker));
    assert!(window.has(Role::Label, "FLOWS"));
    let named: Vec<MarkerFlow> = window.graph().named_by(&profile, marker, 40);
    assert_eq!(named.len(), window.graph().flows_of(marker).len());
    for (card, named) in named.iter().enumerate() {
        let flow = named.flow;
        window.apply(Command::Reveal(marker));
        assert!(window.has(Role::Label, &format!("{} {}", named.field, named.id)), "{:#?}", window.texts());
        assert!(window.has(Role::Label, &format!("{} of {}", named.position + 1, named.count)));
        let press = |window: &mut Window, label: &str| {
            let place = window.all(Role::Button, label)[card].rect.center();
            window.click_at(place);
        };
        let members = window.graph().members(flow).to_vec();
        press(&mut window, "Next ›");
        window.shows(members[named.position + 1]);
        assert_eq!(window.view().flows.chosen, Some(flow), "keys go on along this flow");
        window.apply(Command::Reveal(marker));
        press(&mut window, "‹ Prev");
        window.shows(members[named.position - 1]);
        window.apply(Command::Reveal(marker));

        press(&mut window, "View all");
        let query = flow_query(&window.graph().name(&profile, flow));
        window.wait_for_search(&query);
        assert_eq!(window.document().hits().map(flowline::index::search::Hits::total), Some(members.len()));
        window.apply(Command::Search(String::new()));
        window.wait_for_search("");

        press(&mut window, "Enter");
        assert_eq!(window.entered(), [flow]);
        let pins = window.all(Role::Button, "Pin").len();
        press(&mut window, "Pin");
        assert_eq!(window.pinned(), [flow]);
        assert_eq!(window.all(Role::Button, "Pin").len(), pins - 1, "its button says Unpin now");
        window.press("Unpin");
        assert!(window.pinned().is_empty());
    }
    // At a flow's ends there is nothing before or after.
    let single = window.graph().members(window.longest())[0];
    window.apply(Command::Reveal(single));
    window.press("‹ Prev");
    assert_eq!(window.selected(), single, "a button that is off does nothing");
    assert!(window.says("led to") || window.says("caused by"), "its context is told");
}

#[test]
fn brackets_walk_along_a_flow() {
    let mut window = Window::example();
    let flow = window.longest();
    let members = window.graph().members(flow).to_vec();
    for _ in 0..3 {
        window.key(Key::W);
    }
    window.enter(&[flow]);
    let mut unfolded = BTreeSet::new();
    for marker in &members {
        unfolded.extend(window.view().tracks.expanded.iter().copied());
        window.type_text("]");
        window.shows(*marker);
    }
    assert!(window.view().tracks.expanded.len() > 1 && !unfolded.is_empty());
    let folded: BTreeSet<ThreadId> =
        members.iter().filter_map(|marker| window.profile().locate(*marker)).map(|(thread, _)| thread).collect();
    assert!(folded.len() > 5, "across many threads");
    window.type_text("]");
    window.shows(members[members.len() - 1]);
    for marker in members.iter().rev().skip(1).take(5) {
        window.type_text("[");
        window.shows(*marker);
    }
    window.apply(Command::Select(None));
    window.type_text("[");
    window.shows(members[members.len() - 1]);
}

/// A search, hidden threads and folded processes do not stop it.
#[test]
fn walking_shows_threads_that_were_hidden() {
    let mut window = Window::example();
    let (flow, profile) = (window.longest(), window.profile());
    let members = window.graph().members(flow).to_vec();
    let thread = profile.locate(members[0]).expect("a marker").0;
    let other = members.iter().find(|marker| profile.locate(**marker).expect("a marker").0 != thread).expect("another");
    let hidden = profile.locate(*other).expect("a marker").0;
    window.apply(Command::ShowOnly(thread));
    window.apply(Command::ToggleProcess(profile.thread(hidden).process));
    window.enter(&[flow]);
    for marker in &members[..=members.iter().position(|marker| marker == other).expect("it")] {
        window.type_text("]");
        window.shows(*marker);
    }
    assert!(!window.view().tracks.hidden.contains(&hidden));
}

#[test]
fn alt_brackets_choose_among_the_flows_of_a_marker() {
    let mut window = Window::example();
    let marker = window.of_several();
    window.apply(Command::Reveal(marker));
    let flows = window.graph().flows_of(marker).to_vec();
    assert_eq!(window.document().chosen_flow(), Some(flows[0]));
    for expected in flows.iter().skip(1).chain(&flows[..1]) {
        window.alt(Key::CloseBracket, "]");
        assert_eq!(window.document().chosen_flow(), Some(*expected));
        assert_eq!(window.selected(), marker, "choosing does not walk");
    }
    window.alt(Key::OpenBracket, "[");
    let last = flows[flows.len() - 1];
    assert_eq!((window.document().chosen_flow(), window.selected()), (Some(last), marker));
    // What is chosen is what keys walk, pin and enter.
    window.key(Key::P);
    assert_eq!(window.pinned(), [last]);
    window.key(Key::Enter);
    assert_eq!(window.entered(), [last], "of those chosen by key only that one");
    window.type_text("]");
    let next = window.graph().beside(&window.profile(), last, marker, true).expect("one after it");
    window.shows(next);
}

#[test]
fn enter_enters_all_flows_of_a_marker() {
    let mut window = Window::example();
    let marker = window.of_several();
    window.apply(Command::Reveal(marker));
    assert!(!window.has(Role::Canvas, "Flow panel: rows of flows"), "closed until a flow is entered");
    window.key(Key::Enter);
    let flows = window.graph().flows_of(marker).to_vec();
    assert_eq!(window.entered(), flows);
    assert!(window.has(Role::Canvas, "Flow panel: rows of flows"));
    assert!(window.says(&format!("{} flows entered", flows.len())));
    assert!(window.has(Role::Label, &format!("ENTERED: {} flows", flows.len())), "{:?}", window.sections());
    let entered: Vec<String> =
        window.flow_rows().into_iter().map(|row| row.text).filter(|text| text.contains(", entered")).collect();
    assert_eq!(entered.len(), flows.len());
    for flow in &flows {
        let id = window.graph().id_text(&window.profile(), *flow);
        assert!(entered.iter().any(|row| row.contains(&id)), "{id} in {entered:?}");
    }
    assert_eq!(window.selected(), marker, "the marker stays selected");
}

#[test]
fn the_panel_lists_every_connected_flow_once() {
    let mut window = Window::tall();
    for flow in [window.longest(), FlowId(1), FlowId(32)] {
        window.enter(&[flow]);
        let found = window.graph().connections(&[flow]);
        let incoming: BTreeSet<FlowId> = found.incoming.into_iter().collect();
        let direct: Vec<FlowId> = found.direct.into_iter().filter(|flow| !incoming.contains(flow)).collect();
        let listed = |flow: &FlowId| incoming.contains(flow) || direct.contains(flow);
        let outgoing: Vec<FlowId> = found.outgoing.into_iter().filter(|flow| !listed(flow)).collect();
        let expected: Vec<String> = [
            ("CAUSED BY (incoming)", incoming.len()),
            ("ENTERED", 1),
            ("CONNECTED (shared markers)", direct.len()),
            ("LED TO (outgoing)", outgoing.len()),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(title, count)| format!("{title}: {}", plural(count)))
        .collect();
        window.apply(Command::Flow(FlowCommand::Scroll(-10_000.0)));
        window.shell().flow_height = 1800.0;
        window.settle();
        assert_eq!(window.sections(), expected);
        let order: Vec<FlowId> = incoming.iter().copied().chain([flow]).chain(direct).chain(outgoing).collect();
        let rows = window.flow_rows();
        assert_eq!(rows.len(), order.len());
        for (row, flow) in rows.iter().zip(&order) {
            let id = window.graph().id_text(&window.profile(), *flow);
            let label = &window.document().flows.shapes.flow(*flow).expect("made").look.label;
            assert!(row.text.contains(&id) && row.text.starts_with(&format!("Flow {label}, ")), "{id}: {}", row.text);
        }
    }
}

#[test]
fn pins_stay_while_other_flows_are_entered() {
    let mut window = Window::example();
    let (first, second) = (window.longest(), FlowId(1));
    window.enter(&[first]);
    window.key(Key::P);
    assert_eq!(window.pinned(), [first], "with nothing selected, the entered flow");
    assert!(window.has(Role::Canvas, "Flow panel: rows of pinned flows"));
    window.enter(&[second]);
    assert_eq!((window.entered(), window.pinned()), (&[second][..], &[first][..]));
    assert!(window.sections().contains(&"PINNED: 1 flow".to_owned()), "{:?}", window.sections());
    let id = window.graph().id_text(&window.profile(), first);
    let is_pinned = |row: &Node| row.text.contains(&id) && row.text.ends_with(", pinned");
    assert!(window.flow_rows().iter().any(is_pinned), "{:#?}", window.flow_rows());
    window.key(Key::P);
    assert_eq!(window.pinned(), [first, second]);
    window.key(Key::P);
    assert_eq!(window.pinned(), [first], "P again unpins");
    // Its own button is in its row at the bottom.
    let row = window.flow_rows().into_iter().rfind(is_pinned).expect("the pinned row");
    let buttons = window.all(Role::Button, "Unpin this flow");
    let own = buttons.iter().find(|button| row.rect.contains(button.rect.center())).expect("its button");
    window.click_at(own.rect.center());
    assert!(window.pinned().is_empty());
    assert!(!window.has(Role::Canvas, "Flow panel: rows of pinned flows"));
}

#[test]
fn p_means_the_row_that_is_pointed_at_or_has_the_focus() {
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
    egui_kittest::kittest::Queryable::get_by_label(&window.harness, &label).focus();
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
    assert_eq!(window.entered(), [flows[0]], "there is nothing before the first");
    window.alt(Key::ArrowRight, "");
    assert_eq!(window.entered(), [flows[1]]);
    window.press("Forward (Alt+Right)");
    assert_eq!(window.entered(), [flows[2]], "the header's buttons do the same");
    window.press("Back to the flows before (Alt+Left)");
    assert_eq!(window.entered(), [flows[1]]);
    window.enter(&[FlowId(54)]);
    window.alt(Key::ArrowRight, "");
    assert_eq!(window.entered(), [FlowId(54)], "what lay ahead is gone");
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flows[1]]);
    assert_eq!(window.view().selected, None, "arrows with Alt select nothing");
}

#[test]
fn v_shows_only_threads_with_a_marker_of_the_flow() {
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
fn connections_and_path_are_switched_by_key_and_button() {
    let mut window = Window::example();
    window.enter(&[window.longest()]);
    let state = |window: &Window| (window.view().flows.all_connections, window.view().flows.path);
    let selected = |window: &Window, label: &str| window.get(Role::Button, label).selected;
    assert_eq!(state(&window), (false, false));
    window.key(Key::C);
    assert_eq!(state(&window), (true, false));
    assert!(selected(&window, "Connections") && !selected(&window, "Path"));
    window.key(Key::G);
    assert_eq!(state(&window), (true, true));
    assert!(selected(&window, "Path"));
    window.press("Connections");
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
        [(Direction::Forward, ".", ">", "LED TO, 2 steps on"), (Direction::Back, ",", "<", "CAUSED BY, 2 steps back")]
    {
        let flow = deep(&window, way);
        window.enter(&[flow]);
        window.shell().flow_height = 2400.0;
        window.settle();
        let before = window.sections();
        assert!(!before.iter().any(|section| section.starts_with(title)), "{before:?}");
        let expected = window.graph().chain(&[flow], way, 2, 10_000);
        window.type_text(key);
        window.wait("the chain", |window| !window.document().flows.is_busy());
        let after = window.sections();
        assert!(after.iter().any(|section| section.starts_with(title)), "{} steps: {after:?}", expected.steps.len());
        assert!(window.flow_rows().len() > before.len());
        window.type_text(all);
        window.wait("the whole chain", |window| !window.document().flows.is_busy());
        let steps = &window.view().flows;
        let (back, forward) = if way == Direction::Back { (ALL_STEPS, 0) } else { (0, ALL_STEPS) };
        assert_eq!((steps.chain_back, steps.chain_forward), (back, forward));
        window.press("Reset");
        window.wait("one step", |window| !window.document().flows.is_busy());
        assert_eq!(window.sections(), before);
        assert!(!window.has(Role::Button, "Reset"));
    }
}

#[test]
fn escape_leaves_the_panel_at_last() {
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
    assert!(window.has(Role::Canvas, "Flow panel: rows of pinned flows"), "what is pinned stays");
    assert!(!window.has(Role::Canvas, "Flow panel: rows of flows"));
    window.alt(Key::ArrowLeft, "");
    assert_eq!(window.entered(), [flow], "and back comes what was left");
    window.key(Key::Escape);
    window.press("✖");
    assert!(!window.has(Role::Canvas, "Flow panel: rows of pinned flows"), "the header's cross takes pins too");
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
            assert!(visible.start <= range.start && range.end <= visible.end, "{visible:?} holds {range:?}");
            assert!(visible.len() < range.len() * 5 / 4 + 2_000_000, "and little else");
        };
        window.chord(Modifiers::SHIFT, Key::F);
        check(&window);
        window.key(Key::Backspace);
        assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "Backspace returns");
        window.press("Zoom to it");
        check(&window);
    }
}
