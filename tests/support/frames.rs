//! A window without a display, driven frame by frame as the event loop does: events in, widgets and scene out. The
//! harness runs only the requested frames and never waits for background work.

use std::path::PathBuf;
use std::sync::Arc;

use egui::accesskit::{Node, Role};
use egui::{Event, Pos2, RawInput, Rect, Vec2, ViewportId, vec2};
use flowline::index::Index;
use flowline::scene::{Frame, Palette, Scene};
use flowline::session::{Session, Wake};
use flowline::ui::{FrameOutput, FrameRunner, KeyMap, Shell};
use flowline::view::Theme;

/// A window that runs single frames.
pub(crate) struct FrameWindow {
    pub(crate) shell: Shell,
    pub(crate) size: Vec2,
    pub(crate) scale: f32,
    pub(crate) time: f64,
    pub(crate) output: FrameOutput,
    runner: FrameRunner,
    scene: Scene,
    other_scene: Scene,
}

/// A label as a screen reader finds it: text, role and position in device pixels.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) rect: Rect,
}

impl FrameWindow {
    pub(crate) fn new(index: Arc<Index>, keys: KeyMap, size: Vec2, scale: f32) -> Self {
        let wake: Wake = Arc::new(|| {});
        let mut shell = Shell::new(keys, Theme::Dark);
        shell.open(Session::new(PathBuf::new(), index, Arc::clone(&wake)), &wake);
        let runner = FrameRunner::default();
        runner.context.enable_accesskit();
        Self {
            shell,
            size,
            scale,
            time: 0.0,
            output: FrameOutput::default(),
            runner,
            scene: Scene::default(),
            other_scene: Scene::default(),
        }
    }

    /// Opens a more complete index of the open recording: with its rest, or with its flows.
    pub(crate) fn open_next_stage(&mut self, index: Arc<Index>) {
        let wake: Wake = Arc::new(|| {});
        let before = self.shell.take_previous_state();
        self.shell.open(Session::new(PathBuf::new(), index, Arc::clone(&wake)), &wake);
        before.into_iter().for_each(|before| self.shell.carry_over(before));
    }

    pub(crate) fn session(&self) -> &Session {
        self.shell.session().expect("a recording is open")
    }

    pub(crate) fn session_mut(&mut self) -> &mut Session {
        self.shell.session_mut().expect("a recording is open")
    }

    /// Opens a recording again after the user has closed it, and lays it out.
    pub(crate) fn reopen(&mut self, index: Arc<Index>) {
        let wake: Wake = Arc::new(|| {});
        self.shell.open(Session::new(PathBuf::new(), index, Arc::clone(&wake)), &wake);
        self.frame(0.0, Vec::new());
    }

    /// Runs one frame, `seconds` after the last, and builds its scene. The frame may close the recording.
    pub(crate) fn frame(&mut self, seconds: f64, events: Vec<Event>) -> &Frame {
        self.time += seconds;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time),
            focused: true,
            events,
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        self.output = self.runner.run(&mut self.shell, input);
        if let Some(other) = self.shell.pane(flowline::view::Pane::B) {
            self.other_scene.build(&other.session.scene_input());
        }
        if let Some(session) = self.shell.session() {
            self.scene.build(&session.scene_input());
        }
        self.scene.frame()
    }

    /// Runs frames until no motion and no background work remains.
    pub(crate) fn settle(&mut self) {
        for _ in 0..8 {
            self.frame(1.0 / 60.0, Vec::new());
            self.shell.wait();
        }
        for _ in 0..600 {
            self.frame(1.0 / 60.0, Vec::new());
            if !self.shell.is_moving() {
                break;
            }
        }
    }

    /// The scene of the last frame.
    pub(crate) const fn scene(&self) -> &Frame {
        self.scene.frame()
    }

    pub(crate) fn palette(&self) -> &'static Palette {
        Palette::for_theme(self.shell.theme)
    }

    pub(crate) fn context(&self) -> &egui::Context {
        &self.runner.context
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        let update = self.output.egui.platform_output.accesskit_update.as_ref().expect("accessibility is on");
        update.nodes.iter().map(|(_, node)| node)
    }

    /// All nodes that have bounds and a text.
    pub(crate) fn labels(&self) -> Vec<Label> {
        // Bounds are in points.
        let scale = self.scale;
        let label = |node: &Node| {
            let text = node.label().or_else(|| node.value())?.to_owned();
            let bounds = node.bounds()?;
            #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
            let point = |x: f64, y: f64| Pos2::new(x as f32 * scale, y as f32 * scale);
            let rect = Rect::from_min_max(point(bounds.x0, bounds.y0), point(bounds.x1, bounds.y1));
            Some(Label { role: node.role(), text, rect })
        };
        self.nodes().filter_map(label).collect()
    }

    /// True if `part` appears anywhere in the window.
    pub(crate) fn says(&self, part: &str) -> bool {
        self.nodes().any(|node| [node.label(), node.value()].into_iter().flatten().any(|text| text.contains(part)))
    }
}

/// A window of the default size that shows a recording.
pub(crate) fn window(index: &Arc<Index>) -> FrameWindow {
    FrameWindow::new(Arc::clone(index), KeyMap::Flowline, vec2(1200.0, 760.0), 1.0)
}
