//! The columns of exported markers: what the recording says of each, or a field of their data.

use std::fmt::Write as _;

use flowline_json::write_json_string;
use flowline_profile::text::LabelKind;
use flowline_profile::{LocalMarker, MarkerFlags, Ns, Profile, ThreadId, Value};

/// A column of exported markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportColumn {
    /// Something that every marker has, though it may be empty.
    Known(KnownColumn),
    /// A field of the data, by its key.
    Field(String),
}

/// What every marker has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownColumn {
    /// Its number.
    Marker,
    /// The number of its thread.
    Thread,
    /// The name of its thread.
    ThreadName,
    /// The name of its process.
    Process,
    /// The id of its process.
    Pid,
    /// Its name.
    Name,
    /// Its category.
    Category,
    /// Its start on the clock of the file, in nanoseconds.
    Start,
    /// Its end; empty for an instant.
    End,
    /// Its length; empty for an instant.
    Duration,
    /// Its length without the time in which a direct child is open; empty for an instant.
    SelfTime,
    /// Its time on a processor, which some traces tell.
    Cpu,
    /// Whether its start or end is not in the recording.
    Incomplete,
    /// What the table shows of its data.
    Details,
    /// Its data as JSON.
    Data,
}

use KnownColumn as Known;

impl KnownColumn {
    /// All of them.
    const ALL: [Self; 15] = [
        Known::Marker,
        Known::Thread,
        Known::ThreadName,
        Known::Process,
        Known::Pid,
        Known::Name,
        Known::Category,
        Known::Start,
        Known::End,
        Known::Duration,
        Known::SelfTime,
        Known::Cpu,
        Known::Incomplete,
        Known::Details,
        Known::Data,
    ];

    /// The columns that are written if nobody chooses.
    pub(super) const USUAL: [Self; 12] = [
        Known::Marker,
        Known::Thread,
        Known::ThreadName,
        Known::Process,
        Known::Pid,
        Known::Name,
        Known::Category,
        Known::Start,
        Known::End,
        Known::Duration,
        Known::Incomplete,
        Known::Data,
    ];

    const fn title(self) -> &'static str {
        match self {
            Known::Marker => "marker",
            Known::Thread => "thread",
            Known::ThreadName => "thread_name",
            Known::Process => "process",
            Known::Pid => "pid",
            Known::Name => "name",
            Known::Category => "category",
            Known::Start => "start_ns",
            Known::End => "end_ns",
            Known::Duration => "duration_ns",
            Known::SelfTime => "self_ns",
            Known::Cpu => "cpu_ns",
            Known::Incomplete => "incomplete",
            Known::Details => "details",
            Known::Data => "data",
        }
    }
}

/// What begins the name of a field that is called like a known column.
const FIELD: &str = "data.";

impl ExportColumn {
    /// The column of a name: a known one, else a field; `data.name` is a field in any case.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if let Some(field) = text.strip_prefix(FIELD).filter(|field| !field.is_empty()) {
            return Self::Field(field.to_owned());
        }
        let known = KnownColumn::ALL.into_iter().find(|column| column.title() == text);
        known.map_or_else(|| Self::Field(text.to_owned()), Self::Known)
    }

    /// Its heading, which [`ExportColumn::parse`] reads.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Known(column) => column.title().to_owned(),
            Self::Field(key) if KnownColumn::ALL.iter().any(|column| column.title() == key) => format!("{FIELD}{key}"),
            Self::Field(key) => key.clone(),
        }
    }

    /// Whether it stands at the right edge.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Known(column) if column.title().ends_with("_ns"))
    }
}

/// A marker as its columns see it.
pub(super) struct MarkerRow<'a> {
    pub(super) profile: &'a Profile,
    pub(super) id: ThreadId,
    pub(super) local: LocalMarker,
    /// Its data, if a column needs it.
    pub(super) data: Value,
    /// Its self time, if a column needs it.
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
        let Self { profile, id, local, .. } = *self;
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
            Known::Marker => Field::Number(i64::from(thread.global(local).0)),
            Known::Thread => Field::Number(i64::from(id.0)),
            Known::ThreadName => text(&thread.name),
            Known::Process => text(&profile.process_of(id).name),
            Known::Pid => text(&profile.process_of(id).pid),
            Known::Name => text(profile.strings.get(markers.name(local))),
            Known::Category => text(profile.category_name(markers.category(local))),
            Known::Start => Field::Number(markers.start(local).0),
            Known::End => of_interval(markers.end(local)),
            Known::Duration => of_interval(markers.end(local) - markers.start(local)),
            Known::SelfTime => of_interval(self.self_time),
            Known::Cpu => profile.cpu_time(id, local).map_or(Field::Nothing, |time| Field::Number(time.0)),
            Known::Incomplete => Field::Truth(markers.flags(local).has(MarkerFlags::INCOMPLETE)),
            Known::Details => Field::Text(profile.marker_label(LabelKind::Table, id, local).into()),
            Known::Data if self.data.is_null() => Field::Nothing,
            Known::Data => Field::Data(&self.data),
        }
    }
}

impl Field<'_> {
    /// Appends it as JSON.
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

    /// Its text; of the data as a whole, JSON.
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
