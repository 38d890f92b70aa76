//! The label of one row of the flow panel: its relation to the entered flow, its name, and the star that pins it.

use egui::{FontId, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::canvas::flows::{flow_header, pin_rename};
use crate::canvas::menus::flow_menu;
use crate::commands::{FlowAction, with_shortcut};
use crate::widgets::icon::Icon;
use crate::widgets::menu::context_menu;
use crate::widgets::style::{BODY, CAPTION, color};
use crate::widgets::{counted, elide, elide_common};
use flowline_format::format_duration_ns;
use flowline_index::flows::FlowShape;
use flowline_profile::{FlowId, StringId};
use flowline_scene::{Palette, ShapeKey};
use flowline_session::Session;
use flowline_view::{Command, FlowCommand, FlowSection};

/// Left edges of the relation and of the name, and the room of the star, in points.
const RELATION: f32 = 12.0;
const NAME: f32 = 68.0;
const STAR: f32 = 28.0;
/// Indentation of the flows of a group in points.
const INDENT: f32 = 12.0;

/// The relation of the flows of a section to the entered ones.
fn relation(section: FlowSection) -> String {
    match section {
        FlowSection::Cause(1) => "Caused by".into(),
        FlowSection::Cause(steps) => format!("Cause, {steps} back"),
        FlowSection::Incoming(1) => "Part of".into(),
        FlowSection::Incoming(steps) => format!("Part of, {steps} back"),
        FlowSection::Entered => "Entered".into(),
        FlowSection::Direct => "Shares".into(),
        FlowSection::Outgoing(1) => "Led to".into(),
        FlowSection::Outgoing(steps) => format!("Led to, {steps} on"),
        FlowSection::HeldUp => "Held up".into(),
        FlowSection::Pinned => "Pinned".into(),
    }
}

/// A row on screen.
pub(super) struct FlowRow<'a> {
    pub(super) session: &'a Session,
    pub(super) rect: Rect,
    pub(super) palette: &'a Palette,
    /// Length of the prefix that the name shares with another one.
    pub(super) differs: usize,
    /// True if another row has the same name.
    pub(super) is_shared: bool,
}

impl FlowRow<'_> {
    /// Shows the relation; the first row of a section states the number of its flows to screen readers.
    pub(super) fn relation(&self, ui: &Ui, section: FlowSection, is_first: bool) {
        let tint = color(self.palette.text2);
        let text = relation(section);
        let galley = elide(ui, &text, NAME - RELATION - 4.0, FontId::proportional(CAPTION), tint);
        let place = pos2(self.rect.min.x + RELATION, self.rect.center().y - galley.size().y / 2.0);
        let room = Rect::from_min_size(place, galley.size());
        ui.painter().galley(place, galley, tint);
        if is_first {
            let sections = &self.session.flows.sections.sections;
            let count = match section {
                FlowSection::Pinned => self.session.view.flows.pinned.len(),
                _ => sections.iter().find(|one| one.section == section).map_or(0, |one| one.count),
            };
            let response = ui.interact(room, ui.scope_id().with(("relation", section)), Sense::hover());
            let spoken = format!("{text}: {}", counted(count, "flow"));
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
        }
    }

    /// Shows a group of flows with the same name.
    pub(super) fn group(&self, ui: &Ui, key: (FlowSection, StringId), count: usize, open: bool) -> Response {
        let label = self.session.index.profile().strings.get(key.1);
        let response = ui.interact(self.rect, ui.scope_id().with(("group", key)), Sense::click());
        let state = if open { "expanded" } else { "collapsed" };
        let spoken = || format!("{} that begin with {label}, {state}", counted(count, "flow"));
        response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, spoken()));
        self.highlight(ui, &response);
        let middle = self.rect.center().y;
        let chevron = Rect::from_center_size(pos2(self.rect.min.x + NAME + 6.0, middle), vec2(16.0, 16.0));
        let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
        icon.paint(ui.painter(), chevron, color(self.palette.text2));
        let tint = color(self.palette.text2);
        let number = elide(ui, &crate::widgets::grouped(count), 60.0, FontId::proportional(CAPTION), tint);
        let right = self.rect.max.x - 10.0 - number.size().x;
        ui.painter().galley(pos2(right, middle - number.size().y / 2.0), number, tint);
        let is_elided = self.name(ui, label, NAME + 18.0, right - 8.0);
        if is_elided { response.on_hover_text(label) } else { response }
    }

    /// Shows a flow.
    pub(super) fn flow(
        &self,
        ui: &mut Ui,
        (section, flow): (FlowSection, FlowId),
        in_group: bool,
        commands: &mut Vec<Command>,
    ) -> Response {
        let (session, rect) = (self.session, self.rect);
        let entered = section == FlowSection::Entered;
        let pinned = session.view.flows.is_pinned(flow);
        let response = ui.interact(rect, ui.scope_id().with(("flow", section, flow)), Sense::click());
        let [name, facts] = self.texts(section, flow);
        let role = match section {
            FlowSection::Entered => ", entered",
            FlowSection::HeldUp => ", held up",
            _ => "",
        };
        let state = if pinned { ", pinned" } else { "" };
        let spoken = || format!("Flow {name}, {facts}{role}{state}");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, spoken()));
        if entered {
            ui.painter().rect_filled(rect, 0.0, color(self.palette.accent_soft));
        }
        self.highlight(ui, &response);
        self.name(ui, &name, if in_group { NAME + INDENT } else { NAME }, rect.max.x - STAR);
        let response = response.on_hover_text(format!("{name}\n{facts}"));
        if self.pin_button(ui, (section, flow), pinned).clicked() {
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

    /// The name and the facts of a flow.
    fn texts(&self, section: FlowSection, flow: FlowId) -> [String; 2] {
        let session = self.session;
        let texts = match session.flows.shapes.get(ShapeKey::Flow(flow)) {
            Some(shape) => {
                let label =
                    if self.is_shared { label_with_start(session, shape) } else { shape.appearance.label.clone() };
                [label, facts(session, shape) + also(session, section, flow)]
            }
            None => [flow_header::title(session, flow), "counting…".to_owned()],
        };
        let named = session.view.flows.pin_names.get(&flow).filter(|_| section == FlowSection::Pinned);
        match (named, texts) {
            (Some(name), [label, facts]) => [name.clone(), format!("{label}, {facts}")],
            (None, texts) => texts,
        }
    }

    /// Draws a name between two edges, `left` relative to the row; returns true if it is shortened.
    fn name(&self, ui: &Ui, name: &str, left: f32, right: f32) -> bool {
        let (tint, x) = (color(self.palette.text), self.rect.min.x + left);
        let font = FontId::proportional(BODY);
        let (galley, is_elided) = elide_common(ui, name, self.differs, right - x, font, tint);
        ui.painter().galley(pos2(x, self.rect.center().y - galley.size().y / 2.0), galley, tint);
        is_elided
    }

    fn highlight(&self, ui: &Ui, response: &Response) {
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(self.rect, 0.0, color(self.palette.raised));
        }
    }

    fn pin_button(&self, ui: &Ui, (section, flow): (FlowSection, FlowId), pinned: bool) -> Response {
        let place = Rect::from_center_size(pos2(self.rect.max.x - 15.0, self.rect.center().y), vec2(20.0, 20.0));
        let response = ui.interact(place, ui.scope_id().with(("pin", section, flow)), Sense::click());
        let name = if pinned { "Unpin this flow" } else { "Pin this flow" };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        let tint = match (pinned, response.hovered() || response.has_focus()) {
            (true, _) => self.palette.flow,
            (false, true) => self.palette.text,
            (false, false) => self.palette.text2,
        };
        let icon = if pinned { Icon::StarFilled } else { Icon::Star };
        icon.paint(ui.painter(), Rect::from_center_size(place.center(), vec2(16.0, 16.0)), color(tint));
        let text = with_shortcut(ui.ctx(), if pinned { "Unpin" } else { "Pin" }, FlowAction::Pin);
        response.on_hover_text(text)
    }
}

/// Facts about a flow: markers, threads, duration, id.
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
    format!("{markers}, {thread}{processes}, {}, {}", format_duration_ns(shape.range.len()), shape.id)
}

/// A label with the flow's start, for flows with duplicate labels.
fn label_with_start(session: &Session, shape: &FlowShape) -> String {
    let start = session.view.clock().show(shape.range.start);
    format!("{}, {}", shape.appearance.label, flowline_session::time_text(start))
}

/// Further relations of a flow to the entered ones, besides its section.
fn also(session: &Session, section: FlowSection, flow: FlowId) -> &'static str {
    let also = session.flows.sections.also.get(&flow).filter(|_| section != FlowSection::Pinned);
    match also.map(|also| (also.cause, also.incoming, also.outgoing)) {
        None | Some((false, false, false)) => "",
        Some((true, _, false)) => ", also the cause",
        Some((true, _, true)) => ", also the cause, also outgoing",
        Some((false, true, false)) => ", also incoming",
        Some((false, true, true)) => ", also incoming, also outgoing",
        Some((false, false, true)) => ", also outgoing",
    }
}
