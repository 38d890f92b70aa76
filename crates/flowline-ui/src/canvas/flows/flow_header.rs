//! The header of the flow panel: history, the entered flow with its times, and its actions. A menu contains what is rarely
//! used: chains of incoming and outgoing flows, and display options.

use egui::{Align, Button, Label, Layout, Popup, Rect, RichText, Role, Ui, WidgetInfo, vec2};

use super::flow_legend;
use crate::commands::{FlowAction, WindowAction, title_with_shortcut, with_shortcut};
use crate::tables::TableKind;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::icon::{Icon, icon_button, labeled_icon_button};
use crate::widgets::style::{BODY, SMALL, color};
use crate::widgets::{counted, grouped};
use flowline_format::format_duration_ns;
use flowline_profile::{Direction, FlowId};
use flowline_scene::Palette;
use flowline_session::{Session, with_margin};
use flowline_view::{Command, FlowCommand, FlowView, PathTarget};

const PATH_HINT: &str = "Draw the flow across the chart, from marker to marker";
const CONNECTIONS_HINT: &str = "Draw all connections of the entered flow, not only those of one marker";

/// Minimum width in points at which the actions show words.
const MIN_WIDTH_FOR_WORDS: f32 = 820.0;

/// The title of a flow on one line.
pub(super) fn title(session: &Session, flow: FlowId) -> String {
    match session.flows.shapes.flow(flow) {
        Some(shape) => format!("{}, {} {}", shape.appearance.label, shape.appearance.field, shape.id),
        None => session.index.flows().id_text(session.index.profile(), flow),
    }
}

/// "5 steps on 3 threads, 390.05 ms in all, 153.04 ms waiting".
fn times(session: &Session, flow: FlowId) -> String {
    let Some(shape) = session.flows.shapes.flow(flow) else { return String::new() };
    let steps = format!("{} on {}", counted(shape.members, "step"), counted(shape.threads, "thread"));
    let mut facts = vec![steps, format!("{} in all", format_duration_ns(shape.range.len()))];
    let card = session.timelines.card(&session.index, &session.flows.rules, flow);
    let wait = card.map_or(0, |card| card.totals.wait);
    if wait > 0 {
        facts.push(format!("{} waiting", format_duration_ns(wait)));
    }
    let view = &session.view.flows;
    if view.chain_back > 0 || view.chain_forward > 0 {
        let count: usize = session.flows.sections.sections.iter().map(|content| content.count).sum();
        facts.push(format!("{} in its chains", counted(count, "flow")));
    }
    facts.join(", ")
}

/// Shows the header.
pub(crate) fn show(ui: &mut Ui, session: &Session, rect: Rect, palette: &Palette, commands: &mut Vec<Command>) {
    ui.painter().rect_filled(rect, 0.0, color(palette.heading));
    ui.painter().hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.line)));
    let inner = rect.shrink2(vec2(8.0, 2.0));
    let mut child = ui.new_child(
        egui::UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)).id_salt("flows"),
    );
    child.shrink_clip_rect(rect);
    let ui = &mut child;
    ui.spacing_mut().item_spacing.x = 6.0;
    let roomy = rect.width() > MIN_WIDTH_FOR_WORDS;
    // Laid out from the right, so that the title gets the remaining width.
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        actions(ui, session, (roomy, palette), commands);
        if session.flows.is_searching() {
            ui.spinner();
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            history(ui, &session.view.flows, commands);
            name(ui, session, palette);
        });
    });
}

/// The entered flow.
fn name(ui: &mut Ui, session: &Session, palette: &Palette) {
    let (text, facts) = match session.view.flows.entered.as_slice() {
        [] => ("Pinned flows".to_owned(), String::new()),
        [flow] => (title(session, *flow), times(session, *flow)),
        flows => (format!("{} flows entered", grouped(flows.len())), String::new()),
    };
    let facts = RichText::new(facts).size(SMALL).color(color(palette.text2));
    let title = RichText::new(text).size(BODY).color(color(palette.text));
    // A long name leaves room for the times, but not more than it needs itself.
    let width =
        egui::WidgetText::from(facts.clone()).into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body).size().x;
    let room = ui.available_width();
    ui.scope(|ui| {
        ui.set_max_width((room - width - 12.0).max(room * 0.4));
        ui.add(Label::new(title).truncate());
    });
    if width > 0.0 {
        ui.add(Label::new(facts).truncate());
    }
}

/// The actions, laid out from right to left.
fn actions(ui: &mut Ui, session: &Session, (roomy, palette): (bool, &Palette), commands: &mut Vec<Command>) {
    let view = &session.view.flows;
    let hint = with_shortcut(ui.ctx(), "Leave the flow", WindowAction::Escape);
    if icon_button(ui, Icon::Close, "Leave the flow", &hint).clicked() {
        let leave = if view.entered.is_empty() { FlowCommand::UnpinAll } else { FlowCommand::Leave };
        commands.push(Command::Flow(leave));
    }
    let more = icon_button(ui, Icon::Dots, "More flow actions", "Connections, path, chains of flows, legend");
    Popup::menu(&more).show(|ui| {
        menu(ui, session, commands);
        ui.separator();
        flow_legend::show(ui, palette);
    });
    if !view.pinned.is_empty() && (roomy || view.entered.is_empty()) {
        let unpin = ui.button("Unpin all").on_hover_text("Remove all pinned flows from the panel");
        if unpin.clicked() {
            commands.push(Command::Flow(FlowCommand::UnpinAll));
        }
    }
    let Some(flow) = view.entered.first().copied() else { return };
    let last = session.index.flows().last_to_end(flow);
    if let Some(last) = last
        && action(
            ui,
            roomy,
            Icon::CriticalPath,
            ["Critical path", "Critical path of the flow"],
            "Show critical path to flow end",
        )
    {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
        commands.push(Command::ShowPath(Some(PathTarget::end_of(last))));
    }
    let names = if view.is_pinned(flow) { ["Unpin", "Unpin the flow"] } else { ["Pin", "Pin the flow"] };
    let hint = with_shortcut(ui.ctx(), "Keep the flow in the panel", FlowAction::Pin);
    if action(ui, roomy, Icon::Pin, names, &hint) {
        commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
    }
    let hint = with_shortcut(ui.ctx(), "Show the whole flow", FlowAction::Zoom);
    if action(ui, roomy, Icon::ZoomTo, ["Zoom", "Zoom to flow"], &hint) {
        commands.extend(session.entered_range().map(with_margin).map(Command::ZoomTo));
    }
}

/// A button with its text and its accessible name; a narrow window shows only the icon. True if it was clicked.
fn action(ui: &mut Ui, roomy: bool, icon: Icon, [text, name]: [&str; 2], hint: &str) -> bool {
    if !roomy {
        return icon_button(ui, icon, name, hint).clicked();
    }
    let response = labeled_icon_button(ui, icon, text);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response.on_hover_text(hint).clicked()
}

/// Display options, and chains of incoming and outgoing flows.
fn menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let (view, sections) = (&session.view.flows, &session.flows.sections);
    let mut push = |command| commands.push(Command::Flow(command));
    let path = Button::selectable(view.path, "Path");
    if ui.add(path).on_hover_text(with_shortcut(ui.ctx(), PATH_HINT, FlowAction::Path)).clicked() {
        push(FlowCommand::Path(!view.path));
    }
    let all = Button::selectable(view.all_connections, "Connections");
    if ui.add(all).on_hover_text(with_shortcut(ui.ctx(), CONNECTIONS_HINT, FlowAction::Connections)).clicked() {
        push(FlowCommand::AllConnections(!view.all_connections));
    }
    for (direction, more) in [(Direction::Back, sections.more_back), (Direction::Forward, sections.more_forward)] {
        for all in [false, true].into_iter().filter(|_| more && !view.entered.is_empty()) {
            if ui.button(title_with_shortcut(ui.ctx(), FlowAction::Chain { direction, all })).clicked() {
                push(if all { FlowCommand::ChainAll(direction) } else { FlowCommand::ChainStep(direction) });
            }
        }
    }
    if view.chain_back > 0 || view.chain_forward > 0 {
        let count: usize = sections.sections.iter().map(|content| content.count).sum();
        let limit = if sections.limited { " (limit reached)" } else { "" };
        ui.weak(format!("{}{limit}", counted(count, "flow")));
        if ui.button(FlowAction::ResetChain.title()).clicked() {
            push(FlowCommand::ChainReset);
        }
    }
}

/// Buttons for back and forward in the history of entered flows.
fn history(ui: &mut Ui, view: &FlowView, commands: &mut Vec<Command>) {
    for (icon, direction) in [(Icon::ChevronLeft, Direction::Back), (Icon::ChevronRight, Direction::Forward)] {
        let name = title_with_shortcut(ui.ctx(), FlowAction::History(direction));
        let clicked =
            ui.add_enabled_ui(view.can_go(direction), |ui| icon_button(ui, icon, &name, &name).clicked()).inner;
        if clicked {
            commands.push(Command::Flow(match direction {
                Direction::Forward => FlowCommand::Forward,
                Direction::Back => FlowCommand::Back,
            }));
        }
    }
}
