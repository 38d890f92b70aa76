//! The passes of one frame. The same for a window and for a picture, in this order:
//!
//! 1. commands that the widgets of the last frame asked for,
//! 2. input, each event to its target, which may be what the event before it made the target,
//! 3. refresh: everything that follows from the view, once,
//! 4. widgets,
//! 5. scene,
//! 6. upload, canvas, widgets.
//!
//! 1 to 4 are [`Shell::show`]. They run once for each batch of input ([`FrameRunner`]); what follows runs for the last
//! of them.

use std::time::Instant;

use cpu_time::ThreadTime;
use egui::{Context, RawInput};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

use crate::gpu::{Gpu, GpuTimer, Painter};
use crate::scene::{Palette, Rgba, Scene};
use crate::ui::{FrameOutput, FrameRunner, Shell, style};

/// How long a frame kept the drawing thread's CPU, in milliseconds: time in which other programs, or a software GPU's
/// threads, had the processor does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTimes {
    /// Widgets: layout and input.
    pub ui_ms: f64,
    /// Scene: spans and labels to instances.
    pub scene_ms: f64,
    /// Tessellation, uploads and commands.
    pub submit_ms: f64,
    /// When the device got its commands.
    pub submitted: Option<Instant>,
}

impl FrameTimes {
    /// All of it.
    #[must_use]
    pub fn total_ms(&self) -> f64 {
        self.ui_ms + self.scene_ms + self.submit_ms
    }
}

/// Everything that draws frames onto targets of one format.
pub struct FramePainter {
    painter: Painter,
    widgets: Renderer,
    scene: Scene,
}

/// Result of the widget pass.
pub struct WidgetPass {
    /// What the widgets gave.
    pub output: FrameOutput,
    /// Milliseconds it took.
    pub ms: f64,
}

/// Runs input, refresh and widgets.
pub(super) fn run_widgets(runner: &mut FrameRunner, shell: &mut Shell, input: RawInput) -> WidgetPass {
    let began = ThreadTime::now();
    let output = runner.run(shell, input);
    WidgetPass { output, ms: elapsed_ms(began) }
}

fn elapsed_ms(began: ThreadTime) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

impl FramePainter {
    /// For targets of a format.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        Self {
            painter: Painter::new(gpu, format, style::font_bytes()),
            widgets: Renderer::new(&gpu.device, format, RendererOptions::default()),
            scene: Scene::default(),
        }
    }

    /// The scene built last.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Draws canvas and widgets onto a view and submits.
    pub fn paint(
        &mut self,
        context: &Context,
        shell: &Shell,
        widgets: WidgetPass,
        view: &wgpu::TextureView,
        size: [u32; 2],
        timer: Option<&GpuTimer>,
    ) -> FrameTimes {
        let mut times = FrameTimes { ui_ms: widgets.ms, ..FrameTimes::default() };
        let began = ThreadTime::now();
        let frame = match &shell.session {
            Some(session) => {
                // The surface may still have the size of the frame before.
                let input = session.scene_input().with_size(size);
                Some(self.scene.build(&input))
            }
            None => None,
        };
        times.scene_ms = elapsed_ms(began);

        let began = ThreadTime::now();
        let gpu = self.painter.gpu().clone();
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        let output = widgets.output.egui;
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: output.pixels_per_point };
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        let changed = output.textures_delta.set.iter();
        changed.flat_map(|(id, deltas)| deltas.iter().map(move |delta| (id, delta))).for_each(|(id, delta)| {
            self.widgets.update_texture(&gpu.device, &gpu.queue, *id, delta);
        });
        if let Some(frame) = frame {
            self.painter.prepare(frame, &mut encoder);
        }
        let mut commands = self.widgets.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &primitives, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("frame"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(clear_color(Palette::for_theme(shell.theme).background)),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                timestamp_writes: timer.map(|timer| timer.writes()),
                ..wgpu::RenderPassDescriptor::default()
            });
            let mut pass = pass.forget_lifetime();
            if let Some(frame) = frame {
                self.painter.draw(frame, &mut pass);
            }
            self.widgets.render(&mut pass, &primitives, &screen);
        }
        if let Some(timer) = timer {
            timer.resolve(&mut encoder);
        }
        commands.push(encoder.finish());
        gpu.queue.submit(commands);
        times.submitted = Some(Instant::now());
        self.painter.recall();
        output.textures_delta.free.iter().for_each(|id| self.widgets.free_texture(id));
        times.submit_ms = elapsed_ms(began);
        times
    }
}

fn clear_color(color: Rgba) -> wgpu::Color {
    let [r, g, b, a] = color.map(|channel| f64::from(channel) / 255.0);
    wgpu::Color { r, g, b, a }
}
