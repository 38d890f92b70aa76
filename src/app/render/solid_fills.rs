//! Solid fill pass: extracts large solid rectangles from the widgets' meshes, such as backgrounds of panels, headings
//! and cards, with or without a border. egui draws them like text, through a texture, which costs a software GPU more
//! than everything else in a frame; the painter fills them directly, before all meshes.
//!
//! Only the interior of a rectangle is extracted, in whole pixels; a thin margin stays in the mesh. A rectangle is
//! extracted only if no remaining geometry is below it, so the image does not change.

mod covered;

use covered::Covered;
use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, TextureId, pos2};

use super::pixels::Pixels;
use flowline_scene::RectInstance;

/// Minimum number of pixels for which it pays to look for geometry below.
const MIN_PIXELS: i32 = 1_024;
/// Margin in pixels that stays on each side, where the antialiased edges of other rectangles overlap.
const MARGIN: i32 = 2;

/// Contents of a mesh in draw order, as far as they affect fills.
#[derive(Debug, Default)]
pub(super) struct MeshScan {
    /// Clip rectangle in pixels.
    clip: Pixels,
    /// Pixels per point.
    scale: f32,
    steps: Vec<FillStep>,
}

#[derive(Debug)]
enum FillStep {
    /// Bounds of geometry that stays in the mesh.
    Stays(Pixels),
    /// A large solid rectangle that may be extracted.
    Plain(Plain),
}

/// A large solid rectangle of a mesh.
#[derive(Debug)]
struct Plain {
    /// Position of its first vertex index.
    at: usize,
    rect: Rect,
    color: Color32,
    /// Interior in points; `place` contains its visible pixels.
    inside: Rect,
    place: Pixels,
}

/// Selects the large solid rectangles of a frame that are filled before all meshes.
#[derive(Debug, Default)]
pub(super) struct SolidFills {
    /// Areas of geometry that stays in the meshes.
    drawn: Covered,
}

/// Maximum distance in points between glyphs that are merged into one rectangle.
const NEAR: f32 = 6.0;
/// Maximum side in points of a square whose contents are merged, such as icons and rounded corners.
const SMALL: f32 = 24.0;

/// Returns the union of both rectangles if they belong to one line of text or to one small shape.
#[inline]
fn joined(line: Rect, next: Rect) -> Option<Rect> {
    let both = line.union(next);
    let is_small = both.max.x - both.min.x < SMALL && both.max.y - both.min.y < SMALL;
    let is_one_line = (next.min.x - line.max.x).abs() < NEAR
        && (next.min.y - line.min.y).abs() < NEAR
        && (next.max.y - line.max.y).abs() < NEAR;
    (is_small || is_one_line).then_some(both)
}

impl MeshScan {
    /// Scans a mesh.
    pub(super) fn new(primitive: &ClippedPrimitive, scale: f32) -> Self {
        let clip = Pixels::rounded(primitive.clip_rect, scale);
        let mut scan = Self { clip, scale, steps: Vec::new() };
        match &primitive.primitive {
            Primitive::Mesh(mesh) => scan.look_through(mesh),
            Primitive::Callback(_) => scan.steps.push(FillStep::Stays(clip)),
        }
        scan
    }

    fn look_through(&mut self, mesh: &Mesh) {
        let indices = &mesh.indices;
        // Bounds of the latest geometry, which may still grow.
        let mut line: Option<Rect> = None;
        let mut at = 0;
        while at < indices.len() {
            if let Some((rect, color)) = plain_rectangle(mesh, &indices[at..]) {
                let inside = Pixels::inside(rect, self.scale, MARGIN);
                let place = inside.intersect(self.clip);
                if place.area() >= MIN_PIXELS {
                    line.take().into_iter().for_each(|line| self.add(line));
                    self.steps.push(FillStep::Plain(Plain {
                        at,
                        rect,
                        color,
                        inside: inside.points(self.scale),
                        place,
                    }));
                    at += 6;
                    continue;
                }
            }
            // Glyphs are pairs of triangles, too. The first triangle lacks only the last corner of the pair.
            let count = if is_quad(&indices[at..]) { 6 } else { 3 };
            let triangles = &indices[at..indices.len().min(at + count)];
            let [first, .., last] = triangles else { break };
            let mut bounds = Rect::from_two_pos(position(mesh, *first), position(mesh, *last));
            triangles.iter().skip(1).take(2).for_each(|index| bounds.extend_with(position(mesh, *index)));
            line = match line.map(|line| (line, joined(line, bounds))) {
                Some((_, Some(joined))) => Some(joined),
                Some((line, None)) => {
                    self.add(line);
                    Some(bounds)
                }
                None => Some(bounds),
            };
            at += count;
        }
        line.into_iter().for_each(|line| self.add(line));
    }

    fn add(&mut self, stays: Rect) {
        let pixels = self.covered(stays);
        if pixels.area() > 0 {
            self.steps.push(FillStep::Stays(pixels));
        }
    }

    fn covered(&self, rect: Rect) -> Pixels {
        Pixels::covered(rect, self.scale).intersect(self.clip)
    }

    /// Returns true if the mesh has a rectangle that may be extracted.
    pub(super) fn has_solid(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, FillStep::Plain(_)))
    }

    /// Returns the mesh without the interiors of the rectangles of some steps.
    pub(super) fn without(&self, mesh: &Mesh, taken: &[usize]) -> Mesh {
        let mut left = Mesh { indices: Vec::with_capacity(mesh.indices.len()), ..mesh.clone() };
        let mut copied = 0;
        for step in taken {
            let Some(FillStep::Plain(plain)) = self.steps.get(*step) else { continue };
            left.indices.extend_from_slice(&mesh.indices[copied..plain.at]);
            keep_margin(&mut left, plain);
            copied = plain.at + 6;
        }
        left.indices.extend_from_slice(&mesh.indices[copied..]);
        left
    }
}

impl SolidFills {
    /// Starts a frame.
    pub(super) fn begin(&mut self) {
        self.drawn.clear();
    }

    /// Selects rectangles of the next mesh of the frame; returns the positions of their steps. Appends their fills,
    /// which must be drawn in order before all meshes.
    pub(super) fn choose(&mut self, scan: &MeshScan, fills: &mut Vec<RectInstance>) -> Vec<usize> {
        let mut taken = Vec::new();
        for (at, step) in scan.steps.iter().enumerate() {
            match step {
                FillStep::Stays(pixels) => self.drawn.push(*pixels),
                FillStep::Plain(plain) if self.drawn.intersects(plain.place) => {
                    self.drawn.push(scan.covered(plain.rect))
                }
                FillStep::Plain(plain) => {
                    fills.push(RectInstance::filled(plain.place.rect(), plain.color.to_array()));
                    margin(plain).iter().for_each(|part| self.drawn.push(scan.covered(*part)));
                    taken.push(at);
                }
            }
        }
        taken
    }
}

/// Returns true if the next two triangles share an edge like those of egui's rectangles; together they roughly cover
/// one rectangle.
fn is_quad(indices: &[u32]) -> bool {
    indices.first_chunk().is_some_and(|[a, b, c, d, e, f]: &[u32; 6]| [d, e, f] == [c, b, &(a + 3)])
}

fn position(mesh: &Mesh, index: u32) -> Pos2 {
    mesh.vertices.get(index as usize).map_or(Pos2::ZERO, |vertex| vertex.pos)
}

/// Returns the rectangle that the next two triangles form, and its color, if it is solid and opaque.
#[inline]
fn plain_rectangle(mesh: &Mesh, indices: &[u32]) -> Option<(Rect, Color32)> {
    let indices: &[u32; 6] = indices.first_chunk()?;
    let corner = |index: u32| mesh.vertices.get(index as usize);
    let first = corner(indices[0])?;
    // Glyphs use other texture coordinates.
    if first.uv != WHITE_UV {
        return None;
    }
    let is_plain = |vertex: &Vertex| vertex.color == first.color && vertex.uv == WHITE_UV;
    if mesh.texture_id != TextureId::default() || !first.color.is_opaque() || !is_plain(first) {
        return None;
    }
    let mut rect = Rect::from_pos(first.pos);
    for index in &indices[1..] {
        let vertex = corner(*index).filter(|vertex| is_plain(vertex))?;
        rect.extend_with(vertex.pos);
    }
    // Each triangle has three corners of the rectangle; both together have all four.
    let corners = |triangle: &[u32]| {
        triangle.iter().try_fold(0_u8, |seen, index| {
            let place = position(mesh, *index);
            let on = |value: f32, low: f32, high: f32| match value {
                value if value == low => Some(0),
                value if value == high => Some(1),
                _ => None,
            };
            let corner = on(place.x, rect.min.x, rect.max.x)? + 2 * on(place.y, rect.min.y, rect.max.y)?;
            Some(seen | 1 << corner)
        })
    };
    let (one, other) = (corners(&indices[..3])?, corners(&indices[3..])?);
    // The shared edge is a diagonal.
    let is_whole = one.count_ones() == 3 && other.count_ones() == 3 && matches!(one & other, 0b1001 | 0b0110);
    (rect.is_positive() && is_whole).then_some((rect, first.color))
}

/// Returns the strips between a rectangle and its interior.
fn margin(Plain { rect, inside, .. }: &Plain) -> [Rect; 4] {
    [
        Rect::from_min_max(rect.min, pos2(rect.max.x, inside.min.y)),
        Rect::from_min_max(pos2(rect.min.x, inside.max.y), rect.max),
        Rect::from_min_max(pos2(rect.min.x, inside.min.y), pos2(inside.min.x, inside.max.y)),
        Rect::from_min_max(pos2(inside.max.x, inside.min.y), pos2(rect.max.x, inside.max.y)),
    ]
}

/// Adds the strips between a rectangle and its interior to a mesh.
fn keep_margin(mesh: &mut Mesh, plain: &Plain) {
    for part in margin(plain) {
        let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
        let corners = [part.left_top(), part.right_top(), part.left_bottom(), part.right_bottom()];
        mesh.vertices.extend(corners.map(|pos| Vertex { pos, uv: WHITE_UV, color: plain.color }));
        mesh.indices.extend([0, 1, 2, 2, 1, 3].map(|corner| first + corner));
    }
}

#[cfg(test)]
mod tests;
