//! Text of a thread's CPU activity at a time, for the tooltip and the status line.

use super::tooltip_text::TooltipText;
use flowline_format::{format_count, format_counted};
use flowline_index::samples::CpuUseAt;
use flowline_profile::ThreadId;
use flowline_scene::{counter_time, cpu_spread};
use flowline_session::{Session, place_text};

/// The thread's activity at pixel column `x`.
fn at(session: &Session, thread: ThreadId, x: f32) -> Option<CpuUseAt> {
    let time = counter_time(&session.scene_input(), x);
    session.index.cpu().get(thread)?.at(session.index.profile(), thread, time)
}

/// The category of a sample.
fn category(session: &Session, found: &CpuUseAt) -> String {
    let name = found.category.map(|category| session.index.profile().category_name(category));
    name.map_or_else(|| "no stack".to_owned(), str::to_owned)
}

/// Title and value: the use of the CPU, or only the category where the recording has samples but no use.
fn heading(session: &Session, found: Option<CpuUseAt>) -> (String, String) {
    match found {
        Some(found) if found.percent.is_none() => (category(session, &found), "sampled".to_owned()),
        None if !session.view.clock().unit.is_time() => ("Samples".to_owned(), percent(None)),
        found => ("CPU".to_owned(), percent(found)),
    }
}

fn percent(found: Option<CpuUseAt>) -> String {
    match found {
        Some(CpuUseAt { percent: Some(percent), .. }) => flowline_format::format_percent(f64::from(percent) / 100.0),
        _ => "–".to_owned(),
    }
}

/// Text of the activity for the status line.
pub(crate) fn status_text(session: &Session, thread: ThreadId, x: f32) -> String {
    let found = at(session, thread, x);
    let place = place_text(session.index.profile(), thread);
    match (heading(session, found), found) {
        ((title, value), Some(found)) if found.percent.is_some() => {
            format!("{title} {value}, {}, {place}", category(session, &found))
        }
        ((title, value), _) => format!("{title} {value}, {place}"),
    }
}

/// The activity at pixel column `x`: percentage, category, and the range of values within the column.
pub(super) fn text(session: &Session, thread: ThreadId, x: f32, has_details: bool) -> TooltipText {
    let input = session.scene_input();
    let (profile, time) = (session.index.profile(), counter_time(&input, x));
    let found = at(session, thread, x);
    let entry = found.and_then(|found| profile.categories.get(found.category?.index()));
    let entry = entry.map(flowline_index::category_entry);
    let (title, value) = heading(session, found);
    let mut text = TooltipText::new(entry, &title, value, has_details);
    let spread = cpu_spread(&input, thread, x);
    let spread = spread.map(|(least, most)| format!("{least}% to {most}% in this pixel"));
    let category = found.filter(|found| found.percent.is_some()).map(|found| category(session, &found));
    text.reason(category.into_iter().chain(spread).collect::<Vec<_>>().join(", "));
    text.place(place_text(profile, thread));
    if let Some(track) = session.index.cpu().get(thread) {
        let without = match track.without_stack {
            0 => String::new(),
            without => format!(", {} without a stack", format_count(without)),
        };
        // Without times, a stack may count as many samples.
        let one = if session.view.clock().unit.is_time() { "sample" } else { "stack" };
        text.place(format!("{}{without}", format_counted(track.samples, one)));
    }
    text.place(format!("at {}", session.view.clock().position(time)));
    text
}
