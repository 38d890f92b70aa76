//! Columns of exported markers: properties of every marker, or fields of their data.

use std::fmt::Write as _;

use flowline_json::write_json_string;
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, LocalMarker, MarkerFlags, Ns, Profile, ThreadId, Value};

/// A column of exported markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportColumn {
    /// A property that every marker has, possibly empty.
    Known(KnownColumn),
    /// A field of the data, by its key.
    Field(String),
}

/// Properties of every marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownColumn {
    /// Number.
    Marker,
    /// Number of the thread.
    Thread,
    /// Name of the thread.
    ThreadName,
    /// Name of the process.
    Process,
    /// Id of the process.
    Pid,
    /// Name.
    Name,
    /// Category.
    Category,
    /// Start on the clock of the file, in nanoseconds.
    Start,
    /// End; empty for an instant.
    End,
    /// Start on the displayed clock, in nanoseconds: the time in the marker table.
    DisplayedStart,
    /// End on the displayed clock; empty for an instant.
    DisplayedEnd,
    /// Duration; empty for an instant.
    Duration,
    /// Duration without direct children; empty for an instant.
    SelfTime,
    /// CPU time, which only some traces contain.
    Cpu,
    /// True if the start or end is not in the recording.
    Incomplete,
    /// The data fields shown in the marker table.
    Details,
    /// Data as JSON.
    Data,
}

impl KnownColumn {
    /// All columns.
    const ALL: [Self; 17] = [
        KnownColumn::Marker,
        KnownColumn::Thread,
        KnownColumn::ThreadName,
        KnownColumn::Process,
        KnownColumn::Pid,
        KnownColumn::Name,
        KnownColumn::Category,
        KnownColumn::Start,
        KnownColumn::End,
        KnownColumn::DisplayedStart,
        KnownColumn::DisplayedEnd,
        KnownColumn::Duration,
        KnownColumn::SelfTime,
        KnownColumn::Cpu,
        KnownColumn::Incomplete,
        KnownColumn::Details,
        KnownColumn::Data,
    ];

    /// The default columns.
    pub(super) const USUAL: [Self; 12] = [
        KnownColumn::Marker,
        KnownColumn::Thread,
        KnownColumn::ThreadName,
        KnownColumn::Process,
        KnownColumn::Pid,
        KnownColumn::Name,
        KnownColumn::Category,
        KnownColumn::Start,
        KnownColumn::End,
        KnownColumn::Duration,
        KnownColumn::Incomplete,
        KnownColumn::Data,
    ];

    const fn title(self) -> &'static str {
        match self {
            KnownColumn::Marker => "marker",
            KnownColumn::Thread => "thread",
            KnownColumn::ThreadName => "thread_name",
            KnownColumn::Process => "process",
            KnownColumn::Pid => "pid",
            KnownColumn::Name => "name",
            KnownColumn::Category => "category",
            KnownColumn::Start => "start_ns",
            KnownColumn::End => "end_ns",
            KnownColumn::DisplayedStart => "displayed_start_ns",
            KnownColumn::DisplayedEnd => "displayed_end_ns",
            KnownColumn::Duration => "duration_ns",
            KnownColumn::SelfTime => "self_ns",
            KnownColumn::Cpu => "cpu_ns",
            KnownColumn::Incomplete => "incomplete",
            KnownColumn::Details => "details",
            KnownColumn::Data => "data",
        }
    }
}

/// Prefix for a field with the same name as a known column.
const FIELD: &str = "data.";

impl ExportColumn {
    /// The column of a name: a known column, otherwise a field; `data.name` is always a field.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if let Some(field) = text.strip_prefix(FIELD).filter(|field| !field.is_empty()) {
            return Self::Field(field.to_owned());
        }
        let known = KnownColumn::ALL.into_iter().find(|column| column.title() == text);
        known.map_or_else(|| Self::Field(text.to_owned()), Self::Known)
    }

    /// Column heading; [`ExportColumn::parse`] accepts it.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Known(column) => column.title().to_owned(),
            Self::Field(key) if KnownColumn::ALL.iter().any(|column| column.title() == key) => format!("{FIELD}{key}"),
            Self::Field(key) => key.clone(),
        }
    }

    /// True if the column is right-aligned.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Known(column) if column.title().ends_with("_ns"))
    }
}

/// A marker with the data that its columns need.
pub(super) struct MarkerRow<'a> {
    pub(super) profile: &'a Profile,
    pub(super) id: ThreadId,
    pub(super) local: LocalMarker,
    /// The displayed clock.
    pub(super) clock: DisplayClock,
    /// Data, if a column needs it.
    pub(super) data: Value,
    /// Self time, if a column needs it.
    pub(super) self_time: Ns,
}

/// A value of a column.
pub(super) enum Field<'a> {
    Nothing,
    Number(i64),
    Truth(bool),
    Text(std::borrow::Cow<'a, str>),
    Data(&'a Value),
}

impl MarkerRow<'_> {
    /// The value of a column.
    pub(super) fn field(&self, column: &ExportColumn) -> Field<'_> {
        let Self { profile, id, local, clock, .. } = *self;
        let thread = profile.thread(id);
        let markers = &thread.markers;
        let text = |text| Field::Text(std::borrow::Cow::Borrowed(text));
        let of_interval = |time: Ns| if markers.is_instant(local) { Field::Nothing } else { Field::Number(time.0) };
        let known = match column {
            ExportColumn::Known(known) => *known,
            ExportColumn::Field(key) => {
                return self.data.get(key).filter(|value| !value.is_null()).map_or(Field::Nothing, Field::Data);
            }
        };
        match known {
            KnownColumn::Marker => Field::Number(i64::from(thread.global(local).0)),
            KnownColumn::Thread => Field::Number(i64::from(id.0)),
            KnownColumn::ThreadName => Field::Text(profile.long_name(id)),
            KnownColumn::Process => text(&profile.process_of(id).name),
            KnownColumn::Pid => text(&profile.process_of(id).pid),
            KnownColumn::Name => text(profile.strings.get(markers.name(local))),
            KnownColumn::Category => text(profile.category_name(markers.category(local))),
            KnownColumn::Start => Field::Number(markers.start(local).0),
            KnownColumn::End => of_interval(markers.end(local)),
            KnownColumn::DisplayedStart => Field::Number(clock.show(markers.start(local)).0),
            KnownColumn::DisplayedEnd => of_interval(clock.show(markers.end(local))),
            KnownColumn::Duration => of_interval(markers.end(local) - markers.start(local)),
            KnownColumn::SelfTime => of_interval(self.self_time),
            KnownColumn::Cpu => profile.cpu_time(id, local).map_or(Field::Nothing, |time| Field::Number(time.0)),
            KnownColumn::Incomplete => Field::Truth(markers.flags(local).has(MarkerFlags::INCOMPLETE)),
            KnownColumn::Details => Field::Text(profile.marker_label(LabelKind::Table, id, local, clock).into()),
            KnownColumn::Data if self.data.is_null() => Field::Nothing,
            KnownColumn::Data => Field::Data(&self.data),
        }
    }
}

impl Field<'_> {
    /// Appends the value as JSON.
    pub(super) fn write_json(&self, line: &mut String) {
        // Writing to a string cannot fail.
        let _infallible = match self {
            Self::Nothing => write!(line, "null"),
            Self::Number(number) => write!(line, "{number}"),
            Self::Truth(truth) => write!(line, "{truth}"),
            Self::Text(text) => {
                write_json_string(line, text);
                Ok(())
            }
            Self::Data(value) => {
                value.to_json(line);
                Ok(())
            }
        };
    }

    /// Text of the value; data as a whole is JSON.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::Text(text) => text.clone().into_owned(),
            Self::Data(Value::String(text)) => text.clone(),
            Self::Data(value) => {
                let mut text = String::new();
                value.to_json(&mut text);
                text
            }
        }
    }
}
