//! Columns and cell texts of the marker table.

use crate::widgets::table::{Cell, TableColumn, Widths};
use flowline_format::DurationUnit;
use flowline_index::Index;
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, MarkerId, Ns};
use flowline_session::MarkerColumn;

/// Kind and default width of a column.
const fn usual(column: MarkerColumn) -> TableColumn {
    let title = column.title();
    match column {
        MarkerColumn::Start | MarkerColumn::End => TableColumn::times(title, 112.0),
        MarkerColumn::Duration | MarkerColumn::SelfTime | MarkerColumn::Cpu => TableColumn::lengths(title, 80.0),
        MarkerColumn::Name | MarkerColumn::Thread => TableColumn::text(title, 130.0, 1.0),
        MarkerColumn::Category | MarkerColumn::Process => TableColumn::text(title, 100.0, 0.5),
        MarkerColumn::Details => TableColumn::text(title, 200.0, 2.0),
    }
}

/// Table columns in a unit, with custom widths applied.
pub(super) fn layout(shown: &[MarkerColumn], unit: DurationUnit, widths: &Widths) -> Vec<TableColumn> {
    let columns: Vec<TableColumn> = shown.iter().map(|column| usual(*column).in_unit(unit)).collect();
    widths.apply(&columns)
}

/// True if the texts of a column are secondary and drawn faint.
pub(super) const fn is_faint(column: MarkerColumn) -> bool {
    matches!(column, MarkerColumn::Category | MarkerColumn::Thread | MarkerColumn::Process | MarkerColumn::Details)
}

/// Cells of a row in the columns `shown`. `self_times` contains those of all markers, once they are computed.
pub(super) fn cells(
    index: &Index,
    marker: MarkerId,
    shown: &[MarkerColumn],
    self_times: Option<&[Ns]>,
    clock: DisplayClock,
) -> Option<Vec<Cell>> {
    let profile = index.profile();
    let (id, local) = profile.locate(marker)?;
    let (thread, process) = (profile.thread(id), profile.process_of(id));
    let markers = &thread.markers;
    let text = |column: &MarkerColumn| match column {
        MarkerColumn::Start => Cell::Time(clock.show(markers.start(local))),
        MarkerColumn::End => Cell::Time(clock.show(markers.end(local))),
        MarkerColumn::Duration if markers.is_instant(local) => Cell::Instant,
        MarkerColumn::Duration => Cell::Length((markers.end(local) - markers.start(local)).0),
        MarkerColumn::SelfTime if markers.is_instant(local) => Cell::Empty,
        MarkerColumn::SelfTime => match self_times {
            None => Cell::Text("…".to_owned()),
            Some(times) => times.get(marker.index()).map_or(Cell::Empty, |time| Cell::Length(time.0)),
        },
        MarkerColumn::Cpu => profile.cpu_time(id, local).map_or(Cell::Empty, |time| Cell::Length(time.0)),
        MarkerColumn::Name => Cell::Text(profile.marker_name(id, local).to_owned()),
        MarkerColumn::Category => Cell::Text(profile.category_name(markers.category(local)).to_owned()),
        MarkerColumn::Thread => Cell::Text(profile.thread_title(id)),
        MarkerColumn::Process => Cell::Text(process.title()),
        MarkerColumn::Details => {
            let details = profile.marker_label(LabelKind::Table, id, local, clock);
            if details == profile.marker_name(id, local) { Cell::Empty } else { Cell::Text(details) }
        }
    };
    Some(shown.iter().map(text).collect())
}
