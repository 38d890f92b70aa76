//! Notices over the canvas: problems in the search text below the search field, and the reason for an empty chart.

use std::borrow::Cow;

use egui::{Align2, Area, Frame, Id, Order, Rect, RichText, Ui, pos2, vec2};

use crate::canvas::layout::CanvasLayout;
use crate::commands::WindowAction;
use crate::tables::empty_table::{NO_FLOWS, searched};
use crate::widget_requests::run_command;
use crate::widgets::style::color;
use crate::widgets::{empty_state, empty_state_with, grouped};
use flowline_format::{format_duration_ns, shorten_middle};
use flowline_profile::{MarkerId, Ns};
use flowline_scene::{Palette, SearchView};
use flowline_session::{BlankRecording, Session, why_no_flows};
use flowline_view::{Command, FlowLaneCommand};

/// Maximum number of problems shown.
const MAX_PROBLEMS: usize = 4;

/// Shows the problems of the search text below the search field.
pub(crate) fn search_problems(ui: &Ui, session: &Session, field: Rect, palette: &Palette) {
    let problems = session.search_problems();
    if problems.is_empty() {
        return;
    }
    let area = Area::new(Id::unique("search problems")).order(Order::Foreground).interactable(false);
    area.fixed_pos(field.left_bottom() + vec2(0.0, 4.0)).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(field.width().max(320.0));
            for problem in problems.iter().take(MAX_PROBLEMS) {
                ui.label(RichText::new(problem.to_string()).small().color(color(palette.search_match)));
            }
            if let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|more| *more > 0) {
                ui.label(RichText::new(format!("… and {more} more")).small().weak());
            }
        });
    });
}

/// Height of a line of the reason, which may be wrapped.
const LINE: f32 = 24.0;

/// An empty chart: what is missing, why, and the action that helps.
struct Blank {
    what: &'static str,
    why: Cow<'static, str>,
    action: Option<(&'static str, BlankAction)>,
}

/// The action of an empty chart.
enum BlankAction {
    View(Command),
    Window(WindowAction),
}

/// Shows the reason for an empty chart: a recording without contents, hidden tracks, or no flow lanes. Returns the
/// command that the user asks for.
pub(crate) fn empty_chart(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Option<Command> {
    if session.search().is_some() {
        return None;
    }
    let blank = if session.view.flow_lanes.shown { no_lanes(session) } else { nothing_to_draw(session) };
    let Some(blank) = blank else { return nothing_in_range(ui, session, layout) };
    let mut chosen = false;
    let action = blank.action;
    // A text of several lines needs their height.
    let lines = u16::try_from(blank.why.lines().count().saturating_sub(1)).unwrap_or(u16::MAX);
    centered(ui, layout, 96.0 + LINE * f32::from(lines), "empty chart", |ui| {
        chosen = empty_state(ui, blank.what, &blank.why, action.as_ref().map(|(text, _)| *text));
    });
    match action.filter(|_| chosen)?.1 {
        BlankAction::View(command) => Some(command),
        BlankAction::Window(action) => {
            run_command(ui.ctx(), action);
            None
        }
    }
}

/// The reason for missing flow lanes.
fn no_lanes(session: &Session) -> Option<Blank> {
    if !session.list().items().is_empty() {
        return None;
    }
    let rows = Some(("Show rows by name", BlankAction::View(Command::FlowLane(FlowLaneCommand::Show(false)))));
    Some(match session.index.flows().is_empty() {
        true => Blank { what: why_no_flows(&session.index), why: NO_FLOWS.into(), action: rows },
        false if session.flow_lanes.is_ordering() => Blank { what: "Analyzing flows…", why: "".into(), action: None },
        false if !session.view.flow_lanes.ticks.is_everything() => {
            let what = "All flow types in the current scope are hidden.";
            Blank { what, why: "The menu “Types” of the label column shows them.".into(), action: rows }
        }
        false => Blank { what: "No flows in the current scope.", why: "".into(), action: rows },
    })
}

/// The reason for a chart without tracks: the recording has nothing to draw, or everything is hidden.
fn nothing_to_draw(session: &Session) -> Option<Blank> {
    let (index, tracks) = (&session.index, &session.view.tracks);
    if let Some(blank) = BlankRecording::of(index, &session.warnings()) {
        let action = match session.warnings().list().is_empty() {
            true => ("Open a recording", BlankAction::Window(WindowAction::Open)),
            false => ("Import warnings", BlankAction::Window(WindowAction::Warnings)),
        };
        let why = format!("{}\n{}", blank.contents.join("\n"), blank.advice);
        return Some(Blank { what: blank.what, why: why.into(), action: Some(action) });
    }
    if !session.list().items().is_empty() {
        return None;
    }
    let (what, why) = match tracks.hide_empty_rows {
        true => ("No track has contents in the visible range.", "Empty rows are hidden."),
        false => ("All tracks are hidden.", "They are hidden by you or by a saved view."),
    };
    let action = match tracks.hide_empty_rows {
        true => ("Show empty rows", BlankAction::View(Command::HideEmptyRows(false))),
        false => ("Show all tracks", BlankAction::View(Command::ShowAll)),
    };
    Some(Blank { what, why: why.into(), action: Some(action) })
}

/// Letters of the name of a marker on a button.
const MAX_NAME: usize = 40;

/// Shows that nothing is in the visible range, and offers to go to the markers before and after it.
fn nothing_in_range(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Option<Command> {
    let nearest = session.nearest_markers()?;
    let profile = session.index.profile();
    let offer = |text: &str, order: &str, found: Option<(MarkerId, Ns)>| {
        let (marker, distance) = found?;
        let (thread, local) = profile.locate(marker)?;
        let name = shorten_middle(&profile.marker_title(thread, local), MAX_NAME);
        Some((format!("{text}: {name}, {} {order}", format_duration_ns(distance.0)), marker))
    };
    let offers = [offer("Previous", "earlier", nearest.before), offer("Next", "later", nearest.after)];
    let offers: Vec<(String, MarkerId)> = offers.into_iter().flatten().collect();
    let visible = session.view.axis.visible();
    // A recording of two that is out of view has a notice of its own.
    if offers.is_empty() || !session.index.extent().overlaps(visible.start, visible.end) {
        return None;
    }
    let texts: Vec<&str> = offers.iter().map(|(text, _)| text.as_str()).collect();
    let mut chosen = None;
    centered(ui, layout, 130.0, "empty range", |ui| {
        let why = "No marker, sample or counter value of the shown tracks is in the visible range.";
        chosen = empty_state_with(ui, "Nothing in this range.", why, &texts);
    });
    Some(Command::Reveal(offers.get(chosen?)?.1))
}

/// Shows that a search has no visible matches, and offers to widen it.
pub(crate) fn nothing_found(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Vec<Command> {
    let (mut commands, scope) = (Vec::new(), session.scope());
    let ran = |search: &SearchView| search.calls.threads().any(|thread| scope.has(thread));
    let is_empty = |search: &&SearchView| !ran(search) && scope.counted(session.index.profile()) == Some(0);
    let Some(search) = scope.search().filter(is_empty) else { return commands };
    let found = search.hits.total();
    let kind = if session.index.cpu().is_empty() { "No marker" } else { "No marker and no function" };
    centered(ui, layout, 120.0, "nothing found", |ui| {
        if found == 0 {
            let what = format!("{kind} matches “{}”.", search.text);
            let why = format!("Searched names, categories, arguments and URLs in {}.", searched(session));
            if empty_state(ui, &what, &why, Some("Clear search")) {
                commands.push(Command::Search(String::new()));
            }
            return;
        }
        let what = format!("No visible matches for “{}”.", search.text);
        if empty_state(ui, &what, &elsewhere(session, found), Some("Search everywhere")) {
            commands.extend([Command::ShowAll, Command::SelectRange(None), Command::Breadcrumb(0)]);
            commands.extend([Command::ClearRows, Command::PickThreads(Vec::new())]);
        }
    });
    commands
}

/// Shows contents in the middle of the chart.
fn centered(ui: &mut Ui, layout: &CanvasLayout, height: f32, name: &str, contents: impl FnOnce(&mut Ui)) {
    let center = pos2(layout.chart.center().x, layout.chart.min.y + layout.chart.height() * 0.4);
    let size = vec2((layout.chart.width() - 16.0).clamp(0.0, 476.0), height);
    let rect = Align2::CENTER_CENTER.anchor_size(center, size).intersect(layout.chart);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(name));
    child.shrink_clip_rect(layout.chart);
    contents(&mut child);
}

/// Shows that a recording of two is out of view, and offers to go to it.
pub(crate) fn out_of_view(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Option<Command> {
    let (extent, visible) = (session.index.extent(), session.view.axis.visible());
    let text = if extent.start > visible.end {
        format!("{} is out of view: it starts {} later.", session.name(), length(visible.end, extent.start))
    } else if extent.end < visible.start {
        format!("{} is out of view: it ends {} earlier.", session.name(), length(extent.end, visible.start))
    } else {
        return None;
    };
    let mut is_wanted = false;
    centered(ui, layout, 60.0, "out of view", |ui| {
        is_wanted = empty_state(ui, &text, "", Some("Show recording"));
    });
    is_wanted.then_some(Command::ZoomTo(extent))
}

/// Duration from one time to a later one.
fn length(from: Ns, to: Ns) -> String {
    format_duration_ns((to - from).0)
}

/// Location of the hits outside the scope.
fn elsewhere(session: &Session, found: usize) -> String {
    let scope = session.scope();
    let hits = if found == 1 { "1 hit is".to_owned() } else { format!("{} hits are", grouped(found)) };
    let outside = scope.range().is_some().then_some("outside the range");
    let hidden = (scope.hidden_threads() > 0).then_some("in hidden threads");
    let others = scope.threads_with_selection().is_some().then_some("on other tracks");
    let places: Vec<&str> = outside.into_iter().chain(others).chain(hidden).collect();
    format!("{hits} {}.", places.join(" or "))
}
