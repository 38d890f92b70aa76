//! Markers and flows as options name them.

use flowline_format::format_counted;
use flowline_index::Index;
use flowline_index::flows::FlowName;
use flowline_profile::{FlowId, MarkerId, Profile};

/// A marker, by its number.
///
/// # Errors
///
/// There is none of this number; `option` says where it stands.
pub(super) fn known_marker(profile: &Profile, number: u32, option: &str) -> anyhow::Result<MarkerId> {
    let marker = MarkerId(number);
    let count = format_counted(profile.marker_count() as u64, "marker");
    anyhow::ensure!(profile.locate(marker).is_some(), "{option} {number}: the recording has {count}, from 0");
    Ok(marker)
}

/// The flows of some names; a name without a time means the first flow of that id.
///
/// # Errors
///
/// There is no such flow; `option` says where it stands.
pub(super) fn known_flows(index: &Index, names: &[String], option: &str) -> anyhow::Result<Vec<FlowId>> {
    let flow = |name: &String| {
        let found = index.flows().find(index.profile(), &FlowName::parse(name));
        found.first().copied().ok_or_else(|| {
            let count = format_counted(index.flows().len() as u64, "flow");
            anyhow::anyhow!("{option} {name}: none of the recording's {count}; `flowline dump FILE flows` lists them")
        })
    };
    names.iter().map(flow).collect()
}
