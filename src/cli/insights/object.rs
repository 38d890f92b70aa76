//! The answers of `insights --json`: one object.

use serde_json::{Map, Value, json};

use super::broken::Broken;
use super::choice::Chosen;
use super::json::{insight_json, metric_value};
use flowline_insights::frames::FrameCounts;
use flowline_insights::insights::{InsightName, InsightState};
use flowline_insights::page_load::{PageId, Rating};
use flowline_insights::report::Metric;
use flowline_profile::Profile;

/// The object: the page loads, what the recording cannot tell about any of them, and what broke a limit.
pub(crate) fn object(file: &str, profile: &Profile, all: &[Chosen<'_>], broken: &[Broken]) -> Value {
    let unknown = InsightName::ALL.into_iter().filter_map(|name| {
        let mut own = all.iter().flat_map(|own| &own.insights).filter(|own| own.name == name).peekable();
        let reasons = own.peek()?.finding.unknown.clone();
        let is_unknown = own.all(|own| own.finding.state == InsightState::Unknown);
        is_unknown.then(|| json!({"insight": name.name(), "reasons": reasons}))
    });
    json!({
        "file": file,
        "navigations": all.iter().map(|own| section(profile, own)).collect::<Vec<_>>(),
        "unknown": unknown.collect::<Vec<_>>(),
        "broken": broken.iter().map(Broken::json).collect::<Vec<_>>(),
    })
}

fn section(profile: &Profile, own: &Chosen<'_>) -> Value {
    let section = own.section;
    let (frame, window) = match &section.page {
        PageId::Frame(frame) => (Some(frame.as_str()), None),
        PageId::Window(window) => (None, Some(*window)),
        PageId::None => (None, None),
    };
    let process = section.process.and_then(|process| profile.processes.get(process.index()));
    let by_name = |of: &dyn Fn(&Metric) -> Value| {
        let metrics = section.metrics.iter().map(|own| (own.kind.name().to_owned(), of(own)));
        Value::Object(metrics.filter(|(_, value)| !value.is_null()).collect())
    };
    let metrics = section.metrics.iter().map(|own| (own.kind.key().to_owned(), metric_value(own)));
    json!({
        "url": (!section.url.is_empty()).then_some(&section.url),
        "kind": section.kind.name(),
        "navigation": section.navigation,
        "frame": frame,
        "window": window,
        "pid": process.map(|process| process.pid.as_str()),
        "t_ns": section.times.start.0,
        "end_ns": section.times.end.0,
        "marker": section.marker.map(|marker| marker.0),
        "metrics": Value::Object(metrics.collect::<Map<_, _>>()),
        "ratings": by_name(&|own| own.rating.map(Rating::name).into()),
        "markers": by_name(&|own| own.marker.map(|marker| marker.0).into()),
        "reasons": by_name(&|own| (!own.unknown.is_empty()).then_some(own.unknown.as_str()).into()),
        "notes": by_name(&|own| (!own.note.is_empty()).then_some(own.note.as_str()).into()),
        "frames": section.frames.as_ref().map(frames),
        "insights": own.insights.iter().map(|own| insight_json(profile, own)).collect::<Vec<_>>(),
    })
}

fn frames(counts: &FrameCounts) -> Value {
    json!({
        "shown": counts.shown,
        "partial": counts.partial,
        "dropped": counts.dropped,
        "late": counts.late,
        "idle": counts.idle,
    })
}
