//! Damage tracking: finds the areas of a render target that must be redrawn. A target keeps its image between frames,
//! and each frame redraws only the areas that differ from the previous frame: a tooltip and a line while only the
//! pointer moves, no panels while the chart is zoomed.
//!
//! The differences come from comparing the previous frame (widget meshes, the solid fills extracted from them, and
//! canvas frames) with the current one. Areas are whole pixels and do not overlap; everything inside them is redrawn.

use egui::Rect;
use egui::epaint::{ClippedPrimitive, Primitive, Vertex};

use super::mesh_cache::{MeshId, MeshList};
use super::pixels::Pixels;
use flowline_scene::{Frame, FrameId, Rgba, differing, frame_changes};

/// Maximum number of areas in a frame.
const MOST: usize = 6;
/// Maximum number of pairs of widgets that are compared.
const MOST_PAIRS: usize = 1 << 12;
/// Two areas are merged if that adds at most this many pixels.
const FEW: i32 = 1 << 14;

/// State of the last drawn frame and its target.
pub(super) struct Drawn {
    /// Id of the target.
    pub(super) target: u64,
    pub(super) size: [u32; 2],
    pub(super) scale: f32,
    pub(super) background: Rgba,
    /// Frames of the canvas.
    pub(super) frames: Vec<FrameId>,
}

impl Drawn {
    /// Returns the areas in which a frame differs from the previous one; the whole target if the target has changed, or
    /// if the areas cover nearly all of it. `widgets` and `frames` are the current and previous widget meshes and
    /// canvas frames.
    pub(super) fn damage_since(&self, before: &Self, widgets: [&MeshList; 2], frames: [&[&Frame]; 2]) -> Vec<Pixels> {
        let all = Pixels::of_size(self.size);
        let same_target = (self.target, self.size, self.scale, self.background, self.frames.len())
            == (before.target, before.size, before.scale, before.background, before.frames.len());
        if !same_target {
            return vec![all];
        }
        let mut areas = Areas { all, list: Vec::new() };
        let (now, then) = differing(&widgets[0].fills, &widgets[1].fills, |a, b| a == b);
        for fill in now.iter().chain(then) {
            let [x, y, width, height] = fill.rect;
            areas.add(Pixels::touched(flowline_scene::PixelRect::new(x, y, width, height)));
        }
        // The frames drawn last may have been overwritten since then.
        let ids = |frames: &[&Frame]| frames.iter().map(|frame| frame.id).collect::<Vec<_>>();
        if frames.map(ids) != [self.frames.clone(), before.frames.clone()] {
            return vec![all];
        }
        for (frame, frame_before) in frames[0].iter().zip(frames[1]) {
            frame_changes(frame, frame_before).into_iter().for_each(|place| areas.add(Pixels::touched(place)));
        }
        // Widgets inside redrawn canvas areas need no per-triangle diff.
        add_widgets(&mut areas, widgets.map(numbered), self.scale);
        areas.finish()
    }
}

/// A mesh with its id.
type Numbered<'a> = (MeshId, &'a ClippedPrimitive);

fn numbered(list: &MeshList) -> Vec<Numbered<'_>> {
    list.ids.iter().copied().zip(&list.meshes).collect()
}

/// Adds the areas where widgets differ. Identical meshes in the same order do not differ; two meshes with the same clip
/// rectangle are compared triangle by triangle.
fn add_widgets(areas: &mut Areas, [now, then]: [Vec<Numbered<'_>>; 2], scale: f32) {
    let (now, then) = differing(&now, &then, |a, b| a.0 == b.0);
    let (mut now, mut then) = unmatched(now, then);
    let is_drawn = |widget: &&ClippedPrimitive| areas.hold(Pixels::rounded(widget.clip_rect, scale));
    now.retain(|widget| !is_drawn(widget));
    then.retain(|widget| !is_drawn(widget));
    while let Some(widget) = now.pop() {
        let same_clip = then.iter().rposition(|other| other.clip_rect == widget.clip_rect);
        // Widgets after it in the previous frame have no counterpart.
        let other = same_clip.map(|at| then.split_off(at)).and_then(|mut others| {
            others.drain(1..).for_each(|other| add_triangles(areas, other, triangles(other), scale));
            others.pop()
        });
        let (own, others) = (triangles(widget), other.map(triangles).unwrap_or_default());
        let is_same = |a: &Triangle, b: &Triangle| {
            other.is_some_and(|other| a.map(|index| vertex(widget, index)) == b.map(|index| vertex(other, index)))
        };
        let (own, others) = differing(own, others, is_same);
        add_triangles(areas, widget, own, scale);
        other.into_iter().for_each(|other| add_triangles(areas, other, others, scale));
    }
    then.into_iter().for_each(|other| add_triangles(areas, other, triangles(other), scale));
}

/// Returns the items of two lists that are not in their longest common subsequence; all items if the lists are long.
fn unmatched<'a>(
    now: &[Numbered<'a>],
    then: &[Numbered<'a>],
) -> (Vec<&'a ClippedPrimitive>, Vec<&'a ClippedPrimitive>) {
    let (rows, columns) = (now.len(), then.len());
    if rows * columns > MOST_PAIRS {
        let all = |list: &[Numbered<'a>]| list.iter().map(|(_, mesh)| *mesh).collect();
        return (all(now), all(then));
    }
    // Length of the longest common subsequence of the tails that start at each pair.
    let mut longest = vec![vec![0_u32; columns + 1]; rows + 1];
    let same: Vec<Vec<bool>> =
        now.iter().map(|widget| then.iter().map(|other| widget.0 == other.0).collect()).collect();
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            longest[row][column] = match same[row][column] {
                true => longest[row + 1][column + 1] + 1,
                false => longest[row + 1][column].max(longest[row][column + 1]),
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let (mut left, mut others) = (Vec::new(), Vec::new());
    while row < rows || column < columns {
        if row < rows && column < columns && same[row][column] {
            (row, column) = (row + 1, column + 1);
        } else if column == columns || (row < rows && longest[row + 1][column] >= longest[row][column + 1]) {
            left.push(now[row].1);
            row += 1;
        } else {
            others.push(then[column].1);
            column += 1;
        }
    }
    (left, others)
}

/// Vertex indices of a triangle.
type Triangle = [u32; 3];

fn triangles(widget: &ClippedPrimitive) -> &[Triangle] {
    let Primitive::Mesh(mesh) = &widget.primitive else { return &[] };
    mesh.indices.as_chunks().0
}

fn vertex(widget: &ClippedPrimitive, index: u32) -> Vertex {
    let Primitive::Mesh(mesh) = &widget.primitive else { return Vertex::default() };
    mesh.vertices.get(index as usize).copied().unwrap_or_default()
}

/// Adds some of a widget's triangles; a paint callback counts as its whole clip rectangle.
fn add_triangles(areas: &mut Areas, widget: &ClippedPrimitive, triangles: &[Triangle], scale: f32) {
    let clip = Pixels::rounded(widget.clip_rect, scale);
    if matches!(widget.primitive, Primitive::Callback(_)) {
        areas.add(clip);
    }
    for triangle in triangles {
        let bounds = Rect::from_points(&triangle.map(|index| vertex(widget, index).pos)).expand(1.0);
        areas.add(Pixels::covered(bounds, scale).intersect(clip));
    }
}

/// Returns bounds of the pixels that a widget's mesh covers.
fn place_of(widget: &ClippedPrimitive, scale: f32) -> Pixels {
    let clip = Pixels::rounded(widget.clip_rect, scale);
    match &widget.primitive {
        Primitive::Mesh(mesh) => {
            let bounds = mesh.calc_bounds();
            if bounds.is_negative() { clip } else { Pixels::covered(bounds.expand(1.0), scale).intersect(clip) }
        }
        Primitive::Callback(_) => clip,
    }
}

/// Returns the widgets inside some areas, each clipped to its area.
pub(super) fn widgets_in(areas: &[Pixels], widgets: &[ClippedPrimitive], scale: f32) -> Vec<ClippedPrimitive> {
    let mut inside = Vec::new();
    // The clip rectangle rules out most meshes cheaply.
    let is_near = |widget: &&ClippedPrimitive| {
        let clip = Pixels::rounded(widget.clip_rect, scale);
        areas.iter().any(|area| clip.intersects(*area))
    };
    let placed: Vec<(&ClippedPrimitive, Pixels)> =
        widgets.iter().filter(is_near).map(|widget| (widget, place_of(widget, scale))).collect();
    for area in areas {
        let bounds: Rect = area.points(scale);
        for (widget, _) in placed.iter().filter(|(_, place)| place.intersects(*area)) {
            let clip_rect = widget.clip_rect.intersect(bounds);
            inside.push(ClippedPrimitive { clip_rect, primitive: widget.primitive.clone() });
        }
    }
    inside
}

/// Areas that do not overlap.
struct Areas {
    all: Pixels,
    list: Vec<Pixels>,
}

impl Areas {
    fn add(&mut self, area: Pixels) {
        let mut area = area.intersect(self.all);
        if area.area() == 0 || self.hold(area) {
            return;
        }
        // A merged area may overlap others.
        while let Some(at) = self.list.iter().position(|known| joins(*known, area)) {
            area = area.union(self.list.swap_remove(at));
        }
        self.list.push(area);
        if self.list.len() > MOST {
            self.join_two();
        }
    }

    /// Returns true if one of the areas contains all of another.
    fn hold(&self, area: Pixels) -> bool {
        self.list.iter().any(|known| known.union(area) == *known)
    }

    /// Merges the two areas whose union adds the fewest pixels.
    fn join_two(&mut self) {
        let pairs = (0..self.list.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let best = pairs.min_by_key(|(a, b)| added(self.list[*a], self.list[*b]));
        if let Some((a, b)) = best {
            let (later, earlier) = (self.list.swap_remove(b), self.list.swap_remove(a));
            self.add(later.union(earlier));
        }
    }

    fn finish(self) -> Vec<Pixels> {
        let sum: i64 = self.list.iter().map(|area| i64::from(area.area())).sum();
        if sum * 10 >= i64::from(self.all.area()) * 9 { vec![self.all] } else { self.list }
    }
}

/// Number of pixels in the union that are in neither area.
fn added(a: Pixels, b: Pixels) -> i32 {
    a.union(b).area().saturating_sub(a.area()).saturating_sub(b.area())
}

fn joins(a: Pixels, b: Pixels) -> bool {
    a.intersects(b) || added(a, b) <= FEW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_contain_everything_added_and_never_overlap() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..500 {
            let all = Pixels([0, 0, 1000, 600]);
            let mut areas = Areas { all, list: Vec::new() };
            let mut added = Vec::new();
            for _ in 0..random.usize(0..30) {
                let (x, y) = (random.i32(-50..1000), random.i32(-50..600));
                let area = Pixels([x, y, x + random.i32(0..120), y + random.i32(0..120)]);
                areas.add(area);
                added.push(area.intersect(all));
            }
            let list = areas.finish();
            assert!(list.len() <= MOST);
            for (at, area) in list.iter().enumerate() {
                assert!(area.area() > 0 && area.intersect(all) == *area);
                assert!(!list[..at].iter().any(|other| other.intersects(*area)), "{list:?}");
            }
            for area in added.into_iter().filter(|area| area.area() > 0) {
                assert!(list.iter().any(|whole| whole.intersect(area) == area), "{area:?} in {list:?}");
            }
        }
    }

    #[test]
    fn distant_areas_are_not_merged() {
        let mut areas = Areas { all: Pixels([0, 0, 1000, 600]), list: Vec::new() };
        areas.add(Pixels([0, 0, 300, 20]));
        areas.add(Pixels([0, 500, 300, 520]));
        areas.add(Pixels([10, 30, 50, 50]));
        assert_eq!(areas.finish(), [Pixels([0, 500, 300, 520]), Pixels([0, 0, 300, 50])]);
        let mut areas = Areas { all: Pixels([0, 0, 100, 100]), list: Vec::new() };
        areas.add(Pixels([0, 0, 100, 95]));
        assert_eq!(areas.finish(), [Pixels([0, 0, 100, 100])]);
    }
}
