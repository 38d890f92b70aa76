//! Functions that are script of a page.

use flowline_profile::samples::{FuncFlags, NONE};
use flowline_profile::{FuncId, Profile, StackId};

/// The functions of a stack of Firefox that are script of a page, the innermost first.
pub(crate) fn page_scripts(profile: &Profile, stack: StackId) -> impl Iterator<Item = FuncId> {
    let funcs = profile.stacks.walk(stack).map(|stack| profile.stacks.func(stack));
    funcs.filter(|func| is_of_page(profile, *func))
}

fn is_of_page(profile: &Profile, func: FuncId) -> bool {
    let func = &profile.stacks.funcs[func.index()];
    if !func.flags.has(FuncFlags::IS_JS) || func.source == NONE {
        return false;
    }
    let source = profile.stacks.sources.get(func.source as usize);
    let file = source.map(|source| profile.stacks.strings.get(source.file)).unwrap_or_default();
    file.starts_with("http://") || file.starts_with("https://")
}
