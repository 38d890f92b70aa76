//! The active filters above a table, each with a button that clears it, and the number of remaining markers.

use std::collections::BTreeSet;

use egui::{Button, RichText, Ui};

use crate::widgets::grouped;
use crate::widgets::style::color;
use flowline_format::format_counted;
use flowline_profile::{Profile, ThreadId};
use flowline_scene::{Palette, TRACK_KINDS};
use flowline_session::{Session, time_text};
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
fn parts(session: &Session, filters: FilterSet) -> Vec<(String, Command)> {
    let scope = session.scope();
    let is_all = filters != FilterSet::Range;
    let mut parts = Vec::new();
    if let Some(search) = scope.search().filter(|_| is_all) {
        let short: String = search.text.trim().chars().take(MAX_SEARCH).collect();
        let dots = if short.len() < search.text.trim().len() { "…" } else { "" };
        parts.push((format!("search “{short}{dots}”"), Command::Search(String::new())));
    }
    let words = |range: flowline_profile::TimeRange| {
        format!(
            "{} from {}",
            session.view.clock().length(range.len()),
            time_text(session.view.clock().show(range.start))
        )
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

/// Shows the active filters, if any; returns the command that clears one.
pub(crate) fn show(ui: &mut Ui, session: &Session, filters: FilterSet, palette: &Palette) -> Option<Command> {
    let parts = parts(session, filters);
    if parts.is_empty() {
        return None;
    }
    let mut command = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 2.0);
        ui.add_space(4.0);
        ui.label(RichText::new("Active filters:").small().weak());
        for (text, clear) in parts {
            let button = Button::new(RichText::new(format!("{text}  ✖")).small().color(color(palette.accent))).small();
            let response = ui.add(button).on_hover_text("Clear this filter");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Clear: {text}")));
            if response.clicked() {
                command = Some(clear);
            }
        }
        if filters != FilterSet::Scope {
            return;
        }
        let profile = session.index.profile();
        let left = session.scope().counted(profile).map_or_else(|| "…".to_owned(), grouped);
        let text = format!("{left} of {} markers", grouped(profile.marker_count()));
        ui.label(RichText::new(text).small().weak());
    });
    command
}
