//! Rows of the critical path table: segments, or their totals by kind, name or thread.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::widgets::table::{Cell, TableColumn};
use flowline_index::Index;
use flowline_index::waits::{CriticalPath, PathKind, PathSegment, WaitActivity, is_milestone};
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, MarkerId, TimeRange};
use flowline_scene::{WaitParts, entry_name, entry_title};
use flowline_session::{phases_text, place_text};

/// Grouping of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// One row per segment.
    #[default]
    Segments,
    /// One row per name and kind.
    Names,
    /// One row per thread and kind.
    Threads,
    /// One row per kind.
    Kinds,
}

impl Form {
    /// All groupings with their titles.
    pub(super) const ALL: [(Self, &'static str); 4] = [
        (Self::Segments, "Segments"),
        (Self::Names, "By name"),
        (Self::Threads, "By thread"),
        (Self::Kinds, "By kind"),
    ];

    /// Columns of segments.
    pub(super) const SEGMENTS: [TableColumn; 7] = [
        TableColumn::times("Start", 112.0),
        TableColumn::lengths("Length", 84.0),
        TableColumn::shares("Share"),
        TableColumn::text("Kind", 64.0, 0.0),
        TableColumn::text("Marker", 160.0, 2.0),
        TableColumn::text("Thread", 140.0, 1.0),
        TableColumn::text("Blocked by", 180.0, 2.5),
    ];

    /// Columns of grouped rows.
    pub(super) const SUMS: [TableColumn; 6] = [
        TableColumn::lengths("Total", 84.0),
        TableColumn::shares("Share"),
        TableColumn::text("Kind", 64.0, 0.0),
        TableColumn::text("Group", 220.0, 3.0),
        TableColumn::numbers("Segments", 70.0),
        TableColumn::lengths("Longest", 84.0),
    ];

    pub(super) const fn columns(self) -> &'static [TableColumn] {
        match self {
            Self::Segments => &Self::SEGMENTS,
            _ => &Self::SUMS,
        }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PathRow {
    /// The only segment, or the longest.
    pub(super) segment: usize,
    /// Total length of its segments in nanoseconds.
    pub(super) total: i64,
    /// Number of segments.
    pub(super) count: usize,
    /// Name of the group; empty for a segment.
    pub(super) name: String,
}

/// Rows of a grouping: segments in time order, groups by descending total.
pub(super) fn rows(index: &Index, path: &CriticalPath, form: Form) -> Vec<PathRow> {
    let all = path.segments.iter().enumerate();
    if form == Form::Segments {
        let row = |(segment, of): (usize, &PathSegment)| PathRow {
            segment,
            total: of.range.len(),
            count: 1,
            name: String::new(),
        };
        return all.map(row).collect();
    }
    let profile = index.profile();
    let mut sums: HashMap<(PathKind, String), PathRow> = HashMap::new();
    for (segment, of) in all {
        let name = match form {
            Form::Names => entry_name(index, of.marker),
            Form::Threads => place_text(profile, of.thread),
            Form::Segments | Form::Kinds => String::new(),
        };
        let row = sums.entry((of.kind, name.clone())).or_insert_with(|| PathRow { segment, total: 0, count: 0, name });
        row.total = row.total.saturating_add(of.range.len());
        row.count += 1;
        if of.range.len() > path.segments[row.segment].range.len() {
            row.segment = segment;
        }
    }
    let mut rows: Vec<PathRow> = sums.into_values().collect();
    rows.sort_by(|a, b| (Reverse(a.total), &a.name, a.segment).cmp(&(Reverse(b.total), &b.name, b.segment)));
    rows
}

/// First line of a marker's chart label.
fn label_of(index: &Index, marker: MarkerId) -> String {
    if let Some(title) = entry_title(index, marker) {
        return title.name;
    }
    let place = index.profile().locate(marker);
    place.map_or_else(String::new, |(thread, local)| {
        index
            .profile()
            .marker_label(LabelKind::Chart, thread, local, index.profile().clock())
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    })
}

/// A part of the path as a percentage.
pub(crate) fn share(part: i64, of: TimeRange) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    let share = if of.is_empty() { 0.0 } else { part as f64 / of.len() as f64 * 100.0 };
    flowline_format::format_percent(share / 100.0)
}

/// The parts of a wait: "31.00 ms behind A, 9.00 ms idle, 3.00 ms unknown".
pub(crate) fn blockers_text(index: &Index, blocking: &WaitActivity) -> String {
    let parts = WaitParts::new(blocking, index.profile()).text();
    match blocking.cpu {
        Some(cpu) => format!("runnable on CPU {cpu}: {parts}"),
        None => parts,
    }
}

/// Describes a segment of kind [`PathKind::Unknown`].
fn unknown_text(index: &Index, segment: &PathSegment) -> &'static str {
    if segment.range.is_empty() || is_milestone(index.profile(), segment.marker) {
        "cause not recorded"
    } else {
        "no recorded activity in the message loop"
    }
}

/// Describes a kind of segment.
const fn meaning(kind: PathKind) -> &'static str {
    match kind {
        PathKind::Run => "a marker was running",
        PathKind::Wait => "posted, not started",
        PathKind::Network => "network request in progress",
        PathKind::Followed => "assumed to follow the preceding marker",
        PathKind::Unknown => "no recorded activity",
    }
}

/// Cells of a row.
pub(super) fn cells(
    (index, clock): (&Index, DisplayClock),
    path: &CriticalPath,
    form: Form,
    row: &PathRow,
) -> Vec<Cell> {
    let segment = &path.segments[row.segment];
    let (share, kind) = (Cell::Text(share(row.total, path.range())), Cell::Text(segment.kind.name().to_owned()));
    if form != Form::Segments {
        let what = if form == Form::Kinds { meaning(segment.kind).to_owned() } else { row.name.clone() };
        let longest = Cell::Length(segment.range.len());
        return vec![Cell::Length(row.total), share, kind, Cell::Text(what), Cell::Count(row.count), longest];
    }
    let profile = index.profile();
    let phases = phases_text(&segment.phases(index));
    let blocking = match &segment.blocking {
        Some(blocking) => blockers_text(index, blocking),
        None if !phases.is_empty() => phases,
        None if segment.kind == PathKind::Wait && is_milestone(profile, segment.marker) => {
            "presentation of the frame".to_owned()
        }
        None if segment.kind == PathKind::Wait => "not on a thread".to_owned(),
        None if segment.kind == PathKind::Unknown => unknown_text(index, segment).to_owned(),
        None => String::new(),
    };
    vec![
        Cell::Time(clock.show(segment.range.start)),
        Cell::Length(segment.range.len()),
        share,
        kind,
        Cell::Text(label_of(index, segment.marker)),
        Cell::Text(place_text(profile, segment.thread)),
        Cell::Text(blocking),
    ]
}
