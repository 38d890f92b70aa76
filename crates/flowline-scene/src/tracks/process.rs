//! Headings of processes.

use super::track_item::expansion_text;
use super::{Background, LabelStyle, TrackItem, TrackLabel};
use crate::layout::{PROCESS_HEIGHT, ProcessHeading, SceneInput};
use flowline_view::Command;

impl TrackItem for ProcessHeading {
    fn height(&self) -> f64 {
        PROCESS_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.0, 0]
    }

    fn background(&self) -> Background {
        Background::Heading
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let process = &input.index.profile().processes[self.process.index()];
        let state = expansion_text(!self.collapsed);
        let (right, spoken) = match process.pid.as_str() {
            "" => (String::new(), format!("{}, {state}", process.name)),
            pid => (format!("pid {pid}"), format!("Process {}, pid {pid}, {state}", process.name)),
        };
        let page = input.index.pages().of(self.process);
        TrackLabel {
            text: process.heading(page),
            right,
            spoken: page.map_or_else(|| spoken.clone(), |url| format!("{spoken}, {url}")),
            style: LabelStyle::Heading,
            expanded: Some(!self.collapsed),
            ..TrackLabel::default()
        }
    }

    fn menu(&self) -> Vec<(&'static str, Command)> {
        vec![
            (if self.collapsed { "Expand" } else { "Collapse" }, Command::ToggleProcess(self.process)),
            ("Hide all threads of this process", Command::HideProcess(self.process)),
            ("Show all threads", Command::ShowAll),
            ("Expand all threads", Command::ExpandAll),
            ("Collapse all threads", Command::CollapseAll),
        ]
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleProcess(self.process))
    }
}
