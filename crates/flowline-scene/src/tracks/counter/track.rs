//! Headings of counters, and counters.

use super::areas;
use crate::frame::{Frame, Layer};
use crate::layout::{
    COUNTER_HEIGHT, CounterHeading, CounterItem, Item, MoreCounters, PointerHits, ROW_HEIGHT, SceneInput, THREAD_HEIGHT,
};
use crate::tracks::surfaces::strip_hit;
use crate::tracks::track_item::expansion_text;
use crate::tracks::{Background, LabelStyle, TrackItem, TrackLabel, TrackPainter};
use flowline_format::format_count_short;
use flowline_view::Command;

impl TrackItem for CounterHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.map_or(u32::MAX, |process| process.0), 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let processes = &input.index.profile().processes;
        let owner = self.process.map(|process| format!(" of {}", processes[process.index()].name));
        TrackLabel {
            text: "Counters".into(),
            right: format_count_short(u64::from(self.count)),
            spoken: format!("Counters{}, {}, {}", owner.unwrap_or_default(), self.count, expansion_text(self.expanded)),
            style: LabelStyle::Track,
            indent: self.process.map_or(0.0, |_| crate::tracks::thread::LEVEL_INDENT),
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleCounters(self.process))
    }
}

impl TrackItem for MoreCounters {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.map_or(u32::MAX, |process| process.0), 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        TrackLabel::of_more(self.count, "counter", crate::tracks::thread::LEVEL_INDENT)
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ShowCounters(self.process))
    }
}

impl TrackItem for CounterItem {
    fn height(&self) -> f64 {
        COUNTER_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.counter.0, 0]
    }

    fn background(&self) -> Background {
        Background::LineBelow
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let counter = input.index.profile().counters.get(self.counter.index());
        let Some((counter, track)) = counter.zip(input.index.counters().track(self.counter)) else {
            return TrackLabel::default();
        };
        let (least, most) = track.range();
        let (least, most) = (counter.value_text(least), counter.value_text(most));
        TrackLabel {
            text: counter.title().to_owned(),
            spoken: format!("Counter {}, {least} to {most}", counter.title()),
            // A counter with several series has several colors.
            swatch: (counter.series.len() == 1).then(|| track.series_color(0)),
            ..TrackLabel::default()
        }
    }

    fn hits(&self, input: &SceneInput<'_>, item: &Item, x: f32, y: f32) -> PointerHits {
        let chart = strip_hit(input, item, x, y);
        if chart.is_some() {
            return PointerHits { chart, ..PointerHits::default() };
        }
        PointerHits { counter: Some(self.counter), ..PointerHits::default() }
    }
}

/// Draws the counters on screen, and their values under the cursor.
#[derive(Debug, Default)]
pub(crate) struct CounterPainter;

impl TrackPainter for CounterPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        frame.begin_layer(Layer::Counters);
        areas::build(input, frame);
        frame.begin_layer(Layer::CounterValues);
        areas::build_values(input, frame);
    }
}
