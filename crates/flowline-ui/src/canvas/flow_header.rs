//! The header of the flow panel: history, the entered flow, chains of incoming and outgoing flows, and display options.

use egui::{Align, Button, Layout, Rect, RichText, Role, Ui, WidgetInfo, vec2};

use crate::widgets::style::color;
use flowline_profile::{Direction, FlowId};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, FlowCommand, FlowView};

/// Minimum width in points at which buttons show words.
const MIN_WIDTH_FOR_WORDS: f32 = 820.0;

/// The title of a flow on one line.
pub(super) fn title(session: &Session, flow: FlowId) -> String {
    match session.flows.shapes.flow(flow) {
        Some(shape) => format!("{} · {} {}", shape.appearance.label, shape.appearance.field, shape.id),
        None => session.index.flows().id_text(session.index.profile(), flow),
    }
}

/// Shows the header.
pub(crate) fn show(ui: &mut Ui, session: &Session, rect: Rect, palette: &Palette, commands: &mut Vec<Command>) {
    ui.painter().rect_filled(rect, 0.0, color(palette.heading));
    ui.painter().hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.grid)));
    let inner = rect.shrink2(vec2(8.0, 2.0));
    let mut child = ui.new_child(
        egui::UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)).id_salt("flows"),
    );
    child.shrink_clip_rect(rect);
    let ui = &mut child;
    ui.spacing_mut().item_spacing.x = 5.0;
    let view = &session.view.flows;
    let mut wishes = Vec::new();
    let mut push = |command| wishes.push(command);
    let mut zoom = None;
    let entered = &view.entered;
    // A narrow window shows symbols instead of words and drops plain information.
    let roomy = rect.width() > MIN_WIDTH_FOR_WORDS;
    // Laid out from the right, so that the title gets the remaining width.
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let leave = ui.add(Button::new("✖").frame(false)).on_hover_text("Leave the flow (Esc)");
        leave.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Leave the flow"));
        if leave.clicked() {
            push(if entered.is_empty() { FlowCommand::UnpinAll } else { FlowCommand::Leave });
        }
        if !view.pinned.is_empty() && (roomy || entered.is_empty()) {
            let unpin = Button::new("Unpin all").small();
            if ui.add(unpin).on_hover_text("Remove all pinned flows from the panel").clicked() {
                push(FlowCommand::UnpinAll);
            }
        }
        let path = Button::new("Path").small().selected(view.path);
        if ui.add(path).on_hover_text("Draw the flow across the chart, from marker to marker (G)").clicked() {
            push(FlowCommand::Path(!view.path));
        }
        let all = Button::new(if roomy { "Connections" } else { "Links" }).small().selected(view.all_connections);
        let all =
            ui.add(all).on_hover_text("Draw all connections of the entered flow, not only those of one marker (C)");
        all.widget_info(|| WidgetInfo::selected(Role::Button, true, view.all_connections, "Connections"));
        if all.clicked() {
            push(FlowCommand::AllConnections(!view.all_connections));
        }
        if !entered.is_empty() {
            chain(ui, session, roomy, &mut push);
            let whole = Button::new("Zoom to flow").small();
            if roomy && ui.add(whole).on_hover_text("Show the whole flow (Shift+F)").clicked() {
                zoom = session.entered_range().map(flowline_session::with_margin);
            }
        }
        if session.flows.is_searching() {
            ui.spinner();
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            history(ui, view, &mut push);
            let text = match entered.as_slice() {
                [] => "Pinned flows".to_owned(),
                [flow] => title(session, *flow),
                flows => format!("{} flows entered", crate::widgets::grouped(flows.len())),
            };
            ui.add(egui::Label::new(RichText::new(text).strong()).truncate());
        });
    });
    commands.extend(wishes.into_iter().map(Command::Flow));
    commands.extend(zoom.map(Command::ZoomTo));
}

/// Buttons for back and forward in the history of entered flows.
fn history(ui: &mut Ui, view: &FlowView, push: &mut impl FnMut(FlowCommand)) {
    for (icon, direction, name) in [
        ("⏴", Direction::Back, "Back in flow history (Alt+Left)"),
        ("⏵", Direction::Forward, "Forward in flow history (Alt+Right)"),
    ] {
        let button = ui.add_enabled(view.can_go(direction), Button::new(icon).small()).on_hover_text(name);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, view.can_go(direction), name));
        if button.clicked() {
            push(match direction {
                Direction::Forward => FlowCommand::Forward,
                Direction::Back => FlowCommand::Back,
            });
        }
    }
}

/// Buttons that follow incoming and outgoing flows, laid out from right to left.
fn chain(ui: &mut Ui, session: &Session, roomy: bool, push: &mut impl FnMut(FlowCommand)) {
    let view = &session.view.flows;
    let sections = &session.flows.sections;
    let beyond = view.chain_back > 0 || view.chain_forward > 0;
    let count: usize = sections.sections.iter().map(|content| content.count).sum();
    if beyond {
        if ui.add(Button::new("Reset").small()).on_hover_text("Show only one step in each direction").clicked() {
            push(FlowCommand::ChainReset);
        }
        let limit = if sections.limited { " (limit reached)" } else { "" };
        if roomy {
            ui.label(RichText::new(format!("{}{limit}", crate::widgets::counted(count, "flow"))).small().weak());
        }
    }
    let (step, all) = (FlowCommand::ChainStep, FlowCommand::ChainAll);
    let buttons = [
        (["⏭", "all ⏭"], sections.more_forward, all(Direction::Forward), "Follow outgoing flows to the end (Shift+.)"),
        (
            ["⏵", "outgoing ⏵"],
            sections.more_forward,
            step(Direction::Forward),
            "Follow outgoing flows one more step (.)",
        ),
        (
            ["⏴", "⏴ incoming"],
            sections.more_back,
            step(Direction::Back),
            "Follow incoming flows one more step back (,)",
        ),
        (["⏮", "⏮ all"], sections.more_back, all(Direction::Back), "Follow incoming flows back to the first (Shift+,)"),
    ];
    for (texts, enabled, command, hint) in buttons {
        let text = texts[usize::from(roomy)];
        let button = ui.add_enabled(enabled, Button::new(text).small()).on_hover_text(hint);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, hint));
        if button.clicked() {
            push(command);
        }
    }
}
