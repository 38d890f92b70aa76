//! Card lines for a marker of a layout shift: its score, its cluster, and the elements that moved.

use flowline_format::{format_count, format_counted, format_fixed, format_number};
use flowline_index::network::short_name;
use flowline_index::{Derived, Index};
use flowline_insights::layout_shifts::{Culprit, LayoutShifts, ShiftCluster, ShiftCulprits, ShiftedNode};
use flowline_profile::MarkerId;

/// Maximum number of elements on a card.
const MAX_ELEMENTS: usize = 20;
/// Decimals of scores.
const DECIMALS: u8 = 3;

/// A score as text: "0.081".
pub(super) fn score_text(score: f64) -> String {
    format_fixed(score, DECIMALS)
}

/// The lines of a marker's shift. Empty for other markers, and until shifts have been read.
pub(super) fn lines(index: &Index, marker: MarkerId) -> Vec<(String, String)> {
    let Some(all) = LayoutShifts::if_built(index) else { return Vec::new() };
    let Some((at, shift)) = all.of_marker(marker).and_then(|at| Some((at, all.shifts().get(at)?))) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let mut add = |label: &str, value: String| lines.push((label.to_owned(), value));
    let excused = if shift.is_after_input { ", after an input, not counted" } else { "" };
    let weight = if shift.is_weighted { "" } else { " within its frame, whose weight is not recorded" };
    add("Score", score_text(shift.score) + weight + excused);
    if let Some(cluster) = shift.cluster.and_then(|at| all.clusters().get(at)) {
        add("Cluster", cluster_text(cluster));
    }
    let culprits = ShiftCulprits::if_built(index).map(|culprits| culprits.of_shift(at)).unwrap_or_default();
    culprits.iter().take(MAX_ELEMENTS).for_each(|culprit| add(culprit.kind.title(), culprit_text(culprit)));
    let elements = shift.nodes.iter().take(MAX_ELEMENTS);
    elements.for_each(|node| add("Moved element", node_text(node)));
    if let Some(more) = shift.nodes.len().checked_sub(MAX_ELEMENTS).filter(|more| *more > 0) {
        add("Moved elements", format!("{} more", format_count(more as u64)));
    }
    lines
}

/// The score and the most important culprit on one line: "Score 0.091, image without size hero.png".
pub(super) fn reason(index: &Index, marker: MarkerId) -> Option<String> {
    let all = LayoutShifts::if_built(index)?;
    let at = all.of_marker(marker)?;
    let score = format!("Score {}", score_text(all.shifts().get(at)?.score));
    let culprit = ShiftCulprits::if_built(index).and_then(|culprits| culprits.of_shift(at).first());
    let because = culprit.map(|culprit| format!(", {} {}", culprit.kind.title().to_lowercase(), culprit_text(culprit)));
    Some(score + &because.unwrap_or_default())
}

/// "0.105 from 3 shifts, needs improvement".
fn cluster_text(cluster: &ShiftCluster) -> String {
    let shifts = format_counted(cluster.shifts.len() as u64, "shift");
    if cluster.unweighted > 0 {
        return format!("{shifts}, score unknown");
    }
    format!("{} from {shifts}, {}", score_text(cluster.score), cluster.rating().name())
}

/// "grow: top, height", or the short name of a resource.
fn culprit_text(culprit: &Culprit) -> String {
    let name = if culprit.name.is_empty() { "without a name" } else { short_name(&culprit.name) };
    if culprit.properties.is_empty() { name.to_owned() } else { format!("{name}: {}", culprit.properties.join(", ")) }
}

/// An element with its place and size before and after: "IMG id='hero': 640 × 331 at 8, 226, then 640 × 327 at 8, 230".
fn node_text(node: &ShiftedNode) -> String {
    let place = |rectangle: Option<[f64; 4]>| match rectangle {
        Some(sides) => {
            let [x, y, width, height] = sides.map(format_number);
            format!("{width} × {height} at {x}, {y}")
        }
        None => "unknown".to_owned(),
    };
    let name = if node.name.is_empty() { "Element without a name" } else { &node.name };
    format!("{name}: {}, then {}", place(node.old), place(node.new))
}
