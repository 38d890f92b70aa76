//! User-defined names of pinned flows. F2 or the row's menu opens a text field; an empty name restores the flow's own
//! name.

use egui::{Context, Id, Key, Rect, Role, TextEdit, Ui, WidgetInfo, vec2};

use crate::widgets::select_all;
use flowline_profile::FlowId;
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// The name being edited.
#[derive(Clone, Debug)]
struct Edited {
    flow: FlowId,
    text: String,
    fresh: bool,
}

fn edited_id() -> Id {
    Id::unique("name of a pin")
}

/// Opens the field for the name of a pinned flow.
pub(crate) fn start(context: &Context, session: &Session, flow: FlowId) {
    let label = || session.flows.shapes.flow(flow).map(|shape| shape.appearance.label.clone());
    let text = session.view.flows.pin_names.get(&flow).cloned().or_else(label).unwrap_or_default();
    context.data_mut(|data| data.insert_temp(edited_id(), Edited { flow, text, fresh: true }));
    context.request_repaint();
}

/// Shows the field if the name of this flow is being edited. Returns the command that sets the name.
pub(super) fn show(ui: &mut Ui, flow: FlowId, row: Rect) -> Option<Command> {
    let edited: Option<Edited> = ui.data(|data| data.get_temp(edited_id()));
    let mut edited = edited.filter(|edited| edited.flow == flow)?;
    let place = row.shrink2(vec2(6.0, 3.0));
    let field = Id::unique("field of a pin's name");
    let response = ui.put(place, TextEdit::singleline(&mut edited.text).id(field).hint_text("Pin name"));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Pin name"));
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
