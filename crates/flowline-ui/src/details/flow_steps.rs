//! The steps of a flow from top to bottom: its runs, and the waits between them with their blockers.

use std::sync::Arc;

use egui::{Color32, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::grid;
use super::metrics::PAD;
use super::text;
use crate::widgets::icon::focus_ring;
use crate::widgets::style::{CAPTION, SMALL, color};
use crate::widgets::{grouped, hatch};
use flowline_format::format_duration_ns;
use flowline_index::flows::SegmentKind;
use flowline_profile::{FlowId, Kind, MarkerId, Ns};
use flowline_scene::Palette;
use flowline_session::{FlowTimelineCard, Session, WaitText, segment_text};
use flowline_view::Command;

/// Number of steps listed initially, and the factor by which the list grows when the user shows more.
const LISTED: usize = 7;
const MORE: usize = 8;
/// Height of a step, and of a further blocker, in points.
const STEP: f32 = 22.0;
const BLOCKER: f32 = 18.0;
/// Center of the line of steps, and left edge of texts, in points.
const LINE: f32 = 32.0;
const TEXT: f32 = 48.0;
/// At most this many instants of one moment are named.
const AT_ONCE: usize = 8;

/// A flow, its timeline, and the marker whose steps are emphasized.
#[derive(Clone, Copy)]
struct Steps<'a> {
    session: &'a Session,
    flow: FlowId,
    card: &'a Arc<FlowTimelineCard>,
    marker: Option<MarkerId>,
    /// True if nothing runs, so that the steps are the instants with the time between them.
    of_instants: bool,
    palette: &'a Palette,
}

/// Shows the steps of a flow, the most informative ones first; for a marker, its own steps too. Flows without duration
/// show nothing.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    (flow, marker): (FlowId, Option<MarkerId>),
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let Some(card) = session.timelines.card(&session.index, &session.flows.rules, flow) else {
        grid::note(ui, "Analyzing flow…", palette);
        return;
    };
    if card.timeline.segments.is_empty() {
        return;
    }
    let id = ui.scope_id().with(("listed", flow));
    let most = ui.data(|data| data.get_temp(id)).unwrap_or(LISTED);
    let listed = card.listed(most, marker);
    let of_instants = card.timeline.segments.iter().all(|segment| segment.kind != SegmentKind::Run);
    let steps = Steps { session, flow, card: &card, marker, of_instants, palette };
    let line = ui.painter().add(egui::Shape::Noop);
    let (mut ends, mut last) = (None, None);
    for number in &listed {
        let gap = last.is_some_and(|last| last + 1 != *number);
        last = Some(*number);
        let range = card.timeline.segments[*number].range;
        let before = steps.instants(ui, Some(range.start).filter(|_| gap || ends.is_none()), commands);
        let dot = steps.step(ui, *number, gap, commands);
        let after = steps.instants(ui, Some(range.end), commands);
        let first = ends.map_or(before.unwrap_or(dot), |(first, _): (Pos2, Pos2)| first);
        ends = Some((first, after.unwrap_or(dot)));
    }
    if let Some((first, end)) = ends {
        let bar = Rect::from_min_max(pos2(first.x - 1.0, first.y), pos2(first.x + 1.0, end.y));
        ui.painter().set(line, egui::Shape::rect_filled(bar, 0.0, color(palette.line_strong)));
    }
    if let Some(most) = fold(ui, id, most, card.timeline.segments.len() - listed.len(), palette) {
        ui.data_mut(|data| data.insert_temp(id, most));
    }
}

/// Links that list more steps or fewer. Returns the new number of listed steps after a click.
fn fold(ui: &mut Ui, id: egui::Id, most: usize, left: usize, palette: &Palette) -> Option<usize> {
    let mut chosen = None;
    if left > 0 {
        let text = format!("and {} more", grouped(left));
        let response = grid::link_row(ui, id.with("more"), TEXT, &text, palette);
        if response.on_hover_text("Show more steps, longest waits first").clicked() {
            chosen = Some(most * MORE);
        }
    }
    if most > LISTED {
        let response = grid::link_row(ui, id.with("fewer"), TEXT, "show fewer", palette);
        if response.on_hover_text("Show only the longest steps").clicked() {
            chosen = Some(LISTED);
        }
    }
    chosen
}

impl Steps<'_> {
    /// Shows a step; returns the center of its dot. `gap` is true if steps before it are not listed.
    fn step(&self, ui: &mut Ui, number: usize, gap: bool, commands: &mut Vec<Command>) -> Pos2 {
        let segment = &self.card.timeline.segments[number];
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), STEP), Sense::hover());
        let center = pos2(rect.min.x + LINE, rect.center().y);
        let duration = format_duration_ns(segment.range.len());
        let exact = segment_text(segment, self.session.view.clock());
        if gap {
            let dots = [-3.0, 0.0, 3.0].map(|y| pos2(center.x + 6.0, rect.min.y + y));
            for dot in dots {
                ui.painter().circle_filled(dot, 1.0, color(self.palette.text3));
            }
        }
        match segment.kind {
            SegmentKind::Run => self.run(ui, (rect, center), segment.marker, (&duration, &exact), commands),
            SegmentKind::Idle => self.idle(ui, rect, (number, segment.marker), (&duration, &exact), commands),
            SegmentKind::Wait => self.wait(ui, (rect, center), number, (&duration, &exact), commands),
        }
        center
    }

    /// Shows the instants at a time, if the flow consists of instants; returns the center of the last dot.
    fn instants(&self, ui: &mut Ui, time: Option<Ns>, commands: &mut Vec<Command>) -> Option<Pos2> {
        let time = time.filter(|_| self.of_instants)?;
        let start = |marker: &MarkerId| self.session.view.times_of(*marker).map(|times| times.start);
        let members = self.session.index.flows().members(self.flow);
        let from = members.partition_point(|marker| start(marker).is_some_and(|start| start < time));
        let mut last = None;
        let at_once = members[from..].iter().take_while(|marker| start(marker) == Some(time)).take(AT_ONCE);
        for marker in at_once {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), STEP), Sense::hover());
            let center = pos2(rect.min.x + LINE, rect.center().y);
            let position = self.session.view.clock().position(time);
            self.run(ui, (rect, center), *marker, ("", &position), commands);
            last = Some(center);
        }
        last
    }

    /// Shows a marker that runs, or an instant, which has no duration.
    fn run(
        &self,
        ui: &Ui,
        (rect, center): (Rect, Pos2),
        marker: MarkerId,
        (duration, exact): (&str, &str),
        commands: &mut Vec<Command>,
    ) {
        let profile = self.session.index.profile();
        let Some((thread, local)) = profile.locate(marker) else { return };
        let palette = self.palette;
        let entry = self.session.index.source().styles.get(marker).color();
        let is_own = self.marker == Some(marker);
        let (radius, ring) = if is_own { (5.0, palette.select) } else { (4.0, palette.edge(entry)) };
        ui.painter().circle(center, radius, color(palette.fill(entry)), Stroke::new(1.5, color(ring)));
        let name = &*profile.marker_title(thread, local);
        let place = profile.long_name(thread);
        self.texts(ui, rect, (name, &place, duration), color(palette.text));
        let told = [name, &*place, duration].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        if self.target(ui, rect, ("run", marker.0 as usize), &told, exact) {
            commands.push(Command::Reveal(marker));
        }
    }

    /// Shows the time until the next use of the object: it has no mark and no color.
    fn idle(
        &self,
        ui: &Ui,
        rect: Rect,
        (number, next): (usize, MarkerId),
        (duration, exact): (&str, &str),
        commands: &mut Vec<Command>,
    ) {
        self.texts(ui, rect, ("Idle", "", duration), color(self.palette.text2));
        if self.target(ui, rect, ("idle", number), &format!("Idle, {duration}"), exact) {
            commands.push(Command::Reveal(next));
        }
    }

    fn wait(
        &self,
        ui: &mut Ui,
        (rect, center): (Rect, Pos2),
        number: usize,
        (duration, exact): (&str, &str),
        commands: &mut Vec<Command>,
    ) {
        let palette = self.palette;
        let text = self.session.timelines.wait_text(&self.session.index, self.card, (self.flow, number));
        let is_for_network = text.as_ref().is_some_and(|text| text.is_for_network());
        let tint = color(if is_for_network { palette.edge(Kind::Network as u8) } else { palette.warn });
        let area = Rect::from_center_size(center, vec2(6.0, STEP - 4.0));
        ui.painter().rect_filled(area.shrink2(vec2(1.0, 0.0)), 0.0, color(palette.panel));
        hatch(ui, area, tint);
        // Beside the names of instants, a wait without a reason is secondary.
        let has_reason = text.as_ref().is_some_and(|text| text.has_reason());
        let tint = if self.of_instants && !has_reason { color(palette.text2) } else { tint };
        let title = text.as_ref().map_or_else(|| "Waited".to_owned(), |text| text.title());
        let own = self.card.timeline.segments[number].marker;
        let is_own = self.marker == Some(own);
        let parts = text.as_ref().map_or_else(String::new, |text| text.parts());
        // Without a main reason, the title alone would tell nothing.
        let shown = text.as_ref().filter(|text| !is_own && !text.has_reason()).map_or("", |_| parts.as_str());
        self.texts(ui, rect, (&title, shown, duration), tint);
        let hover = text.as_ref().map_or_else(|| exact.to_owned(), |text| format!("{exact}\n{}", text.sentence()));
        let first = text.as_ref().and_then(|text| text.blockers.first());
        let told = [format!("{title}, {duration}"), parts].into_iter().filter(|part| !part.is_empty());
        let told = told.collect::<Vec<_>>().join(": ");
        if self.target(ui, rect, ("wait", number), &told, &hover) {
            commands.push(Command::Reveal(first.map_or(own, |first| first.marker)));
        }
        // The parts of other waits are in their tooltips.
        if let Some(text) = text.filter(|_| is_own) {
            self.blockers(ui, number, &text, commands);
        }
    }

    /// The parts of a wait, unless its title says it all: each blocker, and the remaining time.
    fn blockers(&self, ui: &mut Ui, number: usize, text: &WaitText, commands: &mut Vec<Command>) {
        if text.is_whole() {
            return;
        }
        for (at, blocker) in text.blockers.iter().enumerate() {
            let id = ui.scope_id().with(("blocker", self.flow, number, at));
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BLOCKER), Sense::hover());
            let area = Rect::from_min_max(pos2(rect.min.x + TEXT, rect.min.y), pos2(rect.max.x - PAD, rect.max.y));
            let response = grid::link_at(ui, id, area, (&blocker.text, &blocker.text), self.palette);
            if response.on_hover_text("Select the longest one").clicked() {
                commands.push(Command::Reveal(blocker.marker));
            }
        }
        if !text.rest.is_empty() {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BLOCKER), Sense::hover());
            let area = Rect::from_min_max(pos2(rect.min.x + TEXT, rect.min.y), pos2(rect.max.x - PAD, rect.max.y));
            let rest = text.rest.join(", ");
            text::draw(ui, area, &rest, CAPTION, color(self.palette.text2));
            let id = ui.scope_id().with(("rest", self.flow, number));
            text::announce(ui, id, area, &rest).on_hover_text(rest.as_str());
        }
    }

    /// Draws name, place and duration of a step.
    fn texts(&self, ui: &Ui, rect: Rect, (name, place, duration): (&str, &str, &str), tint: Color32) {
        let row = Rect::from_min_max(pos2(rect.min.x + TEXT, rect.min.y), pos2(rect.max.x - PAD, rect.max.y));
        let taken = text::draw_right(ui, row, duration, SMALL, tint);
        let left = Rect::from_min_max(row.min, pos2(row.max.x - taken - 8.0, row.max.y));
        let width = text::draw(ui, left, name, SMALL, tint);
        let rest = Rect::from_min_max(pos2(left.min.x + width + 6.0, left.min.y), left.max);
        if rest.width() > 24.0 {
            text::draw(ui, rest, place, CAPTION, color(self.palette.text2));
        }
    }

    /// Adds the widget of a step; returns true if it was pressed.
    fn target(&self, ui: &Ui, rect: Rect, key: (&str, usize), told: &str, hover: &str) -> bool {
        let area = Rect::from_min_max(pos2(rect.min.x + TEXT - 6.0, rect.min.y), pos2(rect.max.x - 6.0, rect.max.y));
        let response = ui.interact(area, ui.scope_id().with(("step", self.flow, key)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, told));
        if response.has_focus() {
            focus_ring(ui, area);
        }
        let pressed = response.clicked();
        response.on_hover_text(hover);
        pressed
    }
}
