//! Scroll bars of the chart and of the flow rows. The chart's bar marks search hits, notes and the selection in all
//! rows, as editors do. A click scrolls there and a drag scrolls. With the keyboard focus, arrow keys scroll too.

use egui::{Context, Key, Rect, Response, Role, Ui, WidgetInfo, pos2, vec2};

use crate::canvas::layout::{CanvasLayout, CanvasWidget, FlowArea, is_over};
use crate::canvas::state::{CanvasState, Drag};
use crate::widgets::style::color;
use flowline_scene::{FlowPart, Palette, Rgba, with_alpha};
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// Minimum height of a thumb in points.
const MIN_THUMB: f32 = 24.0;
/// Distance in points per arrow key press.
const STEP: f64 = 40.0;

/// A scroll bar, identified by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bar {
    Chart,
    Flows(FlowArea),
}

impl Bar {
    const ALL: [Self; 3] = [Self::Chart, Self::Flows(FlowArea::Main), Self::Flows(FlowArea::Pinned)];

    const fn handle(self) -> CanvasWidget {
        match self {
            Self::Chart => CanvasWidget::ChartBar,
            Self::Flows(FlowArea::Main) => CanvasWidget::FlowBar,
            Self::Flows(FlowArea::Pinned) => CanvasWidget::PinnedBar,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Chart => "Scroll bar of the chart",
            Self::Flows(FlowArea::Main) => "Scroll bar of the flow rows",
            Self::Flows(FlowArea::Pinned) => "Scroll bar of the pinned flows",
        }
    }

    /// The command that scrolls by a distance in points.
    fn scroll(self, points: f64) -> Command {
        match self {
            Self::Chart => Command::Scroll(points),
            Self::Flows(FlowArea::Main) => Command::Flow(FlowCommand::Scroll(points)),
            Self::Flows(FlowArea::Pinned) => Command::Flow(FlowCommand::ScrollPinned(points)),
        }
    }
}

/// Geometry of a bar, in points.
#[derive(Clone, Copy, Debug)]
struct Extent {
    rect: Rect,
    /// Height of all rows, and of the visible ones.
    content: f64,
    room: f64,
    scroll: f64,
}

impl Extent {
    fn of(session: &Session, layout: &CanvasLayout, bar: Bar) -> Option<Self> {
        let input = session.scene_input();
        let rect = layout.bars[Bar::ALL.iter().position(|other| *other == bar)?];
        let (content, scroll) = match bar {
            Bar::Chart => (input.list.height(), session.view.scroll),
            Bar::Flows(area) => {
                let area = input.flow_areas()?[area as usize];
                (area.part.height(), area.scroll)
            }
        };
        let extent = Self { rect, content, room: f64::from(rect.height()), scroll };
        (rect.width() >= 1.0 && rect.height() >= 1.0).then_some(extent)
    }

    const fn scrolls(&self) -> bool {
        self.content > self.room
    }

    /// The thumb: the part of the bar for the visible rows.
    #[expect(clippy::cast_possible_truncation, reason = "parts of the screen")]
    fn thumb(&self) -> Rect {
        let height = self.rect.height();
        let thumb = (self.room / self.content.max(1.0) * self.room) as f32;
        let thumb = thumb.clamp(MIN_THUMB.min(height), height);
        let part = (self.scroll / (self.content - self.room).max(1.0)).clamp(0.0, 1.0) as f32;
        let top = self.rect.min.y + part * (height - thumb);
        Rect::from_min_size(pos2(self.rect.min.x, top), vec2(self.rect.width(), thumb))
    }

    /// Scroll distance that moves the top of the thumb to `top`.
    fn to(&self, top: f32) -> f64 {
        let travel = f64::from(self.rect.height() - self.thumb().height()).max(1.0);
        let part = (f64::from(top - self.rect.min.y) / travel).clamp(0.0, 1.0);
        part * (self.content - self.room).max(0.0) - self.scroll
    }
}

/// Handles the input of this frame over the bars.
pub(super) fn handle(
    context: &Context,
    session: &Session,
    state: &mut CanvasState,
    layout: &CanvasLayout,
    commands: &mut Vec<Command>,
) {
    for bar in Bar::ALL {
        let response = bar.handle().of(session.canvas.pane).response(context);
        let Some((response, extent)) = response.zip(Extent::of(session, layout, bar)) else { continue };
        if extent.scrolls() {
            commands.extend(pointed(state, &response, &extent).or_else(|| keyed(&response)).map(|by| bar.scroll(by)));
        }
    }
}

/// Scroll distance for the pointer. A press outside the thumb first centers the thumb there.
fn pointed(state: &mut CanvasState, response: &Response, extent: &Extent) -> Option<f64> {
    let pointer = response.interact_pointer_pos()?;
    let thumb = extent.thumb();
    if response.drag_started() {
        let press = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let grip = if thumb.contains(press) { press.y - thumb.min.y } else { thumb.height() / 2.0 };
        state.drag = Drag::Bar(grip);
    }
    let by = match state.drag {
        Drag::Bar(grip) if response.dragged() || response.drag_stopped() => Some(extent.to(pointer.y - grip)),
        _ if response.clicked() && !thumb.contains(pointer) => Some(extent.to(pointer.y - thumb.height() / 2.0)),
        _ => None,
    };
    if response.drag_stopped() {
        state.drag = Drag::None;
    }
    by
}

/// Scroll distance for keys.
fn keyed(response: &Response) -> Option<f64> {
    use egui::accesskit::Action;
    let (id, focused) = (response.id, response.has_focus());
    response.ctx.input(|input| {
        let asked = |action| input.has_accesskit_action_request(id, action);
        let pressed = |key| focused && input.key_pressed(key);
        if asked(Action::Increment) || asked(Action::ScrollDown) || pressed(Key::ArrowDown) {
            Some(STEP)
        } else if asked(Action::Decrement) || asked(Action::ScrollUp) || pressed(Key::ArrowUp) {
            Some(-STEP)
        } else {
            None
        }
    })
}

/// The scroll command of the bar under the pointer, if any.
pub(super) fn scrolled(context: &Context, layout: &CanvasLayout) -> Option<fn(f64) -> Command> {
    let over = |rect: Rect| rect.height() >= 1.0 && is_over(context, rect);
    let scroll: [fn(f64) -> Command; 3] = [
        Command::Scroll,
        |points| Bar::Flows(FlowArea::Main).scroll(points),
        |points| Bar::Flows(FlowArea::Pinned).scroll(points),
    ];
    layout.bars.iter().position(|bar| over(*bar)).map(|bar| scroll[bar])
}

/// Shows the bars.
pub(crate) fn show(ui: &Ui, session: &Session, state: &mut CanvasState, layout: &CanvasLayout, palette: &Palette) {
    for bar in Bar::ALL {
        let Some(extent) = Extent::of(session, layout, bar) else { continue };
        let response = bar.handle().of(session.canvas.pane).add(ui, extent.rect);
        if response.has_focus() {
            let arrows = egui::EventFilter { vertical_arrows: true, ..egui::EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        }
        ui.painter().rect_filled(extent.rect, 0.0, color(palette.panel));
        let marks = match bar {
            Bar::Chart => chart_marks(ui, session, state, extent.rect, palette),
            Bar::Flows(area) => {
                flow_marks(ui, session, area, &extent, palette);
                None
            }
        };
        thumb(ui, &extent, &response, palette);
        if bar == Bar::Chart {
            selection(ui, session, &extent, palette);
        }
        response.widget_info(|| {
            let spoken = marks.as_ref();
            let name = spoken.map_or_else(|| bar.name().to_owned(), |marks| format!("{}: {marks}", bar.name()));
            let most = (extent.content - extent.room).max(0.0);
            let value = if most > 0.0 { extent.scroll / most * 100.0 } else { 0.0 };
            WidgetInfo { value: Some(value.round()), ..WidgetInfo::labeled(Role::ScrollBar, extent.scrolls(), name) }
        });
    }
}

fn thumb(ui: &Ui, extent: &Extent, response: &Response, palette: &Palette) {
    if !extent.scrolls() {
        return;
    }
    let alpha = if response.hovered() || response.dragged() { 120 } else { 70 };
    let rect = extent.thumb().shrink2(vec2(2.0, 1.0));
    ui.painter().rect_filled(rect, 3.0, color(with_alpha(palette.text2, alpha)));
    if response.has_focus() {
        let stroke = ui.visuals().selection.stroke;
        ui.painter().rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Inside);
    }
}

/// Draws the marks of hits and notes; returns their description.
fn chart_marks(ui: &Ui, session: &Session, state: &mut CanvasState, rect: Rect, palette: &Palette) -> Option<String> {
    let scale = session.canvas.scale;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height on screen")]
    let height = (rect.height() * scale).round().max(1.0) as u32;
    state.marks.follow(&session.scene_input(), height);
    #[expect(clippy::cast_precision_loss, reason = "places on screen")]
    let y = |pixel: u32| rect.min.y + pixel as f32 / scale;
    let mark = |left: f32, right: f32, pixels: [u32; 2], paint: Rgba| {
        let (top, bottom) = (y(pixels[0]), y(pixels[1]).max(y(pixels[0]) + 2.0));
        let rect = Rect::from_min_max(pos2(rect.min.x + left, top), pos2(rect.max.x - right, bottom));
        ui.painter().rect_filled(rect, 0.0, color(paint));
    };
    for part in &state.marks.hits {
        // Marks with more hits are brighter.
        let strength = 90 + 24 * u8::try_from(part.hits.ilog10().min(5)).unwrap_or(5);
        mark(2.0, 5.0, [part.pixels.start, part.pixels.end], with_alpha(palette.search_match, strength));
    }
    for note in &state.marks.notes {
        mark(7.0, 1.0, [*note, *note + 3], palette.flow);
    }
    state.marks.spoken()
}

/// Draws the position of the selected marker.
#[expect(clippy::cast_possible_truncation, reason = "a place on screen")]
fn selection(ui: &Ui, session: &Session, extent: &Extent, palette: &Palette) {
    let item = session.view.selected.and_then(|marker| session.item_of(marker));
    let Some(item) = item else { return };
    let content = extent.content.max(extent.room);
    let y = extent.rect.min.y + ((item.y + item.height / 2.0) / content * extent.room) as f32;
    let line = Rect::from_x_y_ranges(extent.rect.x_range(), y - 1.0..=y + 1.0);
    ui.painter().rect_filled(line, 0.0, color(palette.select));
}

/// Marks the rows of the entered flows and of the selected marker's flows.
#[expect(clippy::cast_possible_truncation, reason = "places on screen")]
fn flow_marks(ui: &Ui, session: &Session, area: FlowArea, extent: &Extent, palette: &Palette) {
    let Some(areas) = session.scene_input().flow_areas() else { return };
    let part: &FlowPart = areas[area as usize].part;
    let content = extent.content.max(extent.room);
    let mark = |flow, paint: Rgba| {
        let Some(item) = part.row(flow) else { return };
        let [top, bottom] =
            [item.y, item.y + item.height].map(|y| extent.rect.min.y + (y / content * extent.room) as f32);
        let rect =
            Rect::from_x_y_ranges(extent.rect.min.x + 2.0..=extent.rect.max.x - 5.0, top..=bottom.max(top + 2.0));
        ui.painter().rect_filled(rect, 0.0, color(paint));
    };
    for flow in &session.view.flows.entered {
        mark(*flow, with_alpha(palette.accent, 150));
    }
    let selected = session.view.selected.map_or(&[][..], |marker| session.index.flows().flows_of(marker));
    for flow in selected {
        mark(*flow, palette.select);
    }
}
