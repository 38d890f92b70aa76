//! Layout shifts of Chrome: `LayoutShift` events.

use super::layout_shift::{LayoutShift, ShiftedNode};
use crate::dropped::Dropped;
use crate::markers_by_name::{Named, markers_named};
use flowline_profile::{Profile, Value};

/// Name of the events.
pub(super) const NAME: &str = "LayoutShift";
/// The category that records them.
const CATEGORY: &str = "loading";

/// True if a trace contains events of the category of layout shifts.
pub(super) fn is_recorded(profile: &Profile) -> bool {
    profile.categories.iter().any(|category| category.name.split(',').any(|part| part == CATEGORY))
}

/// The shifts of a trace by time, without clusters and navigations, and the damaged ones.
pub(super) fn read(profile: &Profile) -> (Vec<LayoutShift>, Dropped) {
    let (mut shifts, mut dropped) = (Vec::new(), Dropped::default());
    for named in markers_named(profile, &[NAME], |_| true) {
        match shift(profile, named) {
            Some(shift) => shifts.push(shift),
            None => dropped.add(Some(profile.thread(named.1).global(named.2))),
        }
    }
    shifts.sort_by_key(|shift: &LayoutShift| (shift.time, shift.marker));
    (shifts, dropped)
}

fn shift(profile: &Profile, (_, id, marker): Named) -> Option<LayoutShift> {
    let thread = profile.thread(id);
    let args = profile.payload_in(thread, marker);
    let data = args.get("data")?;
    let is_main = matches!(data.get("is_main_frame"), Some(Value::Bool(true)));
    // Chrome states the weighted score since version 90. That of the main frame is the same without a weight.
    let (stated, is_weighted) = match data.get("weighted_score_delta") {
        Some(weighted) => (weighted, true),
        None => (data.get("score")?, is_main),
    };
    let score = stated.as_f64().filter(|score| score.is_finite() && *score >= 0.0)?;
    let nodes = match data.get("impacted_nodes") {
        Some(Value::List(nodes)) => nodes.iter().map(node).collect(),
        _ => Vec::new(),
    };
    Some(LayoutShift {
        time: thread.markers.start(marker),
        score,
        is_weighted,
        is_after_input: matches!(data.get("had_recent_input"), Some(Value::Bool(true))),
        cluster: None,
        navigation: None,
        frame: args.get("frame").and_then(Value::as_str).unwrap_or_default().to_owned(),
        is_main,
        nodes,
        thread: id,
        marker: thread.global(marker),
    })
}

fn node(node: &Value) -> ShiftedNode {
    let name = node.get("debug_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    ShiftedNode { name, old: rectangle(node.get("old_rect")), new: rectangle(node.get("new_rect")) }
}

fn rectangle(value: Option<&Value>) -> Option<[f64; 4]> {
    let Some(Value::List(sides)) = value else { return None };
    let sides: Vec<f64> = sides.iter().filter_map(Value::as_f64).filter(|side| side.is_finite()).collect();
    sides.try_into().ok()
}
