//! A window without pixels: the widgets and the layout of an off-screen window, for facts about what it would show. It needs no
//! graphics driver.

use std::path::Path;
use std::sync::Arc;

use egui::{Pos2, RawInput, Rect, ViewportId, vec2};

use super::headless::{FRAME, MOST_MOVING_FRAMES, MOST_WAITS, SETTLE_FRAMES};
use super::passes::run_widgets;
use crate::app::query_engine::QueryProgram;
use flowline_index::Index;
use flowline_index::flows::FlowSetup;
use flowline_session::{LinkedQueries, Session, Wake};
use flowline_ui::{FrameRunner, KeyMap, SavedView, Shell};
use flowline_view::{Command, Preset, Theme};

/// A window that is laid out but never drawn.
pub struct Unpainted {
    /// Content of the window.
    pub shell: Shell,
    frame_runner: FrameRunner,
    /// Size in points.
    size: [u32; 2],
    time: f64,
}

impl Unpainted {
    /// Shows a recording as the window does when it opens it, or in a saved view, and waits for all background work. Also
    /// returns the number of items of the view that the recording does not contain. `queries` applies to the view.
    #[must_use]
    pub fn open(
        index: Arc<Index>,
        setup: Arc<FlowSetup>,
        path: &Path,
        size: [u32; 2],
        view: Option<&SavedView>,
        queries: LinkedQueries,
        preset: Option<Arc<Preset>>,
    ) -> (Self, usize) {
        let mut shell = Shell::new(KeyMap::default(), Theme::default());
        shell.set_query_engine(Arc::new(QueryProgram));
        shell.linked_queries = queries;
        let wake: Wake = Arc::new(|| {});
        shell.open(Session::with_setup(path.to_owned(), index, setup, Arc::clone(&wake)), &wake);
        let mut window = Self { shell, frame_runner: FrameRunner::default(), size, time: 0.0 };
        let missing = view.map_or(0, |view| window.shell.show_view(view));
        if view.is_some() {
            window.wait_for_work();
        } else if let Some(session) = window.shell.session_mut() {
            session.wait_for_opening_part();
            session.open_breadcrumbs();
        }
        if let (Some(preset), Some(session)) = (preset, window.shell.session_mut()) {
            session.apply(Command::ShowPreset(preset));
        }
        window.wait_for_work();
        (window, missing)
    }

    /// Runs frames until nothing moves and no background work is left. Results may start more work.
    fn wait_for_work(&mut self) {
        for _ in 0..MOST_WAITS {
            let was_busy = self.shell.is_busy();
            if was_busy {
                self.shell.wait();
            }
            self.settle();
            if !was_busy && !self.shell.is_busy() {
                return;
            }
        }
    }

    fn settle(&mut self) {
        (0..SETTLE_FRAMES).for_each(|_| self.frame());
        for _ in 0..MOST_MOVING_FRAMES {
            if !self.shell.is_moving() {
                break;
            }
            self.frame();
        }
    }

    fn frame(&mut self) {
        #[expect(clippy::cast_precision_loss, reason = "screen sizes")]
        let [width, height] = self.size.map(|length| length as f32);
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(width, height))),
            time: Some(self.time),
            focused: true,
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(1.0);
        }
        self.time += FRAME;
        run_widgets(&mut self.frame_runner, &mut self.shell, input);
    }
}
