//! Links between an input and the paint that showed its result.

use egui::Ui;

use super::grid;
use flowline_index::Derived;
use flowline_insights::interactions::Interactions;
use flowline_profile::MarkerId;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// The paint of an event's interaction, or the first event of a paint; true for a paint.
fn other_end(session: &Session, marker: MarkerId) -> Option<(MarkerId, bool)> {
    let interactions = Interactions::if_built(&session.index)?;
    let own = interactions.list().get(interactions.of_marker(marker)?)?;
    let paint = own.presented_by?;
    Some(if paint == marker { (own.marker, false) } else { (paint, true) })
}

/// True if a marker has such a link.
pub(super) fn has_link(session: &Session, marker: MarkerId) -> bool {
    other_end(session, marker).is_some()
}

/// Shows the link, if there is one; returns the user's command.
pub(super) fn show(ui: &mut Ui, session: &Session, marker: MarkerId, palette: &Palette) -> Option<Command> {
    let (other, is_paint) = other_end(session, marker)?;
    let (thread, local) = session.index.profile().locate(other)?;
    let title = session.index.profile().marker_name(thread, local);
    let (key, name, hint) = match is_paint {
        true => ("Presented by", "Go to the paint", "Its critical path leads from the input to the screen"),
        false => ("Input", "Go to the input", "The event whose result was painted"),
    };
    let link = grid::link(ui, key, (title, name), palette).on_hover_text(hint);
    link.clicked().then_some(Command::Reveal(other))
}
