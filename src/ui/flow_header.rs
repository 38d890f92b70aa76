//! The header of the flow panel: back and forward, what is entered, following its chain, what is drawn.

use egui::{Align, Button, Layout, Rect, RichText, Role, Ui, WidgetInfo, vec2};

use super::document::Document;
use super::style::color;
use crate::scene::Palette;
use crate::view::{Command, FlowCommand};

/// Shows the header.
pub(super) fn show(ui: &mut Ui, document: &Document, rect: Rect, palette: &Palette, commands: &mut Vec<Command>) {
    ui.painter().rect_filled(rect, 0.0, color(palette.heading));
    ui.painter().hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.grid)));
    let inner = rect.shrink2(vec2(8.0, 2.0));
    let mut child = ui.new_child(
        egui::UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)).id_salt("flows"),
    );
    child.shrink_clip_rect(rect);
    let ui = &mut child;
    ui.spacing_mut().item_spacing.x = 5.0;
    let view = &document.view.flows;
    let mut wishes = Vec::new();
    let mut push = |command| wishes.push(command);
    let mut zoom = None;
    for (icon, forward, name) in
        [("⏴", false, "Back to the flows before (Alt+Left)"), ("⏵", true, "Forward (Alt+Right)")]
    {
        let button = ui.add_enabled(view.can_go(forward), Button::new(icon).small()).on_hover_text(name);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, view.can_go(forward), name));
        if button.clicked() {
            push(if forward { FlowCommand::Forward } else { FlowCommand::Back });
        }
    }
    let entered = &view.entered;
    let text = match entered.as_slice() {
        [] => "Pinned flows".to_owned(),
        [flow] => super::flow_panel::title(document, *flow),
        flows => format!("{} flows entered", super::grouped(flows.len())),
    };
    let room = (ui.available_width() - 560.0).max(120.0);
    ui.scope(|ui| {
        ui.set_max_width(room);
        ui.add(egui::Label::new(RichText::new(text).strong()).truncate());
    });
    if document.flows.is_searching() {
        ui.spinner();
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.add(Button::new("✖").frame(false)).on_hover_text("Leave the flow (Esc)").clicked() {
            push(if entered.is_empty() { FlowCommand::UnpinAll } else { FlowCommand::Leave });
        }
        let path = Button::new("Path").small().selected(view.path);
        if ui.add(path).on_hover_text("Draw the flow over the chart, from marker to marker (G)").clicked() {
            push(FlowCommand::Path(!view.path));
        }
        let all = Button::new("Connections").small().selected(view.all_connections);
        if ui
            .add(all)
            .on_hover_text("Draw all connections of the entered flow, not only those of one marker (C)")
            .clicked()
        {
            push(FlowCommand::AllConnections(!view.all_connections));
        }
        if !entered.is_empty() {
            chain(ui, document, &mut push);
            if ui.add(Button::new("Zoom to it").small()).on_hover_text("Show all of the flow (Shift+F)").clicked() {
                zoom = document.entered_range().map(super::document::with_margin);
            }
        }
    });
    commands.extend(wishes.into_iter().map(Command::Flow));
    commands.extend(zoom.map(Command::ZoomTo));
}

/// Following causes and effects step by step; laid out from right to left.
fn chain(ui: &mut Ui, document: &Document, push: &mut impl FnMut(FlowCommand)) {
    let view = &document.view.flows;
    let sections = &document.flows.sections;
    let beyond = view.chain_back > 0 || view.chain_forward > 0;
    let count: usize = sections.sections.iter().map(|content| content.count).sum();
    if beyond {
        if ui.add(Button::new("Reset").small()).on_hover_text("Back to one step either way").clicked() {
            push(FlowCommand::ChainReset);
        }
        let limit = if sections.limited { " (limit reached)" } else { "" };
        ui.label(RichText::new(format!("{} flows{limit}", super::grouped(count))).small().weak());
    }
    let step = |forward| FlowCommand::ChainStep { forward };
    let all = |forward| FlowCommand::ChainAll { forward };
    let buttons = [
        ("all ⏭", sections.more_forward, all(true), "Follow effects to the end (Shift+.)"),
        ("effects ⏵", sections.more_forward, step(true), "Follow effects one step farther (.)"),
        ("⏴ causes", sections.more_back, step(false), "Follow causes one step farther back (,)"),
        ("⏮ all", sections.more_back, all(false), "Follow causes back to the first (Shift+,)"),
    ];
    for (text, enabled, command, hint) in buttons {
        let button = ui.add_enabled(enabled, Button::new(text).small()).on_hover_text(hint);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, hint));
        if button.clicked() {
            push(command);
        }
    }
}
