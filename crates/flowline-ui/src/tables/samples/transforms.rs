//! Transforms in the user interface: keys and menu entries for a function, and the trail with undo.

use egui::{Event, Key, Ui};

use crate::commands::{KeyBinding, key, shift};
use flowline_index::samples::{CallTree, Implementation, NodeId, Transform, func_name};
use flowline_profile::Profile;
use flowline_profile::samples::NONE;

/// The applied transforms, and the undone ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    list: Vec<Transform>,
    undone: Vec<Transform>,
}

impl Trail {
    /// Applied transforms, oldest first.
    pub(super) fn list(&self) -> &[Transform] {
        &self.list
    }

    /// Adds a transform.
    pub(super) fn add(&mut self, transform: Transform) {
        self.list.push(transform);
        self.undone.clear();
    }

    /// Undoes all transforms except the first `count`.
    pub(super) fn go_back(&mut self, count: usize) {
        while self.list.len() > count {
            self.undone.extend(self.list.pop());
        }
    }

    /// Reapplies the last undone transform.
    pub(super) fn redo(&mut self) {
        self.list.extend(self.undone.pop());
    }

    /// True if there is an undone transform.
    pub(super) const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}

/// A transform that can be applied to a function of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransformKind {
    FocusFunction,
    FocusSelf,
    FocusSubtree,
    FocusCategory,
    MergeFunction,
    MergeNode,
    CollapseSubtree,
    CollapseRecursion,
    CollapseDirectRecursion,
    CollapseResource,
    Drop,
}

impl TransformKind {
    /// All kinds with key and title. The keys are those of the Firefox Profiler.
    pub(crate) const ALL: [(Self, KeyBinding, &'static str); 11] = [
        (Self::FocusFunction, key(Key::F), "Focus on function"),
        (Self::FocusSelf, shift(Key::S), "Focus on self only"),
        (Self::FocusSubtree, shift(Key::F), "Focus on subtree only"),
        (Self::FocusCategory, key(Key::G), "Focus on category"),
        (Self::MergeFunction, key(Key::M), "Merge function"),
        (Self::MergeNode, shift(Key::M), "Merge node only"),
        (Self::CollapseSubtree, key(Key::C), "Collapse function"),
        (Self::CollapseResource, shift(Key::C), "Collapse library or site"),
        (Self::CollapseRecursion, key(Key::R), "Collapse recursion"),
        (Self::CollapseDirectRecursion, shift(Key::R), "Collapse direct recursion only"),
        (Self::Drop, key(Key::D), "Drop samples with this function"),
    ];

    /// The transform of a function. `path` is the path of its row, innermost function first if `is_inverted`; `example`
    /// is a node of the call tree that represents it. `None` if the transform does not apply.
    pub(super) fn of(
        self,
        (profile, tree): (&Profile, &CallTree),
        path: &[u32],
        example: NodeId,
        is_inverted: bool,
        implementation: Implementation,
    ) -> Option<Transform> {
        let func = *path.last()?;
        Some(match self {
            Self::FocusFunction => Transform::FocusFunction(func),
            Self::FocusSelf => Transform::FocusSelf(func, implementation),
            Self::FocusSubtree if is_inverted => Transform::FocusInvertedSubtree(path.to_vec(), implementation),
            Self::FocusSubtree => Transform::FocusSubtree(path.to_vec(), implementation),
            Self::FocusCategory => Transform::FocusCategory(tree.nodes.category[example as usize][0]),
            Self::MergeFunction => Transform::MergeFunction(func),
            Self::MergeNode if is_inverted => return None,
            Self::MergeNode => Transform::MergeCallNode(path.to_vec(), implementation),
            Self::CollapseSubtree => Transform::CollapseFunctionSubtree(func),
            Self::CollapseRecursion => Transform::CollapseRecursion(func),
            Self::CollapseDirectRecursion => Transform::CollapseDirectRecursion(func, implementation),
            Self::CollapseResource => {
                let resource = profile.stacks.funcs.get(func as usize)?.resource;
                if resource == NONE {
                    return None;
                }
                Transform::CollapseResource(resource, implementation)
            }
            Self::Drop => Transform::DropFunction(func),
        })
    }
}

/// The transform whose key was pressed in this frame; consumes the event.
pub(super) fn pressed(ui: &Ui) -> Option<TransformKind> {
    let is_pressed = |wanted: &KeyBinding| {
        let is_press = |event: &Event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => wanted.is_press_of(*key, *modifiers),
            _ => false,
        };
        ui.input_mut(|input| {
            let before = input.events.len();
            input.events.retain(|event| !is_press(event));
            input.events.len() < before
        })
    };
    TransformKind::ALL.into_iter().find(|(_, key, _)| is_pressed(key)).map(|(kind, ..)| kind)
}

/// Shows a menu entry for each transform that `is_offered` accepts; returns the clicked one.
pub(super) fn entries(ui: &mut Ui, is_offered: impl Fn(TransformKind) -> bool) -> Option<TransformKind> {
    let mut chosen = None;
    for (kind, key, title) in TransformKind::ALL.into_iter().filter(|(kind, ..)| is_offered(*kind)) {
        if ui.add(egui::Button::new(title).shortcut_text(key.name())).clicked() {
            chosen = Some(kind);
        }
    }
    ui.separator();
    chosen
}

/// Text of a transform in the trail.
pub(super) fn describe(profile: &Profile, transform: &Transform) -> String {
    let named = |func: u32| match func_name(&profile.stacks, func) {
        "" => "(anonymous)".to_owned(),
        name => name.to_owned(),
    };
    let last = |path: &[u32]| path.last().map_or_else(String::new, |func| named(*func));
    match transform {
        Transform::FocusFunction(func) => format!("Focus: {}", named(*func)),
        Transform::FocusSelf(func, _) => format!("Focus self: {}", named(*func)),
        Transform::FocusSubtree(path, _) => format!("Focus node: {}", last(path)),
        Transform::FocusInvertedSubtree(path, _) => format!("Focus callers: {}", last(path)),
        Transform::FocusCategory(category) => {
            format!("Focus category: {}", profile.category_name(flowline_profile::CategoryId(u32::from(*category))))
        }
        Transform::MergeFunction(func) => format!("Merge: {}", named(*func)),
        Transform::MergeCallNode(path, _) => format!("Merge node: {}", last(path)),
        Transform::DropFunction(func) => format!("Drop: {}", named(*func)),
        Transform::CollapseFunctionSubtree(func) => format!("Collapse: {}", named(*func)),
        Transform::CollapseRecursion(func) => format!("Collapse recursion: {}", named(*func)),
        Transform::CollapseDirectRecursion(func, _) => format!("Collapse direct recursion: {}", named(*func)),
        Transform::CollapseResource(resource, _) => {
            let resource = profile.stacks.resources.get(*resource as usize);
            format!("Collapse: {}", resource.map_or("", |resource| profile.stacks.strings.get(resource.name)))
        }
        Transform::FilterSamples(search, _) => format!("Filter: {search}"),
    }
}
