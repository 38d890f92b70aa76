//! Labels inside marker rectangles: where a rectangle is wide enough to be read, sticking to its visible part.

use std::collections::HashMap;
use std::sync::Arc;

use super::SceneInput;
use super::chart::{RowKind, row_place, visible_rows};
use super::frame::{Frame, PixelRect, TextRun};
use crate::profile::MarkerId;
use crate::profile::describe::LabelKind;

/// Rectangles narrower than this many points carry no label.
const MIN_WIDTH: f32 = 22.0;
/// Points between a rectangle's edge and its label.
const PADDING: f32 = 4.0;
/// Font size in points.
pub(super) const LABEL_SIZE: f32 = 11.0;
/// Labels longer than this many characters can never be seen whole.
const MAX_CHARS: usize = 160;
/// The cache is emptied when it holds this many labels.
const CACHE_LIMIT: usize = 20_000;

/// Labels already made, by marker.
#[derive(Debug, Default)]
pub(super) struct LabelCache {
    texts: HashMap<MarkerId, Arc<str>>,
}

impl LabelCache {
    fn get(&mut self, input: &SceneInput<'_>, marker: MarkerId) -> Arc<str> {
        if self.texts.len() > CACHE_LIMIT {
            self.texts.clear();
        }
        let make = || {
            let profile = input.index.profile();
            let Some((thread, local)) = profile.locate(marker) else { return Arc::from("") };
            let label = profile.marker_label(LabelKind::Chart, thread, local);
            let line = label.lines().next().unwrap_or_default();
            match line.char_indices().nth(MAX_CHARS) {
                Some((end, _)) => Arc::from(&line[..end]),
                None => Arc::from(line),
            }
        };
        Arc::clone(self.texts.entry(marker).or_insert_with(make))
    }
}

pub(super) fn build(input: &SceneInput<'_>, frame: &mut Frame, cache: &mut LabelCache) {
    let chart = input.regions.chart;
    let axis = frame.axis;
    let (from, to) = axis.ticks(0.0, f64::from(chart.width));
    let size = LABEL_SIZE * input.scale;
    let mut texts = Vec::new();
    for row in visible_rows(input) {
        let place = row_place(input, &row.item);
        if place.height < size || row.kind == RowKind::Backdrop {
            continue;
        }
        let thread = input.index.profile().thread(row.thread);
        let items = row.layout.items(input.index.source(), thread, row.row);
        // Only markers wider than the least width matter: ask the pyramid for cells of that size.
        let ticks = axis.ticks_per_pixel();
        row.layout.pyramid(row.row).visit_spans(&items, ticks, from, to, |span| {
            if span.count != 1 || span.packed.style().is_instant() {
                return;
            }
            let (first, end) = axis.columns(span.packed);
            #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
            let (left, right) = ((first as f32).max(0.0), (end as f32).min(chart.width));
            if right - left < MIN_WIDTH * input.scale {
                return;
            }
            let marker = thread.global(span.longest);
            if input.search.is_some_and(|search| !search.hits.contains(row.thread, span.longest))
                && input.view.selected != Some(marker)
            {
                return;
            }
            let padding = PADDING * input.scale;
            let clip = PixelRect::new(
                chart.x + left + padding,
                place.y,
                right - left - 1.5 * padding,
                place.height,
            );
            texts.push(TextRun {
                text: cache.get(input, marker),
                x: clip.x,
                y: (place.y + (place.height - size * 1.3) / 2.0).round(),
                size,
                color: frame.palette.marker_text,
                clip: clip.intersect(chart),
            });
        });
    }
    frame.texts.append(&mut texts);
}
