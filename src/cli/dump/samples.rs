//! `flowline dump samples`.

use std::fmt::Write as _;
use std::io::Write;

use serde_json::json;

use flowline_index::cpu_time_of_table;
use flowline_profile::samples::{NONE, SampleTable};
use flowline_profile::{CpuUnit, Profile, ThreadId};
use flowline_session::write_stack;

/// Writes one line per thread, or per sample if `each`.
pub(super) fn samples(out: &mut impl Write, profile: &Profile, each: bool) -> std::io::Result<()> {
    let none = SampleTable::default();
    let mut line = String::new();
    for (id, thread) in profile.threads_with_ids() {
        let table = thread.samples.as_ref().map_or(&none, |samples| &samples.cpu);
        if each {
            for sample in 0..table.len() {
                one(&mut line, profile, id, table, sample);
                writeln!(out, "{line}")?;
            }
        } else {
            writeln!(out, "{}", summary(profile, id, table))?;
        }
    }
    Ok(())
}

/// Returns the key and value of a CPU time: nanoseconds, or cycles of no fixed length.
fn cpu(profile: &Profile, amount: Option<u128>) -> (&'static str, Option<u64>) {
    let (key, factor) = match profile.meta.cpu_unit {
        Some(CpuUnit::Cycles) => ("cpu_cycles", 1),
        Some(CpuUnit::Microseconds) => ("cpu_ns", 1000),
        Some(CpuUnit::Nanoseconds) | None => ("cpu_ns", 1),
    };
    (key, amount.map(|amount| u64::try_from(amount * factor).unwrap_or(u64::MAX)))
}

fn summary(profile: &Profile, id: ThreadId, table: &SampleTable) -> serde_json::Value {
    let count = table.len();
    let has_times = profile.meta.capabilities.axis.is_time();
    let sum = || (1..count).filter_map(|sample| table.cpu_delta(sample)).map(u128::from).sum();
    // Without samples, the CPU time is known to be zero.
    let is_known = table.has_cpu_deltas() || count == 0;
    // A clock of the CPU may have taken the samples.
    let of_clock = || cpu_time_of_table(profile, table, None).map(|cpu| u128::from(cpu.time.0.unsigned_abs()));
    let amount = if is_known { Some(sum()) } else { of_clock() };
    let (cpu_key, cpu) = cpu(profile, amount);
    json!({
        "thread": id.0,
        "samples": count,
        "null_stacks": table.stack.iter().filter(|stack| **stack == NONE).count(),
        "first_ns": table.time.first().filter(|_| has_times).map(|time| time.0),
        "last_ns": table.time.last().filter(|_| has_times).map(|time| time.0),
        cpu_key: cpu,
        "weight": number((0..count).map(|sample| table.weight(sample)).sum()),
        "weight_unit": table.weight_unit.name(),
    })
}

/// Returns a number, as an integer if it has no fraction.
pub(super) fn number(value: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "range checked")]
    if value.fract() == 0.0 && value.abs() < EXACT { json!(value as i64) } else { json!(value) }
}

fn one(line: &mut String, profile: &Profile, id: ThreadId, table: &SampleTable, sample: usize) {
    line.clear();
    // The time before the first sample is not part of the recording.
    let delta = if sample == 0 { None } else { table.cpu_delta(sample) };
    let (cpu_key, cpu) = cpu(profile, delta.map(u128::from));
    let _infallible = write!(
        line,
        r#"{{"thread":{},"t_ns":{},"weight":{},"{cpu_key}":{},"stack":"#,
        id.0,
        json!(profile.meta.capabilities.axis.is_time().then(|| table.time[sample].0)),
        number(table.weight(sample)),
        json!(cpu),
    );
    match table.stack(sample) {
        Some(own) => write_stack(line, profile, own),
        None => line.push_str("null"),
    }
    line.push('}');
}
