//! The end of the critical path for the current selection.

use super::pointed::selected_row;
use flowline_profile::ThreadId;
use flowline_session::{Session, path_to_time};
use flowline_view::PathTarget;

/// End of the critical path for the current selection: the end of the selected marker or of the selected range,
/// whichever was selected last, else the end of the entered flow. For a range, the path ends at the marker that was
/// running at its end on the selected threads. Without selected threads, the thread that is selected or under the
/// pointer counts, else all visible threads.
pub(crate) fn path_target(session: &Session) -> Option<PathTarget> {
    let scope = session.scope();
    let of_marker = || session.view.selected.map(PathTarget::end_of);
    let of_range = || {
        let time = session.view.range?.end;
        let to = |wanted: &dyn Fn(ThreadId) -> bool| {
            let threads = session.index.profile().threads_with_ids().map(|(thread, _)| thread);
            path_to_time(&session.index, threads.filter(|thread| scope.shows(*thread) && wanted(*thread)), time)
        };
        if let Some(chosen) = scope.threads_with_selection() {
            return to(&|thread| chosen.contains(&thread));
        }
        let row = selected_row(session).unwrap_or_default();
        let near = |thread| row.threads.contains(&thread) || row.rows.keys().any(|(other, _)| *other == thread);
        to(&near).or_else(|| to(&|_| true))
    };
    let of_flow = || {
        let flow = session.view.flows.entered.first().copied()?;
        session.index.flows().last_to_end(flow).map(PathTarget::end_of)
    };
    let newer = if session.view.range_is_newer { of_range() } else { None };
    let target = newer.or_else(of_marker).or_else(of_range).or_else(of_flow)?;
    let assume_followed = session.view.path.is_none_or(|shown| shown.assume_followed);
    Some(PathTarget { assume_followed, ..target })
}
