//! Shows the links of the selected marker to threads and flows.

use egui::{Button, RichText, Ui};

use flowline_index::references::ReferenceTarget;
use flowline_session::MarkerLink;
use flowline_view::{Command, FlowCommand, TrackRef};

/// Shows one line for each link.
pub(crate) fn show(links: &[MarkerLink], ui: &mut Ui, commands: &mut Vec<Command>) {
    for link in links {
        ui.horizontal(|ui| {
            ui.label(RichText::new(&link.relation).weak());
            let button = ui.add(Button::new(&link.title).small().truncate());
            if button.on_hover_text(&link.place).clicked() {
                commands.push(match link.target {
                    ReferenceTarget::Thread(thread) => Command::RevealTrack(TrackRef::Thread(thread)),
                    ReferenceTarget::Flow(flow) => Command::Flow(FlowCommand::Enter(vec![flow])),
                });
            }
        });
    }
}
