//! Box selection: the rows that a drag touches and its time range. Edges snap to marker edges nearby.

use egui::{Area, Context, CursorIcon, Frame, Id, Order, Pos2, Response, Role, Ui, WidgetInfo, vec2};

use crate::canvas::layout::CanvasLayout;
use crate::canvas::state::{BoxDrag, CanvasState, Drag};
use crate::tables::active_filters::rows_text;
use flowline_format::format_counted;
use flowline_profile::{Ns, TimeRange};
use flowline_scene::Item;
use flowline_session::Session;
use flowline_view::{Command, RowSelection};

/// Distance in points within which an edge snaps to a marker edge.
const SNAP_REACH: f32 = 5.0;
/// A box narrower than this many points selects rows and leaves the time range unchanged.
const LEAST_WIDTH: f32 = 4.0;

/// Distance in points from the top of the content to a position.
fn content_y(session: &Session, layout: &CanvasLayout, place: Pos2) -> f64 {
    session.view.scroll + f64::from(place.y - layout.chart.min.y)
}

/// The time at a position in the chart, snapped to a marker edge nearby in its row unless Ctrl is down.
pub(crate) fn snapped_time(context: &Context, session: &Session, layout: &CanvasLayout, place: Pos2) -> Ns {
    let scale = session.canvas.scale;
    let time = session.view.axis.time(f64::from((place.x - layout.chart.min.x) * scale));
    if context.input(|input| input.modifiers.command) {
        return time;
    }
    let input = session.scene_input();
    let item = input.list.at(content_y(session, layout, place));
    item.and_then(|item| input.snap(item, time, f64::from(SNAP_REACH * scale))).unwrap_or(time)
}

/// The item at a position in the chart.
pub(in crate::canvas) fn item_at(session: &Session, layout: &CanvasLayout, place: Pos2) -> Option<Item> {
    session.list().at(content_y(session, layout, place)).copied()
}

/// The rows of the item at a position in the chart.
pub(crate) fn rows_at(session: &Session, layout: &CanvasLayout, place: Pos2) -> Option<RowSelection> {
    let input = session.scene_input();
    input.list.at(content_y(session, layout, place)).map(|item| input.rows_of(&item.kind))
}

/// Starts a box at a button press. With Shift, the box adds to the selection.
pub(super) fn start(context: &Context, session: &Session, layout: &CanvasLayout, press: Pos2) -> BoxDrag {
    let adds = context.input(|input| input.modifiers.shift);
    let view = &session.view;
    BoxDrag {
        press,
        start: snapped_time(context, session, layout, press),
        top: content_y(session, layout, press),
        range: view.range,
        rows: if adds { view.chosen.rows.clone() } else { RowSelection::default() },
        adds,
    }
}

/// Updates the box for the pointer position.
pub(super) fn follow(
    session: &Session,
    state: &mut CanvasState,
    response: &Response,
    layout: &CanvasLayout,
) -> Option<Command> {
    let (Some(drag), Some(pointer)) = (&state.boxed, response.interact_pointer_pos()) else {
        state.drag = Drag::None;
        return None;
    };
    response.ctx.set_cursor_icon(CursorIcon::Crosshair);
    let place = Pos2::new(pointer.x.min(layout.chart.max.x).max(layout.chart.min.x), pointer.y);
    let (y, time) = (content_y(session, layout, place), snapped_time(&response.ctx, session, layout, place));
    let mut rows = session.scene_input().rows_between(drag.top.min(y), drag.top.max(y));
    rows.add(&drag.rows);
    let range = if (place.x - drag.press.x).abs() < LEAST_WIDTH {
        drag.range
    } else {
        let range = TimeRange::new(drag.start, time);
        // The earlier selection keeps its time range.
        Some(drag.range.filter(|_| drag.adds).map_or(range, |before| before.union(range)))
    };
    if !response.dragged() {
        (state.drag, state.boxed) = (Drag::None, None);
    }
    Some(Command::SelectBox(range, rows))
}

/// Shows the box's time range, its duration, and its number of markers next to the pointer.
pub(crate) fn readout(ui: &Ui, session: &Session, state: &CanvasState) {
    if state.drag != Drag::Box {
        return;
    }
    let Some(pointer) = ui.ctx().pointer_latest_pos() else { return };
    let (view, profile) = (&session.view, session.index.profile());
    let count = session.scene_input().count_in_box(&view.chosen.rows, view.range);
    let least = if count.is_least { "at least " } else { "" };
    let markers = format!("{least}{}", format_counted(count.markers as u64, "marker"));
    let times = view.range.map(|range| {
        let [start, end] = [range.start, range.end].map(|time| session.view.clock().position(time));
        format!("{start} to {end}, {}", session.view.clock().length(range.len()))
    });
    let rows = rows_text(profile, &view.chosen.rows);
    let lines: Vec<String> = times.into_iter().chain([rows]).filter(|line| !line.is_empty()).chain([markers]).collect();
    let area = Area::new(Id::unique("box")).order(Order::Tooltip).interactable(false);
    area.fixed_pos(pointer + vec2(14.0, 14.0)).constrain(true).show(ui.ctx(), |ui| {
        let shown = Frame::popup(ui.style()).show(ui, |ui| {
            lines.iter().for_each(|line| drop(ui.add(egui::Label::new(line).extend())));
        });
        let spoken = format!("Box: {}", lines.join(", "));
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    });
}
