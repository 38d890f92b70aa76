//! The part of a saved view about flows: entered and pinned flows, the history, and expanded groups of the panel.

use super::names::Names;
use crate::table_state::{Members, is_on, items, number, text};
use flowline_profile::{FlowId, StringId, Value};
use flowline_view::{FlowCommand, FlowSection, FlowView};

/// Maximum number of flows per list. A marker can have very many flows, and a longer list of names is not worth its
/// size.
const MAX_FLOWS: usize = 200;

pub(super) fn write(view: &FlowView, names: &Names<'_>) -> Members {
    let mut members = Members::default();
    let list = |flows: &[FlowId]| names.flows(&flows[..flows.len().min(MAX_FLOWS)]);
    members.list("entered", list(&view.entered));
    members.list("pinned", list(&view.pinned));
    let named = view.pin_names.iter().take(MAX_FLOWS);
    members.list("pin_names", named.map(|(flow, name)| Value::List(vec![names.flow(*flow), text(name)])).collect());
    members.list("history", view.history.iter().map(|flows| Value::List(list(flows))).collect());
    members.add("at", (view.at > 0).then(|| Value::Int(i64::try_from(view.at).unwrap_or(i64::MAX))));
    members.add("chosen", view.chosen.map(|flow| names.flow(flow)));
    members.flag("connections", view.all_connections);
    members.flag("path", view.path);
    members.number("incoming_steps", view.chain_back.into());
    members.number("outgoing_steps", view.chain_forward.into());
    let group = |(section, name): &(FlowSection, StringId)| section_value(*section, names.string(*name));
    members.list("open_groups", view.open_groups.iter().map(group).collect());
    members.number("scroll", view.scroll);
    members.number("pinned_scroll", view.pinned_scroll);
    members
}

fn section_value(section: FlowSection, name: Value) -> Value {
    let (word, steps) = match section {
        FlowSection::Cause(steps) => ("cause", steps),
        FlowSection::Incoming(steps) => ("incoming", steps),
        FlowSection::Entered => ("entered", 0),
        FlowSection::Direct => ("direct", 0),
        FlowSection::Outgoing(steps) => ("outgoing", steps),
        FlowSection::Pinned => ("pinned", 0),
    };
    Value::List(vec![text(word), Value::Int(steps.into()), name])
}

fn read_group(value: &Value, names: &Names<'_>) -> Option<(FlowSection, StringId)> {
    let [word, steps, name] = items(Some(value)) else { return None };
    let steps = u16::try_from(steps.as_i64()?).ok()?;
    let section = match word.as_str()? {
        "cause" => FlowSection::Cause(steps),
        "incoming" => FlowSection::Incoming(steps),
        "entered" => FlowSection::Entered,
        "direct" => FlowSection::Direct,
        "outgoing" => FlowSection::Outgoing(steps),
        "pinned" => FlowSection::Pinned,
        _ => return None,
    };
    Some((section, names.find_string(name)?))
}

pub(super) fn read(value: &Value, names: &Names<'_>) -> FlowView {
    let mut view =
        FlowView { all_connections: is_on(value, "connections"), path: is_on(value, "path"), ..<_>::default() };
    let mut entered = names.find_flows(value.get("entered"));
    entered.sort_unstable();
    entered.dedup();
    let mut pinned: Vec<FlowId> = Vec::new();
    for flow in names.find_flows(value.get("pinned")).into_iter().take(MAX_FLOWS) {
        if !pinned.contains(&flow) {
            pinned.push(flow);
        }
    }
    let history = items(value.get("history")).iter().map(|entry| names.find_flows(Some(entry)));
    let history = history.filter(|flows| !flows.is_empty()).collect();
    let at = value.get("at").and_then(Value::as_i64).and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
    view.restore(entered, pinned, history, at);
    for pair in items(value.get("pin_names")) {
        if let [flow, name] = items(Some(pair))
            && let Some((flow, name)) = names.find_flow(flow).zip(name.as_str())
        {
            view.apply(FlowCommand::NamePin(flow, name.to_owned()));
        }
    }
    view.chosen = value.get("chosen").and_then(|name| names.find_flow(name));
    let steps = |key: &str| value.get(key).and_then(Value::as_i64).and_then(|steps| u16::try_from(steps).ok());
    view.chain_back = steps("incoming_steps").unwrap_or(0);
    view.chain_forward = steps("outgoing_steps").unwrap_or(0);
    view.open_groups = items(value.get("open_groups")).iter().filter_map(|group| read_group(group, names)).collect();
    view.scroll = number(value, "scroll").unwrap_or(0.0).max(0.0);
    view.pinned_scroll = number(value, "pinned_scroll").unwrap_or(0.0).max(0.0);
    view
}
