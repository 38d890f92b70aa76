//! The part of a saved view about the chart: times, layout, search, and the critical path.

use super::names::{Names, range, read_range, time};
use crate::table_state::{Members, Words, choice, flag, is_on, items, number, string, text, word};
use crate::tables::samples::saved_state::FUNCTIONS;
use flowline_profile::{Arrangement, CallColors, TimeRange, Value};
use flowline_session::Session;
use flowline_view::{Breadcrumbs, FlowLaneOrder, Measure, PathTarget, TypeFilter, ViewState};

const ARRANGEMENTS: Words<Arrangement> = &[(Arrangement::ByName, "name"), (Arrangement::Stack, "stack")];
const COLORS: Words<CallColors> = &[(CallColors::Category, "category"), (CallColors::File, "file")];
const ORDERS: Words<FlowLaneOrder> = &[
    (FlowLaneOrder::Start, "start"),
    (FlowLaneOrder::Length, "length"),
    (FlowLaneOrder::Wait, "wait"),
    (FlowLaneOrder::LongestWait, "longest_wait"),
    (FlowLaneOrder::Run, "run"),
    (FlowLaneOrder::Type, "type"),
];

/// Times: the visible range with a fraction of a nanosecond, committed ranges, and marks on the axis.
pub(super) fn write_times(view: &ViewState, names: &Names<'_>) -> Value {
    let mut members = Members::default();
    // Save the target of a motion, not its current position.
    let mut axis = view.axis;
    view.motion.clone().finish(&mut axis);
    let (origin, fraction) = axis.origin();
    // Round away the rounding errors of the last digits. The difference is far below one pixel.
    let fraction = (fraction * 1e9).round() / 1e9;
    let span = axis.span();
    let parts = 10_f64.powf((11.0 - span.log10().floor()).clamp(0.0, 15.0)).round();
    let span = (span * parts).round() / parts;
    members.add("shown", Value::List(vec![Value::Int(origin.0), Value::Number(fraction), Value::Number(span)]));
    members.list("committed", view.breadcrumbs.ranges().iter().map(|committed| range(*committed)).collect());
    let step = |(view, depth): (TimeRange, usize)| {
        Value::List(vec![range(view), Value::Int(i64::try_from(depth).unwrap_or(i64::MAX))])
    };
    members.list("before", view.breadcrumbs.steps().map(step).collect());
    members.add("selected", view.range.map(range));
    let edges = |measure: Measure| {
        Value::List([Some(measure.a), measure.b].into_iter().flatten().map(|edge| Value::Int(edge.0)).collect())
    };
    members.add("measured", view.measure.map(edges));
    members.add("zero", view.zero.and_then(|marker| names.marker(marker)));
    members.object()
}

pub(super) fn read_times(value: &Value, session: &mut Session, names: &Names<'_>) {
    let ranges: Vec<_> = items(value.get("committed")).iter().filter_map(read_range).collect();
    let step = |step: &Value| match items(Some(step)) {
        [view, depth] => Some((read_range(view)?, usize::try_from(depth.as_i64()?).ok()?)),
        _ => None,
    };
    let steps: Vec<_> = items(value.get("before")).iter().filter_map(step).collect();
    session.view.restore_breadcrumbs(Breadcrumbs::restored(&ranges, &steps));
    if let [origin, fraction, span] = items(value.get("shown"))
        && let (Some(origin), Some(fraction), Some(span)) = (time(origin), fraction.as_f64(), span.as_f64())
    {
        session.view.axis.show_exactly(origin, fraction, span);
    }
    session.view.range = value.get("selected").and_then(read_range).filter(|range| !range.is_empty());
    session.view.measure = match items(value.get("measured")) {
        [a] => time(a).map(|a| Measure { a, b: None }),
        [a, b] => time(a).map(|a| Measure { a, b: time(b) }),
        _ => None,
    };
    session.view.restore_time_origin(names.find_marker(value.get("zero")));
}

/// Layout and scroll of the chart.
pub(super) fn write_layout(session: &Session) -> Value {
    let view = &session.view;
    let mut members = Members::default();
    members.add("rows", word(ARRANGEMENTS, &view.arrangement));
    members.flag("by_object", view.flow_lanes.shown);
    members.add("order", word(ORDERS, &view.flow_lanes.order));
    let tick = |(path, on): (&[String], bool)| {
        Value::List(std::iter::once(Value::Bool(on)).chain(path.iter().map(|part| text(part))).collect())
    };
    members.list("types", view.flow_lanes.ticks.switched().map(tick).collect());
    members.number("scroll", session.target_scroll());
    members.number("other_scroll", view.flow_lanes.other_scroll());
    members.add("functions", word(FUNCTIONS, &view.call_functions));
    members.add("call_colors", word(COLORS, &view.call_colors));
    members.object()
}

pub(super) fn read_layout(value: &Value, session: &mut Session) {
    let view = &mut session.view;
    view.arrangement = choice(ARRANGEMENTS, value.get("rows")).unwrap_or(view.arrangement);
    let mut ticks = TypeFilter::default();
    for tick in items(value.get("types")) {
        let Some((Value::Bool(on), path)) = items(Some(tick)).split_first() else { continue };
        let path: Option<Vec<String>> = path.iter().map(|part| part.as_str().map(str::to_owned)).collect();
        path.into_iter().for_each(|path| ticks.switch(&path, *on));
    }
    let order = choice(ORDERS, value.get("order")).unwrap_or_default();
    let scroll = |key: &str| number(value, key).unwrap_or(0.0).max(0.0);
    view.flow_lanes.restore(is_on(value, "by_object"), order, ticks, scroll("other_scroll"));
    view.call_functions = choice(FUNCTIONS, value.get("functions")).unwrap_or(view.call_functions);
    view.call_colors = choice(COLORS, value.get("call_colors")).unwrap_or(view.call_colors);
    session.scroll_when_laid_out(scroll("scroll"));
}

/// The end of the critical path.
pub(super) fn write_path(view: &ViewState, names: &Names<'_>) -> Option<Value> {
    let path = view.path?;
    let mut members = Members::default();
    members.add("marker", names.marker(path.marker)?);
    members.add("time_ns", path.time.map(|time| Value::Int(time.0)));
    members.add("assume_followed", (!path.assume_followed).then_some(Value::Bool(false)));
    Some(members.object())
}

pub(super) fn read_path(value: Option<&Value>, session: &mut Session, names: &Names<'_>) {
    let target = value.and_then(|value| {
        Some(PathTarget {
            marker: names.find_marker(value.get("marker"))?,
            time: value.get("time_ns").and_then(time),
            assume_followed: flag(value, "assume_followed").unwrap_or(true),
        })
    });
    session.view.path = target;
}

/// The text of the search.
pub(super) fn read_search(value: &Value, session: &mut Session) {
    string(value, "search").clone_into(&mut session.view.search);
}
