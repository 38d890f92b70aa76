//! The line above the rows.

use std::sync::Arc;

use egui::{Button, RichText, Ui};

use super::state_icon::state_word;
use crate::commands::{WindowAction, shortcut};
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widgets::grouped;
use crate::widgets::table::{self, Cell, CopyRequest, TableColumn, copy_menu, counted};
use flowline_index::{Derived, Index};
use flowline_insights::insights::{InsightName, Insights};
use flowline_profile::DisplayClock;
use flowline_session::{InsightReport, Session, TableFile};
use flowline_view::Command;

/// Columns of copied and exported insights.
const COPIED: [TableColumn; 5] = [
    TableColumn::text("Page", 100.0, 1.0),
    TableColumn::text("Insight", 100.0, 1.0),
    TableColumn::text("State", 60.0, 0.0),
    TableColumn::text("Result", 100.0, 1.0),
    TableColumn::times("Late moment", 100.0),
];

/// Shows the line; returns the copy request.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    report: Option<&Arc<InsightReport>>,
    (slot, commands): (&mut FilterSlot<'_>, &mut Vec<Command>),
) -> Option<CopyRequest> {
    let mut tools = Tools::new("insights");
    if let Some(focus) = &session.view.insight {
        let title = InsightName::find(&focus.name).map_or(focus.name.as_str(), |name| name.title());
        tools.add("leave", |ui, commands: &mut Vec<Command>| {
            let button = Button::new("Leave");
            if ui.add(button).on_hover_text(shortcut(ui.ctx(), WindowAction::Escape)).clicked() {
                commands.push(Command::FocusInsight(None));
            }
        });
        tools.add_text("shown", RichText::new(format!("The chart shows {title}")).small());
    } else if let Some(report) = report {
        tools.add_text("counts", RichText::new(counts_text(report)).small().weak());
    }
    tool_strip::show(ui, slot, commands, tools, |ui, _| {
        let copying = copy_menu(ui);
        let count = report.map_or(0, |report| report.len());
        table::export_button(ui, count > 0, || report.map(|report| exported(session, report)));
        ui.label(RichText::new(counted(count, "insight")).small().weak());
        copying
    })
}

/// "3 failed, 2 informative, 4 unknown, 9 passed".
fn counts_text(report: &InsightReport) -> String {
    let parts = report.counts.iter().filter(|(_, count)| *count > 0);
    parts.map(|(state, count)| format!("{} {}", grouped(*count), state_word(*state))).collect::<Vec<_>>().join(", ")
}

/// The sections and positions of all insights, in the order in which they are listed.
fn listed(report: &InsightReport) -> Vec<(usize, usize)> {
    let sections = report.sections.iter().enumerate();
    sections.flat_map(|(section, own)| own.insights.iter().map(move |position| (section, *position))).collect()
}

/// Cells of an insight.
fn cells(
    (index, clock): (&Index, DisplayClock),
    report: &InsightReport,
    (section, position): (usize, usize),
) -> Vec<Cell> {
    let insight = Insights::if_built(index).and_then(|all| all.list().get(position));
    let (Some(section), Some(insight)) = (report.sections.get(section), insight) else { return Vec::new() };
    let late = insight.finding.late.and_then(|marker| {
        let (thread, local) = index.profile().locate(marker)?;
        Some(clock.show(index.profile().thread(thread).markers.end(local)))
    });
    vec![
        Cell::Text(section.title.clone()),
        Cell::Text(insight.name.name().to_owned()),
        Cell::Text(state_word(insight.finding.state).to_owned()),
        Cell::Text(insight.finding.summary.clone()),
        late.map_or(Cell::Empty, Cell::Time),
    ]
}

/// All insights as text.
pub(super) fn copied(session: &Session, report: &InsightReport, format: table::Format) -> String {
    let listed = listed(report);
    let of = |at: &(usize, usize)| cells((&session.index, session.view.clock()), report, *at);
    let rows: Vec<Vec<Cell>> = listed.iter().take(table::LIMIT).map(of).collect();
    table::write(format, &COPIED, &rows, listed.len())
}

/// All insights, for export to a file.
fn exported(session: &Session, report: &Arc<InsightReport>) -> TableFile {
    let (index, clock, report) = (Arc::clone(&session.index), session.view.clock(), Arc::clone(report));
    let listed = listed(&report);
    table::exported("insights", &COPIED, listed.len(), move |row| cells((&index, clock), &report, listed[row]))
}
