//! Notices over the canvas: problems in the search text below the search field, and the reason for an empty chart.

use egui::{Align2, Area, Frame, Id, Order, Rect, RichText, Ui, pos2, vec2};

use crate::canvas::layout::CanvasLayout;
use crate::widgets::grouped;
use crate::widgets::style::color;
use flowline_format::format_duration_ns;
use flowline_profile::Ns;
use flowline_scene::{Palette, SearchView};
use flowline_session::{Session, why_no_flows};
use flowline_view::Command;

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

/// Shows the reason for an empty chart: a recording without contents, or no flow lanes.
pub(crate) fn empty_chart(ui: &mut Ui, session: &Session, layout: &CanvasLayout, palette: &Palette) {
    let is_blank = session.list().items().is_empty() || nothing_to_draw(session).is_some();
    if !is_blank || session.search().is_some() {
        return;
    }
    let text = match session.index.flows().is_empty() {
        _ if !session.view.flow_lanes.shown => match nothing_to_draw(session) {
            Some(text) => text,
            None => return,
        },
        true => why_no_flows(&session.index),
        false if session.flow_lanes.is_ordering() => "Analyzing flows…",
        false if !session.view.flow_lanes.ticks.is_everything() => "All flow types in the current scope are hidden.",
        false => "No flows in the current scope.",
    };
    let center = pos2(layout.chart.center().x, layout.chart.min.y + layout.chart.height() * 0.4);
    let size = vec2((layout.chart.width() - 16.0).max(0.0), 24.0);
    let rect = Align2::CENTER_CENTER.anchor_size(center, size).intersect(layout.chart);
    let text = RichText::new(text).size(15.0).color(color(palette.text2));
    ui.put(rect, egui::Label::new(text).selectable(false));
}

/// The reason for a chart without tracks: the recording has nothing to draw, or everything is hidden.
fn nothing_to_draw(session: &Session) -> Option<&'static str> {
    let (index, tracks) = (&session.index, &session.view.tracks);
    let profile = index.profile();
    if profile.marker_count() == 0 && index.cpu().is_empty() && profile.counters.is_empty() {
        return Some(match index.warnings().list().is_empty() {
            true => "This recording has no markers, samples or counters.",
            false => "Nothing in this recording can be drawn. “Import warnings” lists what was left out.",
        });
    }
    if !session.list().items().is_empty() {
        return None;
    }
    Some(match tracks.hide_empty_rows {
        true => "No track has contents in the visible range. Empty rows are hidden.",
        false => "All tracks are hidden. “Show all threads” in the menu of the labels shows them.",
    })
}

/// Shows in the chart that a search has no visible matches, and offers to widen the search.
pub(crate) fn nothing_found(ui: &mut Ui, session: &Session, layout: &CanvasLayout) -> Vec<Command> {
    let (mut commands, scope) = (Vec::new(), session.scope());
    let ran = |search: &SearchView| search.calls.threads().any(|thread| scope.has(thread));
    let is_empty = |search: &&SearchView| !ran(search) && scope.counted(session.index.profile()) == Some(0);
    let Some(search) = scope.search().filter(is_empty) else { return commands };
    let center = pos2(layout.chart.center().x, layout.chart.min.y + layout.chart.height() * 0.4);
    let size = vec2((layout.chart.width() - 16.0).clamp(0.0, 460.0), 100.0);
    let rect = Align2::CENTER_CENTER.anchor_size(center, size).intersect(layout.chart);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("nothing found"));
    child.shrink_clip_rect(layout.chart);
    child.vertical_centered(|ui| {
        let found = search.hits.total();
        let what = if session.index.cpu().is_empty() { "No marker" } else { "No marker and no function" };
        let (text, rest) = match found {
            0 => (format!("{what} matches “{}”.", search.text), String::new()),
            _ => (format!("No visible matches for “{}”.", search.text), elsewhere(session, found)),
        };
        ui.label(RichText::new(text).size(15.0));
        if !rest.is_empty() {
            ui.label(RichText::new(rest).weak());
        }
        ui.add_space(4.0);
        if ui.button("Clear the search and show all").clicked() {
            commands.push(Command::Search(String::new()));
        }
        if found > 0 && ui.button("Search everywhere").clicked() {
            commands.extend([Command::ShowAll, Command::SelectRange(None), Command::Breadcrumb(0)]);
            commands.extend([Command::ClearRows, Command::PickThreads(Vec::new())]);
        }
    });
    commands
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
    let center = pos2(layout.chart.center().x, layout.chart.min.y + layout.chart.height() * 0.4);
    let size = vec2((layout.chart.width() - 16.0).clamp(0.0, 460.0), 60.0);
    let rect = Align2::CENTER_CENTER.anchor_size(center, size).intersect(layout.chart);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("out of view"));
    child.shrink_clip_rect(layout.chart);
    let shown = child.vertical_centered(|ui| {
        ui.label(RichText::new(text).weak());
        ui.button("Show recording").clicked()
    });
    shown.inner.then_some(Command::ZoomTo(extent))
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
