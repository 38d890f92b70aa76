//! Threads without markers and samples, and idle threads: one line per process.

use super::{LabelStyle, TrackItem, TrackLabel};
use crate::layout::{EmptyThreads, ROW_HEIGHT, SceneInput};
use flowline_format::format_counted;
use flowline_view::Command;

impl TrackItem for EmptyThreads {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.0, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let count = u64::from(self.count);
        let text = match self.all_empty {
            true => format!("{} without markers", format_counted(count, "thread")),
            false => format_counted(count, "idle thread"),
        };
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
