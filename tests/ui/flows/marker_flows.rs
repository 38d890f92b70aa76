//! Flows of a marker: their details, walking along a flow, selecting and entering; and the contents of the panel.

use std::collections::BTreeSet;

use crate::harness::window::{Node, Window, example};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use flowline::index::FlowGraph;
use flowline::index::flows::MarkerFlow;
use flowline::index::search::flow_query;
use flowline::profile::{Direction, FlowId, MarkerId, ThreadId};
use flowline::scene::{FlowSections, SectionRows};
use flowline::session::Job;
use flowline::view::{Command, FlowCommand, FlowSection};

impl Window {
    pub(crate) fn graph(&self) -> &FlowGraph {
        self.session().index.flows()
    }

    pub(crate) fn entered(&self) -> &[FlowId] {
        &self.view().flows.entered
    }

    pub(crate) fn pinned(&self) -> &[FlowId] {
        &self.view().flows.pinned
    }

    pub(crate) fn enter(&mut self, flows: &[FlowId]) {
        self.apply(Command::Flow(FlowCommand::Enter(flows.to_vec())));
        self.wait("the flow panel", |window| !window.session().flows.is_busy());
    }

    /// The flow with the most members.
    pub(crate) fn longest(&self) -> FlowId {
        self.graph().iter().max_by_key(|flow| self.graph().members(*flow).len()).expect("flows")
    }

    /// The first marker in several flows that has a previous and a next marker in each.
    pub(crate) fn of_several(&self) -> MarkerId {
        let (graph, profile) = (self.graph(), self.profile());
        let inside = |marker: &MarkerId| {
            let flows = graph.flows_of(*marker);
            let both = |flow: &FlowId| {
                [Direction::Back, Direction::Forward]
                    .iter()
                    .all(|way| graph.sibling(&profile, *flow, *marker, *way).is_some())
            };
            flows.len() > 1 && flows.iter().all(both)
        };
        (0..profile.marker_count()).map(MarkerId::new).find(inside).expect("a marker inside several flows")
    }

    /// Flow rows in the accessibility tree, from the label column.
    pub(crate) fn flow_rows(&self) -> Vec<Node> {
        self.all_flow_rows().into_iter().filter(|node| !node.text.contains(", held up")).collect()
    }

    /// The rows of the panel, with those of flows that the entered ones held up.
    pub(crate) fn all_flow_rows(&self) -> Vec<Node> {
        let is_row =
            |node: &Node| node.role == Role::Button && node.text.starts_with("Flow ") && node.text.contains(" marker");
        self.nodes().into_iter().filter(is_row).collect()
    }

    /// Headings of the panel with their counts.
    pub(crate) fn sections(&self) -> Vec<String> {
        let is_heading = |node: &Node| {
            let (title, count) = node.text.rsplit_once(": ").unwrap_or_default();
            let sections = ["Cause", "Part of", "Entered", "Shares", "Led to", "Pinned"];
            count.contains(" flow") && sections.iter().any(|section| title.starts_with(section))
        };
        self.nodes().into_iter().filter(is_heading).map(|node| node.text).collect()
    }

    /// Sends a key with Alt like a keyboard: the key, and the text it produces.
    pub(crate) fn alt(&mut self, key: Key, text: &str) {
        let modifiers = Modifiers::ALT;
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        let text = (!text.is_empty()).then(|| Event::Text(text.to_owned()));
        let down = [Event::ModifiersChanged(modifiers), event(true)].into_iter().chain(text);
        self.together(down.chain([event(false), Event::ModifiersChanged(Modifiers::NONE)]).collect::<Vec<_>>());
        self.settle();
    }

    /// Fails unless a marker is selected and visible: its thread expanded, its row on screen, its time in view.
    #[track_caller]
    pub(crate) fn shows(&self, marker: MarkerId) {
        assert_eq!(self.view().selected, Some(marker));
        let (thread, _) = self.profile().locate(marker).expect("a marker");
        assert!(self.view().tracks.expanded.contains(&thread), "its thread is expanded");
        let item = self.session().item_of(marker).expect("its row is listed");
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
fn details_list_the_flows_of_a_marker_with_working_buttons() {
    let mut window = Window::tall();
    let (marker, profile) = (window.of_several(), window.profile());
    window.apply(Command::Reveal(marker));
    let named: Vec<MarkerFlow> = window.graph().marker_flows(&profile, marker, 40);
    assert_eq!(named.len(), window.graph().flows_of(marker).len());
    let heading = format!("Flow, {}", plural(named.len()));
    assert!(!window.nodes_with_prefix(Role::DisclosureTriangle, &heading).is_empty(), "{:#?}", window.texts());
    for (card, named) in named.iter().enumerate() {
        let flow = named.flow;
        window.apply(Command::Reveal(marker));
        assert!(window.has(Role::Label, &format!("{} of {}", named.position + 1, named.count)));
        let press = |window: &mut Window, label: &str| {
            let place = window.all(Role::Button, label)[card].rect.center();
            window.click_at(place);
        };
        let choose = |window: &mut Window, entry: &str| {
            press(window, "Flow menu");
            let node = window.node_with_prefix(Role::Button, entry);
            window.click_at(node.rect.center());
        };
        let members = window.graph().members(flow).to_vec();
        press(&mut window, "Next in flow");
        window.shows(members[named.position + 1]);
        assert_eq!(window.view().flows.chosen, Some(flow), "keys continue along this flow");
        window.apply(Command::Reveal(marker));
        press(&mut window, "Previous in flow");
        window.shows(members[named.position - 1]);
        window.apply(Command::Reveal(marker));

        choose(&mut window, "Show only its markers");
        let query = flow_query(&window.graph().name(&profile, flow));
        window.wait_for_search(&query);
        assert_eq!(window.session().hits().map(flowline::index::search::Hits::total), Some(members.len()));
        window.apply(Command::Search(String::new()));
        window.wait_for_search("");

        choose(&mut window, "Show in flow panel");
        assert_eq!(window.entered(), [flow]);
        choose(&mut window, "Pin flow");
        assert_eq!(window.pinned(), [flow]);
        choose(&mut window, "Unpin flow");
        assert!(window.pinned().is_empty());
    }
    // At either end of a flow there is no further marker.
    let single = window.graph().members(window.longest())[0];
    window.apply(Command::Reveal(single));
    window.press("Previous in flow");
    assert_eq!(window.selected(), single, "a disabled button has no effect");
    assert!(window.says("Led to") || window.says("Caused by"), "the context is shown");
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
    let mut expanded = BTreeSet::new();
    for marker in &members {
        expanded.extend(window.view().tracks.expanded.iter().copied());
        window.type_text("]");
        window.shows(*marker);
    }
    assert!(window.view().tracks.expanded.len() > 1 && !expanded.is_empty());
    let collapsed: BTreeSet<ThreadId> =
        members.iter().filter_map(|marker| window.profile().locate(*marker)).map(|(thread, _)| thread).collect();
    assert!(collapsed.len() > 5, "across many threads");
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

/// Walking follows the flow in which it started, not the first flow of each marker and not the entered flow.
#[test]
fn walking_stays_in_its_flow() {
    let mut window = Window::example();
    let graph = window.graph();
    // A member of this flow only, followed by one that is also in an earlier flow.
    let branches = |flow: FlowId| {
        let members = graph.members(flow);
        (1..members.len().saturating_sub(1)).find(|at| {
            let is_first = |marker: MarkerId| graph.flows_of(marker).first() == Some(&flow);
            graph.flows_of(members[at - 1]).len() == 1 && !is_first(members[*at])
        })
    };
    let (flow, at) = graph.iter().find_map(|flow| Some((flow, branches(flow)?))).expect("flows that meet");
    let members = graph.members(flow).to_vec();
    let other = graph.flows_of(members[at])[0];
    for entered in [None, Some(other)] {
        if let Some(entered) = entered {
            window.enter(&[entered]);
        }
        window.apply(Command::Reveal(members[at - 1]));
        for marker in &members[at..=at + 1] {
            window.type_text("]");
            window.shows(*marker);
        }
        for marker in members[at - 1..=at].iter().rev() {
            window.type_text("[");
            window.shows(*marker);
        }
    }
    window.key(Key::Enter);
    assert_eq!(window.entered(), [flow]);
}

/// Searches, hidden threads and collapsed processes do not stop walking.
#[test]
fn walking_shows_hidden_threads() {
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
fn alt_brackets_select_among_the_flows_of_a_marker() {
    let mut window = Window::example();
    let marker = window.of_several();
    window.apply(Command::Reveal(marker));
    let flows = window.graph().flows_of(marker).to_vec();
    assert_eq!(window.session().selected_flow(), Some(flows[0]));
    for expected in flows.iter().skip(1).chain(&flows[..1]) {
        window.alt(Key::CloseBracket, "]");
        assert_eq!(window.session().selected_flow(), Some(*expected));
        assert_eq!(window.selected(), marker, "selecting does not walk");
    }
    window.alt(Key::OpenBracket, "[");
    let last = flows[flows.len() - 1];
    assert_eq!((window.session().selected_flow(), window.selected()), (Some(last), marker));
    // The selected flow is the one that keys walk, pin and enter.
    window.key(Key::P);
    assert_eq!(window.pinned(), [last]);
    window.key(Key::Enter);
    assert_eq!(window.entered(), [last], "only the flow selected by key");
    window.type_text("]");
    let next = window.graph().sibling(&window.profile(), last, marker, Direction::Forward).expect("the next marker");
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
    assert!(window.has(Role::Label, &format!("Entered: {} flows", flows.len())), "{:?}", window.sections());
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
        let causes: BTreeSet<FlowId> = window.graph().causes(&[flow]).into_iter().collect();
        let direct = found.direct;
        let other = |flow: &FlowId| !direct.contains(flow);
        let (caused, had_part): (Vec<FlowId>, Vec<FlowId>) =
            found.incoming.iter().copied().filter(other).partition(|flow| causes.contains(flow));
        let outgoing: Vec<FlowId> =
            found.outgoing.iter().copied().filter(other).filter(|flow| !found.incoming.contains(flow)).collect();
        let expected: Vec<String> = [
            ("Caused by", caused.len()),
            ("Part of", had_part.len()),
            ("Entered", 1),
            ("Shares", direct.len()),
            ("Led to", outgoing.len()),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(title, count)| format!("{title}: {}", plural(count)))
        .collect();
        window.apply(Command::Flow(FlowCommand::Scroll(-10_000.0)));
        window.shell().set_panel_sizes(flowline::ui::SavedPanelSizes {
            flows: Some(1800.0),
            ..flowline::ui::SavedPanelSizes::default()
        });
        window.settle();
        assert_eq!(window.sections(), expected);
        let order: Vec<FlowId> =
            caused.into_iter().chain(had_part).chain([flow]).chain(direct.iter().copied()).chain(outgoing).collect();
        let rows = window.flow_rows();
        assert_eq!(rows.len(), order.len());
        for (row, flow) in rows.iter().zip(&order) {
            let id = window.graph().id_text(&window.profile(), *flow);
            let label = &window.session().flows.shapes.flow(*flow).expect("made").appearance.label;
            assert!(row.text.contains(&id) && row.text.starts_with(&format!("Flow {label}")), "{id}: {}", row.text);
            let is_more = row.text.contains(", also ");
            let ways = [&found.incoming, &found.outgoing].into_iter().filter(|flows| flows.contains(flow)).count();
            assert_eq!(is_more, ways + usize::from(direct.contains(flow)) > 1, "{}", row.text);
        }
    }
}

/// Every flow that shares a marker with the entered one is listed under *Shares*, even if it also has another role.
/// Only the flows of its first marker's parent are listed as its cause.
#[test]
fn direct_flows_of_the_example_are_not_listed_as_causes() {
    let index = example();
    let graph = index.flows();
    let mut direct = 0;
    for flow in graph.iter() {
        let sections = FlowSections::build(&index, &[flow], 0, 0);
        let flows = |wanted: FlowSection| -> Vec<FlowId> {
            let content = sections.sections.iter().find(|content| content.section == wanted);
            let mut flows = match content.map(|content| &content.rows) {
                None => Vec::new(),
                Some(SectionRows::Flows(flows)) => flows.clone(),
                Some(SectionRows::Groups(groups)) => groups.iter().flat_map(|(_, flows)| flows).copied().collect(),
            };
            flows.sort_unstable();
            flows
        };
        let found = graph.connections(&[flow]);
        assert_eq!(flows(FlowSection::Direct), found.direct, "{flow:?}");
        direct += found.direct.len();
        let first = graph.members(flow)[0];
        let causes = graph.parent(first).map_or(&[][..], |parent| graph.flows_of(parent));
        for (section, is_cause) in [(FlowSection::Cause(1), true), (FlowSection::Incoming(1), false)] {
            for listed in flows(section) {
                assert_eq!(causes.contains(&listed), is_cause, "{listed:?} of {flow:?}");
                assert!(!found.direct.contains(&listed) && found.incoming.contains(&listed));
                let also = sections.also.get(&listed).is_some_and(|also| also.outgoing);
                assert_eq!(also, found.outgoing.contains(&listed), "{listed:?} of {flow:?}");
            }
        }
    }
    assert_eq!(direct, 252, "the example has so many direct links");
}
