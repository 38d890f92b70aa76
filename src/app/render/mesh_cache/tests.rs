//! Compares cached meshes of random panels with newly built meshes.

use egui::{Align2, Color32, FontId, FullOutput, Pos2, RawInput, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::*;

/// Contents of a test panel.
#[derive(Clone, Copy, Debug)]
struct Panel {
    place: Pos2,
    text: u8,
    color: u8,
    lines: u8,
}

fn random_panel(random: &mut fastrand::Rng) -> Panel {
    let place = pos2(random.f32() * 200.0, random.f32() * 150.0).round();
    Panel { place, text: random.u8(0..4), color: random.u8(0..3), lines: random.u8(0..4) }
}

fn show(ui: &Ui, panels: &[Panel]) {
    for panel in panels {
        let rect = Rect::from_min_size(panel.place, vec2(120.0, 70.0));
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 4.0, Color32::from_gray(40 + panel.color));
        painter.rect_filled(
            rect.shrink(6.0),
            0.0,
            [Color32::RED, Color32::BLUE, Color32::GRAY][usize::from(panel.color)],
        );
        for line in 0..panel.lines {
            let at = rect.min + vec2(8.0, 8.0 + 14.0 * f32::from(line));
            let text = format!("text {}", panel.text + line);
            painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(12.0), Color32::WHITE);
        }
        painter.rect_stroke(rect.shrink(1.0), 2.0, Stroke::new(1.0, Color32::GREEN), StrokeKind::Inside);
    }
}

fn frame(context: &Context, panels: &[Panel]) -> FullOutput {
    let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(340.0, 240.0)));
    context.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| show(ui, panels))
}

/// Draws panels; returns the shapes, the scale, and whether the frame has new textures.
fn shown(context: &Context, panels: &[Panel]) -> (Vec<ClippedShape>, f32, bool) {
    let mut output = frame(context, panels);
    let is_new = output.textures_delta.set.values().flatten().any(|delta| delta.pos.is_none());
    output.textures_delta.clear();
    (std::mem::take(&mut output.shapes), output.pixels_per_point, is_new)
}

/// Returns the comparable parts of a mesh.
fn drawn(mesh: &ClippedPrimitive) -> (Rect, Mesh) {
    match &mesh.primitive {
        Primitive::Mesh(own) => (mesh.clip_rect, own.clone()),
        Primitive::Callback(_) => panic!("the panels have no callbacks"),
    }
}

fn all_drawn(meshes: &[ClippedPrimitive]) -> Vec<(Rect, Mesh)> {
    meshes.iter().map(drawn).collect()
}

#[test]
fn cached_meshes_equal_newly_built_meshes() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut kept_ids, mut all_ids) = (0, 0);
    for takes_fills in [false, true] {
        let (context, mut kept) = (Context::default(), MeshCache::default());
        let mut panels: Vec<Panel> = (0..6).map(|_| random_panel(&mut random)).collect();
        for _ in 0..300 {
            match random.u8(0..6) {
                0 => panels.push(random_panel(&mut random)),
                1 if panels.len() > 1 => drop(panels.swap_remove(random.usize(0..panels.len()))),
                2 => panels.rotate_left(1),
                3 if !panels.is_empty() => {
                    let at = random.usize(0..panels.len());
                    panels[at] = random_panel(&mut random);
                }
                _ => {}
            }
            panels.truncate(12);
            let (shapes, scale, is_new) = shown(&context, &panels);
            if is_new {
                kept.forget();
            }
            kept.update(&context, shapes.clone(), scale, takes_fills);
            let mut rebuilt = MeshCache::default();
            rebuilt.update(&context, shapes.clone(), scale, takes_fills);
            assert!(all_drawn(&kept.now().meshes) == all_drawn(&rebuilt.now().meshes), "{panels:?}");
            assert_eq!(kept.now().fills, rebuilt.now().fills, "{panels:?}");
            if !takes_fills {
                let whole = context.tessellate(shapes, scale);
                assert!(all_drawn(&kept.now().meshes) == all_drawn(&whole), "{panels:?}");
            }
            // Every mesh has its own id.
            let mut ids: Vec<u64> = kept.now().ids.iter().map(|id| id.0).collect();
            ids.sort_unstable();
            assert!(ids.windows(2).all(|pair| pair[0] < pair[1]) && ids.len() == kept.now().meshes.len());
            kept_ids += kept.now().ids.iter().filter(|id| kept.before().ids.contains(id)).count();
            all_ids += ids.len();
        }
    }
    assert!(kept_ids * 2 > all_ids, "{kept_ids} of {all_ids} were reused");
}

#[test]
fn a_changed_mesh_gets_a_new_id_and_its_old_mesh_is_kept() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut panels: Vec<Panel> = (0..4).map(|_| Panel { lines: 2, ..random_panel(&mut random) }).collect();
    let (context, mut kept) = (Context::default(), MeshCache::default());
    for _ in 0..3 {
        let (shapes, scale, _) = shown(&context, &panels);
        kept.update(&context, shapes, scale, true);
    }
    let ids = kept.now().ids.clone();
    assert_eq!(kept.before().ids, ids, "nothing changed");
    let before = drawn(&kept.now().meshes[1]);
    panels[1].text += 7;
    let (shapes, scale, _) = shown(&context, &panels);
    kept.update(&context, shapes, scale, true);
    assert_eq!(kept.before().ids, ids);
    let changed: Vec<usize> = (0..ids.len()).filter(|at| kept.now().ids[*at] != ids[*at]).collect();
    assert_eq!(changed, [1]);
    assert!(drawn(&kept.before().meshes[1]) == before, "the old mesh is available for comparison");
    assert!(drawn(&kept.now().meshes[1]) != before);
}
