//! Transforms of stacks, which users apply one after the other, as in the Firefox Profiler.

use super::stack_view::{EMPTY, FunctionFilter, StackView};
use flowline_profile::samples::NONE;
use flowline_profile::{Implementation, StackTables};

/// A transform of all stacks. Functions are those of [`crate::samples::func_name`]; paths are lists of functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Transform {
    /// Keeps stacks with a function, from its outermost call on.
    FocusFunction(u32),
    /// Keeps samples whose innermost function is this one, which becomes the root.
    FocusSelf(u32, Implementation),
    /// Keeps stacks that begin with a path; its last function becomes the root.
    FocusSubtree(Vec<u32>, Implementation),
    /// Keeps stacks that end with a path, innermost first, up to the path's last function; removes its callees.
    FocusInvertedSubtree(Vec<u32>, Implementation),
    /// Keeps only the frames of a category.
    FocusCategory(u16),
    /// Removes the frames of a function; their time goes to the caller.
    MergeFunction(u32),
    /// Removes one node of the tree, given by its path; its callees move up.
    MergeCallNode(Vec<u32>, Implementation),
    /// Removes all samples with a function on their stack.
    DropFunction(u32),
    /// Removes the callees of a function.
    CollapseFunctionSubtree(u32),
    /// Removes everything between the outermost and the innermost call of a function.
    CollapseRecursion(u32),
    /// Merges direct recursive calls of a function into one call.
    CollapseDirectRecursion(u32, Implementation),
    /// Merges all functions of a resource into one function.
    CollapseResource(u32, Implementation),
    /// Keeps the samples that a search finds among the filtered functions; see [`StackView::filter_by_search`]. Their stacks
    /// stay complete.
    FilterSamples(String, Implementation),
}

impl Transform {
    /// Name on the command line and in the list of transforms.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::FocusFunction(_) => "focus-function",
            Self::FocusSelf(..) => "focus-self",
            Self::FocusSubtree(..) => "focus-subtree",
            Self::FocusInvertedSubtree(..) => "focus-inverted-subtree",
            Self::FocusCategory(_) => "focus-category",
            Self::MergeFunction(_) => "merge-function",
            Self::MergeCallNode(..) => "merge-call-node",
            Self::DropFunction(_) => "drop-function",
            Self::CollapseFunctionSubtree(_) => "collapse-function-subtree",
            Self::CollapseRecursion(_) => "collapse-recursion",
            Self::CollapseDirectRecursion(..) => "collapse-direct-recursion",
            Self::CollapseResource(..) => "collapse-resource",
            Self::FilterSamples(..) => "filter-samples",
        }
    }

    /// Applies the transform to a view.
    pub fn apply(&self, tables: &StackTables, view: &mut StackView) {
        let shown = |implementation: Implementation| FunctionFilter::new(tables, implementation);
        match self {
            Self::FocusFunction(func) => keep(view, |caller, own| match caller {
                NONE | EMPTY if own == *func => TransformStep::Root,
                NONE | EMPTY => TransformStep::LeaveOut,
                _ => TransformStep::Keep,
            }),
            Self::FocusSelf(func, implementation) => {
                let shown = shown(*implementation);
                keep(view, |caller, own| match caller {
                    _ if own == *func => TransformStep::Root,
                    caller if caller < EMPTY && !shown.has(own) => TransformStep::Keep,
                    _ => TransformStep::LeaveOut,
                });
            }
            Self::FocusSubtree(path, implementation) => {
                let matched = matched(view, path, &shown(*implementation));
                view.rebuild(|rebuilt, old, stack| {
                    let caller = rebuilt.caller(old, stack);
                    match matched[stack] {
                        Match::Whole => rebuilt.push(EMPTY, stack, old.func[stack], old),
                        _ if caller < EMPTY => rebuilt.push(caller, stack, old.func[stack], old),
                        _ => NONE,
                    }
                });
            }
            Self::FocusInvertedSubtree(path, implementation) => {
                let shown = shown(*implementation);
                view.redirect(|view, stack| ends_with(view, stack, path, &shown));
            }
            Self::FocusCategory(category) => view.rebuild(|rebuilt, old, stack| {
                let caller = rebuilt.caller(old, stack);
                let is_kept = old.category[stack][0] == *category;
                if is_kept { rebuilt.push(caller, stack, old.func[stack], old) } else { caller }
            }),
            Self::MergeFunction(func) => {
                keep(view, |_, own| if own == *func { TransformStep::Merge } else { TransformStep::Keep });
            }
            Self::MergeCallNode(path, implementation) => {
                let matched = matched(view, path, &shown(*implementation));
                view.rebuild(|rebuilt, old, stack| {
                    let caller = rebuilt.caller(old, stack);
                    let is_node = matches!(matched[stack], Match::Whole);
                    if is_node { caller } else { rebuilt.push(caller, stack, old.func[stack], old) }
                });
            }
            Self::DropFunction(func) => {
                keep(
                    view,
                    |caller, own| {
                        if caller == NONE || own == *func { TransformStep::LeaveOut } else { TransformStep::Keep }
                    },
                )
            }
            Self::CollapseFunctionSubtree(func) => {
                let mut is_collapsed = vec![false; view.len()];
                view.rebuild(|rebuilt, old, stack| {
                    let caller = rebuilt.caller(old, stack);
                    let below = is_collapsed.get(old.prefix[stack] as usize).copied().unwrap_or(false);
                    is_collapsed[stack] = below || old.func[stack] == *func;
                    if below { caller } else { rebuilt.push(caller, stack, old.func[stack], old) }
                });
            }
            Self::CollapseRecursion(func) => collapse(view, |own| own == *func, *func, |_| true),
            Self::CollapseDirectRecursion(func, implementation) => {
                let shown = shown(*implementation);
                collapse(view, |own| own == *func, *func, |own| !shown.has(own));
            }
            Self::CollapseResource(resource, implementation) => {
                let shown = shown(*implementation);
                let collapsed = u32::try_from(tables.funcs.len()).unwrap_or(NONE).saturating_add(*resource);
                let is_part = |own: u32| tables.funcs.get(own as usize).is_some_and(|func| func.resource == *resource);
                collapse(view, is_part, collapsed, |own| !shown.has(own));
            }
            Self::FilterSamples(search, implementation) => view.filter_by_search_in(tables, search, *implementation),
        }
    }
}

/// The result of a transform for a stack.
enum TransformStep {
    Keep,
    Root,
    Merge,
    LeaveOut,
}

/// Applies `step` to each stack, given the new stack of its caller and its own function.
fn keep(view: &mut StackView, step: impl Fn(u32, u32) -> TransformStep) {
    view.rebuild(|rebuilt, old, stack| {
        let (caller, func) = (rebuilt.caller(old, stack), old.func[stack]);
        match step(caller, func) {
            TransformStep::Keep if caller == NONE => NONE,
            TransformStep::Keep => rebuilt.push(caller, stack, func, old),
            TransformStep::Root => rebuilt.push(EMPTY, stack, func, old),
            TransformStep::Merge => caller,
            TransformStep::LeaveOut => NONE,
        }
    });
}

/// The match of a stack with a path, from the root on.
#[derive(Clone, Copy)]
enum Match {
    /// The stack consists of this many first functions of the path.
    Part(usize),
    /// The stack is the whole path.
    Whole,
    /// The stack does not match.
    No,
}

/// Matches all stacks with a path; ignores functions that do not pass the filter.
fn matched(view: &StackView, path: &[u32], shown: &FunctionFilter) -> Vec<Match> {
    let mut matched: Vec<Match> = Vec::with_capacity(view.len());
    for stack in 0..view.len() {
        let before = matched.get(view.prefix[stack] as usize).copied().unwrap_or(Match::Part(0));
        let own = view.func[stack];
        matched.push(match before {
            Match::Part(count) if !shown.has(own) => Match::Part(count),
            Match::Part(count) if path.get(count) == Some(&own) => {
                if count + 1 == path.len() {
                    Match::Whole
                } else {
                    Match::Part(count + 1)
                }
            }
            _ => Match::No,
        });
    }
    matched
}

/// If a stack ends with a path (innermost first), the stack up to the path's last function; else [`NONE`].
fn ends_with(view: &StackView, stack: usize, path: &[u32], shown: &FunctionFilter) -> u32 {
    let mut at = u32::try_from(stack).unwrap_or(NONE);
    let mut left = path.iter().peekable();
    while at != NONE {
        let own = view.func[at as usize];
        if shown.has(own) {
            match left.next() {
                Some(func) if *func == own && left.peek().is_none() => return at,
                Some(func) if *func == own => {}
                _ => return NONE,
            }
        }
        at = view.prefix[at as usize];
    }
    NONE
}

/// Merges each run of calls of some functions into one call of `func`. A run begins at the outermost call and continues
/// across functions for which `joins` is true; calls between two calls of the run are removed.
fn collapse(view: &mut StackView, is_part: impl Fn(u32) -> bool, func: u32, joins: impl Fn(u32) -> bool) {
    // The new caller of the run to which each stack belongs; NONE without a run.
    let mut runs: Vec<u32> = Vec::with_capacity(view.len());
    view.rebuild(|rebuilt, old, stack| {
        let (caller, own) = (rebuilt.caller(old, stack), old.func[stack]);
        let run = runs.get(old.prefix[stack] as usize).copied().unwrap_or(NONE);
        if is_part(own) {
            let before = if run == NONE { caller } else { run };
            runs.push(before);
            return rebuilt.push(before, stack, func, old);
        }
        runs.push(if joins(own) { run } else { NONE });
        rebuilt.push(caller, stack, own, old)
    });
}
