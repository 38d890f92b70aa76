//! Large plain rectangles in the widgets' meshes: backgrounds of panels, headings and cards, with or without a border. egui draws
//! them like text, through a texture, which costs a software GPU more than everything else in a frame; the painter fills them
//! directly, before all meshes.
//!
//! What is taken out of a rectangle is its inside, in whole pixels; a thin margin stays in the mesh. It is taken only if nothing
//! that stays lies below it, so the picture stays as it is.

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, TextureId, pos2};

use super::pixels::Pixels;
use crate::scene::RectInstance;

/// Smallest number of pixels that are worth the search for what lies below.
const MIN_PIXELS: i32 = 1_024;
/// Pixels that stay on each side. The softened edges of other rectangles overlap there.
const MARGIN: i32 = 2;

/// Takes the large plain rectangles out of the meshes of frames.
#[derive(Default)]
pub(super) struct PlainFills {
    /// Where something is drawn that stays.
    drawn: Covered,
    /// Memory for the indices of a mesh.
    spare: Vec<u32>,
}

/// Letters that are no farther apart than this, in points, are looked at together.
const NEAR: f32 = 6.0;
/// So is what lies within a square of this side: symbols, and corners.
const SMALL: f32 = 24.0;

/// The rectangle of both, if they are parts of one line of text or of one small thing.
#[inline]
fn joined(line: Rect, next: Rect) -> Option<Rect> {
    let both = line.union(next);
    let is_small = both.max.x - both.min.x < SMALL && both.max.y - both.min.y < SMALL;
    let is_one_line = (next.min.x - line.max.x).abs() < NEAR
        && (next.min.y - line.min.y).abs() < NEAR
        && (next.max.y - line.max.y).abs() < NEAR;
    (is_small || is_one_line).then_some(both)
}

impl PlainFills {
    /// Takes the fills of a frame, which are to be drawn before all meshes, in their order.
    pub(super) fn take(&mut self, primitives: &mut [ClippedPrimitive], pixels_per_point: f32) -> Vec<RectInstance> {
        let mut fills = Vec::new();
        self.drawn.clear();
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let clip = Pixels::rounded(*clip_rect, pixels_per_point);
            match primitive {
                Primitive::Mesh(mesh) => self.take_from(mesh, (clip, pixels_per_point), &mut fills),
                Primitive::Callback(_) => self.drawn.push(clip),
            }
        }
        fills
    }

    fn take_from(&mut self, mesh: &mut Mesh, (clip, pixels_per_point): (Pixels, f32), fills: &mut Vec<RectInstance>) {
        let Self { drawn, spare } = self;
        let indices = std::mem::take(&mut mesh.indices);
        // What is left of them, once something has been taken; and how far they have been copied.
        let mut left = std::mem::take(spare);
        left.clear();
        let mut copied = 0;
        // What was drawn last, before it counts as drawn.
        let mut line: Option<Rect> = None;
        let add = |line: Rect, drawn: &mut Covered| drawn.push(Pixels::covered(line, pixels_per_point).intersect(clip));
        let mut at = 0;
        while at < indices.len() {
            if let Some((rect, color)) = plain_rectangle(mesh, &indices[at..]) {
                let inside = Pixels::inside(rect, pixels_per_point, MARGIN);
                let place = inside.intersect(clip);
                if place.area() >= MIN_PIXELS {
                    line.take().into_iter().for_each(|line| add(line, drawn));
                    if !drawn.intersects(place) {
                        fills.push(RectInstance::filled(place.rect(), color.to_array()));
                        left.extend_from_slice(&indices[copied..at]);
                        let margin = keep_margin(mesh, (rect, inside.points(pixels_per_point)), color, &mut left);
                        margin.iter().for_each(|part| add(*part, drawn));
                        at += 6;
                        copied = at;
                        continue;
                    }
                }
            }
            // Letters are pairs of triangles, too. The last corner of a pair is the only one that the first triangle lacks.
            let count = if is_quad(&indices[at..]) { 6 } else { 3 };
            let triangles = &indices[at..indices.len().min(at + count)];
            let [first, .., last] = triangles else { break };
            let mut bounds = Rect::from_two_pos(position(mesh, *first), position(mesh, *last));
            triangles.iter().skip(1).take(2).for_each(|index| bounds.extend_with(position(mesh, *index)));
            line = match line.map(|line| (line, joined(line, bounds))) {
                Some((_, Some(joined))) => Some(joined),
                Some((line, None)) => {
                    add(line, drawn);
                    Some(bounds)
                }
                None => Some(bounds),
            };
            at += count;
        }
        line.into_iter().for_each(|line| add(line, drawn));
        if copied == 0 {
            (mesh.indices, *spare) = (indices, left);
        } else {
            left.extend_from_slice(&indices[copied..]);
            (mesh.indices, *spare) = (left, indices);
        }
    }
}

/// Side of a tile in pixels.
const TILE: i32 = 16;
/// Tiles of a row: one for each bit. What is farther right counts as being in the last one.
const TILES: i32 = 128;

/// Rectangles by the rows of tiles that they touch: most places are free of all of them.
#[derive(Default)]
struct Covered {
    rows: Vec<CoveredRow>,
}

#[derive(Clone, Default)]
struct CoveredRow {
    /// The tiles that its rectangles touch.
    tiles: u128,
    rects: Vec<Pixels>,
}

impl Covered {
    /// Forgets all rectangles.
    fn clear(&mut self) {
        for row in &mut self.rows {
            row.tiles = 0;
            row.rects.clear();
        }
    }

    /// The rows of tiles that a rectangle touches, and the tiles that it touches in each of them.
    fn tiles(Pixels([left, top, right, bottom]): Pixels) -> (std::ops::Range<usize>, u128) {
        let [first, last] = [left, right - 1].map(|x| (x / TILE).clamp(0, TILES - 1));
        let row = |y: i32| usize::try_from(y.max(0) / TILE).unwrap_or(0);
        (row(top)..row(bottom - 1) + 1, (u128::MAX >> (TILES - 1 - (last - first))) << first)
    }

    fn push(&mut self, rect: Pixels) {
        if rect.area() <= 0 {
            return;
        }
        let (rows, tiles) = Self::tiles(rect);
        if self.rows.len() < rows.end {
            self.rows.resize(rows.end, CoveredRow::default());
        }
        for row in &mut self.rows[rows] {
            row.tiles |= tiles;
            row.rects.push(rect);
        }
    }

    /// Whether one of them has a pixel in common with a rectangle that is not empty.
    fn intersects(&self, rect: Pixels) -> bool {
        let (rows, tiles) = Self::tiles(rect);
        let rows = rows.start.min(self.rows.len())..rows.end.min(self.rows.len());
        let mut touched = self.rows[rows].iter().filter(|row| row.tiles & tiles != 0);
        touched.any(|row| row.rects.iter().any(|other| other.intersects(rect)))
    }
}

/// Whether the next two triangles share an edge, as those of a rectangle do that egui adds; what they cover is about one rectangle.
fn is_quad(indices: &[u32]) -> bool {
    indices.first_chunk().is_some_and(|[a, b, c, d, e, f]: &[u32; 6]| [d, e, f] == [c, b, &(a + 3)])
}

fn position(mesh: &Mesh, index: u32) -> Pos2 {
    mesh.vertices.get(index as usize).map_or(Pos2::ZERO, |vertex| vertex.pos)
}

/// The rectangle that the next two triangles make, and its colour, if it is plain and opaque.
#[inline]
fn plain_rectangle(mesh: &Mesh, indices: &[u32]) -> Option<(Rect, Color32)> {
    let indices: &[u32; 6] = indices.first_chunk()?;
    let corner = |index: u32| mesh.vertices.get(index as usize);
    let first = corner(indices[0])?;
    // Letters have another place in the texture.
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
    // The corners that each triangle has: three, and between both all four.
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
    // What they share is a diagonal.
    let is_whole = one.count_ones() == 3 && other.count_ones() == 3 && matches!(one & other, 0b1001 | 0b0110);
    (rect.is_positive() && is_whole).then_some((rect, first.color))
}

/// Adds what lies between a rectangle and the part of it that was taken, and returns it.
fn keep_margin(mesh: &mut Mesh, (rect, taken): (Rect, Rect), color: Color32, indices: &mut Vec<u32>) -> [Rect; 4] {
    let parts = [
        Rect::from_min_max(rect.min, pos2(rect.max.x, taken.min.y)),
        Rect::from_min_max(pos2(rect.min.x, taken.max.y), rect.max),
        Rect::from_min_max(pos2(rect.min.x, taken.min.y), pos2(taken.min.x, taken.max.y)),
        Rect::from_min_max(pos2(taken.max.x, taken.min.y), pos2(rect.max.x, taken.max.y)),
    ];
    for part in parts {
        let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
        let corners = [part.left_top(), part.right_top(), part.left_bottom(), part.right_bottom()];
        mesh.vertices.extend(corners.map(|pos| Vertex { pos, uv: WHITE_UV, color }));
        indices.extend([0, 1, 2, 2, 1, 3].map(|corner| first + corner));
    }
    parts
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    /// Width and height of the pictures of these tests.
    const SIZE: usize = 96;
    const ALL: Rect = Rect { min: Pos2::ZERO, max: pos2(96.0, 96.0) };

    fn mesh(rects: &[(Rect, Color32)]) -> Mesh {
        let mut mesh = Mesh::default();
        rects.iter().for_each(|(rect, color)| mesh.add_colored_rect(*rect, *color));
        mesh
    }

    fn clipped(clip_rect: Rect, mesh: Mesh) -> ClippedPrimitive {
        ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }
    }

    type Canvas = Vec<[u8; 4]>;

    /// Fills the pixels whose centres a rectangle contains.
    fn paint(canvas: &mut Canvas, rect: Rect, clip: [f32; 4], color: [u8; 4]) {
        for (at, pixel) in canvas.iter_mut().enumerate() {
            let (x, y) = ((at % SIZE) as f32, (at / SIZE) as f32);
            let is_inside = |value: f32, low: f32, high: f32| value + 0.5 >= low && value + 0.5 < high;
            let [left, top, right, bottom] = clip;
            if is_inside(x, rect.min.x, rect.max.x)
                && is_inside(y, rect.min.y, rect.max.y)
                && is_inside(x, left, right)
                && is_inside(y, top, bottom)
            {
                *pixel = color;
            }
        }
    }

    /// The picture of meshes of rectangles, over fills.
    fn picture(fills: &[RectInstance], primitives: &[ClippedPrimitive], scale: f32) -> Canvas {
        let mut canvas = vec![[0; 4]; SIZE * SIZE];
        let everywhere = [0.0, 0.0, 1e6, 1e6];
        for fill in fills {
            let [x, y, width, height] = fill.rect;
            paint(&mut canvas, Rect::from_min_size(pos2(x, y), vec2(width, height)), everywhere, fill.fill);
        }
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let clip = Pixels::rounded(*clip_rect, scale).edges();
            for quad in mesh.indices.chunks(6) {
                let corners: Vec<Pos2> = quad.iter().map(|index| position(mesh, *index)).collect();
                let rect = Rect::from_points(&corners);
                let rect =
                    Rect::from_min_max((rect.min.to_vec2() * scale).to_pos2(), (rect.max.to_vec2() * scale).to_pos2());
                paint(&mut canvas, rect, clip, mesh.vertices[quad[0] as usize].color.to_array());
            }
        }
        canvas
    }

    #[test]
    fn insides_are_taken_unless_something_that_stays_lies_below() {
        let square = |x: f32, y: f32, size: f32| Rect::from_min_size(pos2(x, y), vec2(size, size));
        let rects = [
            (square(0.0, 0.0, 90.0), Color32::BLACK),
            // Too small, so it stays.
            (square(10.0, 10.0, 20.0), Color32::RED),
            (square(12.5, 12.5, 50.0), Color32::WHITE),
            (square(20.0, 20.0, 40.0), Color32::from_black_alpha(100)),
            (square(50.0, 50.0, 40.0), Color32::BLUE),
            // Flush with the first one: only softened edges lie below.
            (square(0.0, 30.0, 48.0), Color32::GREEN),
        ];
        let take = |of: &[usize]| {
            let kept: Vec<_> = of.iter().map(|at| rects[*at]).collect();
            let mut primitives = [clipped(ALL, mesh(&kept))];
            let before = picture(&[], &primitives, 1.0);
            let fills = PlainFills::default().take(&mut primitives, 1.0);
            assert_eq!(picture(&fills, &primitives, 1.0), before, "{of:?}");
            fills.iter().map(|fill| fill.fill).collect::<Vec<_>>()
        };
        let color = |at: usize| rects[at].1.to_array();
        assert_eq!(take(&[0]), [color(0)]);
        assert_eq!(take(&[0, 1, 2]), [color(0)]);
        assert_eq!(take(&[0, 5]), [color(0), color(5)]);
        assert_eq!(take(&[0, 2, 5]), [color(0), color(2)]);
        assert_eq!(take(&[0, 3, 4]), [color(0)]);
    }

    #[test]
    fn only_plain_opaque_rectangles_are_taken() {
        let rect = Rect::from_min_size(pos2(10.0, 10.0), vec2(60.0, 60.0));
        let whole = mesh(&[(rect, Color32::BLUE)]);
        let changed = |change: &dyn Fn(&mut Mesh)| {
            let mut mesh = whole.clone();
            change(&mut mesh);
            PlainFills::default().take(&mut [clipped(ALL, mesh)], 1.0).len()
        };
        assert_eq!(changed(&|_| {}), 1);
        assert_eq!(changed(&|mesh| mesh.texture_id = TextureId::Managed(1)), 0);
        assert_eq!(changed(&|mesh| mesh.vertices[2].color = Color32::RED), 0);
        assert_eq!(changed(&|mesh| mesh.vertices[1].uv = pos2(0.5, 0.5)), 0);
        assert_eq!(changed(&|mesh| mesh.vertices[3].pos.x += 1.0), 0);
        assert_eq!(changed(&|mesh| mesh.indices.copy_within(0..3, 3)), 0);
        assert_eq!(changed(&|mesh| mesh.indices.truncate(5)), 0);
        assert_eq!(changed(&|mesh| mesh.indices[4] = 99), 0);
    }

    #[test]
    fn random_rectangles_look_the_same() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut taken, mut taker) = (0, PlainFills::default());
        for _ in 0..300 {
            let scale = [1.0, 1.25, 2.0][random.usize(0..3)];
            let mut rect = |most: f32| {
                let corner = pos2(random.f32() * 60.0, random.f32() * 60.0);
                // Mostly on half pixels, as egui puts edges.
                let corner = (corner.to_vec2() * 2.0).round().to_pos2() * 0.5;
                Rect::from_min_size(corner, vec2(random.f32() * most, random.f32() * most))
            };
            let primitives: Vec<(Rect, Rect, Color32)> = (0_u8..6)
                .map(|at| (rect(90.0), rect(90.0), Color32::from_rgb(40 * at + 5, 255 - 40 * at, 9)))
                .collect();
            let mut primitives: Vec<ClippedPrimitive> =
                primitives.into_iter().map(|(clip, rect, color)| clipped(clip, mesh(&[(rect, color)]))).collect();
            let before = picture(&[], &primitives, scale);
            let fills = taker.take(&mut primitives, scale);
            taken += fills.len();
            assert!(picture(&fills, &primitives, scale) == before, "{primitives:?}, scale {scale}");
        }
        assert!(taken > 100, "{taken}");
    }
}
