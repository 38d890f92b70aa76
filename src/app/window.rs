//! The window: winit's event loop, the surface, and loading in the background. It redraws on input and on results of
//! background work, never in a loop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Context, ViewportId};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use super::load::{Loaded, Origin};
use super::load_job::{LoadJob, LoadRequest, LoadResult, LoadState};
use super::partial_load::transfer_view_state;
use super::passes::{FramePainter, run_widgets};
use super::saved_view::SavedViewFile;
use super::user_files::UserRules;
use crate::cache::Cache;
use crate::gpu::{Gpu, GpuError};
use crate::import::Options;
use crate::session::{Session, Wake};
use crate::ui::{FrameRunner, KeyMap, Request, Shell};
use crate::view::Theme;

/// Options of the window.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// What to open first.
    pub origin: Origin,
    /// How to read it.
    pub import: Options,
    /// Where indexes are kept.
    pub cache: Cache,
    /// Rules of flows.
    pub rules: UserRules,
    /// Key bindings.
    pub keys: KeyMap,
    /// Colours.
    pub theme: Theme,
}

/// An event from another thread.
#[derive(Debug)]
enum AppEvent {
    /// The window needs a redraw.
    Redraw,
    /// A request of assistive technology.
    Access(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for AppEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}

/// The native window with its surface and renderer; exists only while the window does.
struct NativeWindow {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    painter: FramePainter,
    input: egui_winit::State,
}

struct App {
    options: WindowOptions,
    proxy: EventLoopProxy<AppEvent>,
    frame_runner: FrameRunner,
    shell: Shell,
    job: Option<LoadJob>,
    native: Option<NativeWindow>,
    failure: Option<GpuError>,
    /// A newly opened recording. Its index is written to the cache after its first frame.
    pending_cache_write: Option<Loaded>,
    /// Saved view of the open recording.
    saved_view: Option<SavedViewFile>,
    /// Time of the next scheduled frame, if any.
    next_frame: Option<Instant>,
}

/// Opens the window and runs it until it is closed.
///
/// # Errors
/// When there is no display or no graphics driver.
pub fn run(options: WindowOptions) -> anyhow::Result<()> {
    let event_loop = EventLoop::<AppEvent>::with_user_event().build().map_err(no_window)?;
    let proxy = event_loop.create_proxy();
    let frame_runner = FrameRunner::default();
    let waker = proxy.clone();
    frame_runner.context.set_request_repaint_callback(move |info| {
        if info.delay.is_zero() {
            // The event loop ends only with the window.
            let _closed = waker.send_event(AppEvent::Redraw);
        }
    });
    let mut app = App {
        shell: Shell::new(options.keys, options.theme),
        options,
        proxy,
        frame_runner,
        job: None,
        native: None,
        failure: None,
        pending_cache_write: None,
        saved_view: None,
        next_frame: None,
    };
    let origin = app.options.origin.clone();
    app.start_loading(origin);
    event_loop.run_app(&mut app)?;
    app.failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// The error when there is no display, with advice.
fn no_window(error: winit::error::EventLoopError) -> anyhow::Error {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let cause = if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET") {
        error.to_string()
    } else {
        "neither DISPLAY nor WAYLAND_DISPLAY is set".into()
    };
    anyhow::anyhow!("there is no display for a window: {cause}; `flowline render FILE -o OUT.png` needs none")
}

impl NativeWindow {
    fn new(
        event_loop: &ActiveEventLoop,
        proxy: &EventLoopProxy<AppEvent>,
        context: &Context,
    ) -> Result<Self, GpuError> {
        let failed = |error: &dyn std::fmt::Display| GpuError::Surface(error.to_string());
        let attributes = Window::default_attributes()
            .with_title("Flowline")
            .with_inner_size(winit::dpi::LogicalSize::new(1440.0, 900.0))
            .with_visible(false);
        let window = Arc::new(event_loop.create_window(attributes).map_err(|error| failed(&error))?);
        let connect = |backends| {
            let instance = Gpu::instance(backends, Some(Box::new(event_loop.owned_display_handle())));
            let surface = instance.create_surface(Arc::clone(&window)).map_err(|error| failed(&error))?;
            Gpu::with_instance(instance, Some(&surface)).map(|gpu| (surface, gpu))
        };
        let (surface, gpu) = connect(wgpu::Backends::VULKAN).or_else(|_| connect(wgpu::Backends::GL))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| GpuError::Surface("the driver offers no format".into()))?;
        // Gamma-space formats: egui and the painter both blend there.
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        if let Some(format) = formats.into_iter().find(|format| !format.is_srgb()) {
            config.format = format;
        }
        config.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&gpu.device, &config);
        let painter = FramePainter::new(&gpu, config.format);
        let mut input = egui_winit::State::new(
            context.clone(),
            ViewportId::ROOT,
            &*window,
            None,
            window.theme(),
            Some(gpu.device.limits().max_texture_dimension_2d as usize),
        );
        // The adapter must see the window before it is shown.
        input.init_accesskit(event_loop, &window, proxy.clone());
        window.set_visible(true);
        Ok(Self { window, surface, config, gpu, painter, input })
    }

    fn resize(&mut self, width: u32, height: u32) {
        if width > 0 && height > 0 {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }
}

impl App {
    fn start_loading(&mut self, origin: Origin) {
        self.cancel_loading();
        let WindowOptions { import, cache, rules, .. } = self.options.clone();
        let proxy = self.proxy.clone();
        // After the event loop has ended, nothing needs a redraw.
        let notify = move || _ = proxy.send_event(AppEvent::Redraw);
        match LoadJob::start(LoadRequest { origin, import, cache, rules }, notify) {
            Ok(job) => self.job = Some(job),
            Err(error) => self.shell.error = Some(error.to_string()),
        }
    }

    fn cancel_loading(&mut self) {
        if let Some(job) = self.job.take() {
            job.cancel();
        }
        self.shell.loading = None;
    }

    /// Takes a load's result, or shows its progress.
    fn follow_loading(&mut self) {
        let Some(mut job) = self.job.take() else { return };
        match job.state() {
            LoadState::Running(loading) => {
                self.shell.loading = Some(loading);
                self.job = Some(job);
                return;
            }
            LoadState::Done(LoadResult::Partial(loaded)) => {
                // The saved view belongs to the complete recording: it is neither read nor written yet.
                self.saved_view = None;
                self.show(&job.origin, *loaded);
                job.has_begun = true;
                self.job = Some(job);
                return;
            }
            LoadState::Done(LoadResult::Whole(result)) => match *result {
                Ok(loaded) => self.show_whole(&job, loaded),
                Err(error) => self.shell.error = Some(job.origin.explain(&error)),
            },
            LoadState::Lost => self.shell.error = Some(format!("{}: loading ended unexpectedly", job.origin.name())),
        }
        self.shell.loading = None;
    }

    fn show(&mut self, origin: &Origin, loaded: Loaded) {
        let context = self.frame_runner.context.clone();
        let wake: Wake = Arc::new(move || context.request_repaint());
        let session = Session::with_setup(origin.path().to_owned(), loaded.index, loaded.setup, Arc::clone(&wake));
        if let Some(native) = &self.native {
            native.window.set_title(&format!("{} – Flowline", session.name()));
        }
        self.shell.open(session, &wake);
    }

    fn show_whole(&mut self, job: &LoadJob, loaded: Loaded) {
        let beginning = if job.has_begun { self.shell.session.take() } else { None };
        self.pending_cache_write = Some(loaded.clone());
        self.show(&job.origin, loaded);
        let Some(session) = &mut self.shell.session else { return };
        self.saved_view = SavedViewFile::for_recording(&session.path);
        if let Some(saved) = self.saved_view.as_mut().and_then(|file| file.read(&session.index)) {
            session.view.flows = saved.flows;
            self.shell.flow_height = saved.height.unwrap_or(self.shell.flow_height);
        }
        if let Some(beginning) = beginning {
            transfer_view_state(&beginning, session);
        }
    }

    /// Saves entered and pinned flows at once, because the program may be killed.
    fn remember(&mut self) {
        if let Some((file, session)) = self.saved_view.as_mut().zip(self.shell.session.as_ref()) {
            file.write(&session.index, &session.view.flows, self.shell.flow_height);
        }
    }

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
        let dropped: Vec<_> = input.dropped_files.iter().map(|file| file.path().to_owned()).collect();
        let widgets = run_widgets(&mut self.frame_runner, &mut self.shell, input);
        let mut requests = widgets.output.requests.clone();
        requests.extend(dropped.into_iter().map(Request::Open));
        let platform = widgets.output.egui.platform_output.clone();
        let delay = widgets.output.egui.viewport_output.get(&ViewportId::ROOT).map(|viewport| viewport.repaint_delay);
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let size = [native.config.width, native.config.height];
        let times = native.painter.paint(&self.frame_runner.context, &self.shell, widgets, &view, size, None);
        native.window.pre_present_notify();
        native.gpu.queue.present(texture);
        native.input.handle_platform_output(&native.window, platform);
        self.shell.set_frame_time(times.total_ms());
        let pause = if native.gpu.is_software() { PROGRESS_IN_SOFTWARE } else { PROGRESS };
        self.next_frame = delay.and_then(|delay| began.checked_add(delay));
        for request in requests {
            match request {
                Request::Open(path) => self.start_loading(Origin::File(path)),
                Request::CancelLoading => self.cancel_loading(),
            }
        }
        if let Some(loaded) = self.pending_cache_write.take() {
            write_cache_in_background(loaded);
        }
        self.remember();
        if self.job.is_some() {
            self.next_frame = Some(Instant::now() + pause);
        }
    }
}

/// Interval of progress updates.
const PROGRESS: Duration = Duration::from_millis(50);
/// Interval of progress updates with a software GPU, which competes with loading for cores.
const PROGRESS_IN_SOFTWARE: Duration = Duration::from_millis(400);

/// Writes the index to the cache in the background. If the program ends first, nothing is stored.
fn write_cache_in_background(loaded: Loaded) {
    // On errors, the recording is read again next time.
    let work = move || _ = loaded.keep();
    let _not_written = std::thread::Builder::new().name("flowline-cache".into()).spawn(work);
}

impl ApplicationHandler<AppEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.native.is_none() {
            match NativeWindow::new(event_loop, &self.proxy, &self.frame_runner.context) {
                Ok(native) => {
                    native.window.request_redraw();
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
        let now = Instant::now();
        match self.next_frame {
            Some(due) if due <= now => {
                self.next_frame = None;
                if let Some(native) = &self.native {
                    native.window.request_redraw();
                }
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            Some(due) => event_loop.set_control_flow(ControlFlow::WaitUntil(due)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        self.cancel_loading();
        // The surface must be dropped before the window.
        self.native = None;
    }
}
