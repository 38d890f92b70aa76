//! The active filters above a table, each with a button that clears it, and the number of remaining markers.

use std::collections::BTreeSet;

use egui::{Rect, Response, RichText, Role, Sense, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::style::color;
use crate::widgets::{Dropdown, elide, grouped};
use flowline_format::format_counted;
use flowline_profile::{Profile, ThreadId};
use flowline_scene::{Palette, TRACK_KINDS};
use flowline_session::Session;
use flowline_view::{Command, RowSelection, RowSet};

/// Maximum displayed characters of a search.
const MAX_SEARCH: usize = 40;

/// Filters that apply to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterSet {
    /// The whole scope: range, search, hidden threads.
    Scope,
    /// The range and the track filter only; samples ignore the search and hidden threads.
    Range,
    /// The whole scope; the table shows its own counts.
    Counted,
}

/// The track filter, in words, and the command that clears it.
fn tracks(session: &Session) -> Option<(String, Command)> {
    let (scope, profile) = (session.scope(), session.index.profile());
    if let Some(rows) = scope.rows() {
        return Some((rows_text(profile, rows), Command::ClearRows));
    }
    let selected_threads = scope.selected_threads()?;
    Some((threads_text(profile, selected_threads), Command::PickThreads(Vec::new())))
}

/// Describes threads: the name of a single thread, else their number.
fn threads_text(profile: &Profile, threads: &BTreeSet<ThreadId>) -> String {
    match (threads.len(), threads.first()) {
        (1, Some(only)) => format!("thread {}", profile.long_name(*only)),
        (count, _) => format_counted(count as u64, "thread"),
    }
}

/// Describes a track filter: "3 rows of Renderer", "thread Renderer", "5 rows, 2 counters".
pub(crate) fn rows_text(profile: &Profile, choice: &RowSelection) -> String {
    let rows: usize = choice.rows.values().map(RowSet::len).sum();
    let of: BTreeSet<ThreadId> = choice.rows.keys().map(|(thread, _)| *thread).collect();
    let mut parts = Vec::new();
    if rows > 0 {
        let of = if of.len() == 1 {
            threads_text(profile, &of).replacen("thread ", "", 1)
        } else {
            threads_text(profile, &of)
        };
        parts.push(format!("{} of {of}", format_counted(rows as u64, "row")));
    }
    if !choice.threads.is_empty() {
        parts.push(threads_text(profile, &choice.threads));
    }
    let samples: BTreeSet<ThreadId> = choice.samples.difference(&choice.threads).copied().collect();
    if !samples.is_empty() {
        parts.push(format!("samples of {}", threads_text(profile, &samples)));
    }
    if !choice.counters.is_empty() {
        parts.push(format_counted(choice.counters.len() as u64, "counter"));
    }
    for kind in TRACK_KINDS {
        let own = choice.tracks.iter().filter(|(track, _)| track.kind == kind.key());
        let rows: usize = own.map(|(_, rows)| rows.len()).sum();
        if rows > 0 {
            parts.push(format!("{} of {}", format_counted(rows as u64, "row"), kind.contents_name()));
        }
    }
    parts.join(", ")
}

/// The active filters, in words, each with the command that clears it.
pub(crate) fn active_filters(session: &Session, filters: FilterSet) -> Vec<(String, Command)> {
    let scope = session.scope();
    let is_all = filters != FilterSet::Range;
    let mut parts = Vec::new();
    if let Some(search) = scope.search().filter(|_| is_all) {
        let short: String = search.text.trim().chars().take(MAX_SEARCH).collect();
        let dots = if short.len() < search.text.trim().len() { "…" } else { "" };
        parts.push((format!("search “{short}{dots}”"), Command::Search(String::new())));
    }
    let words = |range: flowline_profile::TimeRange| {
        format!("{} from {}", session.view.clock().length(range.len()), session.view.clock().position(range.start))
    };
    if let Some(range) = scope.selected() {
        parts.push((format!("selected range, {}", words(range)), Command::SelectRange(None)));
    }
    if let Some(range) = scope.followed() {
        parts.push((format!("visible range, {}", words(range)), Command::FollowView(false)));
    } else if let Some(range) = scope.committed() {
        parts.push((format!("zoomed range, {}", words(range)), Command::Breadcrumb(0)));
    }
    parts.extend(tracks(session));
    parts.extend(hidden(session).filter(|_| is_all).map(|text| (text, Command::ShowAll)));
    parts
}

/// Describes the hidden threads; `None` if there are none.
fn hidden(session: &Session) -> Option<String> {
    let (scope, profile) = (session.scope(), session.index.profile());
    let mut shown = profile.threads_with_ids().filter(|(id, _)| scope.shows(*id));
    match (scope.hidden_threads(), shown.next(), shown.next()) {
        (0, ..) => None,
        (_, Some((_, only)), None) => Some(format!("only thread {}", only.name)),
        (1, ..) => Some("1 thread hidden".into()),
        (hidden, ..) => Some(format!("{} threads hidden", grouped(hidden))),
    }
}

/// Describes the tracks in the scope, unless all are.
pub(crate) fn track_filter_texts(session: &Session) -> impl Iterator<Item = String> + use<> {
    tracks(session).map(|(text, _)| text).into_iter().chain(hidden(session))
}

/// Maximum width of a filter in points.
const CHIP_WIDTH: f32 = 170.0;
/// Height of a filter in points.
const CHIP_HEIGHT: f32 = 20.0;

/// Shows the active filters as far as they fit, the others in a menu; returns the command that clears one.
pub(crate) fn show(ui: &mut Ui, session: &Session, filters: FilterSet, palette: &Palette) -> Option<Command> {
    let parts = active_filters(session, filters);
    if parts.is_empty() {
        ui.label(RichText::new("Whole recording").small().color(color(palette.text3)));
        return None;
    }
    let profile = session.index.profile();
    let count = (filters == FilterSet::Scope).then(|| {
        let left = session.scope().counted(profile).map_or_else(|| "…".to_owned(), grouped);
        format!("{left} of {} markers", grouped(profile.marker_count()))
    });
    let font = TextStyle::Small.resolve(ui.style());
    let width = |ui: &Ui, text: &str| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::PLACEHOLDER).size().x
    };
    let gap = ui.spacing().item_spacing.x;
    let count_width = count.as_ref().map_or(0.0, |count| width(ui, count) + gap);
    let chips: f32 = parts.iter().map(|(text, _)| (width(ui, text) + 32.0).min(CHIP_WIDTH) + gap).sum();
    let mut command = None;
    let has_count = chips + count_width <= ui.available_width();
    if chips <= ui.available_width() {
        for (text, clear) in parts {
            if chip(ui, &text, palette).clicked() {
                command = Some(clear);
            }
        }
    } else {
        let text = format_counted(parts.len() as u64, "filter");
        Dropdown::choice("", &text, &text).staying().show(ui, palette, |ui| {
            for (text, clear) in parts {
                if ui.button(format!("Clear: {text}")).clicked() {
                    command = Some(clear);
                }
            }
        });
    }
    if let Some(count) = count.filter(|_| has_count) {
        ui.label(RichText::new(count).small().weak());
    }
    command
}

/// A filter with a cross that clears it.
fn chip(ui: &mut Ui, text: &str, palette: &Palette) -> Response {
    let font = TextStyle::Small.resolve(ui.style());
    let galley = elide(ui, text, CHIP_WIDTH - 32.0, font, color(palette.text));
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 32.0, CHIP_HEIGHT), Sense::click());
    let edge = if response.hovered() { palette.text } else { palette.accent };
    ui.painter().rect(rect, 10.0, color(palette.accent_soft), (1.0, color(edge)), StrokeKind::Inside);
    let place = pos2(rect.min.x + 10.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(place, galley, color(palette.text));
    let cross = Rect::from_center_size(pos2(rect.max.x - 12.0, rect.center().y), Vec2::splat(14.0));
    Icon::Close.paint(ui.painter(), cross, color(palette.text2));
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Clear: {text}")));
    response.on_hover_text(format!("Clear: {text}"))
}
