//! `flowline dump calls`: one line for each call of a function, as the stack chart draws them.

use std::io::Write;

use serde_json::{Value, json};

use crate::profile::samples::{CallTable, NONE};
use crate::profile::{Profile, StackId, Thread, ThreadId};

/// Names of functions that have none.
const UNNAMED: &str = "(anonymous)";

/// The thread that an argument names: its number in `dump threads`, its thread id, or its name.
///
/// # Errors
/// If there is none, or if several threads have the id or name.
pub(super) fn find_thread(profile: &Profile, text: &str) -> anyhow::Result<ThreadId> {
    if let Some(id) = text.parse().ok().filter(|number: &usize| *number < profile.threads.len()).map(ThreadId::new) {
        return Ok(id);
    }
    let find = |holds: &dyn Fn(&Thread) -> bool| -> Vec<ThreadId> {
        profile.threads_with_ids().filter(|(_, thread)| holds(thread)).map(|(id, _)| id).collect()
    };
    let mut found = find(&|thread| thread.tid == text);
    if found.is_empty() {
        found = find(&|thread| thread.name == text);
    }
    match found[..] {
        [thread] => Ok(thread),
        [] => anyhow::bail!("there is no thread \"{text}\"; `dump threads` lists all"),
        _ => {
            let numbers: Vec<String> = found.iter().map(|thread| thread.0.to_string()).collect();
            anyhow::bail!("several threads are \"{text}\": say one of the numbers {}", numbers.join(", "))
        }
    }
}

/// Writes the calls of a thread, or of all threads.
pub(super) fn calls(out: &mut impl Write, profile: &Profile, thread: Option<ThreadId>) -> std::io::Result<()> {
    for (id, owner) in profile.threads_with_ids().filter(|(id, _)| thread.is_none_or(|thread| thread == *id)) {
        if let Some(table) = owner.samples.as_ref().and_then(|samples| samples.calls.as_ref()) {
            write_table(out, profile, id, table)?;
        }
    }
    Ok(())
}

fn write_table(out: &mut impl Write, profile: &Profile, thread: ThreadId, table: &CallTable) -> std::io::Result<()> {
    for call in 0..table.len() {
        let mut line = json!({"thread": thread.0});
        describe(profile, table.stack[call], &mut line);
        line["start_ns"] = table.start[call].0.into();
        line["end_ns"] = table.end[call].0.into();
        line["depth"] = table.depth[call].into();
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Name and place of the innermost function of a stack; lines and columns as the format counts them.
fn describe(profile: &Profile, stack: StackId, line: &mut Value) {
    let stacks = &profile.stacks;
    let (frame, func) = (stacks.frame(stack), stacks.func(stack));
    let known = |number: u32| (number != NONE).then_some(number);
    let of_func = &stacks.funcs[func.index()];
    let name = stacks.name(func);
    line["name"] = if name.is_empty() { UNNAMED.into() } else { name.into() };
    line["file"] = stacks.file(func).into();
    line["line"] = known(of_func.line).or_else(|| known(frame.line)).into();
    line["column"] = known(of_func.column).or_else(|| known(frame.column)).into();
}
