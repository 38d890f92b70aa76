//! Compares images of rectangles with and without the solid fill pass.

use egui::vec2;

use super::*;

/// Width and height of the test images.
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

/// Extracts the fills of a frame from its meshes.
fn take(primitives: &mut [ClippedPrimitive], scale: f32) -> Vec<RectInstance> {
    let (mut chooser, mut fills) = (SolidFills::default(), Vec::new());
    chooser.begin();
    for primitive in primitives {
        let scan = MeshScan::new(primitive, scale);
        let taken = chooser.choose(&scan, &mut fills);
        assert!(taken.is_empty() || scan.has_solid());
        if let Primitive::Mesh(mesh) = &mut primitive.primitive {
            *mesh = scan.without(mesh, &taken);
        }
    }
    fills
}

type Canvas = Vec<[u8; 4]>;

/// Fills the pixels whose centers a rectangle contains.
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

/// Draws fills and then meshes of rectangles.
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
fn interiors_are_extracted_unless_remaining_geometry_is_below() {
    let square = |x: f32, y: f32, size: f32| Rect::from_min_size(pos2(x, y), vec2(size, size));
    let rects = [
        (square(0.0, 0.0, 90.0), Color32::BLACK),
        // Too small, so it stays.
        (square(10.0, 10.0, 20.0), Color32::RED),
        (square(12.5, 12.5, 50.0), Color32::WHITE),
        (square(20.0, 20.0, 40.0), Color32::from_black_alpha(100)),
        (square(50.0, 50.0, 40.0), Color32::BLUE),
        // Flush with the first one: only antialiased edges are below.
        (square(0.0, 30.0, 48.0), Color32::GREEN),
    ];
    let taken = |of: &[usize]| {
        let kept: Vec<_> = of.iter().map(|at| rects[*at]).collect();
        let mut primitives = [clipped(ALL, mesh(&kept))];
        let before = picture(&[], &primitives, 1.0);
        let fills = take(&mut primitives, 1.0);
        assert_eq!(picture(&fills, &primitives, 1.0), before, "{of:?}");
        fills.iter().map(|fill| fill.fill).collect::<Vec<_>>()
    };
    let color = |at: usize| rects[at].1.to_array();
    assert_eq!(taken(&[0]), [color(0)]);
    assert_eq!(taken(&[0, 1, 2]), [color(0)]);
    assert_eq!(taken(&[0, 5]), [color(0), color(5)]);
    assert_eq!(taken(&[0, 2, 5]), [color(0), color(2)]);
    assert_eq!(taken(&[0, 3, 4]), [color(0)]);
}

#[test]
fn only_solid_opaque_rectangles_are_extracted() {
    let rect = Rect::from_min_size(pos2(10.0, 10.0), vec2(60.0, 60.0));
    let whole = mesh(&[(rect, Color32::BLUE)]);
    let changed = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = whole.clone();
        change(&mut mesh);
        take(&mut [clipped(ALL, mesh)], 1.0).len()
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
    let mut taken = 0;
    for _ in 0..300 {
        let scale = [1.0, 1.25, 2.0][random.usize(0..3)];
        let mut rect = |most: f32| {
            let corner = pos2(random.f32() * 60.0, random.f32() * 60.0);
            // Mostly on half pixels, like egui's edges.
            let corner = (corner.to_vec2() * 2.0).round().to_pos2() * 0.5;
            Rect::from_min_size(corner, vec2(random.f32() * most, random.f32() * most))
        };
        let primitives: Vec<(Rect, Rect, Color32)> =
            (0_u8..6).map(|at| (rect(90.0), rect(90.0), Color32::from_rgb(40 * at + 5, 255 - 40 * at, 9))).collect();
        let mut primitives: Vec<ClippedPrimitive> =
            primitives.into_iter().map(|(clip, rect, color)| clipped(clip, mesh(&[(rect, color)]))).collect();
        let before = picture(&[], &primitives, scale);
        let fills = take(&mut primitives, scale);
        taken += fills.len();
        assert!(picture(&fills, &primitives, scale) == before, "{primitives:?}, scale {scale}");
    }
    assert!(taken > 100, "{taken}");
}
