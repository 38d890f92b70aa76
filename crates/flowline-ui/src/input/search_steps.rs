//! Steps from one search hit to the next.

use flowline_profile::Direction;
use flowline_session::Session;
use flowline_view::Command;

/// The command that selects the next or previous search hit.
pub(crate) fn step_hit(session: &Session, direction: Direction) -> Option<Command> {
    let (hits, profile, scope) = (session.hits()?, session.index.profile(), session.scope());
    let in_scope = |thread, marker| scope.contains(profile, thread, marker);
    hits.step_among(profile, session.view.selected, direction, in_scope).map(Command::Reveal)
}
