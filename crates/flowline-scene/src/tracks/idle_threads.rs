//! Idle threads: the last line of their process.

use super::{LabelStyle, TrackItem, TrackLabel};
use crate::layout::{IdleThreads, SceneInput, THREAD_HEIGHT};
use crate::tracks::thread::LEVEL_INDENT;
use flowline_format::format_counted;
use flowline_view::Command;

impl TrackItem for IdleThreads {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.0, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let threads = format_counted(u64::from(self.count), "idle thread");
        let (text, right) = if self.shown { (threads, "Hide") } else { (format!("{threads} hidden"), "Show") };
        TrackLabel {
            spoken: format!("{text}, {right}"),
            text,
            right: right.into(),
            style: LabelStyle::More,
            indent: LEVEL_INDENT,
            expanded: Some(self.shown),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleEmpty(self.process))
    }
}
