//! The list of hidden threads in the corner above the labels: each can be shown again.

use egui::{Align2, Popup, Rect, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::profile::ThreadId;
use crate::scene::Palette;
use crate::session::Session;
use crate::ui::widgets::grouped;
use crate::ui::widgets::menu::entry;
use crate::ui::widgets::style::color;
use crate::view::Command;

/// Height of the list in points, at most.
const HEIGHT: f32 = 420.0;

/// Shows a button that says how many threads are hidden, and its menu; nothing if none are.
pub(super) fn show(ui: &Ui, rect: Rect, session: &Session, palette: &Palette) -> Option<Command> {
    let hidden = &session.view.tracks.hidden;
    if hidden.is_empty() {
        return None;
    }
    let text = format!("Hidden: {}", grouped(hidden.len()));
    let response = ui.interact(rect, ui.scope_id().with("hidden threads"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text.as_str()));
    let tint = color(if response.hovered() || response.has_focus() { palette.text } else { palette.faint_text });
    let font = TextStyle::Small.resolve(ui.style());
    let place = rect.left_center() + vec2(8.0, 0.0);
    ui.painter().text(place, Align2::LEFT_CENTER, format!("{text} ⏷"), font, tint);
    let mut chosen = None;
    let shown = Popup::menu(&response).show(|ui| {
        ui.set_min_width(220.0);
        if entry(ui, "Show all threads", "Shift+H", true) {
            chosen = Some(Command::ShowAll);
        }
        ui.separator();
        // The order of the chart, not that of numbers.
        let tracks = session.view.tracks.order.tracks(session.index.profile()).into_iter();
        let threads: Vec<ThreadId> = tracks.flat_map(|(_, threads)| threads).filter(|id| hidden.contains(id)).collect();
        let height = TextStyle::Button.resolve(ui.style()).size + 10.0;
        ScrollArea::vertical().max_height(HEIGHT).show_rows(ui, height, threads.len(), |ui, rows| {
            for thread in &threads[rows] {
                if entry(ui, &name(session, *thread), "", true) {
                    chosen = Some(Command::ShowThread(*thread));
                }
            }
        });
    });
    if shown.is_none() {
        response.on_hover_text("Show hidden threads again, one by one or all");
    }
    chosen
}

/// A thread with its process.
fn name(session: &Session, thread: ThreadId) -> String {
    let profile = session.index.profile();
    let data = profile.thread(thread);
    let process = &profile.processes[data.process.index()].name;
    let own = if session.list().has_namesake(thread) || data.name.is_empty() {
        format!("{} ({})", data.name, data.tid)
    } else {
        data.name.clone()
    };
    format!("{own} – {process}")
}
