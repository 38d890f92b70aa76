//! The part of a saved view about flows: entered and pinned flows, the history, and expanded groups of the panel.

use super::format::SavedFlows;
use super::names::Names;
use flowline_profile::{FlowId, StringId};
use flowline_view::{FlowCommand, FlowSection, FlowView};

/// Maximum number of flows per list. A marker can have very many flows, and a longer list of names is not worth its
/// size.
const MAX_FLOWS: usize = 200;

pub(super) fn saved(view: &FlowView, names: &Names<'_>) -> SavedFlows {
    let list = |flows: &[FlowId]| names.flows(&flows[..flows.len().min(MAX_FLOWS)]);
    let named = view.pin_names.iter().take(MAX_FLOWS);
    let group = |(section, name): &(FlowSection, StringId)| {
        let (word, steps) = section_word(*section);
        (word.to_owned(), steps, names.string(*name))
    };
    SavedFlows {
        entered: list(&view.entered),
        pinned: list(&view.pinned),
        pin_names: named.map(|(flow, name)| (names.flow(*flow), name.clone())).collect(),
        history: view.history.iter().map(|flows| list(flows)).collect(),
        at: view.at,
        chosen: view.chosen.map(|flow| names.flow(flow)),
        connections: view.all_connections,
        path: view.path,
        incoming_steps: view.chain_back,
        outgoing_steps: view.chain_forward,
        open_groups: view.open_groups.iter().map(group).collect(),
        scroll: view.scroll,
        pinned_scroll: view.pinned_scroll,
    }
}

/// The word of a section, and its number of steps.
const fn section_word(section: FlowSection) -> (&'static str, u16) {
    match section {
        FlowSection::Cause(steps) => ("cause", steps),
        FlowSection::Incoming(steps) => ("incoming", steps),
        FlowSection::Entered => ("entered", 0),
        FlowSection::Direct => ("direct", 0),
        FlowSection::Outgoing(steps) => ("outgoing", steps),
        FlowSection::HeldUp => ("held_up", 0),
        FlowSection::Pinned => ("pinned", 0),
    }
}

fn find_section(word: &str, steps: u16) -> Option<FlowSection> {
    Some(match word {
        "cause" => FlowSection::Cause(steps),
        "incoming" => FlowSection::Incoming(steps),
        "entered" => FlowSection::Entered,
        "direct" => FlowSection::Direct,
        "outgoing" => FlowSection::Outgoing(steps),
        "held_up" => FlowSection::HeldUp,
        "pinned" => FlowSection::Pinned,
        _ => return None,
    })
}

pub(super) fn flow_view(saved: &SavedFlows, names: &Names<'_>) -> FlowView {
    let mut view = FlowView { all_connections: saved.connections, path: saved.path, ..<_>::default() };
    let mut entered = names.find_flows(&saved.entered);
    entered.sort_unstable();
    entered.dedup();
    let mut pinned: Vec<FlowId> = Vec::new();
    for flow in names.find_flows(&saved.pinned).into_iter().take(MAX_FLOWS) {
        if !pinned.contains(&flow) {
            pinned.push(flow);
        }
    }
    let history = saved.history.iter().map(|flows| names.find_flows(flows));
    let history = history.filter(|flows| !flows.is_empty()).collect();
    view.restore(entered, pinned, history, saved.at);
    for (flow, name) in &saved.pin_names {
        if let Some(flow) = names.find_flow(flow) {
            view.apply(FlowCommand::NamePin(flow, name.clone()));
        }
    }
    view.chosen = saved.chosen.as_ref().and_then(|name| names.find_flow(name));
    (view.chain_back, view.chain_forward) = (saved.incoming_steps, saved.outgoing_steps);
    let group =
        |(word, steps, name): &(String, u16, String)| Some((find_section(word, *steps)?, names.find_string(name)?));
    view.open_groups = saved.open_groups.iter().filter_map(group).collect();
    view.scroll = saved.scroll.max(0.0);
    view.pinned_scroll = saved.pinned_scroll.max(0.0);
    view
}
