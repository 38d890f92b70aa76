//! A table without rows: the active filters are the reason, and clearing the strongest one is the action.

use egui::Ui;

use super::active_filters::{FilterSet, active_filters};
use crate::widgets::{counted, empty_state};
use flowline_session::Session;
use flowline_view::Command;

/// Reason for a recording without flows.
pub(crate) const NO_FLOWS: &str = "Flows come from the flow events of traces, and from markers with a flow field.";

/// Shows that no row of a table remains; returns the command that clears a filter if the user asks for it. `own` is the
/// text of the table's own filter, and `one` is the name of a row, such as "marker".
pub(crate) fn no_rows(
    ui: &mut Ui,
    session: &Session,
    own: Option<&mut String>,
    (filters, one): (FilterSet, &str),
) -> Option<Command> {
    let active = active_filters(session, filters);
    if let Some(own) = own.filter(|own| !own.trim().is_empty()) {
        let what = format!("No {one} matches “{}”.", own.trim());
        if empty_state(ui, &what, &format!("The filter of this table.{}", others(&active)), Some("Clear filter")) {
            own.clear();
        }
        return None;
    }
    let Some((first, clear)) = active.first().cloned() else {
        empty_state(ui, &format!("This recording has no {one}s to list."), "", None);
        return None;
    };
    let also = others(&active[1..]);
    let is_search = matches!(clear, Command::Search(_));
    let (what, why, action) = if is_search {
        let what = format!("No {one} matches “{}”.", session.view.search.trim());
        let why = format!("Searched names, categories, arguments and URLs in {}.{also}", searched(session));
        (what, why, "Clear search")
    } else {
        (format!("No matching {one}s."), format!("Only this is shown: {first}.{also}"), "Clear filter")
    };
    empty_state(ui, &what, &why, Some(action)).then_some(clear)
}

/// Filters that apply, too, as a sentence.
fn others(filters: &[(String, Command)]) -> String {
    let texts: Vec<&str> = filters.iter().map(|(text, _)| text.as_str()).collect();
    if texts.is_empty() { String::new() } else { format!(" Other filters: {}.", texts.join(", ")) }
}

/// The threads that a search looks at, as their number.
pub(crate) fn searched(session: &Session) -> String {
    let (scope, profile) = (session.scope(), session.index.profile());
    counted(profile.threads_with_ids().filter(|(id, _)| scope.has(*id)).count(), "thread")
}
