//! `flowline dump layout-shifts`: one line per cluster and per shift, by time.

use serde_json::{Value, json};

use crate::tracks::DumpLine;
use flowline_index::{Derived, Index};
use flowline_insights::layout_shifts::{LayoutShift, LayoutShifts, ShiftCluster, ShiftedNode};
use flowline_profile::Profile;

/// The clusters and shifts with their markers; a cluster is listed before its first shift.
pub(super) fn shifts(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let (profile, all) = (index.profile(), LayoutShifts::of(index));
    all.shifts().iter().enumerate().flat_map(move |(at, shift)| {
        let cluster = shift.cluster.and_then(|number| Some((number, all.clusters().get(number)?)));
        let begun = cluster.filter(|(_, cluster)| cluster.shifts.first() == Some(&at));
        let begun = begun.map(|(number, cluster)| cluster_line(all, number, cluster));
        begun.into_iter().chain(std::iter::once(shift_line(profile, shift)))
    })
}

fn shift_line(profile: &Profile, shift: &LayoutShift) -> DumpLine {
    let node = |node: &ShiftedNode| json!({"name": known(&node.name), "old": node.old, "new": node.new});
    let json = json!({
        "kind": "shift",
        "cluster": shift.cluster,
        "t_ns": shift.time.0,
        "score": shift.is_weighted.then_some(shift.score),
        "input": shift.is_after_input,
        "frame": known(&shift.frame),
        "nodes": shift.nodes.iter().map(node).collect::<Vec<_>>(),
        "navigation": shift.navigation,
        "pid": profile.process_of(shift.thread).pid.as_str(),
        "marker": shift.marker.0,
    });
    DumpLine { markers: vec![shift.marker], json }
}

fn cluster_line(all: &LayoutShifts, number: usize, cluster: &ShiftCluster) -> DumpLine {
    let marker = |at: &usize| all.shifts().get(*at).map(|shift| shift.marker);
    let markers: Vec<_> = cluster.shifts.iter().filter_map(marker).collect();
    let json = json!({
        "kind": "cluster",
        "cluster": number,
        "start_ns": cluster.times.start.0,
        "end_ns": cluster.times.end.0,
        "score": (cluster.unweighted == 0).then_some(cluster.score),
        "rating": (cluster.unweighted == 0).then(|| cluster.rating().name()),
        "shifts": markers.iter().map(|marker| marker.0).collect::<Vec<_>>(),
        "worst": marker(&cluster.worst).map(|marker| marker.0),
        "navigation": cluster.navigation,
    });
    DumpLine { markers, json }
}

/// Returns a text, or null if it is empty.
fn known(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}
