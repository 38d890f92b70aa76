//! Functions that are script, of a page or of the browser.

use flowline_profile::samples::{FuncFlags, NONE};
use flowline_profile::{FuncId, Profile, StackId};

/// The functions of a stack of Firefox that are script of a page, the innermost first.
pub(crate) fn page_scripts(profile: &Profile, stack: StackId) -> impl Iterator<Item = FuncId> {
    let funcs = profile.stacks.walk(stack).map(|stack| profile.stacks.func(stack));
    funcs.filter(|func| is_of_page(profile, *func))
}

/// The file of the functions of JavaScript itself that are written in JavaScript, which run on behalf of others.
const SELF_HOSTED: &str = "self-hosted";

/// The functions of a stack of Firefox that are script, of a page or of the browser, the innermost first.
pub(crate) fn scripts(profile: &Profile, stack: StackId) -> impl Iterator<Item = FuncId> {
    let funcs = profile.stacks.walk(stack).map(|stack| profile.stacks.func(stack));
    funcs.filter(|func| {
        let own = &profile.stacks.funcs[func.index()];
        own.flags.has(FuncFlags::IS_JS) && own.source != NONE && profile.stacks.file(*func) != SELF_HOSTED
    })
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
