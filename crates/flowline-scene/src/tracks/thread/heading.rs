//! Headings of threads and labels of their rows.

use std::borrow::Cow;

use super::group_items::label_of_group;
use super::hit::{hit, hit_within};
use super::track_indent::{LEVEL_INDENT, track_indent};
use crate::layout::{Item, MarkerRow, PointerHits, ROW_HEIGHT, SceneInput, THREAD_HEIGHT, ThreadHeading};
use crate::tracks::samples::{count_in_range, stack_call_hit};
use crate::tracks::surfaces::strip_hit;
use crate::tracks::track_item::expansion_text;
use crate::tracks::{ActivityGraph, Background, LabelStyle, TrackItem, TrackLabel};
use flowline_format::{format_count, format_count_short, format_counted};
use flowline_index::ProcessTime;
use flowline_profile::ThreadId;
use flowline_view::Command;

/// Name of a track below a parent: the states of a thread repeat the name of the thread.
fn below<'a>(parent: &str, name: &'a str) -> &'a str {
    name.strip_prefix(parent).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(name)
}

impl TrackItem for ThreadHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let profile = input.index.profile();
        let data = profile.thread(self.thread);
        let count_of =
            |id| input.scope.counted_in_thread(profile, id).unwrap_or_else(|| profile.thread(id).markers.len());
        let is_shown = |id: &ThreadId| !self.expanded && input.scope.shows(*id);
        let nested: usize = profile.nested_tracks(self.thread).filter(is_shown).map(count_of).sum();
        let count = count_of(self.thread) + nested;
        let sampled = input.index.cpu().get(self.thread).filter(|_| data.markers.is_empty() && nested == 0);
        let (what, count) = match sampled {
            Some(track) => ("sample", count_in_range(input, self.thread, track)),
            None if input.scope.search().is_some() => ("hit", count as u64),
            None if count == 0 && data.markers.is_empty() && data.samples.is_some() => {
                ("sample", data.samples.as_ref().map_or(0, |samples| samples.cpu.len() as u64))
            }
            None => ("marker", count as u64),
        };
        let counted = format_counted(count, what);
        let parent = data.parent.map(|parent| profile.thread(parent));
        let is_pinned = input.view.tracks.order.pinned.contains(&self.thread);
        let own = match parent {
            Some(_) if is_pinned => profile.long_name(self.thread),
            Some(parent) => Cow::Borrowed(below(&parent.name, &data.name)),
            None => Cow::Borrowed(data.name.as_str()),
        };
        let mut text = if data.name.is_empty() { format!("Thread {}", data.tid) } else { own.to_string() };
        let mut name = own.into_owned();
        if !data.name.is_empty() && !data.tid.is_empty() && input.list.has_duplicate_name(self.thread) {
            text = format!("{text} ({})", data.tid);
            name = format!("{name} (tid {})", data.tid);
        }
        if let Some(parent) = parent.filter(|_| !is_pinned) {
            name = format!("{name} of {}", parent.name);
        }
        if is_pinned {
            let process = &profile.processes[data.process.index()].name;
            text = format!("{text} – {process}");
            name = format!("{name} of {process}, pinned");
        }
        let hidden: usize = input.list.shown().counts(self.thread).iter().sum();
        let (hidden, also) = match hidden {
            0 => (String::new(), String::new()),
            hidden => (format!("{} hidden, ", format_count(hidden as u64)), format!(", {hidden} hidden")),
        };
        // While a search filters the rows, its hits are the answer.
        let time = input.figure_text(self.figure(input), false);
        let right = if input.scope.search().is_some() { format_count_short(count) } else { time };
        let indent = if is_pinned { 0.0 } else { track_indent(profile, self.thread) + LEVEL_INDENT };
        let group = if input.list.is_grouped(self.thread) && !is_pinned { LEVEL_INDENT } else { 0.0 };
        TrackLabel {
            text,
            right: hidden + &right,
            spoken: format!(
                "{} {name}, {counted}{also}, {}",
                if parent.is_some() { "Track" } else { "Thread" },
                expansion_text(self.expanded)
            ),
            indent: indent + group,
            style: LabelStyle::Track,
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn figure(&self, input: &SceneInput<'_>) -> Option<ProcessTime> {
        input.times()?.of_thread(self.thread)
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleThread(self.thread))
    }

    fn menu(&self, _input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        vec![
            ("Hide this thread", Command::HideThread(self.thread)),
            ("Show only this thread", Command::ShowOnly(self.thread)),
            ("Pin to top or unpin", Command::TogglePinnedThread(self.thread)),
            ("Show all threads", Command::ShowAll),
            ("Show hidden entries of this thread", Command::ShowHidden(Some(self.thread))),
            ("Filter tables by this thread", Command::PickThreads(vec![self.thread])),
            ("Expand all threads", Command::ExpandAll),
            ("Collapse all threads", Command::CollapseAll),
        ]
    }

    /// The heading of a thread whose activity is not shown below it.
    fn graph(&self, input: &SceneInput<'_>) -> Option<ActivityGraph> {
        let has_samples = || input.index.cpu().get(self.thread).is_some_and(|track| track.samples > 0);
        let is_below = self.expanded && has_samples();
        (!is_below).then(|| ActivityGraph { threads: vec![self.thread], divisor: 1 })
    }

    /// The pointer reads the CPU use of a collapsed thread without markers.
    fn activity(&self, input: &SceneInput<'_>) -> Option<ThreadId> {
        let has_markers = !input.index.profile().thread(self.thread).markers.is_empty();
        let has_samples = || input.index.cpu().get(self.thread).is_some_and(|track| track.samples > 0);
        (!self.expanded && !has_markers && has_samples()).then_some(self.thread)
    }

    fn hits(&self, input: &SceneInput<'_>, item: &Item, x: f32, y: f32) -> PointerHits {
        let chart = strip_hit(input, item, x, y).or_else(|| hit(input, x, y));
        PointerHits { chart, cpu: self.activity(input), ..PointerHits::default() }
    }
}

impl TrackItem for MarkerRow {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.thread.0, self.row]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        if self.first_of_group {
            label_of_group(input, self.thread, self.group as usize, true)
        } else {
            TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        self.collapses.map(|kind| Command::ToggleGroup(self.thread, kind))
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, y: f32) -> PointerHits {
        // A row of a stack can contain both: the one under the pointer comes before those nearby.
        let find = |near| {
            let chart = hit_within(input, x, y, near);
            let call = if chart.is_none() { stack_call_hit(input, *self, x, near) } else { None };
            (chart.is_some() || call.is_some()).then(|| PointerHits { chart, call, ..PointerHits::default() })
        };
        find(false).or_else(|| find(true)).unwrap_or_default()
    }
}
