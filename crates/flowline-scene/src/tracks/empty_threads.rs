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

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let (count, threads) = (u64::from(self.count), format_counted(u64::from(self.count), "thread"));
        let text = match self.all_empty {
            true if sampled_in_vain(input, self) == count => format!("{threads} with samples but no functions"),
            true => format!("{threads} without markers"),
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

/// Number of threads of the process that have samples, but none with a useful stack.
fn sampled_in_vain(input: &SceneInput<'_>, item: &EmptyThreads) -> u64 {
    let (profile, cpu) = (input.index.profile(), input.index.cpu());
    let own = profile.threads_with_ids().filter(|(id, thread)| {
        let is_sampled = thread.samples.as_ref().is_some_and(|samples| !samples.cpu.is_empty());
        thread.process == item.process && is_sampled && thread.markers.is_empty() && cpu.get(*id).is_none()
    });
    own.count() as u64
}
