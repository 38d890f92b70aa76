//! Layout of a frame: divides the window among panels and recordings, and each canvas among its parts.

use egui::{Rect, Ui};

use super::Shell;
use crate::window::layout::{OpenPanels, WindowLayout};
use flowline_insights::flags::Flags;
use flowline_insights::page_load::{Milestones, Screenshots};
use flowline_scene::{
    FlowHeights, LANE_LINE, OVERVIEW_HEIGHT, PATH_STRIP_HEIGHT, PartSizes, PixelRect, Regions, SCREENS_OVERVIEW_HEIGHT,
    SMALL_OVERVIEW_HEIGHT,
};
use flowline_session::Session;
use flowline_view::Pane;

/// In windows narrower than this many points, the details are closed until the user opens them.
const NARROW_WIDTH: f32 = 1100.0;
/// Windows below this width or height have no overview.
const NO_OVERVIEW: [f32; 2] = [800.0, 500.0];
/// Windows below this width or height show no screenshots in the overview.
const NO_SCREENS: [f32; 2] = [1100.0, 720.0];

/// The second recording has a low overview in windows below this height.
const LOW_WINDOW: f32 = 720.0;

/// The recordings that are shown, and the canvas of each.
fn canvases(layout: &WindowLayout) -> impl Iterator<Item = (Pane, Rect)> + use<> {
    [Some((Pane::A, layout.canvas)), layout.other.map(|other| (Pane::B, other.canvas))].into_iter().flatten()
}

impl Shell {
    /// Divides the window, refreshes the recordings and lays their views out, each on its canvas.
    pub(super) fn refresh(&mut self, ui: &Ui) -> WindowLayout {
        let window = ui.max_rect();
        let has_room = window.width() >= NARROW_WIDTH || self.state.opened_details;
        let open = OpenPanels {
            details: !self.state.hidden.details && has_room,
            table: self.state.table.is_some(),
            other: self.compares(),
        };
        let layout = WindowLayout::divide(window, self.sizes, open);
        self.shown_sizes = layout.sizes;
        self.state.shows_details = layout.details.is_some();
        self.pane_state.place(&layout);
        let heights = Pane::ALL.map(|pane| self.overview_height(pane, window));
        for (pane, canvas) in canvases(&layout) {
            self.divide_canvas(ui, pane, (canvas, heights[pane as usize]));
        }
        // Both recordings show the line at the pointer.
        let pointers = Pane::ALL.map(|pane| self.session_of(pane).and_then(|session| session.canvas.timed_pointer()));
        self.follow_first();
        for pane in Pane::ALL {
            // A search that completes may reveal a hit, which changes the shared times.
            self.change(pane, |parts| {
                parts.session.canvas.other_pointer = pointers[pane.other() as usize];
                parts.session.refresh();
                parts.panels.poll(&parts.session);
            });
        }
        self.fit_lanes(ui, &layout, heights);
        layout
    }

    /// Height of the overview of a recording in a window. Small windows and recordings without contents have none, and the one
    /// of a second recording in a low window shows only one lane.
    fn overview_height(&self, pane: Pane, window: Rect) -> f32 {
        let is_below = |size: [f32; 2]| window.width() < size[0] || window.height() < size[1];
        let session = self.session_of(pane);
        let has_screens = || session.is_some_and(|session| Screenshots::are_in(&session.index));
        match () {
            () if is_below(NO_OVERVIEW) || session.is_some_and(|session| session.index.is_blank()) => 0.0,
            () if pane == Pane::B && window.height() < LOW_WINDOW => SMALL_OVERVIEW_HEIGHT,
            () if is_below(NO_SCREENS) || !has_screens() => OVERVIEW_HEIGHT,
            () => SCREENS_OVERVIEW_HEIGHT,
        }
    }

    /// Divides the canvases again if notes need another number of lines than in the last frame.
    fn fit_lanes(&mut self, ui: &Ui, layout: &WindowLayout, heights: [f32; 2]) {
        for (pane, canvas) in canvases(layout) {
            let fits = |session: &Session| session.lane_lines == session.scene_input().lane_lines();
            if self.session_of(pane).is_none_or(fits) {
                continue;
            }
            self.divide_canvas(ui, pane, (canvas, heights[pane as usize]));
            self.change(pane, |parts| parts.session.refresh());
        }
    }

    /// Divides the canvas of a recording, given in points with the height of its overview.
    fn divide_canvas(&mut self, ui: &Ui, pane: Pane, (canvas, overview): (Rect, f32)) {
        let scale = ui.ctx().pixels_per_point();
        let pixels =
            PixelRect::new(canvas.min.x * scale, canvas.min.y * scale, canvas.width() * scale, canvas.height() * scale);
        let screen = ui.ctx().content_rect().size() * scale;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "canvas size")]
        let size = [screen.x.round().max(1.0) as u32, screen.y.round().max(1.0) as u32];
        let hidden = self.state.hidden;
        let labels = if hidden.labels { 0.0 } else { self.shown_sizes.labels };
        let overview = if hidden.overview { 0.0 } else { overview };
        let Some(parts) = self.pane_mut(pane) else { return };
        let session = &mut parts.session;
        let path = if session.view.path.is_some() { PATH_STRIP_HEIGHT } else { 0.0 };
        if session.view.flows.is_open() {
            parts.flow_height = parts.flow_height.map(|height| FlowHeights::clamp(height, canvas.height()));
        }
        let rows = session.flows.scene().list.main.height();
        session.canvas.flow_rows = (session.view.flows.is_open() && parts.flow_height.is_none()).then_some(rows);
        let flow = match hidden.flows {
            true => FlowHeights::collapsed(&session.view.flows),
            false => FlowHeights::new(&session.view.flows, parts.flow_height, rows, canvas.height()),
        };
        session.lane_lines = session.scene_input().lane_lines();
        let has_notes = session.view.notes.shown && !session.view.notes.list.is_empty();
        // Recordings without a page can have flags, too, such as the steps of a training loop. They are found in the background.
        let has_flags = || Flags::if_built(&session.index).is_some_and(|flags| !flags.is_empty());
        let may_have_flags = Milestones::may_have(session.index.profile()) || has_flags();
        let has_lane = !hidden.milestones && (has_notes || may_have_flags);
        let lane = if has_lane { LANE_LINE * f32::from(session.lane_lines.max(1)) } else { 0.0 };
        session.canvas.regions = Regions::divide(pixels, scale, PartSizes { labels, overview, lane, path }, flow);
        (session.canvas.size, session.canvas.scale) = (size, scale);
        session.canvas.is_held = ui.input(|input| input.pointer.any_down() || input.is_scrolling());
        session.view.axis.set_width(f64::from(session.canvas.regions.chart.width));
    }

    /// The regions of the canvas in the last frame, in device pixels.
    #[must_use]
    pub fn regions(&self) -> Regions {
        self.session().map(|session| session.canvas.regions).unwrap_or_default()
    }
}
