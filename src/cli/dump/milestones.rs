//! `flowline dump milestones`: one line per milestone of a page load, by time; those without a time follow.

use std::io::Write;

use serde_json::{Value, json};

use flowline_index::search::Hits;
use flowline_index::{Derived, Index};
use flowline_insights::page_load::{Milestone, Milestones, PageId, Rating};
use flowline_profile::Profile;

/// Writes the milestones; with a search, only those whose marker matches.
pub(super) fn milestones(out: &mut impl Write, index: &Index, hits: Option<&Hits>) -> std::io::Result<()> {
    let profile = index.profile();
    let is_hit = |own: &Milestone| {
        let found = own.marker.and_then(|marker| profile.locate(marker));
        hits.is_none_or(|hits| found.is_some_and(|(thread, local)| hits.contains(thread, local)))
    };
    for own in Milestones::of(index).all().iter().filter(|own| is_hit(own)) {
        writeln!(out, "{}", line(profile, own))?;
    }
    Ok(())
}

fn line(profile: &Profile, own: &Milestone) -> Value {
    let (frame, window) = match &own.page {
        PageId::Frame(frame) => (Some(frame.as_str()), None),
        PageId::Window(window) => (None, Some(*window)),
        PageId::None => (None, None),
    };
    let known = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
    json!({
        "navigation": own.navigation,
        "milestone": own.kind.name(),
        "kind": if own.is_soft { "soft" } else { "hard" },
        "t_ns": own.time.map(|time| time.0),
        "since_ns": own.since.map(|since| since.0),
        "value_ns": own.value.map(|value| value.0),
        "rating": own.rating.map(Rating::name),
        "main": own.is_main,
        "frame": frame,
        "window": window,
        "url": known(&own.url),
        "pid": profile.process_of(own.thread).pid.as_str(),
        "thread": own.thread.0,
        "marker": own.marker.map(|marker| marker.0),
        "name": known(&own.mark),
        "so_far": own.is_so_far,
        "prerendered": own.is_prerendered,
        "inactive": own.inactive,
        "unknown": own.unknown,
    })
}
