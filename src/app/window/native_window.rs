//! The native window: winit's window, its surface, the painter, and the events that other threads send to it.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, ViewportId};
use winit::dpi::LogicalSize;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::platform::wayland::WindowAttributesExtWayland;
use winit::platform::x11::WindowAttributesExtX11;
use winit::window::Window;

use super::graphics_start::GraphicsStart;
use crate::app::render::{FramePainter, FrameTarget, FrameTimes, WidgetPass};
use flowline_gpu::{Gpu, GpuError, Target};
use flowline_ui::{Shell, Toast};

/// An event from another thread.
#[derive(Debug)]
pub(super) enum AppEvent {
    /// The window needs a redraw.
    Redraw,
    /// A toast for the user.
    Told(Toast),
    /// The file of an open recording has changed.
    FileChanged(PathBuf),
    /// A request from assistive technology.
    Access(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for AppEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}

/// The native window with its surface and renderer; exists only while the window is open.
pub(super) struct NativeWindow {
    pub(super) window: Arc<Window>,
    pub(super) surface: wgpu::Surface<'static>,
    pub(super) config: wgpu::SurfaceConfiguration,
    pub(super) gpu: Gpu,
    pub(super) painter: FramePainter,
    pub(super) input: egui_winit::State,
    /// True if images can be copied to the surface.
    can_copy: bool,
    /// Render target whose image is copied to the surface.
    target: Option<Target>,
}

/// Returns the size of a new window, which fits the screen and its bars.
fn first_size(event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let screen = monitor.map(|monitor| monitor.size().to_logical::<f64>(monitor.scale_factor()));
    let screen = screen.filter(|screen| screen.width > 0.0 && screen.height > 0.0);
    let room = screen.unwrap_or(LogicalSize::new(f64::MAX, f64::MAX));
    LogicalSize::new((room.width - 24.0).clamp(480.0, 1440.0), (room.height - 72.0).clamp(320.0, 900.0))
}

impl NativeWindow {
    pub(super) fn new(
        event_loop: &ActiveEventLoop,
        proxy: &EventLoopProxy<AppEvent>,
        context: &Context,
        graphics: Option<GraphicsStart>,
    ) -> Result<Self, GpuError> {
        let _span = tracing::trace_span!("native window").entered();
        let failed = |error: &dyn std::fmt::Display| GpuError::Surface(error.to_string());
        let attributes = Window::default_attributes()
            .with_title("Flowline")
            .with_inner_size(first_size(event_loop))
            .with_visible(false);
        // The name of the desktop entry gives the window its icon.
        let attributes = WindowAttributesExtX11::with_name(attributes, "flowline", "flowline");
        let attributes = WindowAttributesExtWayland::with_name(attributes, "flowline", "flowline");
        let window = Arc::new(event_loop.create_window(attributes).map_err(|error| failed(&error))?);
        let connect = |backends| {
            let instance = Gpu::instance(backends, Some(Box::new(event_loop.owned_display_handle())));
            // Without a driver, the error of the surface is not even a sentence.
            let explained = |error| Gpu::missing_driver(&instance).unwrap_or_else(|| failed(&error));
            let surface = instance.create_surface(Arc::clone(&window)).map_err(explained)?;
            Gpu::with_instance(instance, Some(&surface)).map(|gpu| (surface, gpu))
        };
        let (surface, gpu) = match graphics.and_then(|graphics| graphics.finish(&window)) {
            Some(opened) => opened,
            None => connect(wgpu::Backends::VULKAN).or_else(|_| connect(wgpu::Backends::GL))?,
        };
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| GpuError::Surface("the driver supports no surface format".into()))?;
        // Gamma-space formats, because egui and the painter both blend in gamma space.
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        if let Some(format) = formats.into_iter().find(|format| !format.is_srgb()) {
            config.format = format;
        }
        config.present_mode = wgpu::PresentMode::AutoVsync;
        // Partial frames are drawn to a target and copied; without copy support, whole frames are drawn to the window.
        let can_copy = surface.get_capabilities(&gpu.adapter).usages.contains(wgpu::TextureUsages::COPY_DST);
        if can_copy {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
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
        // The accessibility adapter must be created before the window is shown.
        input.init_accesskit(event_loop, &window, proxy.clone());
        window.set_visible(true);
        Ok(Self { window, surface, config, gpu, painter, input, can_copy, target: None })
    }

    /// Draws a frame and copies it to a texture of the surface.
    pub(super) fn paint(
        &mut self,
        context: &Context,
        shell: &Shell,
        widgets: WidgetPass,
        texture: &wgpu::Texture,
    ) -> FrameTimes {
        let size = [texture.width(), texture.height()];
        if !self.can_copy {
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            return self.painter.paint(context, shell, widgets, FrameTarget::Empty(&view, size), None);
        }
        let kept = self.target.take().filter(|target| target.size() == size);
        let target = kept.unwrap_or_else(|| Target::with_format(&self.gpu, size, self.config.format));
        let times = self.painter.paint(context, shell, widgets, FrameTarget::Kept(&target), None);
        let mut encoder =
            self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("copy") });
        target.copy_to(texture, &mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.target = Some(target);
        times
    }

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        if width > 0 && height > 0 {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }
}
