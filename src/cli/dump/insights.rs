//! `flowline dump insights`: one line per insight of each navigation, or of each process of a Firefox profile.

use std::io::Write;

use crate::cli::insights::insight_json;
use flowline_index::search::Hits;
use flowline_index::{Derived, Index};
use flowline_insights::insights::{Insight, Insights};

/// Writes the insights; with a search, only those with a matching marker.
pub(super) fn insights(out: &mut impl Write, index: &Index, hits: Option<&Hits>) -> std::io::Result<()> {
    let profile = index.profile();
    let is_hit = |hits: &Hits, marker| {
        let found = profile.locate(marker);
        found.is_some_and(|(thread, local)| hits.contains(thread, local))
    };
    let is_wanted =
        |own: &&Insight| hits.is_none_or(|hits| own.finding.markers.iter().any(|marker| is_hit(hits, *marker)));
    for own in Insights::of(index).list().iter().filter(is_wanted) {
        writeln!(out, "{}", insight_json(profile, own))?;
    }
    Ok(())
}
