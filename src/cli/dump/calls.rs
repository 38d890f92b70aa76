//! `flowline dump calls`: one line per function call, as shown in the stack chart.

use std::io::Write;

use serde_json::{Value, json};

use super::samples::number;

use flowline_index::samples::arguments::arguments_of;
use flowline_index::samples::calls::from_samples;
use flowline_profile::samples::{CallTable, NONE};
use flowline_profile::{Profile, StackId, ThreadId};

/// Writes the calls of a thread, or of all threads.
pub(super) fn calls(out: &mut impl Write, profile: &Profile, thread: Option<ThreadId>) -> std::io::Result<()> {
    for (id, owner) in profile.threads_with_ids().filter(|(id, _)| thread.is_none_or(|thread| thread == *id)) {
        let Some(samples) = &owner.samples else { continue };
        match &samples.calls {
            Some(table) => write_table(out, profile, id, table)?,
            None => {
                let table = from_samples(&profile.stacks, &samples.cpu, profile.last_sample_length(&samples.cpu));
                write_table(out, profile, id, &table)?;
            }
        }
    }
    Ok(())
}

fn write_table(out: &mut impl Write, profile: &Profile, thread: ThreadId, table: &CallTable) -> std::io::Result<()> {
    let axis = profile.meta.capabilities.axis;
    for call in 0..table.len() {
        let mut line = json!({"thread": thread.0});
        describe(profile, table.stack[call], &mut line);
        let (start, end) = (table.start[call], table.end[call]);
        if axis.is_time() {
            line["start_ns"] = start.0.into();
            line["end_ns"] = end.0.into();
        } else {
            line["total"] = number(axis.amount_of((end - start).0));
            line["unit"] = axis.name().into();
        }
        line["depth"] = table.depth[call].into();
        if let Some(arguments) = arguments_of(profile, thread, table, call) {
            line["arguments"] = arguments.values.into();
            line["more_arguments"] = arguments.more.into();
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Adds the name and source location of the innermost function of a stack; lines and columns are counted as in the
/// format.
fn describe(profile: &Profile, stack: StackId, line: &mut Value) {
    let stacks = &profile.stacks;
    let (frame, func) = (stacks.frame(stack), stacks.func(stack));
    let known = |number: u32| (number != NONE).then_some(number);
    let of_func = &stacks.funcs[func.index()];
    line["name"] = profile.func_name(func).into();
    line["file"] = stacks.file(func).into();
    line["line"] = known(of_func.line).or_else(|| known(frame.line)).into();
    line["column"] = known(of_func.column).or_else(|| known(frame.column)).into();
}
