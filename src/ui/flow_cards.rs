//! The flows of a marker in its tooltip and details: for each field previous, next, view all, enter, pin; and its context.

use egui::{Button, Frame, Margin, RichText, Ui};

use super::document::Document;
use super::style::color;
use crate::index::Index;
use crate::index::flows::MarkerFlow;
use crate::profile::text::LabelKind;
use crate::profile::{FlowId, MarkerId};
use crate::scene::Palette;
use crate::view::{Command, FlowCommand};

/// Children of a marker whose flows are counted.
const COUNTED: usize = 10_000;
/// Flows of one marker that are listed.
const MOST: usize = 40;

/// The flows of a marker with what is shown of each; kept while the marker stays the same.
#[derive(Clone, Debug, Default)]
pub struct FlowCards {
    marker: Option<MarkerId>,
    flows: Vec<MarkerFlow>,
    /// Number of all its flows.
    total: usize,
    /// The marker its context names, and that one's label.
    parent: Option<(MarkerId, String)>,
    /// Number of children, and of the flows they are in (counted up to a limit).
    children: (usize, usize),
}

impl FlowCards {
    /// The cards of a marker.
    #[must_use]
    pub fn of(index: &Index, marker: MarkerId) -> Self {
        let (profile, graph) = (index.profile(), index.flows());
        let label = |marker: MarkerId| {
            let (thread, local) = profile.locate(marker)?;
            Some((marker, profile.marker_label(LabelKind::Tooltip, thread, local)))
        };
        let children = graph.children(marker);
        let mut led_to: Vec<FlowId> =
            children.clone().take(COUNTED).flat_map(|child| graph.flows_of(child)).copied().collect();
        led_to.sort_unstable();
        led_to.dedup();
        Self {
            marker: Some(marker),
            flows: graph.named_by(profile, marker, MOST),
            total: graph.flows_of(marker).len(),
            parent: graph.parent(marker).and_then(label),
            children: (children.len(), led_to.len()),
        }
    }

    /// Brings the cards up to date with the marker shown.
    pub fn follow(&mut self, index: &Index, marker: MarkerId) {
        if self.marker != Some(marker) {
            *self = Self::of(index, marker);
        }
    }

    /// The flows listed.
    #[must_use]
    pub fn flows(&self) -> &[MarkerFlow] {
        &self.flows
    }

    /// Shows them with their buttons; `chosen` is the flow that keys mean.
    pub fn show(&self, ui: &mut Ui, document: &Document, palette: &Palette, chosen: Option<FlowId>) -> Vec<Command> {
        let mut commands = Vec::new();
        if self.flows.is_empty() {
            return commands;
        }
        ui.add_space(6.0);
        ui.label(RichText::new(if self.total == 1 { "FLOW" } else { "FLOWS" }).small().strong().weak());
        for named in &self.flows {
            let stroke = if chosen == Some(named.flow) && self.total > 1 { palette.accent } else { palette.grid };
            let frame = Frame::new()
                .fill(color(palette.heading))
                .stroke((1.0, color(stroke)))
                .corner_radius(5)
                .inner_margin(Margin::symmetric(8, 6));
            frame.show(ui, |ui| card(ui, document, palette, named, &mut commands));
        }
        if self.total > self.flows.len() {
            let rest = super::grouped(self.total - self.flows.len());
            ui.label(
                RichText::new(format!("and {rest} more: Enter shows all of them in the flow panel")).weak().small(),
            );
        }
        self.context(ui, &mut commands);
        commands
    }

    /// What caused the marker, and what it led to.
    fn context(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        if self.parent.is_none() && self.children.0 == 0 {
            return;
        }
        ui.add_space(6.0);
        ui.label(RichText::new("CONTEXT").small().strong().weak());
        if let Some((parent, label)) = &self.parent {
            let text = format!("⬆ caused by {label}");
            if ui.add(Button::new(text).frame(false).truncate()).on_hover_text("Select it").clicked() {
                commands.push(Command::Reveal(*parent));
            }
        }
        let (markers, flows) = self.children;
        if markers > 0 {
            let plural = |count: usize, one: &str| {
                format!("{} {one}{}", super::grouped(count), if count == 1 { "" } else { "s" })
            };
            let least = if markers > COUNTED { "at least " } else { "" };
            ui.label(format!("⬇ led to {} in {least}{}", plural(markers, "marker"), plural(flows, "flow")));
        }
    }
}

fn card(ui: &mut Ui, document: &Document, palette: &Palette, named: &MarkerFlow, commands: &mut Vec<Command>) {
    let graph = document.index.flows();
    let flow = named.flow;
    ui.set_min_width(ui.available_width());
    ui.horizontal(|ui| {
        let place = format!("{} of {}", super::grouped(named.position + 1), super::grouped(named.count));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(place).weak().small());
            let name = egui::Label::new(RichText::new(format!("{} {}", named.field, named.id)).strong()).truncate();
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(name));
        });
    });
    let mut focused = false;
    let members = graph.members(flow);
    let before = named.position.checked_sub(1).and_then(|at| members.get(at)).copied();
    let after = members.get(named.position + 1).copied();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 5.0;
        for (text, hint, target) in
            [("‹ Prev", "Previous marker of the flow ([)", before), ("Next ›", "Next marker of the flow (])", after)]
        {
            let button = ui.add_enabled(target.is_some(), Button::new(text).small()).on_hover_text(hint);
            focused |= button.has_focus();
            if button.clicked() {
                commands.push(Command::Flow(FlowCommand::Choose(flow)));
                commands.extend(target.map(Command::Reveal));
            }
        }
        let view_all = ui.add(Button::new("View all").small()).on_hover_text("Show its markers only (V)");
        focused |= view_all.has_focus();
        if view_all.clicked() {
            commands.push(Command::Flow(FlowCommand::ViewAll(flow)));
        }
        let entered = document.view.flows.entered.contains(&flow);
        let enter = Button::new("Enter").small().selected(entered);
        let enter = ui.add(enter).on_hover_text("Show it in the flow panel (Enter)");
        focused |= enter.has_focus();
        if enter.clicked() {
            commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
        }
        let pinned = document.view.flows.is_pinned(flow);
        let text = if pinned { "Unpin" } else { "Pin" };
        let pin = Button::new(RichText::new(text).color(color(if pinned { palette.connection } else { palette.text })));
        let pin = ui.add(pin.small()).on_hover_text("Keep its row at the bottom of the flow panel (P)");
        focused |= pin.has_focus();
        if pin.clicked() {
            commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
        }
    });
    // Going from button to button is choosing among the flows.
    if focused && document.chosen_flow() != Some(flow) {
        commands.push(Command::Flow(FlowCommand::Choose(flow)));
    }
}
