//! Names that users give to pinned flows: F2, or the menu of the row, asks for one; an empty name gives the old one back.

use egui::{Context, Id, Key, Rect, Role, TextEdit, Ui, WidgetInfo, vec2};

use crate::widgets::select_all;
use flowline_profile::FlowId;
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// A name that is being written.
#[derive(Clone, Debug)]
struct Edited {
    flow: FlowId,
    text: String,
    fresh: bool,
}

fn edited_id() -> Id {
    Id::unique("name of a pin")
}

/// Asks for the name of a pinned flow.
pub(crate) fn start(context: &Context, session: &Session, flow: FlowId) {
    let label = || session.flows.shapes.flow(flow).map(|shape| shape.appearance.label.clone());
    let text = session.view.flows.pin_names.get(&flow).cloned().or_else(label).unwrap_or_default();
    context.data_mut(|data| data.insert_temp(edited_id(), Edited { flow, text, fresh: true }));
    context.request_repaint();
}

/// Shows the field if this flow's name is asked for; returns the name.
pub(super) fn show(ui: &mut Ui, flow: FlowId, row: Rect) -> Option<Command> {
    let edited: Option<Edited> = ui.data(|data| data.get_temp(edited_id()));
    let mut edited = edited.filter(|edited| edited.flow == flow)?;
    let place = row.shrink2(vec2(6.0, 3.0));
    let field = Id::unique("field of a pin's name");
    let response = ui.put(place, TextEdit::singleline(&mut edited.text).id(field).hint_text("Name of the pin"));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the pin"));
    if std::mem::take(&mut edited.fresh) {
        response.request_focus();
        select_all(ui.ctx(), response.id, &edited.text);
    }
    if !response.lost_focus() {
        ui.data_mut(|data| data.insert_temp(edited_id(), edited));
        return None;
    }
    ui.data_mut(|data| data.remove::<Edited>(edited_id()));
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    (!escaped).then_some(Command::Flow(FlowCommand::NamePin(flow, edited.text)))
}
