//! Labels inside marker rectangles. A wide enough rectangle has a label at the left edge of its visible part.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::contents::{Frame, TextRun};
use crate::geometry::{PixelRect, diamond_reach};
use crate::layout::SceneInput;
use crate::primitives::RowBounds;
use crate::theme::Rgba;
use flowline_format::{format_count, is_cpp_symbol, is_long_symbol, is_place, shorten_middle, shorten_symbol};
use flowline_index::Packed;
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, LocalMarker, MarkerId, ThreadId};

/// Rectangles narrower than this many points have no label.
const MIN_WIDTH: f32 = 22.0;
/// Rectangles narrower than this many points have no marks.
const MARK_WIDTH: f32 = 8.0;
/// Points between a rectangle's edge and its label.
const PADDING: f32 = 4.0;
/// Font size in points.
const LABEL_SIZE: f32 = 12.0;
/// Approximate width of a letter, in font sizes.
const LETTER: f32 = 0.5;
/// Width of the least that remains of a label, in font sizes: three letters and an ellipsis.
const LEAST_CUT: f32 = 3.0 * WIDE_LETTER + 0.85;
/// Width of a letter of a place, in font sizes: wide enough that a shortened place is not cut again.
const WIDE_LETTER: f32 = 0.58;
/// Places in rectangles of at least this many points are shortened in the middle.
const MIDDLE_WIDTH: f32 = 80.0;
/// Room in points that a label beside its rectangle needs.
const ROOM_BESIDE: f32 = 48.0;
/// Labels are cut after this many characters, since longer ones never fit.
const MAX_CHARS: usize = 160;
/// The cache is cleared at this many labels.
const CACHE_LIMIT: usize = 20_000;

/// Cached labels, by marker.
#[derive(Debug, Default)]
pub(crate) struct LabelCache {
    /// Each with the number of entries hidden inside.
    texts: HashMap<MarkerId, (u32, Arc<str>)>,
    /// The clock of times in the labels.
    clock: DisplayClock,
}

impl LabelCache {
    pub(crate) fn get(&mut self, input: &SceneInput<'_>, marker: MarkerId) -> Arc<str> {
        if self.texts.len() > CACHE_LIMIT || self.clock != input.view.clock() {
            self.texts.clear();
            self.clock = input.view.clock();
        }
        let profile = input.index.profile();
        let Some((thread, local)) = profile.locate(marker) else { return Arc::from("") };
        let hidden = input.list.shown().inside(thread, local);
        if let Some((_, text)) = self.texts.get(&marker).filter(|(of, _)| *of == hidden) {
            return Arc::clone(text);
        }
        let label = profile.marker_label(LabelKind::Chart, thread, local, self.clock);
        let text = shortened(&with_hidden(&label, hidden));
        self.texts.insert(marker, (hidden, Arc::clone(&text)));
        text
    }
}

/// A label with the number of hidden entries: "Layout (3 hidden)".
pub(crate) fn with_hidden(label: &str, hidden: u32) -> Cow<'_, str> {
    match hidden {
        0 => Cow::Borrowed(label),
        hidden => Cow::Owned(format!("{label} ({} hidden)", format_count(u64::from(hidden)))),
    }
}

/// The first line of a text, cut to the length that can fit into a rectangle.
pub(crate) fn shortened(text: &str) -> Arc<str> {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => Arc::from(&line[..end]),
        None => Arc::from(line),
    }
}

/// A marker that may have a label or marks, found while its row is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Row of the frame.
    pub(crate) slot: usize,
    /// Number of its instance in the frame.
    pub(crate) instance: usize,
    /// For an instant that stands alone: the tick at which its row is no longer free.
    pub(crate) alone_until: Option<u64>,
    /// Thread of the marker.
    pub(crate) thread: ThreadId,
    /// The marker.
    pub(crate) marker: LocalMarker,
    /// Ticks of the marker.
    pub(crate) packed: Packed,
    /// True if the marker is pale, so that its label needs the color of text on the background.
    pub(crate) is_pale: bool,
}

/// Minimum length in ticks of a span with marks.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
pub(crate) fn min_mark_ticks(input: &SceneInput<'_>, frame: &Frame) -> u64 {
    (f64::from(MARK_WIDTH * input.scale) * frame.axis.ticks_per_pixel()) as u64
}

/// Minimum length in ticks of a span with a label.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
pub(crate) fn min_label_ticks(input: &SceneInput<'_>, frame: &Frame) -> u64 {
    (f64::from(MIN_WIDTH * input.scale) * frame.axis.ticks_per_pixel()) as u64
}

/// True if a span may have a label: a single interval of at least `least` ticks.
pub(crate) fn can_have_label(packed: Packed, least: u64) -> bool {
    let style = packed.style();
    packed.end() - packed.start() >= least && !style.is_merged() && !style.is_instant()
}

/// Adds a label inside the visible part of a span on row `slot` of the frame; `text` is called only if there is room.
pub(crate) fn push_label(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    slot: usize,
    packed: Packed,
    text: impl FnOnce() -> Arc<str>,
) {
    let color = label_color(frame, slot, packed);
    push_colored_label(input, frame, slot, packed, color, text);
}

/// The color of a label on the fill of a span.
fn label_color(frame: &Frame, slot: usize, packed: Packed) -> Rgba {
    let entry = packed.colored(frame.color_by).style().color();
    frame.palette.label_on(frame.rows[slot].entry(entry))
}

/// Like [`push_label`], in a color that contrasts with the background. Returns true if there was room.
pub(crate) fn push_colored_label(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    slot: usize,
    packed: Packed,
    color: Rgba,
    text: impl FnOnce() -> Arc<str>,
) -> bool {
    let chart = input.regions.chart;
    let (size, padding) = (LABEL_SIZE * input.scale, PADDING * input.scale);
    let place = frame.rows[slot];
    let (first, end) = frame.axis.columns(packed);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let (left, right) = ((first as f32).max(0.0), (end as f32).min(chart.width));
    if right - left < MIN_WIDTH * input.scale || place.height < size {
        return false;
    }
    let clip = PixelRect::new(chart.x + left + padding, place.y, right - left - 1.5 * padding, place.height);
    let text = fitting(text(), clip.width, size, input.scale);
    #[expect(clippy::cast_precision_loss, reason = "a short text")]
    let letters = text.chars().count() as f32;
    // A label that would be cut to one or two letters says nothing.
    if clip.width < (letters * LETTER).min(LEAST_CUT) * size {
        return false;
    }
    frame.texts.push(TextRun {
        text,
        x: clip.x,
        y: (place.y + (place.height - size * 1.3) / 2.0).round(),
        size,
        color,
        clip: clip.intersect(chart),
    });
    true
}

/// A label for a room in pixels: a place or a long symbol that does not fit is shortened in the middle, if there is enough room;
/// a symbol of C++ loses its namespaces first.
fn fitting(text: Arc<str>, room: f32, size: f32, scale: f32) -> Arc<str> {
    if is_cpp_symbol(&text) {
        return shortened_by(text, room, size, shorten_symbol);
    }
    if room < MIDDLE_WIDTH * scale || !(is_place(&text) || is_long_symbol(&text)) {
        return text;
    }
    shortened_to(text, room, size)
}

/// A label that is shortened in the middle if it does not fit into a room in pixels.
pub(crate) fn shortened_to(text: Arc<str>, room: f32, size: f32) -> Arc<str> {
    shortened_by(text, room, size, shorten_middle)
}

/// A label that is shortened by a function of the number of letters if it does not fit into a room in pixels.
fn shortened_by(text: Arc<str>, room: f32, size: f32, shorten: fn(&str, usize) -> String) -> Arc<str> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of letters")]
    let letters = (room / (WIDE_LETTER * size)) as usize;
    // A place that fits by the usual width of letters stays whole.
    #[expect(clippy::cast_precision_loss, reason = "a short text")]
    let fits = text.chars().count() as f32 * LETTER * size <= room;
    if fits { text } else { shorten(&text, letters).into() }
}

/// The label of a span on screen that keeps both of its ends, if there is enough room.
pub(crate) fn with_both_ends(input: &SceneInput<'_>, frame: &Frame, packed: Packed, text: Arc<str>) -> Arc<str> {
    let (first, end) = frame.axis.columns(packed);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let width = (end as f32).min(input.regions.chart.width) - (first as f32).max(0.0);
    let room = width - 1.5 * PADDING * input.scale;
    if room < MIDDLE_WIDTH * input.scale { text } else { shortened_to(text, room, LABEL_SIZE * input.scale) }
}

/// Adds a line of text at the left edge of the chart.
pub(crate) fn push_line(input: &SceneInput<'_>, frame: &mut Frame, place: RowBounds, text: Arc<str>) {
    let chart = input.regions.chart;
    let (size, padding) = (LABEL_SIZE * input.scale, PADDING * input.scale);
    let clip = PixelRect::new(chart.x + padding, place.y, chart.width - 2.0 * padding, place.height);
    let y = (place.y + (place.height - size * 1.3) / 2.0).round();
    frame.texts.push(TextRun { text, x: clip.x, y, size, color: frame.palette.text2, clip: clip.intersect(chart) });
}

/// Adds a label to the right of a span, if the row is free there until tick `until`.
pub(crate) fn push_label_beside(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    slot: usize,
    (packed, until): (Packed, u64),
    text: impl FnOnce() -> Arc<str>,
) {
    let chart = input.regions.chart;
    let (size, padding) = (LABEL_SIZE * input.scale, PADDING * input.scale);
    let place = frame.rows[slot];
    let (_, end) = frame.axis.columns(packed);
    let next = Packed::new(until, until, packed.style());
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let (left, right) = (end as f32, (frame.axis.columns(next).0 as f32).min(chart.width));
    // The diamond of an instant is wider than its column.
    let left = if packed.style().is_instant() { left + diamond_reach(input.scale) } else { left };
    if end < 0 || right - left < ROOM_BESIDE * input.scale || place.height < size {
        return;
    }
    let clip = PixelRect::new(chart.x + left + padding, place.y, right - left - 2.0 * padding, place.height);
    let y = (place.y + (place.height - size * 1.3) / 2.0).round();
    let color = frame.palette.text2;
    frame.texts.push(TextRun { text: text(), x: clip.x, y, size, color, clip: clip.intersect(chart) });
}

pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame, candidates: &[Candidate], cache: &mut LabelCache) {
    for candidate in candidates {
        let marker = input.index.profile().thread(candidate.thread).global(candidate.marker);
        if let Some(until) = candidate.alone_until {
            push_label_beside(input, frame, candidate.slot, (candidate.packed, until), || cache.get(input, marker));
            continue;
        }
        let Candidate { slot, packed, is_pale, .. } = *candidate;
        let color = if is_pale { frame.palette.text } else { label_color(frame, slot, packed) };
        push_colored_label(input, frame, slot, packed, color, || cache.get(input, marker));
    }
}
