//! Text drawing with glyphon, for several frames in one target. Lines are shaped once and cached. A line that does not
//! fit its clip rectangle ends in an ellipsis after the last glyph that fits.

use std::collections::HashMap;
use std::sync::Arc;

use glyphon::{
    Attrs, Buffer, Cache, Color, ColorMode, Family, FontSystem, Metrics, Resolution, Shaping, SwashCache, TextArea,
    TextAtlas, TextBounds, TextRenderer, Viewport, Wrap,
};

use super::Gpu;
use flowline_scene::{Frame, TextRun};

/// Lines are evicted after this many frames without use.
const KEEP_FRAMES: u64 = 240;

/// A shaped line with the right edge of each glyph, in device pixels.
struct Line {
    buffer: Buffer,
    edges: Vec<f32>,
    used: u64,
}

/// The text of a line and the bits of its font size.
type LineKey = (Arc<str>, u32);

/// Shapes, caches and draws the lines of a frame.
pub(super) struct TextPainter {
    fonts: FontSystem,
    family: String,
    swash: SwashCache,
    viewport: Viewport,
    atlas: TextAtlas,
    /// One per frame.
    renderers: Vec<TextRenderer>,
    lines: HashMap<LineKey, Line>,
    frame: u64,
}

impl std::fmt::Debug for TextPainter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TextPainter({} lines)", self.lines.len())
    }
}

impl TextPainter {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat, fonts: Vec<Vec<u8>>) -> Self {
        let mut database = glyphon::fontdb::Database::new();
        for font in fonts {
            database.load_font_data(font);
        }
        let family = database
            .faces()
            .next()
            .and_then(|face| face.families.first())
            .map_or_else(|| "sans-serif".to_owned(), |(name, _)| name.clone());
        let cache = Cache::new(&gpu.device);
        let viewport = Viewport::new(&gpu.device, &cache);
        let atlas = TextAtlas::with_color_mode(&gpu.device, &gpu.queue, &cache, format, ColorMode::Web);
        Self {
            fonts: FontSystem::new_with_locale_and_db("en-US".into(), database),
            family,
            swash: SwashCache::new(),
            viewport,
            atlas,
            renderers: Vec::new(),
            lines: HashMap::new(),
            frame: 0,
        }
    }

    /// Shapes and uploads the text of frames of the same size. Returns true if all of it fits into the glyph atlas.
    pub(super) fn prepare(&mut self, gpu: &Gpu, frames: &[&Frame]) -> bool {
        self.frame += 1;
        while self.renderers.len() < frames.len() {
            let samples = wgpu::MultisampleState::default();
            self.renderers.push(TextRenderer::new(&mut self.atlas, &gpu.device, samples, None));
        }
        self.renderers.truncate(frames.len().max(1));
        let mut fits = true;
        for (number, frame) in frames.iter().enumerate() {
            fits &= self.prepare_frame(gpu, frame, number);
        }
        let frame_number = self.frame;
        if frame_number.is_multiple_of(64) {
            self.lines.retain(|_, line| frame_number - line.used < KEEP_FRAMES);
            self.atlas.trim();
        }
        fits
    }

    fn prepare_frame(&mut self, gpu: &Gpu, frame: &Frame, number: usize) -> bool {
        let [width, height] = frame.size;
        self.viewport.update(&gpu.queue, Resolution { width, height });
        let ellipsis: Arc<str> = Arc::from("…");
        for run in &frame.texts {
            self.shape(&run.text, run.size);
            self.shape(&ellipsis, run.size);
        }
        let mut areas = Vec::with_capacity(frame.texts.len());
        for run in &frame.texts {
            let size = run.size.to_bits();
            let (Some(line), Some(dots)) =
                (self.lines.get(&(Arc::clone(&run.text), size)), self.lines.get(&(Arc::clone(&ellipsis), size)))
            else {
                continue;
            };
            let room = run.clip.right() - run.x;
            if line.edges.last().is_none_or(|edge| *edge <= room) {
                areas.push(area(run, &line.buffer, run.x, run.clip.right()));
                continue;
            }
            let dots_width = dots.edges.last().copied().unwrap_or(0.0);
            let fitting = line.edges.iter().take_while(|edge| **edge + dots_width <= room).last();
            if let Some(&edge) = fitting {
                areas.push(area(run, &line.buffer, run.x, run.x + edge));
                areas.push(area(run, &dots.buffer, run.x + edge, run.clip.right()));
            }
        }
        let Some(renderer) = self.renderers.get_mut(number) else { return false };
        let result = renderer.prepare(
            &gpu.device,
            &gpu.queue,
            &mut self.fonts,
            &mut self.atlas,
            &self.viewport,
            areas,
            &mut self.swash,
        );
        if result.is_err() {
            // The atlas is full of old glyphs: free space for the next frame.
            self.atlas.trim();
        }
        result.is_ok()
    }

    fn shape(&mut self, text: &Arc<str>, size: f32) {
        let frame = self.frame;
        if let Some(line) = self.lines.get_mut(&(Arc::clone(text), size.to_bits())) {
            line.used = frame;
            return;
        }
        let mut buffer = Buffer::new(&mut self.fonts, Metrics::new(size, size * 1.3));
        buffer.set_wrap(Wrap::None);
        buffer.set_size(None, None);
        let attrs = Attrs::new().family(Family::Name(&self.family));
        buffer.set_text(text, &attrs, Shaping::Advanced, None);
        buffer.shape_until_scroll(&mut self.fonts, false);
        let edges = buffer
            .layout_runs()
            .next()
            .map_or_else(Vec::new, |run| run.glyphs.iter().map(|glyph| glyph.x + glyph.w).collect());
        self.lines.insert((Arc::clone(text), size.to_bits()), Line { buffer, edges, used: frame });
    }

    /// Draws the text of the frame at the given index.
    pub(super) fn draw(&self, number: usize, pass: &mut wgpu::RenderPass<'_>) {
        let Some(renderer) = self.renderers.get(number) else { return };
        // Rendering fails only if nothing was prepared.
        let _nothing_prepared = renderer.render(&self.atlas, &self.viewport, pass);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
fn area<'a>(run: &TextRun, buffer: &'a Buffer, left: f32, right: f32) -> TextArea<'a> {
    let [red, green, blue, alpha] = run.color;
    TextArea {
        buffer,
        left,
        top: run.y,
        scale: 1.0,
        bounds: TextBounds {
            left: run.clip.x.floor() as i32,
            top: run.clip.y.floor() as i32,
            right: right.min(run.clip.right()).ceil() as i32,
            bottom: run.clip.bottom().ceil() as i32,
        },
        default_color: Color::rgba(red, green, blue, alpha),
        custom_glyphs: &[],
    }
}
