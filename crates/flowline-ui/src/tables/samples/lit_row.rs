//! The row whose entries the chart highlights: the row under the pointer or else, while the table has the focus, the
//! selected row.

use std::sync::Arc;

use super::sample_result::SampleResult;
use flowline_profile::samples::FuncFlags;
use flowline_profile::{FuncId, Profile};
use flowline_view::LitEntries;

/// The entries of functions and events in the threads and the range of a result; `None` if there are none.
pub(super) fn lit_entries(profile: &Profile, built: &SampleResult, functions: &[u32]) -> Option<Arc<LitEntries>> {
    let mut lit =
        LitEntries { threads: built.request.threads.clone(), range: built.request.range, ..Default::default() };
    let stacks = &profile.stacks;
    for func in functions {
        // Groups are no functions.
        let Some(known) = stacks.funcs.get(*func as usize) else { continue };
        if known.flags.has(FuncFlags::IS_EVENT) {
            lit.names.extend(profile.strings.find(stacks.strings.get(known.name)));
        } else {
            lit.functions.insert(FuncId(*func));
        }
    }
    (!lit.functions.is_empty() || !lit.names.is_empty()).then(|| Arc::new(lit))
}
