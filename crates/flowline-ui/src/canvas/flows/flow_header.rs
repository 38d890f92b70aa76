//! The header of the flow panel: history, the entered flow, chains of incoming and outgoing flows, and display options.

use egui::{Align, Button, Layout, Rect, RichText, Role, Ui, WidgetInfo, vec2};

use crate::commands::{FlowAction, WindowAction, title_with_shortcut, with_shortcut};
use crate::widgets::style::color;
use flowline_profile::{Direction, FlowId};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, FlowCommand, FlowView};

const PATH_HINT: &str = "Draw the flow across the chart, from marker to marker";
const CONNECTIONS_HINT: &str = "Draw all connections of the entered flow, not only those of one marker";

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
        let leave = ui.add(Button::new("✖").frame(false)).on_hover_text(with_shortcut(
            ui.ctx(),
            "Leave the flow",
            WindowAction::Escape,
        ));
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
        if ui.add(path).on_hover_text(with_shortcut(ui.ctx(), PATH_HINT, FlowAction::Path)).clicked() {
            push(FlowCommand::Path(!view.path));
        }
        let all = Button::new(if roomy { "Connections" } else { "Links" }).small().selected(view.all_connections);
        let all = ui.add(all).on_hover_text(with_shortcut(ui.ctx(), CONNECTIONS_HINT, FlowAction::Connections));
        all.widget_info(|| WidgetInfo::selected(Role::Button, true, view.all_connections, "Connections"));
        if all.clicked() {
            push(FlowCommand::AllConnections(!view.all_connections));
        }
        if !entered.is_empty() {
            chain(ui, session, roomy, &mut push);
            let whole = Button::new("Zoom to flow").small();
            let hint = with_shortcut(ui.ctx(), "Show the whole flow", FlowAction::Zoom);
            if roomy && ui.add(whole).on_hover_text(hint).clicked() {
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
    for (icon, direction) in [("⏴", Direction::Back), ("⏵", Direction::Forward)] {
        let name = title_with_shortcut(ui.ctx(), FlowAction::History(direction));
        let button = ui.add_enabled(view.can_go(direction), Button::new(icon).small()).on_hover_text(&name);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, view.can_go(direction), &name));
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
        if ui.add(Button::new("Reset").small()).on_hover_text(FlowAction::ResetChain.title()).clicked() {
            push(FlowCommand::ChainReset);
        }
        let limit = if sections.limited { " (limit reached)" } else { "" };
        if roomy {
            ui.label(RichText::new(format!("{}{limit}", crate::widgets::counted(count, "flow"))).small().weak());
        }
    }
    let buttons = [
        (["⏭", "all ⏭"], Direction::Forward, true),
        (["⏵", "outgoing ⏵"], Direction::Forward, false),
        (["⏴", "⏴ incoming"], Direction::Back, false),
        (["⏮", "⏮ all"], Direction::Back, true),
    ];
    for (texts, direction, all) in buttons {
        let enabled = match direction {
            Direction::Forward => sections.more_forward,
            Direction::Back => sections.more_back,
        };
        let text = texts[usize::from(roomy)];
        let hint = title_with_shortcut(ui.ctx(), FlowAction::Chain { direction, all });
        let button = ui.add_enabled(enabled, Button::new(text).small()).on_hover_text(&hint);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, &hint));
        if button.clicked() {
            push(if all { FlowCommand::ChainAll(direction) } else { FlowCommand::ChainStep(direction) });
        }
    }
}
