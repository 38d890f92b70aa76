//! The window: winit's event loop, the surface, and loading in the background. It redraws only on input and on results
//! of background work, never continuously.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use egui::ViewportId;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

use super::about::{about_facts, graphics_facts};
use super::graphics_start::GraphicsStart;
use super::load_measure::{LoadMeasure, LoadTimes};
use super::native_window::{AppEvent, NativeWindow};
use crate::app::file_formats;
use crate::app::files::{
    FileWatch, NotesStore, PresetsFile, RecentFiles, SavedViewFile, Settings, SettingsFile, WindowSettings,
    local_offset, settings_file,
};
use crate::app::loading::{CompareWith, LoadJob, Target};
use crate::app::query_engine::QueryProgram;
use crate::app::render::run_widgets;
use flowline_cache::Cache;
use flowline_gpu::GpuError;
use flowline_import::Options;
use flowline_load::{Loaded, Origin, UserRules};
use flowline_ui::{FrameRunner, ImageFormat, KeyMap, LoadedPart, SavedView, Shell, Toast};
use flowline_view::Theme;

/// Options of the window.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// First recording to open; `None` shows the welcome page if there are recently opened recordings, otherwise the bundled
    /// example.
    pub origin: Option<Origin>,
    /// Second recording for a comparison.
    pub compare: Option<CompareWith>,
    /// Import options.
    pub import: Options,
    /// Memory limit of the command line, which overrides the settings.
    pub memory_limit: Option<u64>,
    /// Index cache.
    pub cache: Cache,
    /// Flow rules.
    pub rules: UserRules,
    /// The user's settings.
    pub settings: Settings,
    /// Key bindings.
    pub keys: KeyMap,
    /// Color theme.
    pub theme: Theme,
    /// View of the first recording, instead of its saved view.
    pub view: Option<SavedView>,
    /// Notes file to show in addition to the first recording's own notes.
    pub notes: Option<PathBuf>,
    /// True to close the window once the whole recording is shown, and to return the load times.
    pub measure_load: bool,
    /// Start of the program, from which load times count.
    pub started: Instant,
}

pub(super) struct App {
    pub(super) options: WindowOptions,
    pub(super) proxy: EventLoopProxy<AppEvent>,
    pub(super) frame_runner: FrameRunner,
    pub(super) shell: Shell,
    pub(super) job: Option<LoadJob>,
    /// Second recording, to be loaded after the first.
    pub(super) waiting: Option<CompareWith>,
    /// Recording that the decompression question is about, and the purpose of its load.
    pub(super) asked: Option<(Origin, Target)>,
    pub(super) native: Option<NativeWindow>,
    /// The graphics device, until the window takes it.
    graphics: Option<GraphicsStart>,
    failure: Option<GpuError>,
    /// Newly opened recordings. Their indexes are written to the cache after their first frame.
    pub(super) pending_cache_writes: Vec<Loaded>,
    /// Saved view of the open recording.
    pub(super) saved_view: Option<SavedViewFile>,
    /// Writer for the user's settings.
    pub(super) settings_file: SettingsFile,
    /// The user's presets.
    pub(super) presets_file: PresetsFile,
    /// Time at which changes of the view are written, if there may be any.
    pub(super) remember_due: Option<Instant>,
    /// Notes store of the open recording.
    pub(super) saved_notes: Option<NotesStore>,
    /// Recently opened recordings.
    pub(super) recent: RecentFiles,
    /// True if the list of recent recordings contains facts about the open one.
    pub(super) is_described: bool,
    /// File that receives the next frame as an image instead of the screen.
    pub(super) wanted_picture: Option<(PathBuf, ImageFormat)>,
    /// Watches on the files of the open recordings, by pane.
    pub(super) file_watches: [Option<FileWatch>; 2],
    /// Threads that write tables.
    pub(super) exports: Vec<JoinHandle<()>>,
    /// Time of the next scheduled frame, if any.
    next_frame: Option<Instant>,
    measure: LoadMeasure,
    /// True once the user has quit.
    pub(super) quits: bool,
}

/// Opens the window and runs it until it is closed; returns the load times if `measure_load` is set.
///
/// # Errors
/// If there is no display or no graphics driver; with `measure_load`, also if the recording cannot be shown.
pub fn run(options: WindowOptions) -> anyhow::Result<Option<LoadTimes>> {
    // Drivers take longer to load than the display to connect.
    let graphics = GraphicsStart::new();
    let connect = tracing::trace_span!("display").entered();
    let event_loop = EventLoop::<AppEvent>::with_user_event().build().map_err(no_window)?;
    drop(connect);
    let proxy = event_loop.create_proxy();
    let frame_runner = FrameRunner::default();
    let waker = proxy.clone();
    frame_runner.context.set_request_repaint_callback(move |info| {
        if info.delay.is_zero() {
            // The event loop runs as long as the window exists.
            let _closed = waker.send_event(AppEvent::Redraw);
        }
    });
    let mut shell = Shell::new(options.keys, options.theme);
    shell.set_query_engine(Arc::new(QueryProgram));
    shell.set_panel_sizes(options.settings.sizes);
    shell.state.collapsed = options.settings.collapsed;
    frame_runner.context.set_zoom_factor(options.settings.scale);
    let (theme, collapsed) = (options.theme, shell.state.collapsed);
    shell.preferences = options.settings.preferences.clone();
    shell.settings_path = settings_file().map(|path| path.display().to_string());
    let (scale, keys, preferences) = (options.settings.scale, options.keys, shell.preferences.clone());
    let kept = WindowSettings { theme, scale, collapsed, keys, preferences };
    let settings_file = SettingsFile::new(kept, shell.panel_sizes());
    let measure = LoadMeasure::new(options.started);
    let mut app = App {
        graphics: Some(graphics),
        shell,
        options,
        proxy,
        frame_runner,
        job: None,
        waiting: None,
        asked: None,
        native: None,
        failure: None,
        pending_cache_writes: Vec::new(),
        saved_view: None,
        settings_file,
        presets_file: PresetsFile::of_user(),
        remember_due: None,
        saved_notes: None,
        recent: RecentFiles::of_user(),
        is_described: false,
        wanted_picture: None,
        file_watches: [None, None],
        exports: Vec::new(),
        next_frame: None,
        measure,
        quits: false,
    };
    app.shell.opener_advice = app.options.settings.opener_advice();
    app.shell.recent = app.recent.read();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    app.shell.utc_offset = local_offset(i64::try_from(now).unwrap_or(0));
    app.shell.formats = file_formats();
    app.shell.facts = about_facts();
    match app.presets_file.read() {
        Ok(presets) => app.shell.presets = presets,
        Err(problem) => app.shell.toast(Toast::failure("The presets were ignored", problem)),
    }
    let problem = app.options.settings.problem.clone();
    problem.into_iter().for_each(|text| app.shell.toast(Toast::failure("Some settings were ignored", text)));
    let needs_recording = app.options.measure_load || app.options.compare.is_some() || app.options.view.is_some();
    let example = || (needs_recording || app.shell.recent.is_empty()).then_some(Origin::Example);
    if let Some(origin) = app.options.origin.clone().or_else(example) {
        app.start_loading(origin);
    }
    app.waiting.clone_from(&app.options.compare);
    event_loop.run_app(&mut app)?;
    if let Some(failure) = app.failure {
        return Err(failure.into());
    }
    if let (true, Some(error)) = (app.options.measure_load, app.shell.error) {
        return Err(anyhow::Error::msg(error));
    }
    Ok(app.measure.times().filter(|_| app.options.measure_load))
}

/// Returns the error for a missing display, with advice.
fn no_window(error: winit::error::EventLoopError) -> anyhow::Error {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let cause = if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET") {
        error.to_string()
    } else {
        "neither DISPLAY nor WAYLAND_DISPLAY is set".into()
    };
    anyhow::anyhow!("cannot open a window: {cause}; `flowline render FILE -o OUT.png` works without a display")
}

impl App {
    fn draw(&mut self) {
        self.follow_loading();
        let Some(native) = &mut self.native else { return };
        let began = Instant::now();
        let texture = match native.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => return,
            // Outdated or lost: configuring the surface creates a new swap chain.
            _ => {
                native.surface.configure(&native.gpu.device, &native.config);
                native.window.request_redraw();
                return;
            }
        };
        let input = native.input.take_egui_input(&native.window);
        let widgets = run_widgets(&mut self.frame_runner, &mut self.shell, input);
        let requests = widgets.output.requests.clone();
        let platform = widgets.output.egui.platform_output.clone();
        let delay = widgets.output.egui.viewport_output.get(&ViewportId::ROOT).map(|viewport| viewport.repaint_delay);
        if let Some((path, format)) = self.wanted_picture.take() {
            native.input.handle_platform_output(&native.window, platform);
            native.window.request_redraw();
            requests.into_iter().for_each(|request| self.answer(request));
            return self.capture(widgets, path, format);
        }
        let times = native.paint(&self.frame_runner.context, &self.shell, widgets, &texture.texture);
        native.window.pre_present_notify();
        native.gpu.queue.present(texture);
        self.measure.window.reached();
        native.input.handle_platform_output(&native.window, platform);
        self.shell.set_frame_time(times.total_ms());
        let pause = match (native.gpu.is_software(), !self.shell.panes.is_empty()) {
            (false, _) => PROGRESS,
            (true, false) => PROGRESS_IN_SOFTWARE,
            (true, true) => PROGRESS_OVER_CHART,
        };
        self.next_frame = delay.and_then(|delay| began.checked_add(delay));
        requests.into_iter().for_each(|request| self.answer(request));
        if !self.shell.panes.is_empty() {
            self.measure.first.reached();
            if self.job.as_ref().is_some_and(|job| job.shown == LoadedPart::AllButFlows) {
                self.measure.markers.reached();
            }
        }
        for loaded in std::mem::take(&mut self.pending_cache_writes) {
            self.measure.whole.reached();
            if !self.options.measure_load {
                write_cache_in_background(loaded);
            }
        }
        self.schedule_save();
        if self.job.is_some() {
            self.next_frame = Some(Instant::now() + pause);
        }
    }
}

/// Interval of progress updates.
const PROGRESS: Duration = Duration::from_millis(50);
/// Interval of progress updates with a software GPU, which competes with loading for cores.
const PROGRESS_IN_SOFTWARE: Duration = Duration::from_millis(400);
/// The same while the beginning of the recording is shown, because each update then draws a chart.
const PROGRESS_OVER_CHART: Duration = Duration::from_secs(2);

/// Writes the index to the cache in the background. If the program ends first, nothing is stored.
fn write_cache_in_background(loaded: Loaded) {
    // After an error, the recording is indexed again next time.
    let work = move || _ = loaded.keep();
    let _not_written = std::thread::Builder::new().name("flowline-cache".into()).spawn(work);
}

impl ApplicationHandler<AppEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.native.is_none() {
            match NativeWindow::new(event_loop, &self.proxy, &self.frame_runner.context, self.graphics.take()) {
                Ok(native) => {
                    native.window.request_redraw();
                    self.shell.facts.extend(graphics_facts(&native.gpu));
                    self.native = Some(native);
                }
                Err(error) => {
                    self.failure = Some(error);
                    event_loop.exit();
                }
            }
        }
    }

    fn user_event(&mut self, _event_loop: &ActiveEventLoop, event: AppEvent) {
        let event = match event {
            AppEvent::Told(message) => {
                self.tell(message);
                AppEvent::Redraw
            }
            AppEvent::FileChanged(path) => {
                self.shell.file_changed(&path);
                AppEvent::Redraw
            }
            event => event,
        };
        let Some(native) = &mut self.native else { return };
        if let AppEvent::Access(request) = event {
            match request.window_event {
                egui_winit::accesskit_winit::WindowEvent::InitialTreeRequested => {
                    self.frame_runner.context.enable_accesskit()
                }
                egui_winit::accesskit_winit::WindowEvent::ActionRequested(action) => {
                    native.input.on_accesskit_action_request(action);
                }
                egui_winit::accesskit_winit::WindowEvent::AccessibilityDeactivated => {
                    self.frame_runner.context.disable_accesskit()
                }
            }
        }
        native.window.request_redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        let Some(native) = &mut self.native else { return };
        let response = native.input.on_window_event(&native.window, &event);
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                native.resize(size.width, size.height);
                native.window.request_redraw();
            }
            WindowEvent::RedrawRequested => self.draw(),
            _ if response.repaint => native.window.request_redraw(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.quits {
            return event_loop.exit();
        }
        // A measurement runs unattended, so the question becomes an error.
        if self.options.measure_load
            && let Some(question) = self.shell.question.take()
        {
            self.shell.error = Some(format!("{}: {}", question.name, question.reason));
        }
        if self.options.measure_load && (self.measure.whole.is_reached() || self.shell.error.is_some()) {
            return event_loop.exit();
        }
        if let Some(failure) = self.native.as_ref().and_then(|native| native.gpu.failure()) {
            self.save_on_exit();
            self.failure = Some(failure);
            return event_loop.exit();
        }
        let now = Instant::now();
        if self.remember_due.is_some_and(|due| due <= now) {
            self.remember();
        }
        if self.next_frame.is_some_and(|due| due <= now) {
            self.next_frame = None;
            if let Some(native) = &self.native {
                native.window.request_redraw();
            }
        }
        let due = [self.next_frame, self.remember_due].into_iter().flatten().min();
        event_loop.set_control_flow(due.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        if !self.options.measure_load {
            self.save_on_exit();
        }
        self.cancel_loading();
        self.end_exports();
        // The surface must be dropped before the window.
        self.native = None;
    }
}
