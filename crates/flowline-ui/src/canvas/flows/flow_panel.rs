//! Widgets of the flow panel: header and label column. The scene draws the rows.

use std::collections::HashMap;

use egui::{FontId, Rect, Ui, pos2, vec2};

use super::flow_reason;
use super::flow_row::FlowRow;
use crate::canvas::layout::{CanvasLayout, FlowArea};
use crate::widgets::style::{CAPTION, color};
use crate::widgets::{differences, elide};
use flowline_format::format_duration_full;
use flowline_index::flows::FlowShape;
use flowline_profile::FlowId;
use flowline_scene::{Area, BOX_PAD, FlowItem, FlowItemKind, Palette};
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// Points between the last bar of a row and the reasons of its waits.
const REASON_GAP: f32 = 6.0;
/// Reasons need at least this much room in points.
const MIN_REASON: f32 = 80.0;

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
            reasons(ui, session, rows, area, palette);
        }
    }
    (commands, focused)
}

/// Facts about a flow, as pairs of label and value.
pub(crate) fn flow_lines<'a>(session: &Session, shape: &'a FlowShape) -> [(&'a str, String); 6] {
    [
        (shape.appearance.field.as_str(), shape.id.clone()),
        ("Start", session.view.clock().position(shape.range.start)),
        ("Duration", format_duration_full(shape.range.len())),
        ("Markers", crate::widgets::grouped(shape.members)),
        ("Threads", crate::widgets::grouped(shape.threads)),
        ("Processes", crate::widgets::grouped(shape.processes)),
    ]
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
    let mut focused = None;
    let input = session.scene_input();
    let drawn = input.flow_areas()?[part as usize];
    let labels: Vec<&str> = drawn.visible().iter().map(|item| label_of(session, item)).collect();
    let differs = differences(&labels);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    labels.iter().for_each(|label| *seen.entry(label).or_default() += 1);
    let mut section = None;
    for ((item, differs), label) in drawn.visible().iter().zip(differs).zip(&labels) {
        let is_shared = seen.get(label).is_some_and(|count| *count > 1);
        let rect = on_screen(&drawn, item, area);
        let row = FlowRow { session, rect, palette, differs, is_shared };
        match item.kind {
            FlowItemKind::Group { section, name, count, open } => {
                if row.group(&child, (section, name), count, open).clicked() {
                    commands.push(Command::Flow(FlowCommand::ToggleGroup(section, name)));
                }
            }
            FlowItemKind::Flow { section, flow, in_group } => {
                if row.flow(&mut child, (section, flow), in_group, commands).has_focus() {
                    focused = Some(flow);
                }
            }
        }
        let is_first = section != Some(item.section());
        section = Some(item.section());
        row.relation(&child, item.section(), is_first);
    }
    child.painter().vline(area.max.x - 0.5, area.y_range(), (1.0, color(palette.line)));
    focused
}

/// The name of a row; empty until it is known.
fn label_of<'a>(session: &'a Session, item: &FlowItem) -> &'a str {
    match item.kind {
        FlowItemKind::Group { name, .. } => session.index.profile().strings.get(name),
        FlowItemKind::Flow { flow, .. } => session.flows.shapes.flow(flow).map_or("", |shape| &shape.appearance.label),
    }
}

fn on_screen(drawn: &Area<'_>, item: &FlowItem, area: Rect) -> Rect {
    let y = (drawn.y(item) - drawn.rect.y) / drawn.scale + area.min.y;
    Rect::from_min_size(pos2(area.min.x, y), vec2(area.width(), drawn.height(item) / drawn.scale))
}

/// Shows the reasons of waits to the right of the last bar of each row.
fn reasons(ui: &Ui, session: &Session, area: Rect, part: FlowArea, palette: &Palette) {
    let input = session.scene_input();
    let Some(areas) = input.flow_areas() else { return };
    let (drawn, map) = (areas[part as usize], input.axis_map());
    let painter = ui.painter().with_clip_rect(area);
    for item in drawn.visible() {
        let shape = item.flow().and_then(|flow| Some((flow, session.flows.shapes.flow(flow)?)));
        let Some((flow, shape)) = shape else { continue };
        let (_, end) = map.columns(shape.whole);
        #[expect(clippy::cast_precision_loss, reason = "a pixel column")]
        let left =
            area.min.x + end as f32 / drawn.scale + REASON_GAP + if shape.boxed.is_some() { BOX_PAD } else { 0.0 };
        let room = area.max.x - left;
        if room < MIN_REASON || left < area.min.x {
            continue;
        }
        let Some(text) = flow_reason::text(session, flow) else { continue };
        let rect = on_screen(&drawn, item, area);
        let galley = elide(ui, &text, room, FontId::proportional(CAPTION), color(palette.text2));
        painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, color(palette.text2));
    }
}
