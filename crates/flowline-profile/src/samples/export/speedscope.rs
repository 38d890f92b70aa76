//! speedscope JSON: a list of functions, and a `sampled` profile per thread.

use std::io::{self, Write};

use super::samples::Export;
use super::text::{unit_name, weight_text, write_text};
use crate::samples::NONE;
use crate::{FuncId, ThreadId};

impl Export<'_> {
    /// Writes the samples as a speedscope file, with one weighted profile per thread with samples. The file of a
    /// function is its source file or, if unknown, its library. Samples without a stack get an empty one.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn write_speedscope(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(
            br#"{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"flowline","name":"#,
        )?;
        let name = if self.profile.meta.product.is_empty() { "samples" } else { &self.profile.meta.product };
        write_text(out, name)?;
        out.write_all(br#","activeProfileIndex":0,"shared":{"frames":["#)?;
        let numbers = self.write_frames(out)?;
        out.write_all(br#"]},"profiles":["#)?;
        for (position, (thread, ..)) in self.tables().enumerate() {
            out.write_all(if position == 0 { b"\n" } else { b",\n" })?;
            self.write_thread(out, thread, &numbers)?;
        }
        out.write_all(b"]}\n")
    }

    /// Writes the functions of all stacks. Returns the number of each.
    fn write_frames(&self, out: &mut impl Write) -> io::Result<Vec<u32>> {
        let stacks = self.stacks();
        let mut numbers = vec![NONE; stacks.funcs.len()];
        let mut next = 0;
        for func in self.used_stacks().map(|stack| stacks.func(stack)) {
            if numbers[func.index()] != NONE {
                continue;
            }
            numbers[func.index()] = next;
            out.write_all(if next == 0 { b"\n" } else { b",\n" })?;
            next += 1;
            self.write_frame(out, func)?;
        }
        Ok(numbers)
    }

    pub(super) fn write_frame(&self, out: &mut impl Write, id: FuncId) -> io::Result<()> {
        let stacks = self.stacks();
        let func = &stacks.funcs[id.index()];
        out.write_all(br#"{"name":"#)?;
        write_text(out, self.name(id))?;
        let library = || stacks.resource(id).map_or("", |(_, name)| name);
        let file = Some(stacks.file(id)).filter(|file| !file.is_empty()).unwrap_or_else(library);
        if !file.is_empty() {
            out.write_all(br#","file":"#)?;
            write_text(out, file)?;
        }
        for (key, place) in [("line", func.line), ("col", func.column)] {
            if place != NONE {
                write!(out, r#","{key}":{}"#, u64::from(place) + self.first_line())?;
            }
        }
        out.write_all(b"}")
    }

    /// Offset for lines and columns: speedscope counts from 1, V8 from 0.
    fn first_line(&self) -> u64 {
        u64::from(self.profile.meta.capabilities.lines_from_zero)
    }

    fn write_thread(&self, out: &mut impl Write, id: ThreadId, numbers: &[u32]) -> io::Result<()> {
        let only = Export { threads: &[id], ..*self };
        let Some((_, table, part)) = only.tables().next() else { return Ok(()) };
        let stacks = self.stacks();
        out.write_all(br#"{"type":"sampled","name":"#)?;
        write_text(out, &self.profile.thread(id).name)?;
        let total: f64 = part.clone().map(|sample| table.weight(sample)).filter(|weight| *weight > 0.0).sum();
        let (unit, total) = (unit_name(table.weight_unit), weight_text(total));
        write!(out, r#","unit":"{unit}","startValue":0,"endValue":{total},"samples":["#)?;
        let mut frames = Vec::new();
        for sample in part.clone() {
            frames.clear();
            if let Some(stack) = table.stack(sample) {
                frames.extend(stacks.walk(stack).map(|stack| numbers[stacks.func(stack).index()]));
            }
            out.write_all(if sample == part.start { b"[" } else { b",[" })?;
            for (position, frame) in frames.iter().rev().enumerate() {
                write!(out, "{}{frame}", if position == 0 { "" } else { "," })?;
            }
            out.write_all(b"]")?;
        }
        out.write_all(br#"],"weights":["#)?;
        for sample in part.clone() {
            let comma = if sample == part.start { "" } else { "," };
            write!(out, "{comma}{}", weight_text(table.weight(sample)))?;
        }
        out.write_all(b"]}")
    }
}
