//! Functions of which a recording has only the address: they count for their library.

use super::stack_view::{EMPTY, StackView, collapsed_resource, func_name};
use flowline_profile::samples::{NONE, ResourceKind};
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

/// True if the recording names libraries, to which addresses may belong.
#[must_use]
pub fn has_libraries(tables: &StackTables) -> bool {
    tables.resources.iter().any(|resource| resource.kind == ResourceKind::LIBRARY)
}

/// Replaces functions of which only the address is known with their library. Calls within a library are one call, unless
/// their categories differ.
pub(super) fn join_addresses(tables: &StackTables, view: &mut StackView) {
    if !has_libraries(tables) {
        return;
    }
    view.rebuild(|rebuilt, old, stack| {
        let (caller, func) = (rebuilt.caller(old, stack), named_func(tables, FuncId(old.func[stack])));
        match caller {
            NONE => NONE,
            caller
                if caller < EMPTY && is_library(tables, func) && rebuilt.is_like(caller, func, old.category[stack]) =>
            {
                caller
            }
            caller => rebuilt.push(caller, stack, func, old),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::samples::{Frame, Func, Resource, StackTablesBuilder};

    #[test]
    fn addresses_are_hexadecimal() {
        let names = ["0x7f00", "0xDEADbeef", "0x", "0xg", "fun_0x12", "main", ""];
        assert_eq!(names.map(is_address), [true, true, false, false, false, false, false]);
    }

    #[test]
    fn calls_within_a_library_are_one_call() {
        let mut builder = StackTablesBuilder::default();
        let library = builder.text("libx.so");
        let library = builder.resource(Resource { name: library, kind: ResourceKind::LIBRARY });
        let mut stack = None;
        for (name, resource, category) in [
            ("main", NONE, 0),
            ("0x1", library, 0),
            ("0x2", library, 0),
            ("work", library, 0),
            ("0x3", library, 0),
            ("0x4", library, 1),
            ("0x5", NONE, 1),
        ] {
            let name = builder.text(name);
            let func = builder.func(Func { resource, ..Func::named(name) });
            let frame = builder.push_frame(Frame { category, ..Frame::of(func) });
            stack = Some(builder.push_stack(stack, frame));
        }
        let (tables, stack) = (builder.finish(), stack.expect("a stack"));
        let mut view = StackView::new(&tables, std::iter::once(stack));
        join_addresses(&tables, &mut view);
        let names: Vec<&str> = view.func.iter().map(|func| func_name(&tables, *func)).collect();
        assert_eq!(names, ["main", "libx.so", "work", "libx.so", "libx.so", "0x5"]);
        assert_eq!(name_or_library(&tables, view.func[1]), "libx.so (no symbols)");
        assert_eq!(view.get(stack), Some(5));
    }
}
