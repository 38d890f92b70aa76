//! Menu of hidden items in the corner above the labels. It shows threads and entries again.

use egui::{Align2, Popup, Rect, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::commands::{NoteAction, ViewAction};
use crate::widgets::grouped;
use crate::widgets::menu::entry;
use crate::widgets::style::color;
use flowline_profile::ThreadId;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Maximum height of the menu in points.
const HEIGHT: f32 = 420.0;

/// Shows a button with the number of hidden threads and entries, and its menu. Absent if nothing is hidden.
pub(in crate::canvas) fn show(ui: &Ui, rect: Rect, session: &Session, palette: &Palette) -> Option<Command> {
    let hidden = &session.view.tracks.hidden;
    let entries = session.list().shown().total();
    let text = match (hidden.len(), entries) {
        (0, 0) => return None,
        (threads, 0) => format!("Hidden: {}", grouped(threads)),
        (0, 1) => "Hidden: 1 entry".to_owned(),
        (0, entries) => format!("Hidden: {} entries", grouped(entries)),
        (threads, entries) => format!("Hidden: {} + {}", grouped(threads), grouped(entries)),
    };
    let response = ui.interact(rect, ui.scope_id().with("hidden threads"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text.as_str()));
    let tint = color(if response.hovered() || response.has_focus() { palette.text } else { palette.text2 });
    let font = TextStyle::Small.resolve(ui.style());
    let place = rect.left_center() + vec2(8.0, 0.0);
    ui.painter().text(place, Align2::LEFT_CENTER, format!("{text} ⏷"), font, tint);
    let mut chosen = None;
    let shown = Popup::menu(&response).show(|ui| {
        ui.set_min_width(220.0);
        if entries > 0 && entry(ui, NoteAction::ShowAllHidden, true) {
            chosen = Some(Command::ShowHidden(None));
        }
        let with_entries = hidden_entries(session);
        for (thread, count) in &with_entries {
            let text = format!("Show {} hidden in {}", grouped(*count), name(session, *thread));
            if entry(ui, text.as_str(), true) {
                chosen = Some(Command::ShowHidden(Some(*thread)));
            }
        }
        if hidden.is_empty() {
            return;
        }
        if entries > 0 {
            ui.separator();
        }
        if entry(ui, ViewAction::ShowThreads, true) {
            chosen = Some(Command::ShowAll);
        }
        ui.separator();
        // Threads appear in the order of the chart, not by number.
        let tracks = session.view.tracks.order.tracks(session.index.profile()).into_iter();
        let threads: Vec<ThreadId> = tracks.flat_map(|(_, threads)| threads).filter(|id| hidden.contains(id)).collect();
        let height = TextStyle::Button.resolve(ui.style()).size + 10.0;
        ScrollArea::vertical().max_height(HEIGHT).show_rows(ui, height, threads.len(), |ui, rows| {
            for thread in &threads[rows] {
                if entry(ui, name(session, *thread).as_str(), true) {
                    chosen = Some(Command::ShowThread(*thread));
                }
            }
        });
    });
    if shown.is_none() {
        response.on_hover_text("Show hidden threads and entries");
    }
    chosen
}

/// Maximum number of threads with an entry that shows their hidden items.
const MAX_THREADS: usize = 12;

/// The threads with the most hidden entries.
fn hidden_entries(session: &Session) -> Vec<(ThreadId, usize)> {
    let shown = session.list().shown();
    let mut threads = shown.threads();
    threads.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    threads.truncate(MAX_THREADS);
    threads
}

/// Name of a thread with its process.
fn name(session: &Session, thread: ThreadId) -> String {
    let profile = session.index.profile();
    let data = profile.thread(thread);
    let process = &profile.processes[data.process.index()].name;
    let own = if session.list().has_duplicate_name(thread) || data.name.is_empty() {
        format!("{} ({})", profile.long_name(thread), data.tid)
    } else {
        profile.long_name(thread).into_owned()
    };
    format!("{own} – {process}")
}
