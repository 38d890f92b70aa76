//! Shows the flows of a marker in its tooltip and details, with buttons for previous, next, view all, enter and pin,
//! and the marker's context.

use egui::{Button, CollapsingHeader, Frame, Margin, Rect, RichText, Ui, UiBuilder};

use crate::commands::{FlowAction, ViewAction, shortcut, with_shortcut};
use crate::widgets::style::color;
use crate::widgets::{counted, grouped};
use flowline_index::flows::MarkerFlow;
use flowline_profile::{Direction, FlowId, MarkerId};
use flowline_scene::Palette;
use flowline_session::{FlowCards, MAX_COUNTED_CHILDREN, Session};
use flowline_view::{Command, FlowCommand};

/// A button that steps along a flow.
pub(crate) type StepButton = (FlowId, Direction);

/// The step buttons of the flows shown, with their rectangles.
#[derive(Debug, Default)]
pub(crate) struct StepButtons {
    /// All step buttons.
    pub(crate) shown: Vec<(StepButton, Rect)>,
    /// The button pressed in this frame.
    pub(crate) pressed: Option<(StepButton, Rect)>,
}

/// Shows the flows with their buttons; `chosen` is the active flow, which keys act on.
pub(crate) fn show(
    cards: &FlowCards,
    ui: &mut Ui,
    session: &Session,
    palette: &Palette,
    chosen: Option<FlowId>,
    walk: &mut StepButtons,
) -> Vec<Command> {
    let mut commands = Vec::new();
    initiators(cards, ui, &mut commands);
    if cards.flows.is_empty() {
        return commands;
    }
    ui.add_space(6.0);
    ui.label(RichText::new(if cards.total == 1 { "FLOW" } else { "FLOWS" }).small().strong().weak());
    for flow_entry in &cards.flows {
        let stroke = if chosen == Some(flow_entry.flow) && cards.total > 1 { palette.accent } else { palette.grid };
        let frame = Frame::new()
            .fill(color(palette.heading))
            .stroke((1.0, color(stroke)))
            .corner_radius(5)
            .inner_margin(Margin::symmetric(8, 6));
        // The id depends on the flow only, so that a card keeps its widgets from one marker to the next, and press and
        // release belong together even if the card moves.
        let id = ui.scope_id().with(("flow card", flow_entry.flow));
        ui.scope_builder(UiBuilder::new().scope_id(id), |ui| {
            frame.show(ui, |ui| flow_card(ui, session, palette, flow_entry, walk, &mut commands));
        });
    }
    if cards.total > cards.flows.len() {
        let rest = grouped(cards.total - cards.flows.len());
        let key = shortcut(ui.ctx(), ViewAction::Confirm { back: false });
        let text = format!("and {rest} more; press {key} to show them in the flow panel");
        ui.label(RichText::new(text).weak().small());
    }
    context(cards, ui, &mut commands);
    commands
}

/// A line that selects a marker.
fn link(ui: &mut Ui, text: String, marker: MarkerId) -> Option<Command> {
    let response = ui.add(Button::new(text).frame(false).truncate()).on_hover_text("Select this marker");
    response.clicked().then_some(Command::Reveal(marker))
}

/// Shows the marker's initiator, and the events it initiated.
fn initiators(cards: &FlowCards, ui: &mut Ui, commands: &mut Vec<Command>) {
    if cards.initiator.is_none() && cards.initiated.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.label(RichText::new("INITIATOR").small().strong().weak());
    if let Some((initiator, label)) = &cards.initiator {
        commands.extend(link(ui, format!("⬆ initiated by {label}"), *initiator));
    }
    match cards.initiated.as_slice() {
        [] => {}
        [(event, label)] if cards.all_initiated == 1 => {
            commands.extend(link(ui, format!("⬇ initiated {label}"), *event));
        }
        listed => {
            let text = format!("initiated {}", counted(cards.all_initiated, "event"));
            CollapsingHeader::new(text).id_salt("initiated").show(ui, |ui| {
                for (event, label) in listed {
                    commands.extend(link(ui, label.clone(), *event));
                }
                if cards.all_initiated > listed.len() {
                    let rest = format!("and {} more", grouped(cards.all_initiated - listed.len()));
                    ui.label(RichText::new(rest).weak().small());
                }
            });
        }
    }
}

/// Shows the marker's parent and the markers it led to.
fn context(cards: &FlowCards, ui: &mut Ui, commands: &mut Vec<Command>) {
    if cards.parent.is_none() && cards.children.0 == 0 {
        return;
    }
    ui.add_space(6.0);
    ui.label(RichText::new("CONTEXT").small().strong().weak());
    let mut link = |ui: &mut Ui, text: String, marker| commands.extend(link(ui, text, marker));
    if let Some((parent, label)) = &cards.parent {
        // Only the parent of a flow's first marker caused the flow.
        let begins = cards.flows.iter().any(|flow| flow.position == 0);
        link(ui, format!("⬆ {} {label}", if begins { "caused by" } else { "inside" }), *parent);
    }
    let (markers, flows) = cards.children;
    match cards.led_to.as_slice() {
        [] => {}
        [(child, label)] if markers == 1 => link(ui, format!("⬇ led to {label}"), *child),
        listed => {
            let least = if markers > MAX_COUNTED_CHILDREN { "at least " } else { "" };
            let text = format!("led to {} in {least}{}", counted(markers, "marker"), counted(flows, "flow"));
            CollapsingHeader::new(text).id_salt("led to").show(ui, |ui| {
                for (child, label) in listed {
                    link(ui, label.clone(), *child);
                }
                if markers > listed.len() {
                    let rest = grouped(markers - listed.len());
                    let key = shortcut(ui.ctx(), ViewAction::Confirm { back: false });
                    let text = format!("and {rest} more; press {key} to show their flows in the flow panel");
                    ui.label(RichText::new(text).weak().small());
                }
            });
        }
    }
}

fn flow_card(
    ui: &mut Ui,
    session: &Session,
    palette: &Palette,
    flow_entry: &MarkerFlow,
    walk: &mut StepButtons,
    commands: &mut Vec<Command>,
) {
    let graph = session.index.flows();
    let flow = flow_entry.flow;
    ui.set_min_width(ui.available_width());
    ui.horizontal(|ui| {
        let place = format!("{} of {}", grouped(flow_entry.position + 1), grouped(flow_entry.count));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(place).weak().small());
            let name =
                egui::Label::new(RichText::new(format!("{} {}", flow_entry.field, flow_entry.id)).strong()).truncate();
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(name));
        });
    });
    let mut focused = false;
    let members = graph.members(flow);
    let before = flow_entry.position.checked_sub(1).and_then(|at| members.get(at)).copied();
    let after = members.get(flow_entry.position + 1).copied();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 5.0;
        for (text, hint, direction, target) in [
            ("‹ Prev", "Previous marker of the flow ([)", Direction::Back, before),
            ("Next ›", "Next marker of the flow (])", Direction::Forward, after),
        ] {
            let button = ui.add_enabled(target.is_some(), Button::new(text).small()).on_hover_text(hint);
            focused |= button.has_focus();
            walk.shown.push(((flow, direction), button.rect));
            if button.clicked() {
                walk.pressed = Some(((flow, direction), button.rect));
                commands.push(Command::Flow(FlowCommand::Choose(flow)));
                commands.extend(target.map(Command::Reveal));
            }
        }
        let is_only = session.shows_only(flow);
        let (text, hint) = if is_only {
            ("Back", "Return to the previous view")
        } else {
            ("View all", "Show only this flow's markers")
        };
        let hint = with_shortcut(ui.ctx(), hint, FlowAction::ViewAll);
        let view_all = ui.add(Button::new(text).small().selected(is_only)).on_hover_text(hint);
        focused |= view_all.has_focus();
        if view_all.clicked() {
            commands.push(Command::Flow(FlowCommand::ViewAll(flow)));
        }
        let entered = session.view.flows.entered.contains(&flow);
        let enter = Button::new("Enter").small().selected(entered);
        let hint = with_shortcut(ui.ctx(), "Show this flow in the flow panel", ViewAction::Confirm { back: false });
        let enter = ui.add(enter).on_hover_text(hint);
        focused |= enter.has_focus();
        if enter.clicked() {
            commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
        }
        let pinned = session.view.flows.is_pinned(flow);
        let text = if pinned { "Unpin" } else { "Pin" };
        let pin = Button::new(RichText::new(text).color(color(if pinned { palette.flow } else { palette.text })));
        let hint = with_shortcut(ui.ctx(), "Keep its row at the bottom of the flow panel", FlowAction::Pin);
        let pin = ui.add(pin.small()).on_hover_text(hint);
        focused |= pin.has_focus();
        if pin.clicked() {
            commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
        }
    });
    super::flow_timeline::show(ui, session, flow, session.view.selected, commands);
    // Focusing a flow's button makes the flow active.
    if focused && session.selected_flow() != Some(flow) {
        commands.push(Command::Flow(FlowCommand::Choose(flow)));
    }
}
