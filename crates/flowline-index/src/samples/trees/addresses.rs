//! Functions of which a recording has only the address: they count for their library.

use super::stack_view::{collapsed_resource, func_name};
use flowline_profile::samples::NONE;
use flowline_profile::{CategoryId, FuncId, Profile, StackTables};

/// True for an address in hexadecimal, which tools write for functions without a symbol.
fn is_address(name: &str) -> bool {
    name.strip_prefix("0x")
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The number of a function in views and lists (see [`func_name`]): that of its library if only its address is known.
/// Addresses outside of any library stay functions.
#[must_use]
pub fn named_func(tables: &StackTables, func: FuncId) -> u32 {
    let resource = tables.funcs.get(func.index()).map(|own| own.resource).filter(|resource| *resource != NONE);
    match resource.filter(|_| is_address(tables.name(func))) {
        Some(resource) => u32::try_from(tables.funcs.len()).unwrap_or(NONE).saturating_add(resource),
        None => func.0,
    }
}

/// The category of samples of idle threads, in recordings that sample those; lists of functions leave such samples out.
#[must_use]
pub fn sampled_idle(profile: &Profile) -> Option<CategoryId> {
    let idle = || profile.categories.iter().position(|category| category.name == "Idle").map(CategoryId::new);
    profile.meta.capabilities.idle_is_sampled.then(idle).flatten()
}

/// True for the number of a library.
#[must_use]
pub fn is_library(tables: &StackTables, func: u32) -> bool {
    collapsed_resource(tables, func).is_some()
}

/// The name of a function or library in lists: "libxul.so (no symbols)".
#[must_use]
pub fn name_or_library(tables: &StackTables, func: u32) -> String {
    let name = func_name(tables, func);
    if is_library(tables, func) { format!("{name} (no symbols)") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_hexadecimal() {
        let names = ["0x7f00", "0xDEADbeef", "0x", "0xg", "fun_0x12", "main", ""];
        assert_eq!(names.map(is_address), [true, true, false, false, false, false, false]);
    }
}
