//! An off-screen window: the same widgets and passes, drawn to memory. Used for images, benchmarks and tests.

use std::sync::Arc;

use egui::{Event, Pos2, RawInput, Rect, ViewportId, vec2};

use super::passes::{FramePainter, FrameTarget, FrameTimes, run_widgets};
use super::render_options::RenderOptions;
use super::svg_picture::svg_picture;
use crate::app::loading::SecondRecording;
use crate::app::query_engine::QueryProgram;
use flowline_gpu::{FORMAT, Gpu, GpuError, GpuTimer, RenderedImage, Target};
use flowline_index::Index;
use flowline_index::flows::FlowSetup;
use flowline_profile::{Direction, Implementation, MarkerId, ThreadId, TimeRange};
use flowline_scene::{ItemKind, Palette};
use flowline_session::{Session, Wake, with_margin};
use flowline_ui::{FrameRunner, KeyMap, STICKY_HEIGHT, Shell, TableKind};
use flowline_view::{Command, FlowCommand, FlowLaneCommand, Measure, PathTarget, RowSelection};

/// An off-screen window.
pub struct Headless {
    /// Graphics device.
    pub gpu: Gpu,
    /// Content of the window.
    pub shell: Shell,
    frame_runner: FrameRunner,
    painter: FramePainter,
    target: Target,
    timer: Option<GpuTimer>,
    size: [u32; 2],
    scale: f32,
    time: f64,
    events: Vec<Event>,
    /// Number of items in [`RenderOptions::view`] that the recording does not contain.
    pub missing: usize,
}

/// Seconds between two frames.
pub(super) const FRAME: f64 = 1.0 / 60.0;
/// Frames until panels have their final sizes.
pub(super) const SETTLE_FRAMES: usize = 4;
/// Maximum number of frames until motion ends.
pub(super) const MOST_MOVING_FRAMES: usize = 600;
/// Maximum number of rounds of background work that an image waits for; finished work may start more of it.
pub(super) const MOST_WAITS: usize = 32;

impl Headless {
    /// Creates an off-screen window that shows a recording.
    ///
    /// # Errors
    /// If there is no graphics driver.
    pub fn new(
        index: Arc<Index>,
        setup: Arc<FlowSetup>,
        path: &std::path::Path,
        options: &RenderOptions,
    ) -> Result<Self, GpuError> {
        let gpu = Gpu::headless()?;
        let mut shell = Shell::new(KeyMap::default(), options.theme);
        shell.set_query_engine(Arc::new(QueryProgram));
        shell.linked_queries = options.queries;
        let wake: Wake = Arc::new(|| {});
        shell.open(Session::with_setup(path.to_owned(), index, setup, Arc::clone(&wake)), &wake);
        if let Some(SecondRecording { index, setup, path, alignment }) = options.compare.clone() {
            let second = Session::with_setup(path, index, setup, Arc::clone(&wake));
            shell.open_second_recording(second, alignment, &wake);
        }
        let painter = FramePainter::new(&gpu, FORMAT);
        let target = Target::new(&gpu, options.size);
        let timer = GpuTimer::new(&gpu);
        let mut window = Self {
            gpu,
            shell,
            frame_runner: FrameRunner::default(),
            painter,
            target,
            timer,
            size: options.size,
            scale: options.scale,
            time: 0.0,
            events: Vec::new(),
            missing: 0,
        };
        window.arrange(options);
        Ok(window)
    }

    /// Applies the options to the view.
    fn arrange(&mut self, options: &RenderOptions) {
        if let Some(view) = &options.view {
            self.missing = self.shell.show_view(view);
            self.wait_for_work();
        } else if let Some(session) = self.shell.session_mut() {
            session.wait_for_opening_part();
        }
        if let Some(preset) = &options.preset {
            self.apply(Command::ShowPreset(Arc::clone(preset)));
        }
        self.shell.state.table = options.table.or(self.shell.state.table);
        if options.table == Some(TableKind::Statistics) {
            self.shell.compare_recordings();
        }
        if let Some(height) = options.table_height {
            self.shell.set_table_height(height);
        }
        if let Some(panels) = self.shell.panes.first_mut().map(|first| &mut first.panels) {
            if options.view.is_none() {
                panels.samples.arrange(options.functions, options.grouping);
            }
            options.thread.into_iter().for_each(|thread| panels.samples.choose(thread));
        }
        if options.functions != Implementation::All {
            self.apply(Command::ShowCalls(options.functions));
        }
        self.settle();
        if let Some(arrangement) = options.arrangement {
            self.apply(Command::SetArrangement(arrangement));
        }
        if let Some(order) = options.flow_lanes {
            self.apply(Command::FlowLane(FlowLaneCommand::Order(order)));
            self.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
        }
        if !options.stack_charts.is_empty() {
            self.expand_charts(&options.stack_charts);
        }
        if options.all_markers {
            self.apply(Command::ShowAllMarkers(true));
        }
        if !options.search.is_empty() {
            self.apply(Command::Search(options.search.clone()));
        }
        if let Some((thread, range)) = options.boxed {
            let rows = RowSelection { threads: [thread].into(), ..RowSelection::default() };
            self.apply(Command::SelectBox(Some(range), rows));
        }
        if options.measure.is_some() {
            self.apply(Command::Measure(options.measure.map(Measure::of)));
        }
        self.enter_flows(options);
        if options.zero.is_some() {
            self.apply(Command::ZeroAt(options.zero));
        }
        if let Some(target) = options.critical {
            self.show_path(target);
        }
        self.shell.wait();
        if let Some(marker) = options.select {
            self.apply(Command::Reveal(marker));
        }
        self.settle();
        if let (Some(thread), None) = (options.stack_charts.first(), options.select) {
            self.scroll_to_chart(*thread);
        }
        if options.insight.is_some() {
            self.apply(Command::FocusInsight(options.insight.clone()));
            self.settle();
        }
        if let Some(marker) = options.hover {
            self.point_at(marker, options.range);
        } else if let Some(range) = options.range {
            self.apply(Command::Show(range));
        }
        self.wait_for_work();
    }

    /// Shows a critical path in full.
    fn show_path(&mut self, target: PathTarget) {
        self.apply(Command::ShowPath(Some(target)));
        let Some(session) = self.shell.session_mut() else { return };
        session.refresh_and_wait();
        let range = session.critical.path().map(|path| path.range());
        if let Some(range) = range.filter(|range| !range.is_empty()) {
            self.apply(Command::Show(with_margin(range)));
        }
    }

    /// Expands stack charts, including their threads and processes.
    fn expand_charts(&mut self, threads: &[ThreadId]) {
        let Some(session) = self.shell.session_mut() else { return };
        let index = Arc::clone(&session.index);
        session.view.edit_tracks(|tracks| {
            for thread in threads {
                let process = index.profile().thread(*thread).process;
                tracks.collapsed.remove(&process);
                tracks.hidden.remove(thread);
                tracks.expanded.insert(*thread);
                tracks.stack_charts.insert(*thread);
                if index.profile().thread(*thread).markers.is_empty() {
                    tracks.show_empty.insert(process);
                }
            }
        });
        self.settle();
    }

    /// Scrolls the header of a stack chart to the top, below the sticky thread header.
    fn scroll_to_chart(&mut self, thread: ThreadId) {
        let Some(session) = self.shell.session() else { return };
        let is_heading = |kind: &ItemKind| matches!(kind, ItemKind::Samples(heading) if heading.thread == thread);
        let Some(item) = session.list().items().iter().find(|item| is_heading(&item.kind)) else { return };
        let input = session.scene_input();
        let points = f64::from((input.item_y(item) - input.regions.chart.y) / self.scale);
        self.apply(Command::Scroll(points - f64::from(STICKY_HEIGHT)));
        self.settle();
    }

    fn enter_flows(&mut self, options: &RenderOptions) {
        let pins = options.pins.iter().map(|flow| FlowCommand::TogglePin(*flow));
        let mut commands: Vec<FlowCommand> = pins.collect();
        if !options.flows.is_empty() {
            commands.push(FlowCommand::Enter(options.flows.clone()));
        }
        for direction in [Direction::Back, Direction::Forward] {
            commands.extend((0..options.chain).map(|_| FlowCommand::ChainStep(direction)));
        }
        commands.extend(options.connections.then_some(FlowCommand::AllConnections(true)));
        commands.extend(options.path.then_some(FlowCommand::Path(true)));
        commands.into_iter().for_each(|command| self.apply(Command::Flow(command)));
        // The panel gets its height first; then the visible rows are built.
        self.wait_for_work();
    }

    /// Runs frames until nothing moves and no background work of the recordings, the flow panel and the tables is left.
    /// Results may start more work, so the last frames must start and end without any.
    pub fn wait_for_work(&mut self) {
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
        debug_assert!(false, "background work never finishes");
    }

    /// Applies a command as user input would.
    pub fn apply(&mut self, command: Command) {
        if let Some(session) = self.shell.session_mut() {
            session.apply(command);
        }
    }

    /// Adds input for the next frame.
    pub fn push_event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Scrolls to a marker's row and moves the pointer over the marker. A given range is shown even if the marker is
    /// outside it.
    fn point_at(&mut self, marker: MarkerId, range: Option<TimeRange>) {
        let selected = self.shell.session().and_then(|session| session.view.selected);
        self.apply(Command::Reveal(marker));
        self.settle();
        self.apply(Command::Select(selected));
        if let Some(range) = range {
            self.apply(Command::Show(range));
            self.settle();
        }
        let Some(session) = self.shell.session() else { return };
        let Some((item, times)) = session.item_of(marker).zip(session.view.times_of(marker)) else { return };
        let input = session.scene_input();
        let axis = &session.view.axis;
        let (left, right) = (axis.pixel(times.start).max(0.0), axis.pixel(times.end).min(axis.width()));
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = input.regions.chart.x + (left.midpoint(right.max(left)).floor() + 0.5) as f32;
        let y = input.item_y(&item) + input.item_height(&item) / 2.0;
        let place = Pos2::new(x, y) / self.scale;
        self.push_event(Event::PointerMoved(place));
    }

    /// Runs frames until panels have their final sizes and motion has ended.
    pub fn settle(&mut self) {
        for _ in 0..SETTLE_FRAMES {
            self.frame();
        }
        for _ in 0..MOST_MOVING_FRAMES {
            if !self.shell.is_moving() {
                break;
            }
            self.frame();
        }
    }

    fn input(&mut self) -> RawInput {
        let [width, height] = self.size;
        #[expect(clippy::cast_precision_loss, reason = "screen sizes")]
        let points = vec2(width as f32, height as f32) / self.scale;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)),
            time: Some(self.time),
            focused: true,
            events: std::mem::take(&mut self.events),
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        self.time += FRAME;
        input
    }

    /// Runs and draws one frame; returns its CPU times.
    pub fn frame(&mut self) -> FrameTimes {
        let input = self.input();
        let widgets = run_widgets(&mut self.frame_runner, &mut self.shell, input);
        let (context, shell) = (&self.frame_runner.context, &self.shell);
        self.painter.paint(context, shell, widgets, FrameTarget::Kept(&self.target), self.timer.as_ref())
    }

    /// Waits until the device has finished all submitted work.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map(|_| ()).map_err(|error| GpuError::Readback(error.to_string()))
    }

    /// Returns the GPU time of the last frame in milliseconds; `None` if the driver does not support timestamps.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn gpu_ms(&self) -> Result<Option<f64>, GpuError> {
        self.timer.as_ref().map(|timer| timer.read_ms(&self.gpu)).transpose()
    }

    /// Returns the pixels of the last frame.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn picture(&self) -> Result<RenderedImage, GpuError> {
        self.target.read(&self.gpu)
    }

    /// Draws every following frame also without damage tracking, for [`Headless::reference_image`].
    pub fn draw_reference(&mut self) {
        self.painter.set_reference_target(Target::new(&self.gpu, self.size));
    }

    /// Returns the pixels of the last frame, drawn without damage tracking; `None` without [`Headless::draw_reference`].
    ///
    /// # Errors
    /// If the device is lost.
    pub fn reference_image(&self) -> Result<Option<RenderedImage>, GpuError> {
        self.painter.compared().map(|target| target.read(&self.gpu)).transpose()
    }

    /// Runs and draws one frame; returns it as SVG, including the widgets.
    pub fn svg(&mut self) -> String {
        let input = self.input();
        let widgets = run_widgets(&mut self.frame_runner, &mut self.shell, input);
        let (context, shell) = (&self.frame_runner.context, &self.shell);
        let shapes = widgets.output.egui.shapes.clone();
        self.painter.paint(context, shell, widgets, FrameTarget::Kept(&self.target), self.timer.as_ref());
        let background = Palette::for_theme(shell.theme).canvas;
        svg_picture(context, self.size, background, &self.painter.frames(shell), &shapes)
    }

    /// Last drawn scenes, one per recording from top to bottom.
    #[must_use]
    pub fn scenes(&self) -> &[flowline_scene::Scene] {
        self.painter.scenes()
    }
}
