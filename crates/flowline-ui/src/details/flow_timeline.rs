//! Shows a flow's timeline, its run and wait segments with their blockers, in details and tooltips.

use egui::{Label, Link, RichText, Ui};

use crate::widgets::grouped;
use flowline_index::flows::SegmentKind;
use flowline_profile::{FlowId, MarkerId, Ns};
use flowline_session::{FlowTimelineCard, Session, WaitText, segment_text};
use flowline_view::Command;

/// Number of segments of a flow that the details list initially.
const LISTED: usize = 4;
/// Factor by which the list grows when the user shows more.
const MORE: usize = 8;
/// Number of segments that a tooltip lists.
const LISTED_SHORTLY: usize = 2;

/// Shows the timeline of a flow: a summary, and its first segments with their blockers; for a marker, its own segments
/// too. A click on a blocker selects it. Flows without duration show nothing.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    flow: FlowId,
    marker: Option<MarkerId>,
    commands: &mut Vec<Command>,
) {
    let Some(card) = session.timelines.card(&session.index, &session.flows.rules, flow) else {
        ui.label(RichText::new("Analyzing flow…").small().weak());
        return;
    };
    if card.timeline.segments.is_empty() {
        return;
    }
    summary(ui, &card);
    let id = ui.scope_id().with(("listed", flow));
    let most = ui.data(|data| data.get_temp(id)).unwrap_or(LISTED);
    let listed = card.listed(most, marker);
    for number in &listed {
        segment(ui, session, &card, (flow, *number), marker);
        if let Some(text) = wait_text(session, &card, (flow, *number)) {
            let indented = egui::Frame::new().inner_margin(egui::Margin { left: 10, ..egui::Margin::ZERO });
            indented.show(ui, |ui| blocking(ui, &text, commands));
        }
    }
    if let Some(most) = fold(ui, most, card.timeline.segments.len() - listed.len()) {
        ui.data_mut(|data| data.insert_temp(id, most));
    }
}

/// The flow's subject, and the totals of run and wait time.
fn summary(ui: &mut Ui, card: &FlowTimelineCard) {
    let subject = card.subject();
    if !subject.is_empty() {
        ui.add(Label::new(RichText::new(subject).small().weak()).wrap());
    }
    ui.add(Label::new(RichText::new(card.summary()).small()).wrap());
}

/// Links that list more segments or fewer. Returns the new number of listed segments after a click.
fn fold(ui: &mut Ui, most: usize, left: usize) -> Option<usize> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        let tint = ui.visuals().hyperlink_color;
        let mut offer = |text: String, hint: &str, most: usize| {
            let text = RichText::new(text).small().color(tint);
            if ui.add(Link::new(text)).on_hover_text(hint).clicked() {
                chosen = Some(most);
            }
        };
        if left > 0 {
            offer(format!("and {} more", grouped(left)), "Show more segments, longest waits first", most * MORE);
        }
        if most > LISTED {
            offer("show fewer".to_owned(), "Show only the longest segments", LISTED);
        }
    });
    chosen
}

/// Shows the timeline of a flow in a tooltip, without links.
pub(crate) fn show_shortly(ui: &mut Ui, session: &Session, flow: FlowId, marker: Option<MarkerId>) {
    let Some(card) = session.timelines.card(&session.index, &session.flows.rules, flow) else { return };
    if card.timeline.segments.is_empty() {
        return;
    }
    summary(ui, &card);
    let listed = card.listed(LISTED_SHORTLY, marker);
    for number in &listed {
        segment(ui, session, &card, (flow, *number), marker);
        if let Some(text) = wait_text(session, &card, (flow, *number)) {
            ui.add(Label::new(RichText::new(text.sentence()).small().weak()).wrap());
        }
    }
    more(ui, card.timeline.segments.len() - listed.len());
}

/// Shows the state of a flow at a time, in the tooltip of its box.
pub(crate) fn show_at(ui: &mut Ui, session: &Session, flow: FlowId, time: Ns) {
    let Some(card) = session.timelines.card(&session.index, &session.flows.rules, flow) else { return };
    if card.timeline.segments.is_empty() {
        return;
    }
    if let Some(number) = card.timeline.at(time) {
        ui.add(Label::new(segment_text(&card.timeline.segments[number], session.view.clock())).wrap());
        if let Some(text) = wait_text(session, &card, (flow, number)) {
            ui.add(Label::new(text.sentence()).wrap());
        }
    }
    let subject = card.subject();
    if !subject.is_empty() {
        ui.add(Label::new(RichText::new(subject).small().weak()).wrap());
    }
    ui.add(Label::new(RichText::new(format!("Total: {}", lower_first(&card.summary()))).small().weak()).wrap());
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn segment(
    ui: &mut Ui,
    session: &Session,
    card: &FlowTimelineCard,
    (_, number): (FlowId, usize),
    marker: Option<MarkerId>,
) {
    let segment = &card.timeline.segments[number];
    let text = RichText::new(segment_text(segment, session.view.clock())).small();
    let is_own = marker == Some(segment.marker);
    ui.add(Label::new(if is_own { text.strong() } else { text.weak() }).wrap());
}

fn wait_text(
    session: &Session,
    card: &std::sync::Arc<FlowTimelineCard>,
    (flow, number): (FlowId, usize),
) -> Option<std::sync::Arc<WaitText>> {
    let is_wait = card.timeline.segments.get(number).is_some_and(|segment| segment.kind == SegmentKind::Wait);
    is_wait.then(|| session.timelines.wait_text(&session.index, card, (flow, number))).flatten()
}

/// The blockers of a wait, one per line: names are longer than lines, and egui misplaces those that begin inside a
/// line.
fn blocking(ui: &mut Ui, text: &WaitText, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 1.0;
    let (waited, rest) = (&text.waited, text.rest.join(", "));
    let line = match (text.blockers.is_empty(), rest.is_empty()) {
        (true, true) => waited.clone(),
        (true, false) => format!("{waited}: {rest}"),
        (false, true) => format!("{waited}:"),
        (false, false) => format!("{waited}, of which {rest}; the rest:"),
    };
    ui.add(Label::new(RichText::new(line).small().weak()).wrap());
    for blocker in &text.blockers {
        let text = RichText::new(&blocker.text).small();
        let link = Link::new(text.color(ui.visuals().hyperlink_color));
        if ui.add(link).on_hover_text("Select the longest one").clicked() {
            commands.push(Command::Reveal(blocker.marker));
        }
    }
}

fn more(ui: &mut Ui, count: usize) {
    if count > 0 {
        ui.label(RichText::new(format!("and {} more", grouped(count))).small().weak());
    }
}
