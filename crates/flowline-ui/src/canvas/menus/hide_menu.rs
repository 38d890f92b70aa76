//! Submenu of the chart's context menu that hides the clicked marker or call, or related entries, and shows them again.

use crate::canvas::menus::track_menu::short;
use crate::commands::NoteAction;
use crate::widgets::menu::{Groups, entry, submenu};
use flowline_format::format_count;
use flowline_profile::MarkerId;
use flowline_profile::notes::HiddenPart;
use flowline_session::Session;
use flowline_view::Command;

/// The submenu for a marker, else for the selected call. Absent if there is neither and nothing is hidden.
pub(super) fn entries(menu: &mut Groups<'_>, session: &Session, marker: Option<MarkerId>) -> Option<Command> {
    let of_marker = marker.and_then(|marker| session.entry_of(marker));
    let about = of_marker.or_else(|| session.selected_entry().filter(|_| session.view.selected_call.is_some()));
    let total = session.list().shown().total();
    let about = about.filter(|entry| session.hide(entry.clone(), None).is_some());
    if about.is_none() && total == 0 {
        return None;
    }
    let mut chosen = None;
    submenu(menu.ui(), "Hide", |ui| {
        if let Some(about) = about {
            let name = if about.name.is_empty() { "(anonymous)".to_owned() } else { short(&about.name) };
            let parts = [
                (format!("\"{name}\""), None),
                ("Its children".to_owned(), Some(HiddenPart::Children)),
                (format!("Every \"{name}\" inside it"), Some(HiddenPart::Repeating)),
                (format!("Every \"{name}\" in this thread"), Some(HiddenPart::Name)),
            ];
            for (text, part) in parts {
                if entry(ui, (text.as_str(), NoteAction::Hide(part)), true) {
                    chosen = session.hide(about.clone(), part);
                }
            }
            let inside = session.hidden_inside(&about);
            if inside > 0 {
                let text = format!("Show {} hidden inside it", format_count(u64::from(inside)));
                if entry(ui, (text.as_str(), NoteAction::ShowHidden), true) {
                    chosen = session.show_inside(&about);
                }
            }
        }
        if total > 0 {
            ui.separator();
            let text = format!("{} ({})", NoteAction::ShowAllHidden.title(), format_count(total as u64));
            if entry(ui, text.as_str(), true) {
                chosen = Some(Command::ShowHidden(None));
            }
        }
    });
    chosen
}
