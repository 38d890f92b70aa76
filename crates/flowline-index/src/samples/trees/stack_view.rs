//! The stacks of a recording after transforms, the implementation filter and a search.

use foldhash::HashMap;

use flowline_profile::samples::{FuncFlags, NONE, ResourceKind};
use flowline_profile::{FuncId, Implementation, StackId, StackTables};

/// A stack without frames.
pub(crate) const EMPTY: u32 = NONE - 1;

/// Resource of a function of a view, if the function represents a collapsed resource. Function numbers of a view are
/// those of the recording, followed by one number for each resource.
pub(crate) fn collapsed_resource(tables: &StackTables, func: u32) -> Option<usize> {
    (func as usize).checked_sub(tables.funcs.len())
}

/// Name of a function of a view.
#[must_use]
pub fn func_name(tables: &StackTables, func: u32) -> &str {
    match collapsed_resource(tables, func) {
        Some(resource) => tables.resources.get(resource).map_or("", |resource| tables.strings.get(resource.name)),
        None => tables.name(FuncId(func)),
    }
}

fn is_shown(tables: &StackTables, implementation: Implementation, func: u32) -> bool {
    let (is_js, is_relevant, is_lost) = match collapsed_resource(tables, func) {
        Some(resource) => {
            let kind = tables.resources.get(resource).map_or(ResourceKind::UNKNOWN, |resource| resource.kind);
            (kind != ResourceKind::LIBRARY && kind != ResourceKind::UNKNOWN, false, false)
        }
        None => {
            let own = &tables.funcs[func as usize];
            let is_lost = || own.resource == NONE && tables.strings.get(own.name).starts_with("0x");
            (own.flags.has(FuncFlags::IS_JS), own.flags.has(FuncFlags::RELEVANT_FOR_JS), is_lost())
        }
    };
    match implementation {
        Implementation::All | Implementation::Folded => true,
        Implementation::Js => is_js || is_relevant,
        Implementation::Native => !is_js && !is_lost,
    }
}

/// By function of a view: true if it passes an implementation filter.
#[derive(Clone, Debug)]
pub(crate) struct FunctionFilter(Vec<bool>);

impl FunctionFilter {
    pub(crate) fn new(tables: &StackTables, implementation: Implementation) -> Self {
        let count = u32::try_from(tables.funcs.len() + tables.resources.len()).unwrap_or(u32::MAX);
        Self((0..count).map(|func| is_shown(tables, implementation, func)).collect())
    }

    pub(crate) fn has(&self, func: u32) -> bool {
        self.0.get(func as usize).copied().unwrap_or(false)
    }
}

/// Stacks after some steps. Callers come before callees.
#[derive(Clone, Debug, Default)]
pub struct StackView {
    /// Caller of each stack; [`NONE`] at a root.
    pub(crate) prefix: Vec<u32>,
    /// Innermost function of each stack; see [`func_name`].
    pub(crate) func: Vec<u32>,
    /// Stack of the recording from which each stack is derived.
    pub(crate) origin: Vec<StackId>,
    /// Category and subcategory of each stack, unchanged by steps.
    pub(crate) category: Vec<[u16; 2]>,
    /// Stack of this view for each stack of the recording: [`NONE`] if it is excluded, [`EMPTY`] if no frame is left.
    pub(crate) of_stack: Vec<u32>,
    /// Group of the samples of each stack; empty unless the view is divided by group.
    pub(crate) group: Vec<u32>,
}

/// The new view during [`StackView::rebuild`].
pub(crate) struct Rebuilt {
    view: StackView,
    /// New stack of each old stack.
    pub(crate) map: Vec<u32>,
}

impl Rebuilt {
    /// Adds a stack derived from stack `from` of the old view.
    pub(crate) fn push(&mut self, caller: u32, from: usize, func: u32, old: &StackView) -> u32 {
        let view = &mut self.view;
        let caller = if caller == EMPTY { NONE } else { caller };
        view.prefix.push(caller);
        view.func.push(func);
        view.origin.push(old.origin[from]);
        view.category.push(old.category[from]);
        u32::try_from(view.prefix.len() - 1).unwrap_or(NONE)
    }

    /// True if a new stack has a function and a category.
    pub(crate) fn is_like(&self, stack: u32, func: u32, category: [u16; 2]) -> bool {
        self.view.func[stack as usize] == func && self.view.category[stack as usize] == category
    }

    /// New stack of the caller of an old stack; [`EMPTY`] at a root.
    pub(crate) fn caller(&self, old: &StackView, stack: usize) -> u32 {
        let prefix = old.prefix[stack];
        if prefix == NONE { EMPTY } else { self.map[prefix as usize] }
    }
}

impl StackView {
    /// Creates a view of the `used` stacks and their callers.
    #[must_use]
    pub fn new(tables: &StackTables, used: impl Iterator<Item = StackId>) -> Self {
        let mut of_stack = vec![NONE; tables.len()];
        for stack in used {
            let mut at = stack.0;
            while at != NONE && of_stack[at as usize] == NONE {
                of_stack[at as usize] = EMPTY;
                at = tables.prefix[at as usize];
            }
        }
        let mut view = Self::default();
        for stack in 0..tables.len() {
            if of_stack[stack] == NONE {
                continue;
            }
            of_stack[stack] = u32::try_from(view.prefix.len()).unwrap_or(NONE);
            let (id, prefix) = (StackId::new(stack), tables.prefix[stack]);
            view.prefix.push(if prefix == NONE { NONE } else { of_stack[prefix as usize] });
            view.func.push(tables.func(id).0);
            view.origin.push(id);
            view.category.push([tables.category[stack], tables.subcategory[stack]]);
        }
        Self { of_stack, ..view }
    }

    /// Number of stacks.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.prefix.len()
    }

    /// True if there are no stacks.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Stack of this view for a stack of the recording; `None` if it is excluded or has no frame left.
    #[must_use]
    #[inline]
    pub fn get(&self, stack: StackId) -> Option<usize> {
        let own = *self.of_stack.get(stack.index())?;
        (own < EMPTY).then_some(own as usize)
    }

    /// Replaces the view. `step` is called for each stack, callers first, and returns its new stack, [`NONE`] to
    /// exclude it, or [`EMPTY`].
    pub(crate) fn rebuild(&mut self, mut step: impl FnMut(&mut Rebuilt, &Self, usize) -> u32) {
        let mut rebuilt = Rebuilt { view: Self::default(), map: Vec::with_capacity(self.len()) };
        for stack in 0..self.len() {
            let new = step(&mut rebuilt, self, stack);
            rebuilt.map.push(new);
        }
        let Rebuilt { view, map } = rebuilt;
        let of_stack = std::mem::take(&mut self.of_stack);
        let new = |stack: u32| if stack < EMPTY { map[stack as usize] } else { stack };
        *self = Self { of_stack: of_stack.into_iter().map(new).collect(), ..view };
    }

    /// Maps each stack to one of its callers, to itself, or to [`NONE`] to exclude it, without changing the stacks.
    pub(crate) fn redirect(&mut self, target: impl Fn(&Self, usize) -> u32) {
        let map: Vec<u32> = (0..self.len()).map(|stack| target(self, stack)).collect();
        for stack in self.of_stack.iter_mut().filter(|stack| **stack < EMPTY) {
            *stack = map[*stack as usize];
        }
    }

    /// Divides the stacks by the groups of the samples that end in them, so that the samples of each group have stacks
    /// of their own.
    pub(crate) fn divide(&mut self, group_of: impl Fn(&Self, usize) -> u32) {
        let mut divided = Self::default();
        let mut known: HashMap<(u32, u32), u32> = HashMap::default();
        let mut of_stack = std::mem::take(&mut self.of_stack);
        let mut missing: Vec<u32> = Vec::new();
        for leaf in of_stack.iter_mut().filter(|leaf| **leaf < EMPTY) {
            let group = group_of(self, *leaf as usize);
            let mut at = *leaf;
            while at != NONE && !known.contains_key(&(at, group)) {
                missing.push(at);
                at = self.prefix[at as usize];
            }
            let mut caller = known.get(&(at, group)).copied().unwrap_or(NONE);
            for stack in missing.drain(..).rev() {
                let old = stack as usize;
                divided.prefix.push(caller);
                divided.func.push(self.func[old]);
                divided.origin.push(self.origin[old]);
                divided.category.push(self.category[old]);
                divided.group.push(group);
                caller = u32::try_from(divided.prefix.len() - 1).unwrap_or(NONE);
                known.insert((stack, group), caller);
            }
            *leaf = caller;
        }
        *self = Self { of_stack, ..divided };
    }

    /// Excludes samples whose original stack has a category, regardless of transforms.
    pub fn drop_category(&mut self, tables: &StackTables, category: u16) {
        for (stack, own) in self.of_stack.iter_mut().zip(&tables.category) {
            if *own == category {
                *stack = NONE;
            }
        }
    }

    /// Removes the frames of functions that do not pass an implementation filter.
    pub fn filter_by_implementation(&mut self, tables: &StackTables, implementation: Implementation) {
        if implementation == Implementation::All {
            return;
        }
        let shown = FunctionFilter::new(tables, implementation);
        self.rebuild(|rebuilt, old, stack| {
            let caller = rebuilt.caller(old, stack);
            if shown.has(old.func[stack]) { rebuilt.push(caller, stack, old.func[stack], old) } else { caller }
        });
    }

    /// Excludes the stacks that a search does not find. Terms are separated by commas; each term must occur in the
    /// name, the file or the resource of a function of the stack, ignoring case.
    #[inline]
    pub fn filter_by_search(&mut self, tables: &StackTables, search: &str) {
        self.filter_by_search_in(tables, search, Implementation::All);
    }

    /// Like [`StackView::filter_by_search`], but only searches functions that pass an implementation filter.
    pub(crate) fn filter_by_search_in(&mut self, tables: &StackTables, search: &str, implementation: Implementation) {
        let shown = FunctionFilter::new(tables, implementation);
        let terms: Vec<String> =
            search.split(',').map(|term| term.trim().to_lowercase()).filter(|term| !term.is_empty()).collect();
        for terms in terms.chunks(64) {
            let found = found_terms(tables, terms);
            let all = u64::MAX >> (64 - terms.len());
            let mut of_view = vec![0_u64; self.len()];
            for stack in 0..self.len() {
                let caller = of_view.get(self.prefix[stack] as usize).copied().unwrap_or(0);
                let own = self.func[stack];
                of_view[stack] = caller | if shown.has(own) { found[own as usize] } else { 0 };
            }
            let keep = |_: &Self, stack: usize| {
                if of_view[stack] == all { u32::try_from(stack).unwrap_or(NONE) } else { NONE }
            };
            self.redirect(keep);
        }
    }
}

/// Terms that occur in each function of a view, one bit per term.
fn found_terms(tables: &StackTables, terms: &[String]) -> Vec<u64> {
    let in_text = |text: &str| {
        let text = text.to_lowercase();
        terms.iter().enumerate().filter(|(_, term)| text.contains(*term)).fold(0, |bits, (at, _)| bits | 1_u64 << at)
    };
    let files: Vec<u64> = tables.sources.iter().map(|source| in_text(tables.strings.get(source.file))).collect();
    let resources: Vec<u64> =
        tables.resources.iter().map(|resource| in_text(tables.strings.get(resource.name))).collect();
    let bits = |list: &[u64], at: u32| list.get(at as usize).copied().unwrap_or(0);
    let of_func = |func: &flowline_profile::samples::Func| {
        in_text(tables.strings.get(func.name)) | bits(&files, func.source) | bits(&resources, func.resource)
    };
    tables.funcs.iter().map(of_func).chain(resources.iter().copied()).collect()
}
