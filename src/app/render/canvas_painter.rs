//! The painter of the canvas, built on a thread of its own. Its pipelines take longer to compile than the first frame of a
//! window to draw, which contains only widgets.

use std::thread::JoinHandle;

use flowline_gpu::{Gpu, Painter};
use flowline_ui::style;

/// A painter that is being built until it is first used.
pub(super) struct CanvasPainter {
    gpu: Gpu,
    format: wgpu::TextureFormat,
    thread: Option<JoinHandle<Painter>>,
    painter: Option<Painter>,
}

fn build(gpu: &Gpu, format: wgpu::TextureFormat) -> Painter {
    let _span = tracing::trace_span!("pipelines").entered();
    Painter::new(gpu, format, style::font_bytes())
}

impl CanvasPainter {
    /// Starts building the painter.
    pub(super) fn start(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let own = gpu.clone();
        let thread = std::thread::Builder::new().name("flowline-painter".into()).spawn(move || build(&own, format));
        // Without a thread, it is built on first use.
        Self { gpu: gpu.clone(), format, thread: thread.ok(), painter: None }
    }

    /// The painter; waits until it is built.
    pub(super) fn get(&mut self) -> &mut Painter {
        if let Some(thread) = self.thread.take() {
            match thread.join() {
                Ok(painter) => self.painter = Some(painter),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        self.painter.get_or_insert_with(|| build(&self.gpu, self.format))
    }
}

impl Drop for CanvasPainter {
    /// A driver must not be compiling while the process exits.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _unused = thread.join();
        }
    }
}
