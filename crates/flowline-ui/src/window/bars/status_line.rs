//! Status bar: the time at the pointer and the hovered or selected item at the left, the state of the view and the size of
//! the recording at the right. Background work replaces the right part.

use egui::{Align, Align2, Id, Layout, Rect, Role, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, pos2};

use crate::canvas::pointer::measure;
use crate::canvas::tooltips::{counter_card, cpu_card};
use crate::commands::{SelectionAction, WindowAction, shortcut};
use crate::widgets::style::color;
use crate::widgets::{counted, grouped};
use crate::window::state::ShellState;
use flowline_format::{format_duration_ms, format_duration_ns};
use flowline_profile::MarkerId;
use flowline_scene::{Palette, Rgba, ScopeKey, entry_title};
use flowline_session::{Session, duration_text};
use flowline_view::Pane;

/// Width in points of the time at the pointer.
const TIME_WIDTH: f32 = 88.0;
/// Width in points reserved for the time at the pointer and the beginning of the hovered item's text.
const LEFT_WIDTH: f32 = 240.0;
/// Points between the texts of the right part.
const GAP: f32 = 16.0;

/// Shows the status bar of the recording under the pointer. The selection is included only if the details show it too.
/// `work` describes background work of the window.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    is_active: bool,
    (state, work): (&ShellState, Option<&str>),
    palette: &Palette,
) {
    let row = ui.max_rect();
    // The right part is laid out first, so that the left part is cut off where the right one begins.
    let mut right = ui.new_child(UiBuilder::new().max_rect(row).layout(Layout::right_to_left(Align::Center)));
    right.spacing_mut().item_spacing.x = GAP;
    let text = sentence(ui, session, is_active);
    right_part(&mut right, session, (state, work), palette);
    let end = right.min_rect().min.x.min(row.max.x) - GAP;
    let time = pointer_time(session);
    let place = Rect::from_min_max(row.min, pos2(row.min.x + TIME_WIDTH, row.max.y));
    text_at(ui, place, &time, palette.text, "time at the pointer");
    if let Some(text) = text {
        let place = Rect::from_min_max(pos2(row.min.x + TIME_WIDTH, row.min.y), pos2(end, row.max.y));
        text_at(ui, place, &text, palette.text2, "item");
    }
}

/// Shows a line of text, elided at the end of its place; the full text is its accessible text.
fn text_at(ui: &Ui, place: Rect, text: &str, tint: Rgba, salt: &str) {
    if text.is_empty() || place.width() < 1.0 {
        return;
    }
    let font = TextStyle::Small.resolve(ui.style());
    let galley = crate::widgets::elide(ui, text, place.width(), font, color(tint));
    let response = ui.interact(place, ui.scope_id().with(salt), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), place).min;
    ui.painter().galley(at, galley, color(tint));
}

fn pointer_time(session: &Session) -> String {
    let chart = session.canvas.regions.chart;
    let at = session.canvas.pointer.map(|(x, _)| session.view.axis.time(f64::from(x - chart.x)));
    at.map_or_else(String::new, |time| session.view.clock().position(time))
}

/// The hovered or selected item as one sentence; the selected range without an item.
fn sentence(ui: &Ui, session: &Session, is_active: bool) -> Option<String> {
    let profile = session.index.profile();
    if session.view.notes.link_from.is_some() {
        return Some(format!("Link: click the other marker, {} cancels", shortcut(ui.ctx(), WindowAction::Escape)));
    }
    let over = session.canvas.pointer.zip(session.pointer_hits().counter);
    let counter = over.and_then(|((x, _), counter)| counter_card::status_text(session, counter, x));
    let activity = session.canvas.pointer.zip(session.pointer_hits().cpu);
    let activity = activity.map(|((x, _), thread)| cpu_card::status_text(session, thread, x));
    if let Some(text) = counter.or(activity) {
        return Some(text);
    }
    let selected = session.view.selected.filter(|_| is_active);
    let item = session.view.hovered.or(selected);
    if let Some((marker, (thread, local))) = item.and_then(|marker| Some((marker, profile.locate(marker)?))) {
        let (name, length) = match entry_title(&session.index, marker) {
            Some(title) => (title.name, title.length.map(|length| format_duration_ns(length.0))),
            None => (profile.marker_title(thread, local).into_owned(), None),
        };
        let parts = [
            name,
            length.unwrap_or_else(|| duration_text(profile, thread, local)),
            profile.long_name(thread).into_owned(),
            profile.process_of(thread).title().to_string(),
        ];
        let rank = hit_text(ui, session).filter(|_| session.view.hovered.is_none());
        return Some(parts.into_iter().chain(rank).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "));
    }
    let clock = session.view.clock();
    session.view.range.map(|range| {
        let [start, end] = [range.start, range.end].map(|time| clock.position(time));
        format!("Range {start} to {end}")
    })
}

/// Maximum number of hits that are counted to find the rank of the selected one.
const MOST_HITS: usize = 1_000_000;

/// The rank of the selected marker among the search hits: "hit 2 of 6".
fn hit_text(ui: &Ui, session: &Session) -> Option<String> {
    let (profile, scope) = (session.index.profile(), session.scope());
    let (marker, hits) = (session.view.selected?, session.hits()?);
    let count = scope.counted(profile).unwrap_or(hits.total());
    if session.is_searching() || hits.total() > MOST_HITS {
        return None;
    }
    // Counting visits all hits, so the result is cached.
    let (id, key) = (Id::unique("rank of the hit"), (session.canvas.pane, marker, scope.key()));
    let known = ui.data(|data| data.get_temp::<((Pane, MarkerId, ScopeKey), Option<usize>)>(id));
    let rank = match known.filter(|(known, _)| *known == key) {
        Some((_, rank)) => rank,
        None => {
            let rank = hits.rank_among(profile, marker, |thread, at| scope.contains(profile, thread, at));
            ui.data_mut(|data| data.insert_temp(id, (key, rank)));
            rank
        }
    };
    Some(format!("hit {} of {}", grouped(rank?), grouped(count)))
}

/// Background work, else the state of the view and the size of the recording.
fn right_part(ui: &mut Ui, session: &Session, (state, work): (&ShellState, Option<&str>), palette: &Palette) {
    let profile = session.index.profile();
    if let Some(ms) = state.frame_ms {
        part(ui, &format!("frame {}", format_duration_ms(ms)), palette.text2, "");
    }
    let work = work.or_else(|| session.is_searching().then_some("Searching…"));
    let work = work.or_else(|| (!session.index.flows().is_known()).then_some("Finding flows…"));
    if let Some(work) = work {
        part(ui, work, palette.text2, "");
        return;
    }
    let _is_shown = counts(session).into_iter().any(|text| part(ui, &text, palette.text2, ""));
    if session.view.clock().unit.is_time() && !session.index.extent().is_empty() {
        let pixel = format_duration_ms(session.view.axis.ns_per_pixel() * f64::from(session.canvas.scale) / 1e6);
        part(ui, &format!("1 px = {pixel}"), palette.text2, "");
    }
    if let Some(range) = session.view.range {
        part(ui, &format!("range {}", session.view.clock().length(range.len())), palette.text2, "");
    }
    if let Some(measured) = measure::text(session) {
        part(ui, &measured, palette.text, "");
    }
    if let Some((thread, local)) = session.view.zero.and_then(|marker| profile.locate(marker)) {
        let text = format!("time origin: {}", profile.marker_name(thread, local));
        let key = shortcut(ui.ctx(), SelectionAction::ResetOrigin);
        part(ui, &text, palette.text, &format!("{key} resets the time origin"));
    }
}

/// Adds a text to the right part. A text without enough room is left out, because a truncated number would be misread;
/// returns false then.
fn part(ui: &mut Ui, text: &str, tint: Rgba, hint: &str) -> bool {
    let font = TextStyle::Small.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, color(tint));
    if ui.available_width() < galley.size().x + LEFT_WIDTH {
        return false;
    }
    let (place, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
    ui.painter().galley(place.min, galley, color(tint));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    if !hint.is_empty() {
        response.on_hover_text(hint);
    }
    true
}

/// The counts of the recording's contents, as a long and as a short text.
fn counts(session: &Session) -> [String; 2] {
    let (profile, flows) = (session.index.profile(), session.index.flows());
    let mut parts = vec![counted(profile.marker_count(), "marker")];
    if flows.is_known() {
        parts.push(counted(flows.len(), "flow"));
    }
    let few = parts.join(", ");
    let [processes, threads] = [(profile.processes.len(), "process"), (profile.thread_count(), "thread")]
        .map(|(count, noun)| counted(count, noun));
    [format!("{processes}, {threads}, {few}"), few]
}
