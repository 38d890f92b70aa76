//! Export of stacks with their costs, as produced by trees after filters and transforms.

use std::collections::HashMap;
use std::io::{self, Write};

use super::samples::Export;
use super::text::{escaped, unit_name, weight_text, write_text};
use crate::samples::WeightUnit;
use crate::{FuncId, Profile};

/// Names of functions by number.
type Names<'a> = dyn Fn(u32) -> &'a str + 'a;

/// A list of stacks: functions from the root, and the self cost of the stack.
pub struct ListedStacks<'a, I> {
    /// The recording.
    pub profile: &'a Profile,
    /// Description of the samples.
    pub title: &'a str,
    /// Unit of the costs.
    pub unit: WeightUnit,
    /// Name of a function; trees have more functions than the recording.
    pub name: &'a Names<'a>,
    /// The stacks.
    pub stacks: I,
}

impl<I: Iterator<Item = (Vec<u32>, f64)> + Clone> ListedStacks<'_, I> {
    /// Writes collapsed stacks: one line per stack with names separated by semicolons, a space, and the cost.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn write_collapsed(&self, out: &mut impl Write) -> io::Result<()> {
        for (stack, cost) in self.stacks.clone() {
            for (position, func) in stack.into_iter().enumerate() {
                let name = escaped((self.name)(func));
                write!(out, "{}{name}", if position == 0 { "" } else { ";" })?;
            }
            writeln!(out, " {}", weight_text(cost))?;
        }
        Ok(())
    }

    /// Writes speedscope JSON: one profile with one sample per stack.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn write_speedscope(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(
            br#"{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"flowline","name":"#,
        )?;
        write_text(out, self.title)?;
        out.write_all(br#","activeProfileIndex":0,"shared":{"frames":["#)?;
        let numbers = self.write_frames(out)?;
        out.write_all(br#"]},"profiles":[{"type":"sampled","name":"#)?;
        write_text(out, self.title)?;
        let total: f64 = self.stacks.clone().map(|(_, cost)| cost.max(0.0)).sum();
        let (unit, total) = (unit_name(self.unit), weight_text(total));
        write!(out, r#","unit":"{unit}","startValue":0,"endValue":{total},"samples":["#)?;
        for (at, (stack, _)) in self.stacks.clone().enumerate() {
            out.write_all(if at == 0 { b"[" } else { b",[" })?;
            for (position, func) in stack.iter().enumerate() {
                write!(out, "{}{}", if position == 0 { "" } else { "," }, numbers[func])?;
            }
            out.write_all(b"]")?;
        }
        out.write_all(br#"],"weights":["#)?;
        for (at, (_, cost)) in self.stacks.clone().enumerate() {
            write!(out, "{}{}", if at == 0 { "" } else { "," }, weight_text(cost))?;
        }
        out.write_all(b"]}]}\n")
    }

    /// Writes all functions once. Returns the number of each.
    fn write_frames(&self, out: &mut impl Write) -> io::Result<HashMap<u32, usize>> {
        let mut numbers = HashMap::new();
        let export = Export { profile: self.profile, threads: &[], range: None };
        for func in self.stacks.clone().flat_map(|(stack, _)| stack) {
            let next = numbers.len();
            if *numbers.entry(func).or_insert(next) != next {
                continue;
            }
            out.write_all(if next == 0 { b"\n" } else { b",\n" })?;
            if (func as usize) < self.profile.stacks.funcs.len() {
                export.write_frame(out, FuncId(func))?;
            } else {
                out.write_all(br#"{"name":"#)?;
                write_text(out, (self.name)(func))?;
                out.write_all(b"}")?;
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Func, StackTablesBuilder};

    #[test]
    fn stacks_are_written_in_both_formats() {
        let mut tables = StackTablesBuilder::default();
        for (name, line) in [("main", 1), ("a;b", 2)] {
            let name = tables.text(name);
            tables.func(Func { line, ..Func::named(name) });
        }
        let profile = Profile { stacks: tables.finish(), ..Profile::default() };
        let name = |func: u32| ["main", "a;b", "libc"][func as usize];
        let stacks = [(vec![0], 1.5), (vec![0, 1], 2.0), (vec![0, 2, 1], -1.0)].into_iter();
        let list = ListedStacks { profile: &profile, title: "T", unit: WeightUnit::Nanoseconds, name: &name, stacks };
        let mut text = Vec::new();
        list.write_collapsed(&mut text).expect("written");
        assert_eq!(String::from_utf8_lossy(&text), "main 1.5\nmain;a:b 2\nmain;libc;a:b -1\n");
        text.clear();
        list.write_speedscope(&mut text).expect("written");
        let json: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let frames = &json["shared"]["frames"];
        assert_eq!(frames, &serde_json::json!([{"name":"main","line":1},{"name":"a;b","line":2},{"name":"libc"}]));
        let own = &json["profiles"][0];
        assert_eq!(own["samples"], serde_json::json!([[0], [0, 1], [0, 2, 1]]));
        assert_eq!((&own["weights"], &own["endValue"]), (&serde_json::json!([1.5, 2, -1]), &serde_json::json!(3.5)));
    }
}
