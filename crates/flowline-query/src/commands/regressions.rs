//! `flowline-query fleet regressions`: prints the differences.

use std::io::{self, Write};

use flowline_format::{Ns, format_counted, format_time_exact};

use crate::fleet::Regression;

fn value(metric: &str, value: f64) -> String {
    if metric == "blocker share" {
        return format!("{:.1} %", value * 100.0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds")]
    format_time_exact(Ns(value as i64))
}

/// Prints the differences with at most this p-value.
pub(super) fn print(found: &[Regression], p: f64, is_json: bool, out: &mut dyn Write) -> io::Result<()> {
    let kept: Vec<&Regression> = found.iter().filter(|regression| regression.p <= p).collect();
    if is_json {
        for regression in kept {
            writeln!(out, "{}", serde_json::to_string(regression).map_err(io::Error::other)?)?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "{:>10}  {:>14}  {:>14}  {:>7}  {:>11}  {:<13}  name",
        "p", "median A", "median B", "B / A", "recordings", "metric"
    )?;
    for own in &kept {
        let ratio = own.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let [a, b] = own.median.map(|median| value(&own.metric, median));
        let count = format!("{} / {}", own.recordings[0], own.recordings[1]);
        writeln!(out, "{:>10.2e}  {a:>14}  {b:>14}  {ratio:>7}  {count:>11}  {:<13}  {}", own.p, own.metric, own.name)?;
    }
    let compared = format_counted(found.len() as u64, "value");
    writeln!(out, "{} of {compared} differ with p at most {p}", kept.len())
}
