//! Parsers for option values; error messages describe the expected form.

use std::time::Duration;

use crate::app::AlignBy;
use flowline_index::search::parse_duration;
use flowline_insights::page_load::MilestoneKind;
use flowline_profile::{MarkerId, Ns};
use flowline_session::ALIGNING_MILESTONES;
use flowline_ui::SavedView;

/// Parses a width and height in pixels.
pub(crate) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "expected WIDTHxHEIGHT, for example 1920x1080 (64 to 16384 each)".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(wrong)?;
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (64..=16_384).contains(side)).ok_or_else(wrong);
    Ok([side(width)?, side(height)?])
}

/// Parses a number of device pixels per point.
pub(crate) fn parse_scale(text: &str) -> Result<f32, String> {
    let scale = text.parse::<f32>().ok().filter(|scale| (0.5..=8.0).contains(scale));
    scale.ok_or_else(|| "expected a number between 0.5 and 8".to_owned())
}

/// Parses a height in points.
pub(crate) fn parse_points(text: &str) -> Result<f32, String> {
    let points = text.parse::<f32>().ok().filter(|points| (0.0..=16_384.0).contains(points));
    points.ok_or_else(|| "expected a height in points between 0 and 16384".to_owned())
}

/// Parses the view of a link.
pub(crate) fn parse_view(text: &str) -> Result<SavedView, String> {
    SavedView::from_link(text)
}

/// Parses a number of seconds.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds between 0 and 86400".to_owned())
}

/// Parses a range of the displayed clock.
pub(crate) fn parse_range(text: &str) -> Result<(Ns, Ns), String> {
    let wrong = || "expected A..B in milliseconds or with a unit, for example 1200..1350 or 1.2s..1.35s".to_owned();
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let (from, to) = parse_duration(from).zip(parse_duration(to)).ok_or_else(wrong)?;
    if from < to { Ok((from, to)) } else { Err("the range must end after it starts".to_owned()) }
}

/// Parses the alignment of a second recording.
pub(crate) fn parse_align(text: &str) -> Result<AlignBy, String> {
    let wrong = || {
        let milestones = ALIGNING_MILESTONES.map(MilestoneKind::name).join(", ");
        format!(
            "expected start, zero, {milestones}, marker:N,M with the numbers of a marker in each recording, search:TEXT \
             for the first marker that matches in each, time:T,U with a time of each, or offset:T in milliseconds or with \
             a unit, for example offset:-1.5s"
        )
    };
    let markers = |text: &str| {
        let (a, b) = text.split_once(',')?;
        Some(AlignBy::Markers(MarkerId(a.parse().ok()?), MarkerId(b.parse().ok()?)))
    };
    let offset = |text: &str| {
        let (is_before, length) = text.strip_prefix('-').map_or((false, text), |length| (true, length));
        let length = parse_duration(length)?;
        Some(AlignBy::Offset(if is_before { Ns(length.0.saturating_neg()) } else { length }))
    };
    let times = |text: &str| {
        let (a, b) = text.split_once(',')?;
        Some(AlignBy::Times(parse_duration(a)?, parse_duration(b)?))
    };
    let milestone = |text: &str| {
        let kind = ALIGNING_MILESTONES.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text))?;
        Some(AlignBy::Milestone(kind))
    };
    match text.split_once(':') {
        None if text == "start" => Some(AlignBy::Start),
        None if text == "zero" => Some(AlignBy::Zero),
        None => milestone(text),
        Some(("search", search)) if !search.trim().is_empty() => Some(AlignBy::Search(search.to_owned())),
        Some(("time", both)) => times(both),
        Some(("marker", numbers)) => markers(numbers),
        Some(("offset", length)) => offset(length),
        _ => None,
    }
    .ok_or_else(wrong)
}

/// Parses a percentage, such as `10%` or `2.5`; returns it as a ratio.
pub(crate) fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let percent = number.ok().filter(|percent| (0.0..=1e6).contains(percent));
    percent.map(|percent| percent / 100.0).ok_or_else(|| "expected a percentage, for example 10%".to_owned())
}
