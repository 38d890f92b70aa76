//! The passes of a frame. They are the same for a window and a picture, in this order:
//! 1. commands returned by the widgets of the last frame,
//! 2. input: each event goes to its target, which an earlier event of the frame may have set,
//! 3. refresh: everything that depends on the view, once,
//! 4. widgets,
//! 5. scene,
//! 6. upload, canvas, widgets.
//!
//! [`Shell::show`] runs passes 1 to 4, once per batch of input ([`FrameRunner`]). Passes 5 and 6 run once, after the
//! last batch.

use std::time::Instant;

use cpu_time::ThreadTime;
use egui::{Context, RawInput};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

use super::plain_fills::take_plain_fills;
use crate::gpu::{Gpu, GpuTimer, Painter};
use crate::scene::{Palette, Rgba, Scene};
use crate::ui::{FrameOutput, FrameRunner, Shell, style};

/// CPU time of the drawing thread for one frame, in milliseconds. Time used by other programs or by the threads of a
/// software GPU does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTimes {
    /// Widgets: layout and input.
    pub ui_ms: f64,
    /// Scene: spans and labels to instances.
    pub scene_ms: f64,
    /// Tessellation, uploads and commands.
    pub submit_ms: f64,
    /// When the commands were submitted.
    pub submitted: Option<Instant>,
}

impl FrameTimes {
    /// Total in milliseconds.
    #[must_use]
    pub fn total_ms(&self) -> f64 {
        self.ui_ms + self.scene_ms + self.submit_ms
    }
}

/// Draws frames onto targets of one format.
pub struct FramePainter {
    painter: Painter,
    widgets: Renderer,
    scene: Scene,
    /// The scene of the second recording, while there is one.
    other_scene: Option<Scene>,
}

/// Result of the widget pass.
pub struct WidgetPass {
    /// Output of the widgets.
    pub output: FrameOutput,
    /// CPU time in milliseconds.
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
    /// Creates a painter for targets of a format.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        Self {
            painter: Painter::new(gpu, format, style::font_bytes()),
            // Colours of widgets are plain: there is nothing to dither.
            widgets: Renderer::new(
                &gpu.device,
                format,
                RendererOptions { dithering: false, ..RendererOptions::default() },
            ),
            scene: Scene::default(),
            other_scene: None,
        }
    }

    /// The scene built last.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The scene of the second recording, if there is one.
    #[must_use]
    pub const fn other_scene(&self) -> Option<&Scene> {
        self.other_scene.as_ref()
    }

    /// The frames drawn last, from the lowest to the topmost.
    #[must_use]
    pub fn frames(&self, shell: &Shell) -> Vec<&crate::scene::Frame> {
        let first = shell.session.is_some().then(|| self.scene.frame());
        first.into_iter().chain(self.other_scene.as_ref().map(Scene::frame)).collect()
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
        let mut frames = Vec::new();
        // The surface may still have the size of the previous frame.
        frames.extend(shell.session.as_ref().map(|session| self.scene.build(&session.scene_input().with_size(size))));
        match &shell.other {
            Some(other) => {
                let scene = self.other_scene.get_or_insert_with(Scene::default);
                frames.push(scene.build(&other.session.scene_input().with_size(size)));
            }
            None => self.other_scene = None,
        }
        times.scene_ms = elapsed_ms(began);

        let began = ThreadTime::now();
        let gpu = self.painter.gpu().clone();
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        let output = widgets.output.egui;
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: output.pixels_per_point };
        let mut primitives = context.tessellate(output.shapes, output.pixels_per_point);
        let fills = match frames.is_empty() {
            true => Vec::new(),
            false => take_plain_fills(&mut primitives, output.pixels_per_point),
        };
        let changed = output.textures_delta.set.iter();
        changed.flat_map(|(id, deltas)| deltas.iter().map(move |delta| (id, delta))).for_each(|(id, delta)| {
            self.widgets.update_texture(&gpu.device, &gpu.queue, *id, delta);
        });
        if !frames.is_empty() {
            self.painter.prepare(&frames, &fills, &mut encoder);
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
            self.painter.draw(&frames, &mut pass);
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
