//! Entries of the command palette: their texts, their colors, and how they are drawn.

use egui::{FontId, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::commands::{CommandRow, REGISTRY, shortcut};
use crate::widgets::style::{BODY, CAPTION, SMALL, color};
use crate::widgets::{counted, elide};
use flowline_format::format_counted;
use flowline_index::Derived;
use flowline_insights::insights::Insights;
use flowline_profile::Kind;
use flowline_scene::{Palette, Rgba};
use flowline_session::{Candidates, Destination, Session};

/// Width of the column with the names of groups in points.
const GROUP: f32 = 84.0;

/// Name, kind and details of an entry.
pub(super) fn place_texts(session: Option<&Session>, part: &Candidates, number: usize) -> [String; 3] {
    let name = part.text(number).to_owned();
    let Some(session) = session else { return [name, String::new(), String::new()] };
    let profile = session.index.profile();
    let (kind, facts) = match part.destination(number) {
        Destination::Thread(id) => {
            let thread = profile.thread(id);
            let process = &profile.processes[thread.process.index()].name;
            ("thread", process.to_string())
        }
        Destination::Process(id) => ("process", format!("pid {}", profile.processes[id.index()].pid)),
        Destination::Name { count, .. } => ("name", format_counted(count, "marker")),
        Destination::Calls { count, .. } => ("function", format_counted(count, "call")),
        Destination::Insight(position) => {
            let insight = Insights::if_built(&session.index).and_then(|all| all.list().get(position));
            ("insight", insight.map_or_else(String::new, |insight| insight.finding.summary.clone()))
        }
        Destination::Flow(flow) => ("flow", counted(session.index.flows().members(flow).len(), "step")),
    };
    [name, kind.to_owned(), facts]
}

/// Title, kind and key of a command; without a key, the section that contains it.
pub(super) fn command_texts(ui: &Ui, row: &CommandRow) -> [String; 3] {
    let key = shortcut(ui.ctx(), row.command);
    let section = || REGISTRY.iter().find(|section| section.rows.iter().any(|other| other.id == row.id));
    let facts = if key.is_empty() { section().map_or("", |section| section.title).to_owned() } else { key };
    [row.title.to_owned(), "command".to_owned(), facts]
}

/// The color of the kind of work of a named item.
pub(super) fn kind_color(session: Option<&Session>, destination: Destination, palette: &Palette) -> Option<Rgba> {
    let index = &session?.index;
    let marker = match destination {
        Destination::Name { first: marker, .. } | Destination::Calls { longest: marker, .. } => marker,
        Destination::Flow(flow) => *index.flows().members(flow).first()?,
        Destination::Insight(_) => return None,
        Destination::Thread(_) | Destination::Process(_) => return Some(palette.fills[Kind::System as usize]),
    };
    Some(palette.fill(index.source().styles.get(marker).color()))
}

/// Shows an entry with the name of its group if it is the first of it.
pub(super) fn entry(
    ui: &Ui,
    (number, rect): (usize, Rect),
    is_selected_row: bool,
    (group, square, texts): (Option<&str>, Option<Rgba>, &[String; 3]),
    palette: &Palette,
) -> Response {
    let [name, kind, facts] = texts;
    let response = ui.interact(rect, ui.scope_id().with(("entry", number)), Sense::click());
    let spoken = if facts.is_empty() { format!("{name}, {kind}") } else { format!("{name}, {kind}, {facts}") };
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_selected_row, &spoken));
    let inner = Rect::from_min_max(rect.min + vec2(4.0, 0.0), rect.max);
    if is_selected_row {
        ui.painter().rect_filled(inner, 4.0, color(palette.accent_fill));
    } else if response.hovered() {
        ui.painter().rect_filled(inner, 4.0, color(palette.panel));
    }
    let (font, small) = (FontId::proportional(BODY), FontId::proportional(SMALL));
    let (text, faint) = match is_selected_row {
        true => (color(palette.on_accent), color(palette.on_accent)),
        false => (color(palette.text), color(palette.text2)),
    };
    let centered = |height: f32| rect.center().y - height / 2.0;
    let left = inner.min.x + 8.0;
    if let Some(group) = group {
        let label = elide(ui, group, GROUP - 16.0, FontId::proportional(CAPTION), faint);
        let height = label.size().y;
        ui.painter().galley(pos2(left, centered(height)), label, faint);
    }
    if let Some(square) = square {
        let place = Rect::from_center_size(pos2(left + GROUP - 12.0, rect.center().y), vec2(8.0, 8.0));
        ui.painter().rect_filled(place, 1.5, color(square));
    }
    let right = elide(ui, facts, rect.width() * 0.4, small, faint);
    let (right_size, start) = (right.size(), left + GROUP);
    ui.painter().galley(pos2(rect.max.x - right_size.x - 8.0, centered(right_size.y)), right, faint);
    let shown = elide(ui, name, rect.max.x - right_size.x - 24.0 - start, font, text);
    let height = shown.size().y;
    ui.painter().galley(pos2(start, centered(height)), shown, text);
    response
}
