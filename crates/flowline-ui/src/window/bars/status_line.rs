//! Status line.

use egui::{Align, Id, Layout, RichText, Ui};

use crate::canvas::pointer::measure;
use crate::canvas::tooltips::{counter_card, cpu_card};
use crate::commands::{SelectionAction, WindowAction, shortcut};
use crate::widgets::grouped;
use crate::window::state::ShellState;
use flowline_format::format_duration_ms;
use flowline_profile::MarkerId;
use flowline_scene::ScopeKey;
use flowline_session::{Session, duration_text, place_text, time_text};
use flowline_view::Pane;

/// Shows the status line of the recording under the pointer. The selection is included only if the details show it too.
pub(crate) fn show(ui: &mut Ui, session: &Session, is_active: bool, state: &ShellState) {
    // The right part is laid out first, so that the left part is cut off where the right one begins.
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        right_part(ui, session, state);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| left_part(ui, session, is_active));
    });
}

/// The hovered or selected item, and its time.
fn left_part(ui: &mut Ui, session: &Session, is_active: bool) {
    let profile = session.index.profile();
    let chart = session.canvas.regions.chart;
    let at = session.canvas.pointer.map(|(x, _)| session.view.axis.time(f64::from(x - chart.x)));
    let time = at.map_or_else(String::new, |time| time_text(session.view.clock().show(time)));
    ui.add_sized([150.0, 16.0], egui::Label::new(RichText::new(time).monospace().size(11.0)));
    let selected = session.view.selected.filter(|_| is_active);
    let marker = session.view.hovered.or(selected).and_then(|marker| profile.locate(marker));
    let over = session.canvas.pointer.zip(session.pointer_hits().counter);
    let counter = over.and_then(|((x, _), counter)| counter_card::status_text(session, counter, x));
    let activity = session.canvas.pointer.zip(session.pointer_hits().cpu);
    let activity = activity.map(|((x, _), thread)| cpu_card::status_text(session, thread, x));
    if session.view.notes.link_from.is_some() {
        let text = format!("Link: click the other marker ({} cancels)", shortcut(ui.ctx(), WindowAction::Escape));
        ui.add(egui::Label::new(RichText::new(text).small()).truncate());
    } else if let Some(text) = counter.or(activity) {
        ui.add(egui::Label::new(RichText::new(format!("hover: {text}")).small().weak()).truncate());
    } else if let Some((thread, local)) = marker {
        let what = match session.view.hovered {
            Some(_) => "hover".to_owned(),
            None => hit_text(ui, session).unwrap_or_else(|| "selected".to_owned()),
        };
        let text = format!(
            "{what}: {} · {} · {}",
            profile.marker_name(thread, local),
            duration_text(profile, thread, local),
            place_text(profile, thread)
        );
        ui.add(egui::Label::new(RichText::new(text).small().weak()).truncate());
    }
}

/// Width in points reserved for the time at the pointer and the beginning of the hovered item's text.
const LEFT_WIDTH: f32 = 240.0;
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

/// State of the view: its scale, time origin, measurement and selection.
fn right_part(ui: &mut Ui, session: &Session, state: &ShellState) {
    let profile = session.index.profile();
    // A text without enough room is left out entirely, because a truncated number would be misread.
    let add = |ui: &mut Ui, text: RichText, plain: &str, hint: &str| {
        let font = egui::TextStyle::Small.resolve(ui.style());
        let width = ui.painter().layout_no_wrap(plain.to_owned(), font, egui::Color32::PLACEHOLDER).size().x;
        if ui.available_width() > width + LEFT_WIDTH {
            let label = ui.label(text.small());
            if !hint.is_empty() {
                label.on_hover_text(hint);
            }
        }
    };
    let plain = |ui: &mut Ui, text: String| add(ui, RichText::new(&text), &text, "");
    if let Some(ms) = state.frame_ms {
        plain(ui, format!("frame {}", format_duration_ms(f64::from(ms))));
    }
    if !session.view.clock().counts_weights {
        let pixel = format_duration_ms(session.view.axis.ns_per_pixel() * f64::from(session.canvas.scale) / 1e6);
        let pixel = format!("1 px = {pixel}");
        add(ui, RichText::new(&pixel).weak(), &pixel, "");
    }
    if let Some(range) = session.view.range {
        plain(ui, format!("range {}", session.view.clock().length(range.len())));
    }
    if let Some(measured) = measure::text(session) {
        plain(ui, measured);
    }
    if let Some((thread, local)) = session.view.zero.and_then(|marker| profile.locate(marker)) {
        let text = format!("time origin: {}", profile.marker_name(thread, local));
        let key = shortcut(ui.ctx(), SelectionAction::ResetOrigin);
        add(ui, RichText::new(&text), &text, &format!("{key} resets the time origin"));
    }
}
