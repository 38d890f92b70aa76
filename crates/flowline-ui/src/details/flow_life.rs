//! Shows how a flow ran and waited, and what held its waits up, in details and tooltips.

use egui::{Label, Link, RichText, Ui};

use crate::widgets::grouped;
use flowline_index::flows::SegmentKind;
use flowline_profile::{FlowId, MarkerId, Ns};
use flowline_session::{LifeCard, Session, WaitText, segment_text};
use flowline_view::Command;

/// Segments that the details list of a flow.
const LISTED: usize = 4;
/// So many times as many are listed when more are asked for.
const MORE: usize = 8;
/// Segments that a tooltip lists.
const LISTED_SHORTLY: usize = 2;

/// Shows the life of a flow: a summary, and its first segments with what held them up; of a marker its own segments, too. What
/// held a wait up can be pressed; that selects it. Nothing is shown of a flow without length.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    flow: FlowId,
    marker: Option<MarkerId>,
    commands: &mut Vec<Command>,
) {
    let Some(card) = session.lives.card(&session.index, &session.flows.rules, flow) else {
        ui.label(RichText::new("looking at its life…").small().weak());
        return;
    };
    if card.life.segments.is_empty() {
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
            indented.show(ui, |ui| held_up(ui, &text, commands));
        }
    }
    if let Some(most) = fold(ui, most, card.life.segments.len() - listed.len()) {
        ui.data_mut(|data| data.insert_temp(id, most));
    }
}

/// What it is, how it ran and waited.
fn summary(ui: &mut Ui, card: &LifeCard) {
    let subject = card.subject();
    if !subject.is_empty() {
        ui.add(Label::new(RichText::new(subject).small().weak()).wrap());
    }
    ui.add(Label::new(RichText::new(card.summary()).small()).wrap());
}

/// Offers to list more segments, and to list few again. Returns how many are to be listed from now on.
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
            offer(format!("and {} more", grouped(left)), "List more, the longest waits first", most * MORE);
        }
        if most > LISTED {
            offer("fewer".to_owned(), "List only the longest", LISTED);
        }
    });
    chosen
}

/// Shows the life of a flow in a tooltip, which cannot be pressed.
pub(crate) fn show_shortly(ui: &mut Ui, session: &Session, flow: FlowId, marker: Option<MarkerId>) {
    let Some(card) = session.lives.card(&session.index, &session.flows.rules, flow) else { return };
    if card.life.segments.is_empty() {
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
    more(ui, card.life.segments.len() - listed.len());
}

/// Shows what happens to a flow at a time: the tooltip of its box.
pub(crate) fn show_at(ui: &mut Ui, session: &Session, flow: FlowId, time: Ns) {
    let Some(card) = session.lives.card(&session.index, &session.flows.rules, flow) else { return };
    if card.life.segments.is_empty() {
        return;
    }
    if let Some(number) = card.life.at(time) {
        ui.add(Label::new(segment_text(session.index.profile(), &card.life.segments[number])).wrap());
        if let Some(text) = wait_text(session, &card, (flow, number)) {
            ui.add(Label::new(text.sentence()).wrap());
        }
    }
    let subject = card.subject();
    if !subject.is_empty() {
        ui.add(Label::new(RichText::new(subject).small().weak()).wrap());
    }
    ui.add(Label::new(RichText::new(format!("In all: {}", lower_first(&card.summary()))).small().weak()).wrap());
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn segment(ui: &mut Ui, session: &Session, card: &LifeCard, (_, number): (FlowId, usize), marker: Option<MarkerId>) {
    let segment = &card.life.segments[number];
    let text = RichText::new(segment_text(session.index.profile(), segment)).small();
    let is_own = marker == Some(segment.marker);
    ui.add(Label::new(if is_own { text.strong() } else { text.weak() }).wrap());
}

fn wait_text(
    session: &Session,
    card: &std::sync::Arc<LifeCard>,
    (flow, number): (FlowId, usize),
) -> Option<std::sync::Arc<WaitText>> {
    let is_wait = card.life.segments.get(number).is_some_and(|segment| segment.kind == SegmentKind::Wait);
    is_wait.then(|| session.lives.wait_text(&session.index, card, (flow, number))).flatten()
}

/// What held a wait up, each on a line of its own: names are longer than lines, and egui misplaces those that begin inside a line.
fn held_up(ui: &mut Ui, text: &WaitText, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 1.0;
    let (waited, rest) = (&text.waited, text.rest.join(", "));
    let line = match (text.behind.is_empty(), rest.is_empty()) {
        (true, true) => waited.clone(),
        (true, false) => format!("{waited}: {rest}"),
        (false, true) => format!("{waited}:"),
        (false, false) => format!("{waited}, of it {rest}; the rest:"),
    };
    ui.add(Label::new(RichText::new(line).small().weak()).wrap());
    for behind in &text.behind {
        let text = RichText::new(&behind.text).small();
        let link = Link::new(text.color(ui.visuals().hyperlink_color));
        if ui.add(link).on_hover_text("Select the longest of them").clicked() {
            commands.push(Command::Reveal(behind.marker));
        }
    }
}

fn more(ui: &mut Ui, count: usize) {
    if count > 0 {
        ui.label(RichText::new(format!("and {} more", grouped(count))).small().weak());
    }
}
