//! Headings of groups of threads whose names differ only by a number, such as the workers of a pool.

use super::track_item::expansion_text;
use super::{ActivityGraph, Background, LabelStyle, TrackItem, TrackLabel};
use crate::layout::{MoreThreads, ROW_HEIGHT, SceneInput, THREAD_HEIGHT, ThreadGroupHeading};
use crate::tracks::thread::LEVEL_INDENT;
use flowline_format::format_count;
use flowline_index::ProcessTime;
use flowline_view::{Command, name_without_number};

/// Names of threads of Chromium, and the names of their groups.
const WORKERS: [(&str, &str); 3] = [
    ("CompositorTileWorker", "Raster workers"),
    ("ThreadPoolForegroundWorker", "ThreadPool workers"),
    ("ThreadPoolBackgroundWorker", "ThreadPool background workers"),
];

/// At most this many threads of a group or process are drawn, because each costs time in every frame.
pub(super) const MOST_DRAWN: usize = 16;

impl ThreadGroupHeading {
    /// Name of the group, without the number of threads.
    fn name<'a>(&self, input: &SceneInput<'a>) -> &'a str {
        let name = name_without_number(&input.index.profile().thread(self.first).name);
        WORKERS.iter().find(|(thread, _)| *thread == name).map_or(name, |(_, group)| group)
    }
}

impl TrackItem for ThreadGroupHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.first.0, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let (name, count) = (self.name(input), u64::from(self.count));
        let busy = input.figure_text(self.figure(input), false);
        let time = if busy.is_empty() { String::new() } else { format!(", {busy}") };
        TrackLabel {
            text: format!("{name} ({})", format_count(count)),
            spoken: format!("Threads {name}, {}{time}, {}", format_count(count), expansion_text(self.expanded)),
            right: busy,
            style: LabelStyle::Track,
            indent: LEVEL_INDENT,
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn figure(&self, input: &SceneInput<'_>) -> Option<ProcessTime> {
        input.times()?.of_threads(input.list.threads_of_group(self.first))
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleThreadGroup(self.first))
    }

    fn graph(&self, input: &SceneInput<'_>) -> Option<ActivityGraph> {
        let threads = input.list.threads_of_group(self.first);
        (!self.expanded).then(|| ActivityGraph {
            threads: threads.iter().copied().take(MOST_DRAWN).collect(),
            divisor: u32::try_from(threads.len().clamp(1, MOST_DRAWN)).unwrap_or(1),
        })
    }
}

impl TrackItem for MoreThreads {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.first.0, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        TrackLabel::of_more(self.count, "thread", 2.0 * LEVEL_INDENT)
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ShowThreadGroup(self.first))
    }
}
