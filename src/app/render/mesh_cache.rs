//! The mesh cache of widgets. Most panels do not change while the chart moves, so only changed shapes are tessellated,
//! scanned for solid rectangles and compared.
//!
//! Consecutive shapes with the same clip rectangle form a group. A group with the same shapes as a group of the
//! previous frame reuses its meshes.

use std::sync::Arc;

use egui::epaint::{ClippedPrimitive, ClippedShape, Primitive, Shape, TessellationOptions, TextShape};
use egui::{Context, Mesh, Rect};

use super::solid_fills::{MeshScan, SolidFills};
use flowline_scene::RectInstance;

/// Id of a drawn mesh; changes as soon as anything in the mesh changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeshId(u64);

/// The meshes of a frame.
#[derive(Default)]
pub(super) struct MeshList {
    /// Meshes in draw order. In the list of the previous frame, reused meshes are empty because they were moved.
    pub(super) meshes: Vec<ClippedPrimitive>,
    /// Ids of the meshes.
    pub(super) ids: Vec<MeshId>,
    /// Rectangles that are filled before all meshes.
    pub(super) fills: Vec<RectInstance>,
}

/// Inputs of tessellation other than shapes.
type Key = (f32, TessellationOptions, [usize; 2], bool);

/// Number of groups of the previous frame that are searched for each group of the current frame.
const LOOKED_AT: usize = 24;

/// Builds and caches the meshes of frames.
#[derive(Default)]
pub(super) struct MeshCache {
    key: Option<Key>,
    groups: Vec<Group>,
    fills: SolidFills,
    now: MeshList,
    before: MeshList,
    last_id: u64,
}

/// Consecutive shapes with the same clip rectangle.
struct Group {
    shapes: Vec<ClippedShape>,
    parts: Vec<MeshPart>,
}

/// A mesh of a group.
struct MeshPart {
    id: MeshId,
    place: MeshPlace,
    scan: MeshScan,
    /// The unmodified mesh, if rectangles may be extracted from it.
    whole: Option<ClippedPrimitive>,
    /// The steps of `scan` whose rectangles are missing from the drawn mesh.
    taken: Vec<usize>,
}

/// Location of a mesh.
enum MeshPlace {
    New(ClippedPrimitive),
    /// Position in the list of the previous frame.
    Listed(usize),
}

impl MeshCache {
    /// Meshes of the current frame.
    pub(super) const fn now(&self) -> &MeshList {
        &self.now
    }

    /// Meshes of the previous frame.
    pub(super) const fn before(&self) -> &MeshList {
        &self.before
    }

    /// Clears the cache, because a new texture may change the look of unchanged shapes.
    pub(super) fn forget(&mut self) {
        self.groups.clear();
    }

    /// Builds the meshes of a frame; `scale` is pixels per point. If `takes_fills`, solid rectangles are extracted.
    pub(super) fn update(&mut self, context: &Context, shapes: Vec<ClippedShape>, scale: f32, takes_fills: bool) {
        let options = context.tessellation_options(|options| *options);
        let key = (scale, options, context.fonts(|fonts| fonts.font_image_size()), takes_fills);
        if self.key.replace(key) != Some(key) {
            self.forget();
        }
        std::mem::swap(&mut self.now, &mut self.before);
        let MeshList { meshes, ids, fills } = &mut self.now;
        meshes.clear();
        ids.clear();
        fills.clear();
        self.fills.begin();
        let mut known: Vec<Option<Group>> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        let (mut next, mut shapes) = (0, shapes.into_iter());
        while let Some(first) = shapes.as_slice().first() {
            let own = shapes.as_slice().iter().take_while(|shape| shape.clip_rect == first.clip_rect).count();
            let is_known = |group: &Option<Group>| {
                group.as_ref().is_some_and(|group| are_same(&group.shapes, &shapes.as_slice()[..own]))
            };
            let looked_at = &known[next..known.len().min(next + LOOKED_AT)];
            let found = looked_at.iter().position(is_known).map(|at| next + at);
            let group = match found.and_then(|at| known[at].take()) {
                Some(group) => {
                    next = found.map_or(next, |at| at + 1);
                    shapes.by_ref().take(own).for_each(drop);
                    group
                }
                None => self.tessellate(context, shapes.by_ref().take(own).collect(), scale),
            };
            self.add(group);
        }
    }

    fn next_id(&mut self) -> MeshId {
        self.last_id += 1;
        MeshId(self.last_id)
    }

    fn tessellate(&mut self, context: &Context, shapes: Vec<ClippedShape>, scale: f32) -> Group {
        let takes_fills = self.key.is_some_and(|(.., takes_fills)| takes_fills);
        let part = |mesh: ClippedPrimitive| {
            let scan = if takes_fills { MeshScan::new(&mesh, scale) } else { MeshScan::default() };
            let whole = scan.has_solid().then(|| mesh.clone());
            MeshPart { id: self.next_id(), place: MeshPlace::New(mesh), scan, whole, taken: Vec::new() }
        };
        let parts = context.tessellate(shapes.clone(), scale).into_iter().map(part).collect();
        Group { shapes, parts }
    }

    /// Adds the meshes of a group to the frame.
    fn add(&mut self, mut group: Group) {
        for part in &mut group.parts {
            let taken = self.fills.choose(&part.scan, &mut self.now.fills);
            let at = MeshPlace::Listed(self.now.meshes.len());
            let mesh = match (std::mem::replace(&mut part.place, at), &part.whole) {
                // The old mesh stays in its list, where it is compared with the new one.
                (_, Some(whole)) if taken != part.taken => {
                    part.id = self.next_id();
                    without(whole, &part.scan, &taken)
                }
                (MeshPlace::New(mesh), _) => mesh,
                (MeshPlace::Listed(at), _) => std::mem::replace(&mut self.before.meshes[at], nothing()),
            };
            part.taken = taken;
            self.now.meshes.push(mesh);
            self.now.ids.push(part.id);
        }
        self.groups.push(group);
    }
}

/// Returns a mesh without its extracted rectangles.
fn without(whole: &ClippedPrimitive, scan: &MeshScan, taken: &[usize]) -> ClippedPrimitive {
    let primitive = match &whole.primitive {
        Primitive::Mesh(mesh) => Primitive::Mesh(scan.without(mesh, taken)),
        callback @ Primitive::Callback(_) => callback.clone(),
    };
    ClippedPrimitive { clip_rect: whole.clip_rect, primitive }
}

fn nothing() -> ClippedPrimitive {
    ClippedPrimitive { clip_rect: Rect::NOTHING, primitive: Primitive::Mesh(Mesh::default()) }
}

fn are_same(known: &[ClippedShape], shapes: &[ClippedShape]) -> bool {
    let is_same = |(one, other): (&ClippedShape, &ClippedShape)| {
        one.clip_rect == other.clip_rect
            && one.transform_after_tessellation == other.transform_after_tessellation
            && is_same(&one.shape, &other.shape)
    };
    known.len() == shapes.len() && known.iter().zip(shapes).all(is_same)
}

/// Returns true if two shapes are known to be the same.
fn is_same(one: &Shape, other: &Shape) -> bool {
    match (one, other) {
        (Shape::Text(one), Shape::Text(other)) => is_same_text(one, other),
        (Shape::Vec(list), Shape::Vec(others)) => {
            list.len() == others.len() && list.iter().zip(others).all(|(one, other)| is_same(one, other))
        }
        // Callbacks may draw anything.
        (Shape::Callback(_), _) | (_, Shape::Callback(_)) => false,
        _ => one == other,
    }
}

/// Compares addresses of layouts first: egui keeps shown layouts, and a cached group keeps its own. Some are rebuilt in
/// each frame.
fn is_same_text(one: &TextShape, other: &TextShape) -> bool {
    let look = |text: &TextShape| {
        let TextShape { pos, galley: _, underline, fallback_color, override_text_color, opacity_factor, angle } = *text;
        (pos, underline, fallback_color, override_text_color, opacity_factor, angle)
    };
    look(one) == look(other) && (Arc::ptr_eq(&one.galley, &other.galley) || one.galley == other.galley)
}

#[cfg(test)]
mod tests;
