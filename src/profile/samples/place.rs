//! Where functions and frames are, as people read it.

use super::stacks::{Frame, ResourceKind, StackTables};
use super::{NONE, ThreadSamples};
use crate::profile::stack::{MAX_FRAMES, StackFrame, StackTrace};
use crate::profile::text::format_duration_ns;
use crate::profile::{FuncId, LocalMarker, Ns, Profile, StackId, ThreadId};

/// The text of functions without a name.
pub const ANONYMOUS: &str = "(anonymous)";

impl StackTables {
    /// Name of a function; [`ANONYMOUS`] for one without a name.
    #[must_use]
    pub fn shown_name(&self, func: FuncId) -> &str {
        match self.name(func) {
            "" => ANONYMOUS,
            name => name,
        }
    }

    /// Line and column of a frame, else those of its function, each by itself; as the format counts them.
    #[must_use]
    pub fn line_and_column(&self, frame: &Frame) -> [Option<u32>; 2] {
        let func = &self.funcs[frame.func.index()];
        [(frame.line, func.line), (frame.column, func.column)]
            .map(|(own, function)| [own, function].into_iter().find(|number| *number != NONE))
    }

    /// A number of [`StackTables::line_and_column`] as it is shown: the first line is 1.
    #[must_use]
    pub const fn shown_number(&self, number: u32) -> u32 {
        if self.counts_from_zero { number.saturating_add(1) } else { number }
    }

    /// `file:line:column`, or the library or site where the file is unknown; empty if nothing is known.
    #[must_use]
    pub fn place_text(&self, frame: &Frame) -> String {
        let file = self.file(frame.func);
        let resource = self.resource(frame.func);
        if file.is_empty() {
            return resource.map_or_else(String::new, |(_, name)| name.to_owned());
        }
        let mut text = file.to_owned();
        if let [Some(line), column] = self.line_and_column(frame) {
            text += &format!(":{}", self.shown_number(line));
            if let Some(column) = column {
                text += &format!(":{}", self.shown_number(column));
            }
        }
        match resource {
            Some((kind, name)) if kind != ResourceKind::LIBRARY && !file.starts_with(name) && !name.is_empty() => {
                format!("{name}: {text}")
            }
            _ => text,
        }
    }

    /// A stack, innermost frame first; at most [`MAX_FRAMES`].
    #[must_use]
    pub fn trace(&self, stack: StackId) -> StackTrace {
        let frame = |stack: StackId| {
            let frame = self.frame(stack);
            StackFrame { name: self.shown_name(frame.func).to_owned(), place: self.place_text(frame) }
        };
        let frames: Vec<StackFrame> = self.walk(stack).take(MAX_FRAMES).map(frame).collect();
        let is_cut = self.walk(stack).nth(MAX_FRAMES).is_some();
        StackTrace { frames, is_cut, ..StackTrace::default() }
    }
}

impl Profile {
    /// What was sampled of a thread.
    #[must_use]
    pub fn samples(&self, thread: ThreadId) -> Option<&ThreadSamples> {
        self.thread(thread).samples.as_deref()
    }

    /// The stack that a marker carries. Its title says whether it was taken before the marker began.
    #[must_use]
    pub fn marker_stack(&self, thread: ThreadId, marker: LocalMarker) -> Option<StackTrace> {
        let (stack, taken) = self.samples(thread)?.marker_stacks.get(marker)?;
        let start = self.thread(thread).markers.start[marker.index()];
        let before = taken.map_or(Ns(0), |taken| start - taken);
        let title = if before > Ns(0) {
            format!("Stack trace, {} before", format_duration_ns(before.0))
        } else {
            "Stack trace".to_owned()
        };
        Some(StackTrace { title, ..self.stacks.trace(stack) })
    }

    /// How many samples of a marker's thread were taken while it lasted; `None` for instants and threads without samples.
    #[must_use]
    pub fn samples_during(&self, thread: ThreadId, marker: LocalMarker) -> Option<usize> {
        let (samples, markers) = (self.samples(thread)?, &self.thread(thread).markers);
        if markers.is_instant(marker) || samples.cpu.is_empty() {
            return None;
        }
        let before = |time: Ns| samples.cpu.time.partition_point(|sample| *sample < time);
        Some(before(markers.end[marker.index()]).saturating_sub(before(markers.start[marker.index()])))
    }
}
