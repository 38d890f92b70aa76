//! The lane of milestones and notes, and the poles that continue from it through all tracks.

use std::sync::Arc;

use super::lane_colors::{of_milestone, pole, tint};
use crate::frame::{Frame, TextRun};
use crate::geometry::PixelRect;
use crate::layout::{PlacedFlag, PlacedNote, SceneInput, TEXT_SIZE, flag_indent};
use crate::primitives::RectInstance;
use crate::theme::{Palette, Rgba};
use flowline_insights::page_load::MilestoneKind;

/// The color of a flag and its pole; gray if the tab was inactive.
fn flag_color(palette: &Palette, flag: &PlacedFlag) -> Rgba {
    if flag.is_inactive { palette.text3 } else { of_milestone(palette, flag.kind, flag.rating) }
}

/// Draws the poles of milestones through the chart. Marks of the page can be many, so they stay in the lane.
pub(crate) fn build_poles(input: &SceneInput<'_>, frame: &mut Frame) {
    let (chart, line, palette) = (input.regions.chart, frame.line_width(), frame.palette);
    let through = input.placed_flags().iter().filter(|flag| flag.kind != MilestoneKind::Mark);
    let poles = through.map(|flag| {
        let rect = PixelRect::new(flag.x, chart.y, line, chart.height);
        RectInstance::filled(rect, pole(flag_color(palette, flag)))
    });
    frame.draw(chart, poles.collect::<Vec<_>>());
}

/// Draws the lane with flags and notes.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let (regions, palette, line) = (&input.regions, frame.palette, frame.line_width());
    let lane = regions.lane;
    if lane.height < 1.0 {
        return;
    }
    frame.draw(lane, [RectInstance::filled(lane, palette.canvas)]);
    let edge = PixelRect::new(lane.x, lane.bottom() - line, lane.width, line);
    frame.draw(lane, [RectInstance::filled(edge, palette.line)]);
    let flags = input.placed_flags();
    for flag in flags.iter().filter(|flag| flag.has_text) {
        draw_flag(input, frame, flag);
    }
    let poles = flags.iter().map(|flag| RectInstance::filled(flag.pole, flag_color(palette, flag)));
    frame.draw(lane, poles.collect::<Vec<_>>());
    for note in input.placed_notes() {
        draw_note(input, frame, note);
    }
}

/// A text in the middle of a flag or a chip.
fn push_text(input: &SceneInput<'_>, frame: &mut Frame, text: &str, rect: PixelRect, indent: f32) {
    let size = TEXT_SIZE * input.scale;
    let inner = PixelRect::new(rect.x + indent, rect.y, rect.width - indent, rect.height);
    frame.texts.push(TextRun {
        text: Arc::from(text),
        x: inner.x,
        y: (rect.y + (rect.height - size * 1.3) / 2.0).round(),
        size,
        color: frame.palette.text,
        clip: inner.intersect(input.regions.lane),
    });
}

fn draw_flag(input: &SceneInput<'_>, frame: &mut Frame, flag: &PlacedFlag) {
    let Some(text) = flag.milestones.first() else { return };
    let color = flag_color(frame.palette, flag);
    frame.draw(input.regions.lane, [RectInstance::filled(flag.rect, tint(color, frame.palette.canvas))]);
    push_text(input, frame, &text.text, flag.rect, flag_indent(input.scale));
}

fn draw_note(input: &SceneInput<'_>, frame: &mut Frame, note: &PlacedNote) {
    let (palette, scale) = (frame.palette, input.scale);
    let is_selected = Some(note.note) == input.view.notes.selected;
    let color = palette.search_match;
    let fill = if note.is_dot { color } else { tint(color, palette.canvas) };
    let chip = RectInstance {
        radius: if note.is_dot { note.rect.width / 2.0 } else { 3.0 * scale },
        border: if is_selected { palette.select } else { color },
        border_width: if is_selected { 2.0 * scale } else { frame.line_width() },
        ..RectInstance::filled(note.rect, fill)
    };
    frame.draw(input.regions.lane, [chip]);
    if !note.is_dot {
        push_text(input, frame, &note.text, note.rect, 6.0 * scale);
    }
}
