//! Names of functions of Firefox.

use flowline_profile::samples::ANONYMOUS;
use flowline_profile::{FuncId, Profile};

/// The name of a function. Importers name script functions without a name by their script.
pub(crate) fn name_of(profile: &Profile, func: FuncId) -> &str {
    let name = profile.func_name(func);
    let is_address = name.contains("://") && !name.contains(' ');
    if is_address || name.starts_with("(root scope) ") { ANONYMOUS } else { name }
}
