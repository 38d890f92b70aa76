//! The requests on selected rows.

use std::collections::BTreeSet;

use super::bars::KEY;
use flowline_index::Index;
use flowline_index::network::NetworkRequestId;
use flowline_profile::ProcessId;
use flowline_view::RowSelection;

/// The requests with a bar on the selected network rows; `None` if no such row is selected.
#[must_use]
pub fn selected_requests(index: &Index, rows: &RowSelection) -> Option<BTreeSet<NetworkRequestId>> {
    let own = || rows.tracks.iter().filter(|(track, rows)| track.kind == KEY && !rows.is_empty());
    own().next()?;
    let mut found = BTreeSet::new();
    for (track, rows) in own() {
        let Some(track) = index.network().track(ProcessId(track.number)) else { continue };
        for row in rows.iter().take_while(|row| (*row as usize) < track.rows()) {
            let bars = track.row(Some(row as usize)).into_iter().flat_map(|row| row.numbers());
            found.extend(bars.filter_map(|bar| track.bars().get(bar as usize)).map(|bar| bar.request));
        }
    }
    Some(found)
}
