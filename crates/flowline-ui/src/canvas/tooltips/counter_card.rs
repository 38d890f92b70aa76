//! Text of a counter for the label column, the tooltip and the status line.

use super::tooltip_text::TooltipText;
use flowline_index::CounterTrack;
use flowline_profile::{Counter, CounterId, Ns};
use flowline_scene::{counter_extremes, counter_spread, counter_time, counter_total};
use flowline_session::Session;

/// Maximum number of series in a tooltip.
const MAX_SERIES: usize = 6;

pub(crate) fn counter_and_track(session: &Session, id: CounterId) -> Option<(&Counter, &CounterTrack)> {
    session.index.profile().counters.get(id.index()).zip(session.index.counters().track(id))
}

/// Name and pid of a counter's process.
pub(crate) fn owner(session: &Session, counter: &Counter) -> String {
    let process = counter.process.and_then(|process| session.index.profile().processes.get(process.index()));
    match process {
        Some(process) if process.pid.is_empty() => process.name.to_string(),
        Some(process) => format!("{} (pid {})", process.name, process.pid),
        None if counter.pid.is_empty() => String::new(),
        None => format!("pid {}", counter.pid),
    }
}

/// Text of a counter for the status line, at pixel column `x`.
pub(crate) fn status_text(session: &Session, id: CounterId, x: f32) -> Option<String> {
    let (counter, track) = counter_and_track(session, id)?;
    let time = counter_time(&session.scene_input(), x);
    let value = value_text(counter, counter_total(counter, track, time));
    let parts = [counter.title().to_owned(), value, owner(session, counter)];
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

pub(crate) fn value_text(counter: &Counter, value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| counter.value_text(value))
}

/// The values of a counter at pixel column `x`: their total, each series, and the range of the total within the column.
pub(super) fn text(session: &Session, id: CounterId, x: f32, has_details: bool) -> Option<TooltipText> {
    let (counter, track) = counter_and_track(session, id)?;
    let input = session.scene_input();
    let time = counter_time(&input, x);
    let total = value_text(counter, counter_total(counter, track, time));
    let mut text = TooltipText::new(Some(track.series_color(0)), counter.title(), total, has_details);
    if counter.series.len() > 1 {
        let series = counter.series.iter().enumerate().take(MAX_SERIES);
        let values: Vec<String> = series
            .map(|(number, series)| {
                let name = if series.name.is_empty() { "value" } else { series.name.as_str() };
                format!("{name} {}", value_text(counter, track.value(counter, number, time)))
            })
            .collect();
        text.reason(values.join(", "));
    } else {
        let spread = counter_spread(&input, id, x);
        let spread = spread.map(|(least, most)| {
            format!("{} to {} in this pixel", counter.value_text(least), counter.value_text(most))
        });
        let explained = explained(counter).map(str::to_owned);
        text.reason(spread.into_iter().chain(explained).collect::<Vec<_>>().join(", "));
    }
    let owner = owner(session, counter);
    let named = if counter.title() == counter.name { "" } else { &counter.name };
    let place = [named, counter.category.as_str(), &owner].into_iter().filter(|part| !part.is_empty());
    let at = time_text(session, time);
    text.place(place.chain([at.as_str()]).collect::<Vec<_>>().join(", "));
    let (least, most) = counter_extremes(track).unwrap_or(track.range());
    text.place(format!("{} to {} in the recording", counter.value_text(least), counter.value_text(most)));
    if counter.series.len() > 1 {
        text.place(explained(counter).unwrap_or_default());
    }
    Some(text)
}

fn time_text(session: &Session, time: Ns) -> String {
    session.view.clock().position(time)
}

/// A note for values that are easily misread.
pub(crate) fn explained(counter: &Counter) -> Option<&'static str> {
    use flowline_profile::CounterGraph::{Level, Rate, Relative};
    match counter.graph {
        Level => None,
        Relative => Some("relative to the recording's minimum"),
        Rate if counter.unit == "percent" => Some("100% is the recording's maximum"),
        Rate => None,
    }
}
