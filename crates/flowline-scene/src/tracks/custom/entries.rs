//! The entries of custom tracks. Markers also have a line through the chart.

use crate::frame::{Frame, Layer};
use crate::geometry::PixelRect;
use crate::layout::{Hit, SceneInput, pixel_of};
use crate::primitives::RectInstance;
use crate::theme::with_alpha;
use crate::tracks::TrackPainter;
use crate::tracks::entry_rows::{EntryPainter, EntrySource, RowKey, entry_at};
use flowline_index::color_index;
use flowline_index::custom_tracks::{CustomEntry, CustomTrack, CustomTracks, EntryKind};
use flowline_profile::MarkerId;

/// Key of the kind.
pub(super) const KEY: &str = "custom_tracks";

impl EntrySource for CustomTracks {
    const KEY: &'static str = KEY;

    fn track(&self, track: u32) -> Option<&CustomTrack> {
        self.tracks().get(track as usize)
    }

    fn marker(&self, _track: u32, entry: u32) -> Option<MarkerId> {
        self.entry(entry).map(|entry| entry.marker)
    }

    fn name(&self, _track: u32, entry: u32) -> Option<&str> {
        self.entry(entry).map(|entry| entry.name.as_str())
    }

    fn entry_of(&self, _track: u32, marker: MarkerId) -> Option<u32> {
        self.of_marker(marker)
    }
}

/// The hit at an x coordinate of a row.
pub(super) fn hit(input: &SceneInput<'_>, row: RowKey, x: f32) -> Option<Hit> {
    let custom = input.index.custom_tracks_if_built()?;
    let (entry, count) = entry_at(input, custom, row, x)?;
    let marker = custom.entry(entry)?.marker;
    let (thread, _) = input.index.profile().locate(marker)?;
    Some(Hit { thread, marker, count })
}

/// Draws the entries on screen, and the lines of markers.
#[derive(Debug, Default)]
pub(super) struct CustomPainter(EntryPainter);

impl TrackPainter for CustomPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        if let Some(custom) = input.index.custom_tracks_if_built().filter(|custom| !custom.tracks().is_empty()) {
            draw_lines(input, frame, custom);
            self.0.paint(input, frame, custom, None);
        }
    }
}

/// Draws a line through the chart for each marker in view, at most one per pixel column.
fn draw_lines(input: &SceneInput<'_>, frame: &mut Frame, custom: &CustomTracks) {
    let is_of_markers = |track: &&CustomTrack| {
        let first = track.entries().next().and_then(|number| custom.entry(number));
        first.is_some_and(|entry| entry.kind == EntryKind::Marker)
    };
    let Some(track) = custom.tracks().iter().find(is_of_markers) else { return };
    let (chart, visible) = (input.regions.chart, input.view.axis.visible());
    let entries: Vec<&CustomEntry> = track.entries().filter_map(|number| custom.entry(number)).collect();
    let first = entries.partition_point(|entry| entry.start < visible.start);
    let width = frame.line_width();
    let (mut rects, mut last) = (Vec::new(), None);
    for entry in entries[first..].iter().take_while(|entry| entry.start <= visible.end) {
        let x = pixel_of(input, entry.start).floor();
        if last != Some(x) && (chart.x..chart.right()).contains(&x) {
            let fill = frame.palette.fills[usize::from(color_index(entry.color_word()))];
            rects.push(RectInstance::filled(PixelRect::new(x, chart.y, width, chart.height), with_alpha(fill, 150)));
            last = Some(x);
        }
    }
    frame.begin_layer(Layer::Backdrop);
    frame.draw(chart, rects);
}
