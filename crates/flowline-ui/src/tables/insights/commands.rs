//! The commands of a pressed row.

use std::sync::Arc;

use super::row_target::RowTarget;
use flowline_index::{Derived, Network};
use flowline_insights::insights::Insights;
use flowline_session::{Session, insight_focus, is_focus_of, with_margin};
use flowline_view::{Command, PathTarget};

/// True if the chart emphasizes the insight at a position.
pub(super) fn is_focused(session: &Session, position: usize) -> bool {
    let insight = Insights::if_built(&session.index).and_then(|all| all.list().get(position));
    session.view.insight.as_ref().zip(insight).is_some_and(|(focus, insight)| is_focus_of(focus, insight))
}

/// The commands of a target.
pub(super) fn commands(session: &Session, target: &RowTarget) -> Vec<Command> {
    match target {
        RowTarget::Fold | RowTarget::More(_) => Vec::new(),
        RowTarget::Insight(position) => {
            let insight = Insights::if_built(&session.index).and_then(|all| all.list().get(*position));
            let focus = insight.map(|insight| Arc::new(insight_focus(&session.index, insight)));
            focus.map(|focus| Command::FocusInsight(Some(focus))).into_iter().collect()
        }
        RowTarget::Marker(marker) => vec![Command::Reveal(*marker)],
        RowTarget::Path(marker) => {
            vec![Command::Reveal(*marker), Command::ShowPath(Some(PathTarget::end_of(*marker)))]
        }
        RowTarget::Url(url) => {
            let requests = session.index.network_if_built().map_or(&[][..], Network::requests);
            let request = requests.iter().find(|request| request.url == *url);
            request.map(|request| Command::Reveal(request.marker)).into_iter().collect()
        }
        RowTarget::Range(range) => vec![Command::SelectRange(Some(*range)), Command::ZoomTo(with_margin(*range))],
    }
}
