//! Widgets of the flow panel: header and label column. The scene draws the rows.

use std::collections::HashMap;

use egui::{Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::canvas::flows::pin_rename;
use crate::canvas::layout::{CanvasLayout, FlowArea};
use crate::canvas::menus::flow_menu;
use crate::commands::{FlowAction, with_shortcut};
use crate::widgets::menu::context_menu;
use crate::widgets::style::color;
use crate::widgets::{counted, differences, elide_common};
use flowline_format::format_duration_ns;
use flowline_index::flows::FlowShape;
use flowline_profile::FlowId;
use flowline_scene::{Area, FlowItem, FlowItemKind, Palette, ShapeKey};
use flowline_session::Session;
use flowline_view::{Command, FlowCommand, FlowSection};

/// Shows header and labels. Returns the user's commands, and the flow whose label has the keyboard focus.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    layout: &CanvasLayout,
    palette: &Palette,
) -> (Vec<Command>, Option<FlowId>) {
    let mut commands = Vec::new();
    let mut focused = None;
    if layout.flow_header.height() < 1.0 {
        return (commands, focused);
    }
    crate::canvas::flows::flow_header::show(ui, session, layout.flow_header, palette, &mut commands);
    for (area, labels, rows) in
        [(FlowArea::Main, layout.flow_labels, layout.flows), (FlowArea::Pinned, layout.pinned_labels, layout.pinned)]
    {
        if rows.height() >= 1.0 {
            focused = focused.or(label_column(ui, session, labels, area, palette, &mut commands));
        }
    }
    (commands, focused)
}

/// Facts about a flow, as pairs of label and value.
pub(crate) fn flow_lines<'a>(session: &Session, shape: &'a FlowShape) -> [(&'a str, String); 6] {
    [
        (shape.appearance.field.as_str(), shape.id.clone()),
        ("Start", flowline_session::time_text(session.view.clock().show(shape.range.start))),
        ("Duration", format_duration_ns(shape.range.len())),
        ("Markers", crate::widgets::grouped(shape.members)),
        ("Threads", crate::widgets::grouped(shape.threads)),
        ("Processes", crate::widgets::grouped(shape.processes)),
    ]
}

/// Heading of a section.
pub(crate) fn section_title(section: FlowSection) -> String {
    match section {
        FlowSection::Cause(1) => "CAUSE (incoming)".into(),
        FlowSection::Cause(steps) => format!("CAUSE, {steps} steps back"),
        FlowSection::Incoming(1) => "INCOMING".into(),
        FlowSection::Incoming(steps) => format!("INCOMING, {steps} steps back"),
        FlowSection::Entered => "ENTERED".into(),
        FlowSection::Direct => "CONNECTED (shared markers)".into(),
        FlowSection::Outgoing(1) => "OUTGOING".into(),
        FlowSection::Outgoing(steps) => format!("OUTGOING, {steps} steps ahead"),
        FlowSection::Pinned => "PINNED".into(),
    }
}

/// Shows the labels of one area; returns the flow whose label has the keyboard focus.
fn label_column(
    ui: &mut Ui,
    session: &Session,
    area: Rect,
    part: FlowArea,
    palette: &Palette,
    commands: &mut Vec<Command>,
) -> Option<FlowId> {
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area).id_salt(("flow labels", part as u8)));
    child.shrink_clip_rect(area);
    child.painter().rect_filled(area, 0.0, color(palette.panel));
    if part == FlowArea::Pinned {
        let dashes =
            egui::Shape::dashed_line(&[area.left_top(), area.right_top()], (1.5, color(palette.flow)), 5.0, 4.0);
        child.painter().extend(dashes);
    }
    let mut focused = None;
    let input = session.scene_input();
    let drawn = input.flow_areas()?[part as usize];
    let labels: Vec<&str> = drawn.visible().iter().map(|item| label_of(session, item)).collect();
    let differs = differences(&labels);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    labels.iter().for_each(|label| *seen.entry(label).or_default() += 1);
    for ((item, differs), label) in drawn.visible().iter().zip(differs).zip(&labels) {
        let is_shared = seen.get(label).is_some_and(|count| *count > 1);
        let rect = on_screen(&drawn, item, area);
        match item.kind {
            FlowItemKind::Heading { section, count } => heading(&child, section, count, rect, palette),
            FlowItemKind::Group { section, name, count, open } => {
                let label = session.index.profile().strings.get(name);
                if group(&child, label, differs, count, open, rect, palette, (section, name)).clicked() {
                    commands.push(Command::Flow(FlowCommand::ToggleGroup(section, name)));
                }
            }
            FlowItemKind::Flow { section, flow, in_group } => {
                let response = flow_row(
                    &mut child,
                    session,
                    flow,
                    section,
                    in_group,
                    (differs, is_shared),
                    rect,
                    palette,
                    commands,
                );
                if response.has_focus() {
                    focused = Some(flow);
                }
            }
        }
    }
    let line = egui::Stroke::new(1.0, color(palette.grid));
    child.painter().vline(area.max.x - 0.5, area.y_range(), line);
    focused
}

/// The first line of a row's label; empty until it is known.
fn label_of<'a>(session: &'a Session, item: &FlowItem) -> &'a str {
    match item.kind {
        FlowItemKind::Heading { .. } => "",
        FlowItemKind::Group { name, .. } => session.index.profile().strings.get(name),
        FlowItemKind::Flow { flow, .. } => session.flows.shapes.flow(flow).map_or("", |shape| &shape.appearance.label),
    }
}

fn on_screen(drawn: &Area<'_>, item: &FlowItem, area: Rect) -> Rect {
    let y = (drawn.y(item) - drawn.rect.y) / drawn.scale + area.min.y;
    Rect::from_min_size(pos2(area.min.x, y), vec2(area.width(), drawn.height(item) / drawn.scale))
}

fn heading(ui: &Ui, section: FlowSection, count: usize, rect: Rect, palette: &Palette) {
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, color(palette.stripe));
    painter.hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.grid)));
    let font = egui::FontId::proportional(9.5);
    let faint = color(palette.text2);
    let text = section_title(section);
    let right = crate::widgets::elide(ui, &crate::widgets::grouped(count), 80.0, font.clone(), faint);
    let width = right.size().x;
    painter.galley(pos2(rect.max.x - width - 8.0, rect.center().y - right.size().y / 2.0), right, faint);
    let galley = crate::widgets::elide(ui, &text, rect.width() - width - 24.0, font, faint);
    painter.galley(pos2(rect.min.x + 8.0, rect.center().y - galley.size().y / 2.0), galley, faint);
    let response = ui.interact(rect, ui.scope_id().with(("heading", section)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{text}: {}", counted(count, "flow"))));
}

#[expect(clippy::too_many_arguments, reason = "one row of one list")]
fn group(
    ui: &Ui,
    label: &str,
    differs: usize,
    count: usize,
    open: bool,
    rect: Rect,
    palette: &Palette,
    key: (FlowSection, flowline_profile::StringId),
) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(("group", key)), Sense::click());
    let state = if open { "expanded" } else { "collapsed" };
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::DisclosureTriangle,
            true,
            format!("{} that begin with {label}, {state}", counted(count, "flow")),
        )
    });
    highlight(ui, &response, rect);
    crate::widgets::arrow(ui.painter(), pos2(rect.min.x + 14.0, rect.center().y), open, color(palette.text2));
    let lines = [label.to_owned(), counted(count, "flow")];
    if two_lines(ui, rect, [22.0, 12.0], &lines, differs, palette, false) {
        response.on_hover_text(label)
    } else {
        response
    }
}

fn highlight(ui: &Ui, response: &Response, rect: Rect) {
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 0.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
}

/// Draws a label with margins to the left and right; returns true if its first line is shortened.
fn two_lines(
    ui: &Ui,
    rect: Rect,
    margins: [f32; 2],
    lines: &[String; 2],
    differs: usize,
    palette: &Palette,
    strong: bool,
) -> bool {
    let (text, faint) = (color(palette.text), color(palette.text2));
    let [left, right] = margins;
    let width = rect.width() - left - right;
    let font = egui::FontId::proportional(if strong { 12.5 } else { 12.0 });
    let (upper, shortened) = elide_common(ui, &lines[0], differs, width, font, text);
    let lower = crate::widgets::elide(ui, &lines[1], width, egui::FontId::proportional(9.5), faint);
    let top = rect.center().y - (upper.size().y + lower.size().y - 1.0) / 2.0;
    let below = top + upper.size().y - 1.0;
    ui.painter().galley(pos2(rect.min.x + left, top), upper, text);
    ui.painter().galley(pos2(rect.min.x + left, below), lower, faint);
    shortened
}

/// The second line of a flow's label: markers, threads, duration, id.
fn facts(session: &Session, shape: &FlowShape) -> String {
    let profile = session.index.profile();
    let thread = if shape.threads == 1 {
        profile.long_name(shape.appearance.thread).into_owned()
    } else {
        format!("{} +{}", profile.long_name(shape.appearance.thread), shape.threads - 1)
    };
    let processes = match shape.processes {
        0 | 1 => String::new(),
        several => format!(", {}", counted(several, "process")),
    };
    let markers = counted(shape.members, "marker");
    format!("{markers} · {thread}{processes} · {} · {}", format_duration_ns(shape.range.len()), shape.id)
}

/// A label with the flow's start, for flows with duplicate labels.
fn label_with_start(session: &Session, shape: &FlowShape) -> String {
    let start = session.view.clock().show(shape.range.start);
    format!("{} · {}", shape.appearance.label, flowline_session::time_text(start))
}

/// Further relations of a flow to the entered ones, besides its section.
fn also(session: &Session, section: FlowSection, flow: FlowId) -> &'static str {
    let also = session.flows.sections.also.get(&flow).filter(|_| section != FlowSection::Pinned);
    match also.map(|also| (also.cause, also.incoming, also.outgoing)) {
        None | Some((false, false, false)) => "",
        Some((true, _, false)) => " · also the cause",
        Some((true, _, true)) => " · also the cause, also outgoing",
        Some((false, true, false)) => " · also incoming",
        Some((false, true, true)) => " · also incoming, also outgoing",
        Some((false, false, true)) => " · also outgoing",
    }
}

#[expect(clippy::too_many_arguments, reason = "one row of one list")]
fn flow_row(
    ui: &mut Ui,
    session: &Session,
    flow: FlowId,
    section: FlowSection,
    in_group: bool,
    (differs, is_shared): (usize, bool),
    rect: Rect,
    palette: &Palette,
    commands: &mut Vec<Command>,
) -> Response {
    let entered = section == FlowSection::Entered;
    let pinned = session.view.flows.is_pinned(flow);
    let response = ui.interact(rect, ui.scope_id().with(("flow", section, flow)), Sense::click());
    let shape = session.flows.shapes.get(ShapeKey::Flow(flow));
    let lines = match shape {
        Some(shape) if is_shared => {
            [label_with_start(session, shape), facts(session, shape) + also(session, section, flow)]
        }
        Some(shape) => [shape.appearance.label.clone(), facts(session, shape) + also(session, section, flow)],
        None => [crate::canvas::flows::flow_header::title(session, flow), "counting…".to_owned()],
    };
    let named = session.view.flows.pin_names.get(&flow).filter(|_| section == FlowSection::Pinned);
    let lines = match (named, lines) {
        (Some(name), [label, facts]) => [name.clone(), format!("{label} · {facts}")],
        (None, lines) => lines,
    };
    response.widget_info(|| {
        let state = match (entered, pinned) {
            (true, true) => ", entered, pinned",
            (true, false) => ", entered",
            (false, true) => ", pinned",
            (false, false) => "",
        };
        WidgetInfo::labeled(Role::Button, true, format!("Flow {}, {}{state}", lines[0], lines[1]))
    });
    if entered {
        ui.painter().rect_filled(rect, 0.0, color(flowline_scene::with_alpha(palette.accent, 34)));
    }
    highlight(ui, &response, rect);
    let left = if in_group { 24.0 } else { 12.0 };
    if let Some(shape) = shape {
        let bar = Rect::from_min_size(pos2(rect.min.x + left - 7.0, rect.min.y + 6.0), vec2(3.0, rect.height() - 12.0));
        ui.painter().rect_filled(bar, 1.5, color(palette.fill(shape.appearance.color)));
    }
    let shortened = two_lines(ui, rect, [left, 28.0], &lines, differs, palette, entered);
    let response = if shortened { response.on_hover_text(&lines[0]) } else { response };
    if pin_button(ui, flow, section, pinned, rect, palette).clicked() {
        commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
    } else if response.clicked() {
        commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
    }
    context_menu(&response, |ui| commands.extend(flow_menu::entries(ui, session, flow)));
    if section == FlowSection::Pinned {
        commands.extend(pin_rename::show(ui, flow, rect));
    }
    response
}

fn pin_button(ui: &Ui, flow: FlowId, section: FlowSection, pinned: bool, rect: Rect, palette: &Palette) -> Response {
    let place = Rect::from_center_size(pos2(rect.max.x - 15.0, rect.center().y), vec2(20.0, 20.0));
    let response = ui.interact(place, ui.scope_id().with(("pin", section, flow)), Sense::click());
    let name = if pinned { "Unpin this flow" } else { "Pin this flow" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let tint = match (pinned, response.hovered() || response.has_focus()) {
        (true, _) => palette.flow,
        (false, true) => palette.text,
        (false, false) => palette.text2,
    };
    let star = if pinned { "★" } else { "☆" };
    ui.painter().text(place.center(), egui::Align2::CENTER_CENTER, star, egui::FontId::proportional(13.0), color(tint));
    let text = with_shortcut(ui.ctx(), if pinned { "Unpin" } else { "Pin" }, FlowAction::Pin);
    response.on_hover_text(text)
}
