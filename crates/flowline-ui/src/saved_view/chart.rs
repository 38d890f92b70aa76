//! The part of a saved view about the chart: times, layout, and the critical path.

use super::format::{SavedPath, SavedTimes};
use super::names::{Names, range, read_range, time};
use super::track_format::{SavedLayout, TickPart};
use flowline_profile::{Ns, TimeRange};
use flowline_session::Session;
use flowline_view::{Breadcrumbs, FlowLaneChoices, Measure, PathTarget, TypeFilter, ViewState};

/// The number, or 0 for one that JSON cannot represent.
const fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

pub(super) fn times(view: &ViewState, names: &Names<'_>) -> SavedTimes {
    // Save the target of a motion, not its current position.
    let mut axis = view.axis;
    view.motion.clone().finish(&mut axis);
    let (origin, fraction) = axis.origin();
    // Round away the rounding errors of the last digits. The difference is far below one pixel.
    let fraction = (fraction * 1e9).round() / 1e9;
    let span = axis.span();
    let parts = 10_f64.powf((11.0 - span.log10().floor()).clamp(0.0, 15.0)).round();
    let span = (span * parts).round() / parts;
    let edges = |measure: Measure| [Some(measure.a), measure.b].into_iter().flatten().map(|edge| edge.0).collect();
    SavedTimes {
        shown: Some((origin.0, fraction, span)),
        committed: view.breadcrumbs.ranges().iter().map(|committed| range(*committed)).collect(),
        before: view.breadcrumbs.steps().map(|(view, depth)| (range(view), depth)).collect(),
        selected: view.range.map(range),
        measured: view.measure.map(edges).unwrap_or_default(),
        zero: view.zero.and_then(|marker| names.marker(marker)),
    }
}

pub(super) fn show_times(saved: &SavedTimes, session: &mut Session, names: &Names<'_>) {
    let ranges: Vec<TimeRange> = saved.committed.iter().filter_map(|range| read_range(*range)).collect();
    let steps = saved.before.iter().filter_map(|(view, depth)| Some((read_range(*view)?, *depth)));
    let steps: Vec<(TimeRange, usize)> = steps.collect();
    session.view.restore_breadcrumbs(Breadcrumbs::restored(&ranges, &steps));
    if let Some((origin, fraction, span)) = saved.shown
        && let Some(origin) = time(origin)
    {
        session.view.axis.show_exactly(origin, fraction, span);
    }
    session.view.range = saved.selected.and_then(read_range).filter(|range| !range.is_empty());
    session.view.measure = match saved.measured[..] {
        [a] => time(a).map(|a| Measure { a, b: None }),
        [a, b] => time(a).map(|a| Measure { a, b: time(b) }),
        _ => None,
    };
    session.view.restore_time_origin(saved.zero.as_ref().and_then(|zero| names.find_marker(zero)));
}

pub(super) fn layout(session: &Session) -> SavedLayout {
    let view = &session.view;
    let tick = |(path, on): (&[String], bool)| {
        std::iter::once(TickPart::On(on)).chain(path.iter().cloned().map(TickPart::Name)).collect()
    };
    SavedLayout {
        rows: Some(view.arrangement),
        by_object: view.flow_lanes.shown,
        order: Some(view.flow_lanes.order),
        instants: view.flow_lanes.instants,
        outside: view.flow_lanes.outside,
        by_thread: view.flow_lanes.by_thread,
        types: view.flow_lanes.ticks.switched().map(tick).collect(),
        scroll: finite(session.target_scroll()),
        other_scroll: finite(view.flow_lanes.other_scroll()),
        functions: Some(view.call_functions),
        call_colors: Some(view.color_by),
    }
}

pub(super) fn show_layout(saved: &SavedLayout, session: &mut Session) {
    let view = &mut session.view;
    view.arrangement = saved.rows.unwrap_or(view.arrangement);
    let mut ticks = TypeFilter::default();
    for tick in &saved.types {
        let Some((TickPart::On(on), path)) = tick.split_first() else { continue };
        let name = |part: &TickPart| match part {
            TickPart::Name(name) => Some(name.clone()),
            TickPart::On(_) => None,
        };
        let path: Option<Vec<String>> = path.iter().map(name).collect();
        path.into_iter().for_each(|path| ticks.switch(&path, *on));
    }
    let order = saved.order.unwrap_or_default();
    let choices = FlowLaneChoices {
        shown: saved.by_object,
        instants: saved.instants,
        outside: saved.outside,
        by_thread: saved.by_thread,
    };
    view.flow_lanes.restore(choices, order, ticks, saved.other_scroll.max(0.0));
    view.call_functions = saved.functions.unwrap_or(view.call_functions);
    view.color_by = saved.call_colors.unwrap_or(view.color_by);
    session.scroll_when_laid_out(saved.scroll.max(0.0));
}

/// The end of the critical path.
pub(super) fn path(view: &ViewState, names: &Names<'_>) -> Option<SavedPath> {
    let path = view.path?;
    let marker = Some(names.marker(path.marker)?);
    Some(SavedPath { marker, time_ns: path.time.map(|time: Ns| time.0), assume_followed: path.assume_followed })
}

pub(super) fn path_target(saved: &SavedPath, names: &Names<'_>) -> Option<PathTarget> {
    Some(PathTarget {
        marker: names.find_marker(saved.marker.as_ref()?)?,
        time: saved.time_ns.and_then(time),
        assume_followed: saved.assume_followed,
    })
}
