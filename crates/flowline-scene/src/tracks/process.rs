//! Headings of processes.

use super::track_item::expansion_text;
use super::{ActivityGraph, Background, LabelStyle, TrackItem, TrackLabel};
use crate::layout::{PROCESS_HEIGHT, ProcessHeading, SceneInput};
use flowline_index::ProcessTime;
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
        let spoken = match process.pid.as_str() {
            "" => format!("{}, {state}", process.name),
            pid => format!("Process {}, pid {pid}, {state}", process.name),
        };
        let page = input.index.pages().of(self.process);
        let (text, role) = process.heading_parts(page);
        let pid = format!("pid {}", process.pid);
        let is_alike = input.list.has_alike_process(self.process) && !process.pid.is_empty();
        let parts = [role, if is_alike { pid.as_str() } else { "" }];
        let detail: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        TrackLabel {
            text,
            detail: detail.join(", "),
            right: input.figure_text(self.figure(input), true),
            spoken: page.map_or_else(|| spoken.clone(), |url| format!("{spoken}, {url}")),
            style: LabelStyle::Heading,
            expanded: Some(!self.collapsed),
            ..TrackLabel::default()
        }
    }

    fn figure(&self, input: &SceneInput<'_>) -> Option<ProcessTime> {
        input.times()?.of_process(self.process)
    }

    fn figure_tooltip(&self, input: &SceneInput<'_>) -> Option<String> {
        let parts = input.times()?.parts_of(input.index.profile(), self.process);
        Some(input.figure_tooltip(self.figure(input)?, &parts))
    }

    fn menu(&self, _input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        vec![
            (if self.collapsed { "Expand" } else { "Collapse" }, Command::ToggleProcess(self.process)),
            ("Hide all threads of this process", Command::HideProcess(self.process)),
            ("Show all threads", Command::ShowAll),
            ("Expand all threads", Command::ExpandAll),
            ("Collapse all threads", Command::CollapseAll),
        ]
    }

    /// A collapsed process shows its busiest threads.
    fn graph(&self, input: &SceneInput<'_>) -> Option<ActivityGraph> {
        let busiest = input.index.rank().busiest_of(self.process);
        self.collapsed.then(|| ActivityGraph { threads: busiest.to_vec(), divisor: 1 })
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleProcess(self.process))
    }
}
