//! Resolves markers and flows that are given as option values.

use flowline_format::format_counted;
use flowline_index::Index;
use flowline_index::flows::FlowName;
use flowline_profile::{FlowId, MarkerId, Profile};

/// Returns the marker with a number.
///
/// # Errors
///
/// If there is no such marker; the message names `option`.
pub(super) fn resolve_marker(profile: &Profile, number: u32, option: &str) -> anyhow::Result<MarkerId> {
    let marker = MarkerId(number);
    let count = format_counted(profile.marker_count() as u64, "marker");
    anyhow::ensure!(profile.locate(marker).is_some(), "{option} {number}: the recording has {count}, numbered from 0");
    Ok(marker)
}

/// Returns the flows with some names; a name without a time refers to the first flow with that id.
///
/// # Errors
///
/// If there is no such flow; the message names `option`.
pub(super) fn resolve_flows(index: &Index, names: &[String], option: &str) -> anyhow::Result<Vec<FlowId>> {
    let flow = |name: &String| {
        let found = index.flows().find(index.profile(), &FlowName::parse(name));
        found.first().copied().ok_or_else(|| {
            let count = format_counted(index.flows().len() as u64, "flow");
            anyhow::anyhow!("{option} {name}: no such flow; `flowline dump FILE flows` lists the recording's {count}")
        })
    };
    names.iter().map(flow).collect()
}
