//! Effects of commands on what is still to come: an offset to scroll to, and the part that is shown first.

use flowline_view::Command;

/// True if a command scrolls or changes the list.
pub(super) const fn cancels_wanted_scroll(command: &Command) -> bool {
    matches!(
        command,
        Command::Scroll(_)
            | Command::Hold { .. }
            | Command::Reveal(_)
            | Command::StepSelection(_)
            | Command::RevealCall(_)
            | Command::RevealNote(_)
            | Command::RevealRange(_)
            | Command::RevealTrack(_)
            | Command::RevealCounter(..)
            | Command::SetArrangement(_)
            | Command::FlowLane(_)
            | Command::Search(_)
    )
}

/// True for the commands that move the view.
pub(super) const fn moves_view(command: &Command) -> bool {
    matches!(
        command,
        Command::Zoom { .. }
            | Command::Pan { .. }
            | Command::Hold { .. }
            | Command::Show(_)
            | Command::ZoomTo(_)
            | Command::RevealRange(_)
            | Command::ZoomToSelection
            | Command::ZoomToMarker(_)
            | Command::ZoomToCall(_)
            | Command::ZoomToAll
            | Command::GoToEdge(_)
            | Command::ZoomBack
            | Command::Breadcrumb(_)
    )
}
