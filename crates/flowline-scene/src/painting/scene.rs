//! Builds the frames of a recording, one layer after the other.

use super::flow_panel as flows;
use super::{chart, critical_path, initiators, lane, measure, notes, outlines, overlays, overview, path_strip, ruler};
use crate::frame::{Frame, Layer};
use crate::geometry::AxisMap;
use crate::layout::SceneInput;
use crate::theme::Palette;
use crate::tracks;
use flowline_index::IndexId;
use flowline_insights::harm::LONG_TASK;
use flowline_profile::MarkerId;

/// Builds frames, reusing data from the previous frame.
#[derive(Debug)]
pub struct Scene {
    frame: Frame,
    /// The frame before, whose memory the next frame reuses.
    before: Frame,
    /// The recording that the caches below belong to.
    index: Option<IndexId>,
    /// The marker whose start is the time origin of labels.
    zero: Option<MarkerId>,
    tracks: tracks::Painters,
    overview: overview::OverviewCache,
    path: flows::PathCache,
}

impl Default for Scene {
    fn default() -> Self {
        let axis = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 1.0 };
        let frame = Frame::new([1, 1], 1.0, Palette::for_theme(flowline_view::Theme::Dark), axis, 0.0);
        Self {
            before: frame.clone(),
            frame,
            index: None,
            zero: None,
            tracks: tracks::Painters::default(),
            overview: overview::OverviewCache::default(),
            path: flows::PathCache::default(),
        }
    }
}

/// Device pixels of the time after which a task is long.
#[expect(clippy::cast_precision_loss, reason = "pixels")]
fn long_after(input: &SceneInput<'_>, axis: &AxisMap) -> f32 {
    let ticks = LONG_TASK.0 as f32 / input.index.clock().tick_ns() as f32;
    (ticks * axis.pixels_per_tick).round()
}

impl Scene {
    /// Builds the frame of a view.
    pub fn build(&mut self, input: &SceneInput<'_>) -> &Frame {
        // Labels can contain times.
        if (self.index, self.zero) != (Some(input.index.id()), input.view.zero) {
            *self = Self { index: Some(input.index.id()), zero: input.view.zero, ..Self::default() };
        }
        std::mem::swap(&mut self.frame, &mut self.before);
        let frame = &mut self.frame;
        frame.clear();
        frame.size = input.size;
        frame.scale = input.scale;
        frame.palette = Palette::for_theme(input.view.theme);
        frame.color_by = input.view.color_by;
        frame.axis = input.axis_map();
        frame.axis_left = input.regions.chart.x;
        frame.long_after = long_after(input, &frame.axis);
        frame.begin_layer(Layer::Backdrop);
        chart::build_backdrop(input, frame);
        for painter in self.tracks.all() {
            painter.paint(input, frame);
        }
        // Above the backgrounds that painters draw, below everything else.
        frame.begin_layer(Layer::Backdrop);
        chart::build_tint(input, frame);
        frame.begin_layer(Layer::Highlights);
        outlines::build(frame);
        frame.begin_layer(Layer::Ranges);
        chart::build_ranges(input, frame);
        frame.begin_layer(Layer::Milestones);
        lane::build_poles(input, frame);
        frame.begin_layer(Layer::FlowPaths);
        // With flow lanes, each flow has its own row, and flow lanes draw their own arrows.
        if !input.view.flow_lanes.shown {
            flows::build_path(input, frame, &mut self.path);
            critical_path::build(input, frame, &mut self.path);
        }
        frame.begin_layer(Layer::Notes);
        notes::build(input, frame);
        frame.begin_layer(Layer::FlowPanel);
        flows::build(input, frame);
        frame.begin_layer(Layer::Overview);
        overview::build(input, frame, &mut self.overview);
        frame.begin_layer(Layer::Ruler);
        ruler::build(input, frame);
        frame.begin_layer(Layer::Lane);
        lane::build(input, frame);
        path_strip::build(input, frame);
        frame.begin_layer(Layer::Measure);
        let mut lines = measure::overlays(input, frame.palette);
        lines.extend(initiators::overlays(input, frame.palette));
        lines.extend(overlays::pointer_ruler(input, frame.palette));
        overlays::draw(input, frame, &lines);
        frame.finish();
        frame
    }

    /// The most recent frame.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The frame before the most recent one; an empty frame after a reset.
    #[must_use]
    pub const fn frame_before(&self) -> &Frame {
        &self.before
    }
}
