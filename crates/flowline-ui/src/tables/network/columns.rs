//! Columns of the network table: cell texts, sort order and filter.

use std::cmp::Ordering;

use crate::widgets::table::{Cell, TableColumn};
use flowline_format::format_bytes;
use flowline_index::network::{NetworkRequest, Outcome, PhaseKind};
use flowline_profile::{DisplayClock, Ns, Profile};

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Url,
    Method,
    Status,
    Type,
    Mime,
    Protocol,
    Priority,
    Blocking,
    Received,
    Content,
    Outcome,
    Cache,
    Initiator,
    Process,
    Start,
    Duration,
    Waiting,
    Receiving,
    Waterfall,
}

impl Column {
    /// All columns from left to right.
    pub(super) const ALL: [Self; 19] = [
        Self::Url,
        Self::Method,
        Self::Status,
        Self::Type,
        Self::Mime,
        Self::Protocol,
        Self::Priority,
        Self::Blocking,
        Self::Received,
        Self::Content,
        Self::Outcome,
        Self::Cache,
        Self::Initiator,
        Self::Process,
        Self::Start,
        Self::Duration,
        Self::Waiting,
        Self::Receiving,
        Self::Waterfall,
    ];

    /// Columns visible by default.
    pub(super) const USUAL: [Self; 10] = [
        Self::Url,
        Self::Status,
        Self::Mime,
        Self::Priority,
        Self::Received,
        Self::Initiator,
        Self::Start,
        Self::Duration,
        Self::Waiting,
        Self::Waterfall,
    ];

    /// Title, kind and width.
    pub(super) const fn layout(self) -> TableColumn {
        match self {
            Self::Url => TableColumn::text("URL", 220.0, 3.0),
            Self::Method => TableColumn::text("Method", 48.0, 0.0),
            Self::Status => TableColumn::numbers("Status", 44.0),
            Self::Type => TableColumn::text("Type", 76.0, 0.2),
            Self::Mime => TableColumn::text("Content type", 100.0, 0.5),
            Self::Protocol => TableColumn::text("Protocol", 58.0, 0.0),
            Self::Priority => TableColumn::text("Priority", 110.0, 0.0),
            Self::Blocking => TableColumn::text("Render blocking", 96.0, 0.0),
            Self::Received => TableColumn::numbers("Received", 76.0),
            Self::Content => TableColumn::numbers("Content", 76.0),
            Self::Outcome => TableColumn::text("Outcome", 96.0, 0.2),
            Self::Cache => TableColumn::text("Cache", 76.0, 0.0),
            Self::Initiator => TableColumn::text("Initiator", 120.0, 1.0),
            Self::Process => TableColumn::text("Process", 90.0, 0.3),
            Self::Start => TableColumn::times("Start", 104.0),
            Self::Duration => TableColumn::lengths("Duration", 76.0),
            Self::Waiting => TableColumn::lengths("Waiting", 76.0),
            Self::Receiving => TableColumn::lengths("Receiving", 76.0),
            Self::Waterfall => TableColumn::picture("Waterfall", 180.0),
        }
    }

    /// True if the first click on the heading sorts in descending order.
    pub(super) const fn is_amount(self) -> bool {
        matches!(self, Self::Received | Self::Content | Self::Duration | Self::Waiting | Self::Receiving)
    }

    /// True if its texts are secondary and drawn faint.
    pub(super) const fn is_faint(self) -> bool {
        matches!(self, Self::Method | Self::Mime | Self::Type | Self::Protocol | Self::Initiator | Self::Process)
    }
}

/// A size; programs get the number of bytes.
fn size(bytes: Option<i64>) -> Cell {
    let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
    #[expect(clippy::cast_precision_loss, reason = "a size in words")]
    let value = |bytes: u64| Cell::Value { shown: format_bytes(bytes as f64), plain: bytes.to_string() };
    bytes.map_or(Cell::Empty, value)
}

fn length(time: Option<Ns>) -> Cell {
    time.map_or(Cell::Empty, |time| Cell::Length(time.0))
}

fn text(text: &str) -> Cell {
    if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) }
}

/// Outcome of a request, with its error if it has one.
fn outcome(request: &NetworkRequest) -> String {
    let name = request.outcome.name();
    if request.error.is_empty() { name.to_owned() } else { format!("{name}: {}", request.error) }
}

/// Name and id of the process.
fn process(profile: &Profile, request: &NetworkRequest) -> String {
    profile.processes[request.process.index()].title()
}

/// Cell of a request in a column.
pub(super) fn cell((profile, clock): (&Profile, DisplayClock), request: &NetworkRequest, column: Column) -> Cell {
    match column {
        Column::Url => text(&request.url),
        Column::Method => text(&request.method),
        // A status is an identifier, so it has no thousands separators.
        Column::Status => match request.status {
            Some(status) => Cell::Text(status.to_string()),
            None if request.outcome == Outcome::Failed => Cell::Text(Outcome::Failed.name().to_owned()),
            None => Cell::Empty,
        },
        Column::Type => text(&request.resource),
        Column::Mime => text(&request.mime),
        Column::Protocol => text(&request.protocol),
        Column::Priority => text(&request.priorities()),
        Column::Blocking => text(&request.render_blocking),
        Column::Received => size(request.encoded_bytes),
        Column::Content => size(request.decoded_bytes),
        Column::Outcome => Cell::Text(outcome(request)),
        Column::Cache => text(&request.cache),
        Column::Initiator => text(&request.initiator_location(profile)),
        Column::Process => Cell::Text(process(profile, request)),
        Column::Start => Cell::Time(clock.show(request.start)),
        Column::Duration => Cell::Length(request.duration().0),
        Column::Waiting => length(request.length_of(PhaseKind::Waiting)),
        Column::Receiving => length(request.length_of(PhaseKind::Download)),
        Column::Waterfall => Cell::Empty,
    }
}

/// Compares two requests by a column; unknown values come first.
pub(super) fn compare(profile: &Profile, column: Column, a: &NetworkRequest, b: &NetworkRequest) -> Ordering {
    match column {
        Column::Url => a.url.cmp(&b.url),
        Column::Method => a.method.cmp(&b.method),
        Column::Status => a.status.cmp(&b.status),
        Column::Type => a.resource.cmp(&b.resource),
        Column::Mime => a.mime.cmp(&b.mime),
        Column::Protocol => a.protocol.cmp(&b.protocol),
        Column::Priority => a.priorities().cmp(&b.priorities()),
        Column::Blocking => a.render_blocking.cmp(&b.render_blocking),
        Column::Received => a.encoded_bytes.cmp(&b.encoded_bytes),
        Column::Content => a.decoded_bytes.cmp(&b.decoded_bytes),
        Column::Outcome => (a.outcome, &a.error).cmp(&(b.outcome, &b.error)),
        Column::Cache => a.cache.cmp(&b.cache),
        Column::Initiator => (&a.initiator, a.initiator_position).cmp(&(&b.initiator, b.initiator_position)),
        Column::Process => process(profile, a).cmp(&process(profile, b)),
        Column::Start | Column::Waterfall => a.start.cmp(&b.start),
        Column::Duration => a.duration().cmp(&b.duration()),
        Column::Waiting => a.length_of(PhaseKind::Waiting).cmp(&b.length_of(PhaseKind::Waiting)),
        Column::Receiving => a.length_of(PhaseKind::Download).cmp(&b.length_of(PhaseKind::Download)),
    }
}

/// True if the request's texts contain all words of a filter, and none of the words prefixed with `-`.
pub(super) fn matches(profile: &Profile, request: &NetworkRequest, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let texts = [
        Column::Url,
        Column::Method,
        Column::Status,
        Column::Type,
        Column::Mime,
        Column::Protocol,
        Column::Priority,
        Column::Blocking,
        Column::Outcome,
        Column::Cache,
        Column::Initiator,
        Column::Process,
    ];
    let texts = texts.map(|column| cell((profile, profile.clock()), request, column).shown().to_lowercase());
    let has = |word: &str| texts.iter().any(|text| text.contains(word));
    words.iter().all(|word| match word.strip_prefix('-') {
        Some(word) if !word.is_empty() => !has(word),
        _ => has(word),
    })
}
