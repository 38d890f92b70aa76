//! Tools of the layout by flow, in the corner above the labels: the order of the flow lanes, and the tree of types that
//! shows and hides namespaces.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Checkbox, Id, Layout, PopupCloseBehavior, Rect, RichText, Role, ScrollArea, Ui, UiBuilder, WidgetInfo,
};

use crate::widgets::style::color;
use crate::widgets::{arrow, grouped};
use flowline_index::flows::TypeTree;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{CheckState, Command, FlowLaneCommand, FlowLaneOrder};

/// Indentation per level of the tree in points.
const INDENT: f32 = 14.0;
/// Height of a row of the tree in points.
const ROW_HEIGHT: f32 = 19.0;

/// Shows the tools in a part of the canvas while the chart shows flow lanes.
pub(in crate::canvas) fn show(ui: &mut Ui, session: &Session, area: Rect, palette: &Palette) -> Vec<Command> {
    let mut commands = Vec::new();
    if !session.view.flow_lanes.shown {
        return commands;
    }
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("lane tools").layout(layout));
    child.shrink_clip_rect(area);
    child.spacing_mut().item_spacing.x = 10.0;
    child.style_mut().visuals.button_frame = false;
    child.add_space(7.0);
    types(&mut child, session, palette, &mut commands);
    order(&mut child, session, &mut commands);
    commands
}

fn order(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let order = session.view.flow_lanes.order;
    let text = RichText::new(format!("Order: {}", order.name().to_lowercase())).small();
    let response = ui.menu_button(text, |ui| {
        for choice in FlowLaneOrder::ALL {
            if ui.selectable_label(choice == order, choice.name()).clicked() {
                commands.push(Command::FlowLane(FlowLaneCommand::Order(choice)));
                ui.close();
            }
        }
        ui.separator();
        let mut by_thread = session.view.flow_lanes.by_thread;
        if ui.checkbox(&mut by_thread, "Group by thread").on_hover_text(GROUP_HINT).clicked() {
            commands.push(Command::FlowLane(FlowLaneCommand::GroupByThread(by_thread)));
            ui.close();
        }
    });
    response.response.on_hover_text("Order of the flow lanes; durations sort longest first");
}

const GROUP_HINT: &str = "Below headings of the threads that execute the flows";

/// Expanded nodes; stored until the program exits.
fn open_nodes() -> Id {
    Id::unique("open types")
}

fn types(ui: &mut Ui, session: &Session, palette: &Palette, commands: &mut Vec<Command>) {
    let ticks = &session.view.flow_lanes.ticks;
    let text = RichText::new("Types").small();
    let text = if ticks.is_everything() { text } else { text.color(color(palette.accent)) };
    // The menu stays open while the user ticks namespaces.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::new(text).config(stays).ui(ui, |ui| {
        ui.set_min_width(340.0);
        ui.horizontal(|ui| {
            for (name, on) in [("Show all", true), ("Hide all", false)] {
                if ui.button(name).clicked() {
                    commands.push(Command::FlowLane(FlowLaneCommand::Switch { path: Vec::new(), on }));
                }
            }
        });
        ui.separator();
        let Some(facts) = session.flow_lanes.facts() else {
            ui.weak("Analyzing flows…");
            return;
        };
        tree(ui, session, &facts.types, palette, commands);
    });
    response.on_hover_text("Choose which flow types are shown, by namespace");
}

/// The nodes whose ancestors are all expanded, top to bottom.
fn listed(tree: &TypeTree, open: &std::collections::HashSet<Vec<String>>) -> Vec<usize> {
    let (mut listed, mut at) = (Vec::new(), 0);
    while let Some(node) = tree.nodes().get(at) {
        listed.push(at);
        at = if node.end == at + 1 || open.contains(&tree.path(at)) { at + 1 } else { node.end.max(at + 1) };
    }
    listed
}

fn tree(ui: &mut Ui, session: &Session, tree: &TypeTree, palette: &Palette, commands: &mut Vec<Command>) {
    let mut open: std::collections::HashSet<Vec<String>> =
        ui.data(|data| data.get_temp(open_nodes())).unwrap_or_default();
    let nodes = listed(tree, &open);
    let mut toggled = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().max_height(420.0).auto_shrink([false, true]).show_rows(
        ui,
        ROW_HEIGHT,
        nodes.len(),
        |ui, rows| {
            for node in &nodes[rows] {
                let path = tree.path(*node);
                if row(ui, session, tree, (*node, &path), open.contains(&path), palette, commands) {
                    toggled = Some(path);
                }
            }
        },
    );
    if let Some(path) = toggled {
        if !open.remove(&path) {
            open.insert(path);
        }
        ui.data_mut(|data| data.insert_temp(open_nodes(), open));
    }
}

/// One namespace or type: a triangle, a tick, its name and number of flows. Returns true if it was expanded or
/// collapsed.
fn row(
    ui: &mut Ui,
    session: &Session,
    tree: &TypeTree,
    (number, path): (usize, &[String]),
    is_open: bool,
    palette: &Palette,
    commands: &mut Vec<Command>,
) -> bool {
    let node = &tree.nodes()[number];
    let collapses = node.end > number + 1;
    let state = session.view.flow_lanes.ticks.state(path);
    let mut toggled = false;
    ui.horizontal(|ui| {
        ui.set_height(ROW_HEIGHT);
        #[expect(clippy::cast_precision_loss, reason = "a few levels")]
        ui.add_space(INDENT * node.depth as f32);
        let sense = if collapses { egui::Sense::click() } else { egui::Sense::hover() };
        let (rect, triangle) = ui.allocate_exact_size(egui::vec2(14.0, ROW_HEIGHT), sense);
        if collapses {
            let name = format!("{} {}", if is_open { "Collapse" } else { "Expand" }, path.join("::"));
            triangle.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, name.as_str()));
            let tint = if triangle.hovered() || triangle.has_focus() { palette.text } else { palette.text2 };
            arrow(ui.painter(), rect.center(), is_open, color(tint));
            toggled = triangle.clicked();
        }
        let mut on = state != CheckState::None;
        let check = Checkbox::new(&mut on, node.part.as_str()).indeterminate(state == CheckState::Some);
        if ui.add(check).changed() {
            // Ticking a partly ticked namespace ticks all of it first.
            let on = state != CheckState::All;
            commands.push(Command::FlowLane(FlowLaneCommand::Switch { path: path.to_vec(), on }));
        }
        let count = session.flow_lanes.rows().0.count(number).map_or(node.flows, |count| count as usize);
        ui.label(RichText::new(grouped(count)).small().weak());
    });
    toggled
}
