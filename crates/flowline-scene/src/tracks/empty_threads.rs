//! Threads without markers and samples: one line per process.

use super::{LabelStyle, ROW_HEIGHT, TrackItem, TrackLabel};
use crate::SceneInput;
use flowline_format::format_counted;
use flowline_profile::ProcessId;
use flowline_view::Command;

/// A line with the number of threads of a process that have neither markers nor samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EmptyThreads {
    /// The process.
    pub process: ProcessId,
    /// Number of threads.
    pub count: u32,
    /// True if the threads are listed below.
    pub shown: bool,
}

impl TrackItem for EmptyThreads {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.0, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let text = format!("{} without markers", format_counted(u64::from(self.count), "thread"));
        let right = if self.shown { "hide" } else { "show" };
        TrackLabel {
            spoken: format!("{text}, {right}"),
            text,
            right: right.into(),
            style: LabelStyle::More,
            expanded: Some(self.shown),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleEmpty(self.process))
    }
}
