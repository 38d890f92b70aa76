//! Marks the work of the main thread that the selected frame shows, on all rows of the thread.

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Item, ItemKind, SceneInput, pixel_of};
use crate::primitives::RectInstance;
use crate::theme::with_alpha;
use flowline_insights::frames::Frames;
use flowline_profile::ThreadId;

/// Opacity of the tint: slices stay readable below it.
const TINT: u8 = 28;

/// The rectangles, one around all rows of the thread that are on screen in succession.
pub(super) fn rects(input: &SceneInput<'_>, frame: &Frame, frames: &Frames) -> Vec<RectInstance> {
    let selected = input.view.selected.and_then(|marker| frames.of_marker(marker));
    let Some((thread, work)) = selected.and_then(|(_, own)| own.main_work) else { return Vec::new() };
    let line = frame.line_width();
    let left = pixel_of(input, work.start).floor();
    let width = (pixel_of(input, work.end).ceil() - left).max(line);
    let mut blocks: Vec<(f32, f32)> = Vec::new();
    for item in input.visible_items().iter().filter(|item| thread_of(item) == Some(thread)) {
        let (y, height) = (input.item_y(item), input.item_height(item));
        match blocks.last_mut() {
            Some((_, bottom)) if (*bottom - y).abs() < 0.5 => *bottom = y + height,
            _ => blocks.push((y, y + height)),
        }
    }
    let accent = frame.palette.accent;
    let block = |(top, bottom): (f32, f32)| {
        let rect = PixelRect::new(left, top, width, bottom - top);
        RectInstance { border: accent, border_width: line, ..RectInstance::filled(rect, with_alpha(accent, TINT)) }
    };
    blocks.into_iter().map(block).collect()
}

/// The thread that an item belongs to.
const fn thread_of(item: &Item) -> Option<ThreadId> {
    match item.kind {
        ItemKind::Thread(heading) => Some(heading.thread),
        ItemKind::Row(row) => Some(row.thread),
        ItemKind::CollapsedGroup(group) => Some(group.thread),
        ItemKind::Samples(heading) => Some(heading.thread),
        ItemKind::Calls(row) => Some(row.thread),
        _ => None,
    }
}
