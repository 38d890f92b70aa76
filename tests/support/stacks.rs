//! Stacks in the form that tests compare.

use flowline::profile::samples::{FuncFlags, NONE, ResourceKind, SampleTable};
use flowline::profile::{Profile, StackId, ThreadSamples};
use serde_json::{Value, json};

/// Samples of a thread.
pub(crate) fn samples_of(profile: &Profile, thread: usize) -> &ThreadSamples {
    profile.threads[thread].samples.as_ref().expect("the thread has samples")
}

/// Frames of a stack, callee first, in the reference's terms.
pub(crate) fn frames(profile: &Profile, stack: StackId) -> Vec<Value> {
    let tables = &profile.stacks;
    let number = |own: u32, other: u32| [own, other].into_iter().find(|number| *number != NONE);
    let one = |stack| {
        let frame = tables.frame(stack);
        let func = &tables.funcs[frame.func.index()];
        let file = Some(tables.file(frame.func)).filter(|file| !file.is_empty());
        let mut one = json!({
            "function": tables.name(frame.func),
            "file": file,
            "line": number(frame.line, func.line),
            "column": number(frame.column, func.column),
            "resource": tables.resource(frame.func).map(|(_, name)| name),
            "isJS": func.flags.has(FuncFlags::IS_JS),
            "relevantForJS": func.flags.has(FuncFlags::RELEVANT_FOR_JS),
            "category": tables.category[stack.index()],
        });
        if frame.address != u64::MAX {
            one["address"] = json!(frame.address);
        }
        if frame.inline_depth > 0 {
            one["inlineDepth"] = json!(frame.inline_depth);
        }
        one
    };
    tables.walk(stack).map(one).collect()
}

/// Function names of a stack, caller first, joined by `>`; `-` without a stack.
pub(crate) fn path(profile: &Profile, stack: Option<StackId>) -> String {
    let Some(stack) = stack else { return "-".into() };
    let mut names: Vec<&str> =
        profile.stacks.walk(stack).map(|stack| profile.stacks.name(profile.stacks.func(stack))).collect();
    names.reverse();
    names.join(">")
}

/// The stacks of samples, each formatted by [`path`].
pub(crate) fn paths(profile: &Profile, table: &SampleTable) -> Vec<String> {
    (0..table.len()).map(|sample| path(profile, table.stack(sample))).collect()
}

/// Kind and name of the resource of a function.
pub(crate) fn resource<'a>(profile: &'a Profile, name: &str) -> Option<(ResourceKind, &'a str)> {
    let func = (0..profile.stacks.funcs.len()).map(flowline::profile::FuncId::new);
    let found = func.into_iter().find(|func| profile.stacks.name(*func) == name).expect("a function with this name");
    profile.stacks.resource(found)
}
