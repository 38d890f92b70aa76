//! The passes of a frame. They are the same for a window and an off-screen image, in this order:
//! 1. commands returned by the widgets of the previous frame,
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

use super::canvas_painter::CanvasPainter;
use super::damage_tracking::{Drawn, widgets_in};
use super::mesh_cache::{MeshCache, MeshList};
use super::pixels::Pixels;
use flowline_gpu::{Gpu, GpuTimer, Painter, Target};
use flowline_scene::{Frame, Palette, PixelRect, Rgba, Scene};
use flowline_ui::{FrameOutput, FrameRunner, Shell};

/// CPU time of the drawing thread for one frame, in milliseconds. Excludes time used by other programs or by the
/// threads of a software GPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTimes {
    /// Widgets: layout and input.
    pub ui_ms: f64,
    /// Scene: spans and labels to instances.
    pub scene_ms: f64,
    /// Tessellation, uploads and commands.
    pub submit_ms: f64,
    /// Time at which the commands were submitted.
    pub submitted: Option<Instant>,
    /// Share of the target that was drawn, from 0 to 1.
    pub share: f64,
}

impl FrameTimes {
    /// Total in milliseconds.
    #[must_use]
    pub fn total_ms(&self) -> f64 {
        self.ui_ms + self.scene_ms + self.submit_ms
    }
}

/// Draws frames to targets of one format.
pub struct FramePainter {
    gpu: Gpu,
    canvas: CanvasPainter,
    widgets: Renderer,
    is_software: bool,
    /// The scene of each recording, from top to bottom; there is always one, even without a recording.
    scenes: Vec<Scene>,
    /// State of the last drawn frame, for damage tracking.
    drawn: Option<Drawn>,
    meshes: MeshCache,
    /// See [`FramePainter::set_reference_target`].
    compared: Option<Target>,
}

/// Result of the widget pass.
pub struct WidgetPass {
    /// Output of the widgets.
    pub output: FrameOutput,
    /// CPU time in milliseconds.
    pub ms: f64,
}

/// Runs input, refresh and widgets.
pub(crate) fn run_widgets(runner: &mut FrameRunner, shell: &mut Shell, input: RawInput) -> WidgetPass {
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
            gpu: gpu.clone(),
            canvas: CanvasPainter::start(gpu, format),
            // Widgets use solid colors, so dithering is not needed.
            widgets: Renderer::new(
                &gpu.device,
                format,
                RendererOptions { dithering: false, ..RendererOptions::default() },
            ),
            is_software: gpu.is_software(),
            scenes: vec![Scene::default()],
            drawn: None,
            meshes: MeshCache::default(),
            compared: None,
        }
    }

    /// Last built scenes, one per recording from top to bottom.
    #[must_use]
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// Last drawn frames, from bottom to top.
    #[must_use]
    pub fn frames(&self, shell: &Shell) -> Vec<&flowline_scene::Frame> {
        self.scenes.iter().take(shell.panes.len()).map(Scene::frame).collect()
    }

    /// Draws canvas and widgets and submits the commands. If the target keeps its image, only changed areas are drawn.
    pub fn paint(
        &mut self,
        context: &Context,
        shell: &Shell,
        widgets: WidgetPass,
        onto: FrameTarget<'_>,
        timer: Option<&GpuTimer>,
    ) -> FrameTimes {
        let mut times = FrameTimes { ui_ms: widgets.ms, ..FrameTimes::default() };
        let _frame = tracing::trace_span!("frame", shows_commands = true).entered();
        let size = onto.size();
        let began = ThreadTime::now();
        self.build_scenes(shell, size);
        let scenes: Vec<&Scene> = self.scenes.iter().take(shell.panes.len()).collect();
        let frames: Vec<&Frame> = scenes.iter().map(|scene| scene.frame()).collect();
        let frames_before: Vec<&Frame> = scenes.iter().map(|scene| scene.frame_before()).collect();
        times.scene_ms = elapsed_ms(began);
        let _draw = tracing::trace_span!("draw").entered();

        let began = ThreadTime::now();
        let gpu = self.gpu.clone();
        let mut canvas = if frames.is_empty() { None } else { Some(self.canvas.get()) };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        let output = widgets.output.egui;
        let scale = output.pixels_per_point;
        let changed = output.textures_delta.set.iter();
        changed.flat_map(|(id, deltas)| deltas.iter().map(move |delta| (id, delta))).for_each(|(id, delta)| {
            self.widgets.update_texture(&gpu.device, &gpu.queue, *id, delta);
        });
        let background = Palette::for_theme(shell.theme).canvas;
        // A new texture may change the look of unchanged meshes. Partial updates only add glyphs.
        let is_new = output.textures_delta.set.values().flatten().any(|delta| delta.pos.is_none());
        let before = self.drawn.take().filter(|_| !is_new);
        if is_new {
            self.meshes.forget();
        }
        let takes_fills = self.is_software && !frames.is_empty();
        // The reference frame is drawn without cached meshes.
        let reference_meshes = self.compared.is_some().then(|| {
            let mut reference_meshes = MeshCache::default();
            reference_meshes.update(context, output.shapes.clone(), scale, takes_fills);
            reference_meshes
        });
        self.meshes.update(context, output.shapes, scale, takes_fills);
        let (meshes, meshes_before) = (self.meshes.now(), self.meshes.before());
        let target = if let FrameTarget::Kept(target) = onto { Some(target.id) } else { None };
        let drawn = Drawn {
            target: target.unwrap_or(u64::MAX),
            size,
            scale,
            background,
            frames: frames.iter().map(|frame| frame.id).collect(),
        };
        let whole = || vec![Pixels::of_size(size)];
        let areas = match (&before, target) {
            (Some(before), Some(_)) if !frames.is_empty() => {
                drawn.damage_since(before, [meshes, meshes_before], [&frames, &frames_before])
            }
            _ => whole(),
        };
        let pixels = |areas: &[Pixels]| areas.iter().map(|area| f64::from(area.area())).sum::<f64>();
        times.share = pixels(&areas) / pixels(&whole()).max(1.0);
        let mut commands = Vec::new();
        let mut fits = true;
        if let Some(canvas) = canvas.as_mut().filter(|_| !areas.is_empty()) {
            fits = canvas.prepare(&frames, &meshes.fills, background, &mut encoder);
        }
        commands.extend(draw(
            Painters { gpu: &gpu, canvas: canvas.as_deref(), widgets: &mut self.widgets },
            Contents { frames: &frames, drawn: &drawn, meshes },
            &areas,
            onto.view(),
            &mut encoder,
            timer,
        ));
        if let Some(timer) = timer {
            timer.resolve(&mut encoder);
        }
        commands.push(encoder.finish());
        gpu.queue.submit(commands);
        times.submitted = Some(Instant::now());
        if let Some((whole_target, reference_meshes)) = self.compared.as_ref().zip(reference_meshes.as_ref()) {
            let meshes = reference_meshes.now();
            let mut encoder =
                gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("whole") });
            if let Some(canvas) = &mut canvas {
                canvas.prepare(&frames, &meshes.fills, background, &mut encoder);
            }
            let mut commands = draw(
                Painters { gpu: &gpu, canvas: canvas.as_deref(), widgets: &mut self.widgets },
                Contents { frames: &frames, drawn: &drawn, meshes },
                &whole(),
                &whole_target.view,
                &mut encoder,
                None,
            );
            commands.push(encoder.finish());
            gpu.queue.submit(commands);
        }
        if let Some(canvas) = canvas {
            canvas.recall();
        }
        output.textures_delta.free.iter().for_each(|id| self.widgets.free_texture(id));
        // Text that did not fit is drawn in the next frame, which must be redrawn completely.
        self.drawn = Some(drawn).filter(|_| fits);
        times.submit_ms = elapsed_ms(began);
        times
    }

    /// Builds the scenes of the open recordings. The surface may still have the size of the previous frame.
    fn build_scenes(&mut self, shell: &Shell, size: [u32; 2]) {
        let _span = tracing::trace_span!("scene").entered();
        self.scenes.resize_with(shell.panes.len().max(1), Scene::default);
        for (scene, pane) in self.scenes.iter_mut().zip(&shell.panes) {
            scene.build(&pane.session.scene_input().with_size(size));
        }
    }

    /// Draws every following frame also in full to this target, as a reference for tests of damage tracking.
    pub fn set_reference_target(&mut self, target: Target) {
        self.compared = Some(target);
    }

    /// The target of [`FramePainter::set_reference_target`].
    #[must_use]
    pub const fn compared(&self) -> Option<&Target> {
        self.compared.as_ref()
    }
}

/// Render target of a frame.
#[derive(Clone, Copy, Debug)]
pub enum FrameTarget<'a> {
    /// A target that keeps its image between frames.
    Kept(&'a Target),
    /// A view of this size without previous contents.
    Empty(&'a wgpu::TextureView, [u32; 2]),
}

impl<'a> FrameTarget<'a> {
    const fn view(self) -> &'a wgpu::TextureView {
        match self {
            Self::Kept(target) => &target.view,
            Self::Empty(view, _) => view,
        }
    }

    const fn size(self) -> [u32; 2] {
        match self {
            Self::Kept(target) => target.size(),
            Self::Empty(_, size) => size,
        }
    }
}

/// What draws: the canvas and the widgets.
struct Painters<'a> {
    gpu: &'a Gpu,
    canvas: Option<&'a Painter>,
    widgets: &'a mut Renderer,
}

/// What is drawn.
#[derive(Clone, Copy)]
struct Contents<'a> {
    frames: &'a [&'a Frame],
    drawn: &'a Drawn,
    meshes: &'a MeshList,
}

/// Draws areas of a target; returns the commands that must be submitted before those of `encoder`.
fn draw(
    painters: Painters<'_>,
    contents: Contents<'_>,
    areas: &[Pixels],
    view: &wgpu::TextureView,
    encoder: &mut wgpu::CommandEncoder,
    timer: Option<&GpuTimer>,
) -> Vec<wgpu::CommandBuffer> {
    let Painters { gpu, canvas, widgets } = painters;
    let Contents { frames, drawn, meshes } = contents;
    let screen = ScreenDescriptor { size_in_pixels: drawn.size, pixels_per_point: drawn.scale };
    let is_whole = areas == [Pixels::of_size(drawn.size)];
    let inside;
    let meshes = match is_whole {
        true => &meshes.meshes,
        false => {
            inside = widgets_in(areas, &meshes.meshes, drawn.scale);
            &inside
        }
    };
    let commands = widgets.update_buffers(&gpu.device, &gpu.queue, encoder, meshes, &screen);
    let load = match is_whole {
        true => wgpu::LoadOp::Clear(clear_color(drawn.background)),
        false => wgpu::LoadOp::Load,
    };
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("frame"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        timestamp_writes: timer.map(|timer| timer.writes()),
        ..wgpu::RenderPassDescriptor::default()
    });
    let mut pass = pass.forget_lifetime();
    let places: Vec<PixelRect> = areas.iter().map(|area| area.rect()).collect();
    if let Some(canvas) = canvas {
        canvas.draw(frames, (!is_whole).then_some(&*places), &mut pass);
    }
    widgets.render(&mut pass, meshes, &screen);
    commands
}

fn clear_color(color: Rgba) -> wgpu::Color {
    let [r, g, b, a] = color.map(|channel| f64::from(channel) / 255.0);
    wgpu::Color { r, g, b, a }
}
