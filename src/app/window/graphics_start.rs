//! Opens the graphics device on a thread of its own, while the event loop connects to the display and creates the window.
//!
//! Only Vulkan devices can be opened before there is a window. If that fails, or if the device cannot draw to the window,
//! the window opens a device itself.

use std::sync::Arc;
use std::thread::JoinHandle;

use winit::window::Window;

use flowline_gpu::Gpu;

/// A graphics device that is being opened.
pub(super) struct GraphicsStart(Option<JoinHandle<Option<Gpu>>>);

impl GraphicsStart {
    pub(super) fn new() -> Self {
        let open = || {
            let _span = tracing::trace_span!("graphics device").entered();
            Gpu::with_instance(Gpu::instance(wgpu::Backends::VULKAN, None), None).ok()
        };
        Self(std::thread::Builder::new().name("flowline-graphics".into()).spawn(open).ok())
    }

    /// Waits for the device. Returns it with a surface of the window; `None` if it cannot draw to the window.
    pub(super) fn finish(mut self, window: &Arc<Window>) -> Option<(wgpu::Surface<'static>, Gpu)> {
        let gpu = self.0.take()?.join().ok()??;
        let surface = gpu.instance.create_surface(Arc::clone(window)).ok()?;
        gpu.adapter.is_surface_supported(&surface).then_some((surface, gpu))
    }
}

impl Drop for GraphicsStart {
    /// A driver must not be loading while the process exits.
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _unused = thread.join();
        }
    }
}
