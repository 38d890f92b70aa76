//! The calls of stack charts, drawn from pyramids like markers, with hit testing by the drawn geometry.

use std::collections::HashMap;
use std::sync::Arc;

use crate::frame::{Frame, Layer, min_label_ticks, push_label, shortened, with_hidden};
use crate::geometry::PixelRect;
use crate::layout::{CallHit, CallRow, Item, ItemKind, MarkerRow, SceneInput};
use crate::primitives::{Emphasis, MAX_ROWS, MarkerInstance, RectInstance};
use crate::theme::with_alpha;
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::{DrawnSpan, SpanRow, column_and_reach, lit_ticks, nearest};
use crate::tracks::track_item::row_place;
use crate::tracks::visible_span_cache::VisibleSpanCache;
use flowline_format::format_count;
use flowline_index::Packed;
use flowline_index::samples::{CallRows, RowCalls, StackChart, folded_frames, func_name, is_library, named_func};
use flowline_index::{Pyramid, Span};
use flowline_profile::{CallRef, FuncId, Implementation, LocalMarker, StackId, ThreadId};
use flowline_view::Arrangement;

/// A row of calls on screen, of a stack chart or of a stack of markers and calls.
struct VisibleCalls<'a> {
    thread: ThreadId,
    is_merged: bool,
    row: usize,
    chart: &'a StackChart,
    pyramids: &'a [Pyramid],
}

impl<'a> VisibleCalls<'a> {
    fn new(input: &SceneInput<'a>, CallRow { thread, row }: CallRow) -> Option<Self> {
        // Rows are listed only after they have been built.
        let chart = input.list.shown().chart(input.index, input.view.call_functions, thread)?;
        let pyramids = chart.pyramids()?;
        let row = row as usize;
        (row < pyramids.len()).then_some(Self { thread, is_merged: false, row, chart, pyramids })
    }

    /// The calls on a row of markers.
    fn on_row(input: &SceneInput<'a>, MarkerRow { thread, row, .. }: MarkerRow) -> Option<Self> {
        if input.view.arrangement != Arrangement::Stack {
            return None;
        }
        let chart = &input.list.shown().merged(input.index, thread)?.calls;
        let (row, pyramids) = (row as usize, chart.pyramids()?);
        (row < pyramids.len()).then_some(Self { thread, is_merged: true, row, chart, pyramids })
    }

    fn items(&self, input: &SceneInput<'a>) -> RowCalls<'a> {
        input.index.charts().items(self.chart, self.chart.rows(), self.row)
    }

    /// Search hits on the row.
    fn found(&self, input: &SceneInput<'a>) -> Option<(RowCalls<'a>, &'a Pyramid)> {
        let (functions, rows, pyramids): (Implementation, &'a CallRows, &'a [Pyramid]) = if self.is_merged {
            input.search?.merged.rows(self.thread)
        } else {
            input.search?.calls.rows(self.thread)
        }?;
        // A search that started before a change of the shown functions has other calls, and one that started before calls
        // were stacked with markers has other rows.
        let is_same = functions == self.chart.functions && pyramids.len() == self.pyramids.len();
        let pyramid = pyramids.get(self.row).filter(|_| is_same)?;
        Some((input.index.charts().items(self.chart, rows, self.row), pyramid))
    }

    /// A call of the chart.
    fn call(&self, call: u32) -> CallRef {
        CallRef { thread: self.thread, functions: self.chart.functions, call }
    }

    /// True if a call belongs to the chart.
    fn is_of(&self, call: CallRef) -> bool {
        self.call(call.call) == call
    }

    fn stack(&self, input: &SceneInput<'_>, call: u32) -> Option<StackId> {
        self.chart.calls(input.index.profile()).stack.get(call as usize).copied()
    }
}

/// The call at an x coordinate of a row: the selected one first, then a search hit, any call, then calls nearby.
#[must_use]
pub fn call_hit(input: &SceneInput<'_>, row: CallRow, x: f32) -> Option<CallHit> {
    let calls = VisibleCalls::new(input, row)?;
    hit_within(input, &calls, x, false).or_else(|| hit_within(input, &calls, x, true))
}

/// The calls that share a row with markers.
pub(crate) fn stacked_calls<'a>(input: &SceneInput<'a>, row: MarkerRow) -> Option<RowCalls<'a>> {
    Some(VisibleCalls::on_row(input, row)?.items(input))
}

/// The call at an x coordinate of a row of markers or, if `near`, the closest one around it.
pub(crate) fn stack_call_hit(input: &SceneInput<'_>, row: MarkerRow, x: f32, near: bool) -> Option<CallHit> {
    hit_within(input, &VisibleCalls::on_row(input, row)?, x, near)
}

fn hit_within(input: &SceneInput<'_>, calls: &VisibleCalls<'_>, x: f32, near: bool) -> Option<CallHit> {
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let items = calls.items(input);
    let hit = |call: u32, count: u32| CallHit { call: calls.call(call), count };
    let of_span = |span: Span| hit(span.longest.0, span.count);
    let is_here = |call: &CallRef| {
        let stands = calls.is_of(*call)
            && calls.chart.find(input.index.profile(), call.call).is_some_and(|(row, _)| row == calls.row);
        stands && {
            let (first, end) = map.columns(items.packed_call(call.call));
            first <= column && column < end
        }
    };
    let any = |reach| nearest(&items, &calls.pyramids[calls.row], &map, column, reach).map(of_span);
    if near {
        return any(reach);
    }
    let selected = input.view.selected_call.map(|selected| selected.call).filter(is_here);
    let found = || calls.found(input).and_then(|(items, pyramid)| nearest(&items, pyramid, &map, column, 0));
    selected.map(|call| hit(call.call, 1)).or_else(|| found().map(of_span)).or_else(|| any(0))
}

/// A row in the span cache, with the revision of the hidden entries.
type RowKey = (ThreadId, Implementation, usize, u64, bool);

/// Draws the calls on screen.
#[derive(Debug, Default)]
pub(crate) struct CallPainter {
    labels: CallLabels,
    span_cache: VisibleSpanCache<RowKey>,
}

/// Names and places of functions as cached labels.
#[derive(Debug, Default)]
struct CallLabels(HashMap<(FuncId, usize), Arc<str>>);

/// The cache is cleared at this many labels.
const CACHE_LIMIT: usize = 20_000;

impl CallLabels {
    /// The label of a call: the number of functions folded into it, or name and place of its function.
    fn get(&mut self, input: &SceneInput<'_>, stack: StackId, folded: usize) -> Arc<str> {
        if self.0.len() > CACHE_LIMIT {
            self.0.clear();
        }
        let profile = input.index.profile();
        let func = profile.stacks.func(stack);
        let label = || match folded {
            0 => match named_func(&profile.stacks, func) {
                library if is_library(&profile.stacks, library) => shortened(func_name(&profile.stacks, library)),
                _ => shortened(&profile.func_title(func)),
            },
            count => shortened(&format!("{} native", format_count(count as u64))),
        };
        Arc::clone(self.0.entry((func, folded)).or_insert_with(label))
    }
}

/// A call that may be wide enough for a label.
struct Candidate {
    slot: usize,
    /// Number of its instance in the frame.
    instance: usize,
    stack: StackId,
    /// Number of functions folded into the call; `None` for a call of one function.
    folded: usize,
    /// Number of calls hidden inside.
    hidden: u32,
    packed: Packed,
}

impl TrackPainter for CallPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        self.span_cache.begin_frame();
        let chart = input.regions.chart;
        let rows = visible(input, frame);
        if rows.is_empty() {
            return;
        }
        let shown = frame.axis.ticks(0.0, f64::from(chart.width));
        let least = min_label_ticks(input, frame);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut label = |calls: &VisibleCalls<'_>, slot: usize, drawn: DrawnSpan| {
            let DrawnSpan { marker: call, packed, instance, .. } = drawn;
            let stack = calls.stack(input, call.0);
            let hidden = input.list.shown().inside_call(calls.call(call.0));
            let stacks = &input.index.profile().stacks;
            let is_folded = calls.chart.functions == Implementation::Folded;
            let folded = |stack| if is_folded { folded_frames(stacks, stack) } else { 0 };
            let is_named = |stack: &StackId| folded(*stack) > 0 || !is_address(input, *stack);
            let named = stack.filter(is_named);
            candidates.extend(named.map(|stack| Candidate {
                slot,
                instance,
                stack,
                folded: folded(stack),
                hidden,
                packed,
            }));
        };

        frame.begin_layer(Layer::Markers);
        let start = frame.count::<MarkerInstance>();
        let (emphasis, base_least) =
            if input.is_dimmed() { (Emphasis::Dimmed, None) } else { (Emphasis::Normal, Some(least)) };
        for (slot, calls) in &rows {
            let (items, pyramid) = (&calls.items(input), &calls.pyramids[calls.row]);
            let spans = SpanRow { items, pyramid, slot: *slot, emphasis, least: base_least, neighbors: None };
            let choice = calls.chart.functions;
            let version = input.list.shown().version(calls.thread);
            let key = (calls.thread, choice, calls.row, version, calls.is_merged);
            spans.draw_each(frame, (&mut self.span_cache, key), shown, false, |drawn| label(calls, *slot, drawn));
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        frame.begin_layer(Layer::SearchHits);
        let start = frame.count::<MarkerInstance>();
        for (slot, calls) in &rows {
            let Some((items, pyramid)) = calls.found(input) else { continue };
            let emphasis = Emphasis::Match;
            let spans = SpanRow { items: &items, pyramid, slot: *slot, emphasis, least: Some(least), neighbors: None };
            spans.draw_each_uncached(frame, shown, false, |drawn| label(calls, *slot, drawn));
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        frame.begin_layer(Layer::Highlights);
        let start = frame.count::<MarkerInstance>();
        push_lit(input, frame, &rows, shown);
        let selected = input.view.selected_call.map(|selected| selected.call);
        let hovered = input.view.hovered_call.filter(|hovered| Some(*hovered) != selected);
        for (call, emphasis) in [(selected, Emphasis::Selected), (hovered, Emphasis::Hovered)] {
            call.into_iter().for_each(|call| push_call(input, frame, &rows, call, emphasis));
        }
        frame.draw_since::<MarkerInstance>(chart, start);

        let folded = candidates.iter().filter(|candidate| candidate.folded > 0);
        let lines: Vec<RectInstance> =
            folded.flat_map(|candidate| hatch(frame, candidate.slot, candidate.packed)).collect();
        frame.begin_layer(Layer::SearchHits);
        frame.draw(chart, lines);

        mark_alike(input, frame, &candidates);
        for Candidate { slot, stack, folded, hidden, packed, .. } in candidates {
            let label = || {
                let name = self.labels.get(input, stack, folded);
                if hidden == 0 { name } else { with_hidden(&name, hidden).into() }
            };
            push_label(input, frame, slot, packed, label);
        }
    }
}

/// Outlines the calls of the function of the selected call.
fn mark_alike(input: &SceneInput<'_>, frame: &mut Frame, candidates: &[Candidate]) {
    let (profile, selected) = (input.index.profile(), input.view.selected_call.map(|selected| selected.call));
    let Some(call) = selected else { return };
    let chart = input.list.shown().chart(input.index, call.functions, call.thread);
    let merged = || input.list.shown().merged(input.index, call.thread).map(|merged| &merged.calls);
    let chart = chart.or_else(merged).filter(|chart| chart.functions == call.functions);
    let stack = chart.and_then(|chart| chart.calls(profile).stack.get(call.call as usize).copied());
    let func = |stack: StackId| profile.stacks.func(stack);
    let Some(wanted) = stack.map(func) else { return };
    for candidate in candidates.iter().filter(|candidate| func(candidate.stack) == wanted) {
        if let Some(instance) = frame.instances.markers.get_mut(candidate.instance)
            && instance.emphasis() == Emphasis::Normal as u32
        {
            *instance = instance.emphasized(Emphasis::Alike);
        }
    }
}

/// Hatches calls that contain folded functions, with a line every few pixels.
fn hatch(frame: &Frame, slot: usize, packed: Packed) -> Vec<RectInstance> {
    /// Distance between lines in points.
    const STEP: f32 = 6.0;
    let (place, line) = (frame.rows[slot], frame.line_width());
    let (first, end) = frame.axis.columns(packed);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let (left, right) = (first.max(0) as f32, (end as f32).min(frame.axis.width));
    let color = with_alpha(frame.palette.canvas, 110);
    let step = (STEP * frame.scale).round().max(2.0);
    // Lines are fixed in time while the start is in view.
    let lines = std::iter::successors(Some(left + step), |x| Some(x + step)).take_while(|x| x + line < right);
    let rect = |x: f32| PixelRect::new(frame.axis_left + x, place.y, line, place.height);
    lines.map(|x| RectInstance::filled(rect(x), color)).collect()
}

/// True if nothing is known about a function except its address, which is no label. Those in a library are labeled with it.
fn is_address(input: &SceneInput<'_>, stack: StackId) -> bool {
    let profile = input.index.profile();
    let func = profile.stacks.func(stack);
    if is_library(&profile.stacks, named_func(&profile.stacks, func)) {
        return false;
    }
    let digits = profile.func_name(func).strip_prefix("0x");
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// The rows on screen, with their indices in [`Frame::rows`].
fn visible<'a>(input: &SceneInput<'a>, frame: &mut Frame) -> Vec<(usize, VisibleCalls<'a>)> {
    let calls = |item: &Item| match item.kind {
        ItemKind::Calls(row) => VisibleCalls::new(input, row),
        ItemKind::Row(row) => VisibleCalls::on_row(input, row),
        _ => None,
    };
    let mut rows = Vec::new();
    for (item, calls) in input.visible_items().iter().filter_map(|item| Some((item, calls(item)?))) {
        let slot = frame.rows.len();
        if slot < MAX_ROWS {
            frame.rows.push(row_place(input, item));
            rows.push((slot, calls));
        }
    }
    rows
}

/// Draws the calls of the lit functions over their rows.
fn push_lit(input: &SceneInput<'_>, frame: &mut Frame, rows: &[(usize, VisibleCalls<'_>)], shown: (u64, u64)) {
    let Some(lit) = input.view.lit.as_deref() else { return };
    let shown = lit_ticks(input, lit, shown);
    let stacks = &input.index.profile().stacks;
    for (slot, calls) in rows.iter().filter(|(_, calls)| lit.has_calls_of(calls.thread)) {
        let (items, pyramid) = (&calls.items(input), &calls.pyramids[calls.row]);
        let spans = SpanRow { items, pyramid, slot: *slot, emphasis: Emphasis::Linked, least: None, neighbors: None };
        let is_lit = |call: LocalMarker| {
            calls.stack(input, call.0).is_some_and(|stack| lit.functions.contains(&stacks.func(stack)))
        };
        spans.draw_lit(frame, shown, is_lit, |_| {});
    }
}

/// Draws one call over its row, even if the pyramid merged it.
fn push_call(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    rows: &[(usize, VisibleCalls<'_>)],
    call: CallRef,
    emphasis: Emphasis,
) {
    // The call can be on a stack chart and on a stack of markers and calls.
    let row = |is_merged: bool| {
        let (_, first) = rows.iter().find(|(_, calls)| calls.is_of(call) && calls.is_merged == is_merged)?;
        first.chart.find(input.index.profile(), call.call).map(|(row, _)| row)
    };
    let places = [row(false), row(true)];
    let is_here = |calls: &VisibleCalls<'_>| places[usize::from(calls.is_merged)] == Some(calls.row);
    for (slot, calls) in rows.iter().filter(|(_, calls)| calls.is_of(call) && is_here(calls)) {
        let packed = calls.items(input).packed_call(call.call);
        frame.instances.markers.push(MarkerInstance::new(packed.colored(frame.color_by), *slot, emphasis));
    }
}
