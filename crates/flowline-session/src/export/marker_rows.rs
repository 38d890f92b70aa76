//! Markers as rows of a table.

use std::collections::HashMap;
use std::io::{self, Write};

use super::event_stacks::EventStacks;
use super::export_column::{ExportColumn, Field, KnownColumn, MarkerRow};
use super::marker_json::write_marker_json;
use super::writer::{Heading, TableFormat, TableWriter};
use flowline_index::nesting::self_times;
use flowline_index::row_depths;
use flowline_json::write_json_string;
use flowline_profile::{DisplayClock, LocalMarker, MarkerId, Ns, Profile, ThreadId, Value};

/// Rows between two progress reports.
const BATCH: u64 = 4096;

/// Order of the exported markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// Thread by thread, so that data computed for one thread can be dropped before the next.
    ByThread,
    /// In any order.
    Any,
}

/// Layout of exported markers.
#[derive(Clone, Copy, Debug)]
pub struct MarkerLayout<'a> {
    /// Format of the file.
    pub format: TableFormat,
    /// Order of the markers.
    pub order: RowOrder,
    /// The columns; empty for the defaults. In JSON, the defaults are objects with more keys.
    pub columns: &'a [ExportColumn],
    /// The displayed clock, for the columns that have times on it.
    pub clock: DisplayClock,
}

/// Writes markers as rows, in the given order. `goes_on` is called from time to time with the number of rows written
/// and the next marker. Returns the number of rows, or `None` if `goes_on` returned false.
///
/// # Errors
/// Errors of `out`; and a column's field that no marker has.
pub fn write_markers(
    out: &mut impl Write,
    profile: &Profile,
    markers: impl Iterator<Item = MarkerId>,
    layout: MarkerLayout<'_>,
    goes_on: &mut dyn FnMut(u64, MarkerId) -> bool,
) -> io::Result<Option<u64>> {
    let format = layout.format;
    let usual = KnownColumn::USUAL.map(ExportColumn::Known);
    let columns = if layout.columns.is_empty() { &usual[..] } else { layout.columns };
    let is_plain = layout.columns.is_empty() && format == TableFormat::Json;
    let titles: Vec<String> = columns.iter().map(ExportColumn::title).collect();
    let heading = |(column, title): (&ExportColumn, &String)| Heading {
        title: title.clone(),
        is_number: column.is_number() && format != TableFormat::Json,
    };
    let mut table = TableWriter::begin(out, format, columns.iter().zip(&titles).map(heading).collect())?;
    let has_depths = is_plain && profile.meta.capabilities.trace_event_keys;
    let needs = Needs::of(columns);
    let mut depths = OfThreads::new(layout.order, |id| row_depths(profile, profile.thread(id)));
    let stacks = EventStacks::new(profile);
    let mut self_times = OfThreads::new(layout.order, |id| self_times(profile.thread(id)));
    // Fields that at least one marker has.
    let mut is_there: Vec<bool> = columns.iter().map(|column| matches!(column, ExportColumn::Known(_))).collect();
    let mut object = String::new();
    for (number, marker) in (0_u64..).zip(markers) {
        if number % BATCH == 0 && !goes_on(number, marker) {
            return Ok(None);
        }
        let Some((id, local)) = profile.locate(marker) else { continue };
        object.clear();
        if is_plain {
            let depth = if has_depths { depths.of(id, local).flatten() } else { None };
            write_marker_json(&mut object, &stacks, (id, local), depth);
            table.object(&object)?;
            continue;
        }
        let self_time = if needs.self_time { self_times.of(id, local).unwrap_or_default() } else { Ns(0) };
        let data = if needs.data { profile.payload_resolved(id, local) } else { Value::Null };
        let row = MarkerRow { profile, id, local, clock: layout.clock, data, self_time };
        let fields: Vec<Field<'_>> = columns.iter().map(|column| row.field(column)).collect();
        fields.iter().zip(&mut is_there).for_each(|(field, is_there)| *is_there |= !matches!(field, Field::Nothing));
        if format == TableFormat::Json {
            for (number, (title, field)) in titles.iter().zip(&fields).enumerate() {
                object.push(if number == 0 { '{' } else { ',' });
                write_json_string(&mut object, title);
                object.push(':');
                field.write_json(&mut object);
            }
            object.push('}');
            table.object(&object)?;
        } else {
            let texts: Vec<String> = fields.iter().map(Field::text).collect();
            table.row(texts.iter().map(String::as_str))?;
        }
    }
    let rows = table.end()?;
    let missing = titles.iter().zip(&is_there).find(|(_, is_there)| !**is_there && rows > 0);
    missing.map_or(Ok(Some(rows)), |(title, _)| {
        let known = "use a default column, self_ns, cpu_ns, details, or a data key from `dump markers`";
        Err(io::Error::other(format!("no exported marker has a field \"{title}\"; {known}")))
    })
}

/// Expensive data that the columns need.
struct Needs {
    data: bool,
    self_time: bool,
}

impl Needs {
    fn of(columns: &[ExportColumn]) -> Self {
        let is_data =
            |column: &ExportColumn| matches!(column, ExportColumn::Field(_) | ExportColumn::Known(KnownColumn::Data));
        Self {
            data: columns.iter().any(is_data),
            self_time: columns.contains(&ExportColumn::Known(KnownColumn::SelfTime)),
        }
    }
}

/// Data that is computed for all markers of a thread at once.
struct OfThreads<T, F> {
    order: RowOrder,
    compute: F,
    known: HashMap<ThreadId, Vec<T>>,
}

impl<T: Copy, F: Fn(ThreadId) -> Vec<T>> OfThreads<T, F> {
    fn new(order: RowOrder, compute: F) -> Self {
        Self { order, compute, known: HashMap::new() }
    }

    fn of(&mut self, id: ThreadId, local: LocalMarker) -> Option<T> {
        if self.order == RowOrder::ByThread && !self.known.contains_key(&id) {
            self.known.clear();
        }
        let compute = &self.compute;
        self.known.entry(id).or_insert_with(|| compute(id)).get(local.index()).copied()
    }
}
