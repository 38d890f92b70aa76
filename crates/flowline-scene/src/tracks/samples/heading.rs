//! Headings of samples and labels of calls.

use super::calls::call_hit;
use crate::layout::{CallRow, Item, PointerHits, ROW_HEIGHT, SamplesHeading, SceneInput};
use crate::tracks::track_item::expansion_text;
use crate::tracks::{Background, TrackItem, TrackLabel};
use flowline_format::{format_count, format_counted};
use flowline_index::samples::{CpuTrack, MergedRows};
use flowline_profile::{ColorBy, Implementation, ThreadId};
use flowline_view::{Arrangement, Command};

/// Height in points of the heading of samples, which shows the activity of the thread.
pub const SAMPLES_HEIGHT: f64 = 34.0;

impl SamplesHeading {
    /// The heading of a thread.
    #[must_use]
    pub fn new(thread: ThreadId, track: &CpuTrack, expanded: bool) -> Self {
        Self { thread, expanded: (track.depth > 0).then_some(expanded), has_activity: track.samples > 0 }
    }
}

/// Number of samples of a thread in the range, by the last count; without a range, of all samples.
pub(crate) fn count_in_range(input: &SceneInput<'_>, thread: ThreadId, track: &CpuTrack) -> u64 {
    let narrowed = input.scope.counted_tracks().and_then(|counts| counts.samples(thread));
    narrowed.map_or(track.samples, |count| count as u64)
}

/// Sample count of a thread for screen readers. Without a range, it includes the number of samples without a stack.
fn counted(input: &SceneInput<'_>, thread: ThreadId, track: &CpuTrack) -> String {
    let all = format_counted(count_in_range(input, thread, track), "sample");
    if input.scope.range().is_some() {
        return all;
    }
    match track.without_stack {
        0 => all,
        without => format!("{all}, {} without a stack", format_count(without)),
    }
}

impl TrackItem for SamplesHeading {
    fn height(&self) -> f64 {
        if self.has_activity { SAMPLES_HEIGHT } else { ROW_HEIGHT }
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, 0]
    }

    fn background(&self) -> Background {
        Background::LineBelow
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let Some(track) = input.index.cpu().get(self.thread) else { return TrackLabel::default() };
        let is_stacked = input.view.arrangement == Arrangement::Stack
            && MergedRows::functions(input.index.profile(), self.thread).is_some();
        let text = match (self.expanded.is_some(), input.view.call_functions) {
            // The stack of the thread contains its calls already.
            _ if is_stacked && self.expanded == Some(false) => "Samples",
            // Samples without times state no use of a CPU.
            (false, _) if !input.view.clock().unit.is_time() => "Samples",
            (false, _) => "CPU",
            (true, Implementation::All | Implementation::Folded) => "Stack chart",
            (true, Implementation::Js) => "Stack chart, JavaScript",
            (true, Implementation::Native) => "Stack chart, native",
        };
        let counted =
            if self.has_activity { format!(", {}", counted(input, self.thread, track)) } else { String::new() };
        let state = self.expanded.map_or_else(String::new, |expanded| format!(", {}", expansion_text(expanded)));
        TrackLabel {
            text: text.to_owned(),
            right: if self.has_activity {
                format_count(count_in_range(input, self.thread, track))
            } else {
                String::new()
            },
            spoken: format!("{text}{counted}{state}"),
            expanded: self.expanded,
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        self.expanded.map(|_| Command::ToggleStackChart(self.thread))
    }

    fn menu(&self, _input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        if self.expanded.is_none() {
            return Vec::new();
        }
        vec![
            ("Color by kind of work", Command::ColorBy(ColorBy::Kind)),
            ("Color by file", Command::ColorBy(ColorBy::File)),
            ("Show all calls", Command::ShowCalls(Implementation::All)),
            ("Show only JavaScript calls", Command::ShowCalls(Implementation::Js)),
            ("Show only native calls", Command::ShowCalls(Implementation::Native)),
        ]
    }

    fn activity(&self, _input: &SceneInput<'_>) -> Option<ThreadId> {
        self.has_activity.then_some(self.thread)
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, _x: f32, _y: f32) -> PointerHits {
        PointerHits { cpu: self.activity(input), ..PointerHits::default() }
    }
}

impl TrackItem for CallRow {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, self.row]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        TrackLabel::default()
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        PointerHits { call: call_hit(input, *self, x), ..PointerHits::default() }
    }
}
