//! Derives markers from raw markers: pairs starts with ends, network requests, screenshots, and IPC messages.
//! The rules are those of the Firefox Profiler; `docs/markers.md` lists them, with the differences.

mod ipc;
mod network;
mod pairs;
mod screenshots;

pub(super) use ipc::{Messages, correlate, message_groups};

use std::collections::HashMap;

use super::raw_thread::RawThread;
use super::sentinels::{NO_TIME, NO_TYPE, NONE};
use flowline_json::fast_path;
use flowline_profile::payload::decode;
use flowline_profile::{
    CategoryId, Marker, MarkerFlags, Ns, PayloadRef, Schema, Source, StringId, StringTable, TimeRange, TypeId, Value,
    WarningKind,
};

/// The rule by which a payload type is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rule {
    /// By phase.
    #[default]
    Phase,
    Ipc,
    Network,
    Screenshot,
    /// The end of a window's last screenshot.
    WindowDestroyed,
}

impl Rule {
    fn for_type(kind: &str) -> Self {
        match kind {
            "IPC" => Self::Ipc,
            "Network" => Self::Network,
            _ if !kind.starts_with("CompositorScreenshot") => Self::Phase,
            _ if kind.ends_with("WindowDestroyed") => Self::WindowDestroyed,
            _ => Self::Screenshot,
        }
    }
}

/// Properties of a thread's payload type that the derivation needs.
#[derive(Clone, Debug, Default)]
pub(super) struct PayloadTypeInfo {
    pub(super) name: String,
    pub(super) rule: Rule,
    pub(super) is_stack_based: bool,
    /// Keys of its flow fields, and their words for `json::fast_path`.
    pub(super) flow_keys: Vec<(String, u64)>,
}

fn key_with_word(key: &str) -> (String, u64) {
    (key.to_owned(), fast_path::key_word(key.as_bytes()))
}

/// The payload types of a thread, by their thread-local numbers.
pub(super) fn payload_type_infos(thread: &RawThread, schemas: &HashMap<&str, &Schema>) -> Vec<PayloadTypeInfo> {
    let info = |name: &String| {
        let schema = schemas.get(name.as_str());
        PayloadTypeInfo {
            name: name.clone(),
            rule: Rule::for_type(name),
            is_stack_based: schema.is_some_and(|schema| schema.is_stack_based),
            flow_keys: schema
                .map(|schema| schema.flow_fields().map(|field| key_with_word(&field.key)).collect())
                .unwrap_or_default(),
        }
    };
    thread.kinds.names().iter().map(info).collect()
}

/// A name of a derived marker. Strings are decoded when threads are joined, once for all threads that share a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameRef {
    /// An index into the thread's string table.
    Table(u32),
    /// A built-in name.
    Builtin(&'static str),
}

/// The name of markers whose name index is out of range.
pub const UNKNOWN_NAME: &str = "(unknown)";

/// The derived markers of a thread, in emission order, and their names.
#[derive(Debug, Default)]
pub(super) struct Derived {
    pub(super) markers: Vec<Marker>,
    /// Names, by the thread-local ids in the markers.
    pub(super) names: Vec<NameRef>,
    /// The raw rows of each marker, if requested.
    pub(super) rows: Vec<MarkerRows>,
}

/// The raw rows from which a marker is derived.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkerRows {
    /// Its own row; for pairs, the end.
    pub(super) own: u32,
    /// The other row; [`NONE`] without one.
    pub(super) other: u32,
    /// Role of the other row.
    pub(super) link: RowLink,
}

/// Role of a marker's other row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowLink {
    /// Both rows together form the marker.
    Pair,
    /// The marker lasts until the other row.
    Until,
    /// The marker was abandoned in favor of the other row's marker.
    ReplacedBy,
}

impl MarkerRows {
    fn number(row: usize) -> u32 {
        u32::try_from(row).unwrap_or(NONE)
    }

    /// A marker of one row.
    fn one(row: usize) -> Self {
        Self { own: Self::number(row), other: NONE, link: RowLink::Until }
    }

    /// A marker of a start and an end.
    fn pair(start: usize, end: usize) -> Self {
        Self { own: Self::number(end), other: Self::number(start), link: RowLink::Pair }
    }

    /// A marker that lasts until another row.
    fn until(row: usize, end: usize) -> Self {
        Self { own: Self::number(row), other: Self::number(end), link: RowLink::Until }
    }

    /// A marker that was abandoned in favor of another row's marker.
    fn replaced_by(row: usize, other: usize) -> Self {
        Self { link: RowLink::ReplacedBy, ..Self::until(row, other) }
    }
}

/// The inputs of the derivation of one thread.
pub(super) struct ThreadContext<'a> {
    pub(super) raw: &'a RawThread,
    pub(super) kinds: &'a [PayloadTypeInfo],
    pub(super) range: TimeRange,
    pub(super) source: &'a Source,
    pub(super) strings: &'a StringTable,
    /// The messages of all threads.
    pub(super) messages: &'a Messages,
    /// The thread's index.
    pub(super) index: usize,
    /// Number of categories its process has.
    pub(super) categories: usize,
    /// True if [`Derived::rows`] is requested.
    pub(super) wants_rows: bool,
}

impl ThreadContext<'_> {
    fn kind(&self, row: usize) -> Option<&PayloadTypeInfo> {
        self.kinds.get(usize::from(self.raw.markers.kind[row]))
    }

    fn payload(&self, row: usize) -> PayloadRef {
        PayloadRef(self.raw.markers.payload[row])
    }

    fn payload_value(&self, row: usize) -> Value {
        decode(self.source, self.payload(row))
    }

    /// True if the category of a row is out of range. Without any categories, zero is valid.
    fn has_unknown_category(&self, row: usize) -> bool {
        let category = self.raw.markers.category[row] as usize;
        category >= self.categories.max(1)
    }

    fn start(&self, row: usize) -> Option<Ns> {
        Self::valid(self.raw.markers.start[row], self.raw.shift)
    }

    fn end(&self, row: usize) -> Option<Ns> {
        Self::valid(self.raw.markers.end[row], self.raw.shift)
    }

    fn valid(time: Ns, shift: Ns) -> Option<Ns> {
        (time != NO_TIME).then(|| time + shift)
    }

    /// The marker of a row with these times and flags, without a supplement.
    fn marker(&self, row: usize, name: StringId, start: Ns, end: Ns, flags: MarkerFlags) -> Marker {
        let kind = self.raw.markers.kind[row];
        let stack_based = !flags.has(MarkerFlags::INSTANT) && self.kind(row).is_some_and(|kind| kind.is_stack_based);
        Marker {
            start,
            end,
            name,
            category: CategoryId(self.raw.markers.category[row]),
            kind: (kind != NO_TYPE).then_some(TypeId(u32::from(kind))),
            flags: if stack_based { flags.with(MarkerFlags::STACK_BASED) } else { flags },
            payload: self.payload(row),
            begin: PayloadRef::NONE,
            supplement: None,
        }
    }
}

/// The names used in a thread, with dense ids, so that only used strings are decoded.
#[derive(Default)]
struct Names {
    list: Vec<NameRef>,
    /// Ids by index of the thread's string table, [`NONE`] for unused strings.
    by_index: Vec<u32>,
    by_text: HashMap<&'static str, StringId>,
}

impl Names {
    /// The id of the string at `index` of the thread's table, and true if that string exists.
    fn intern_index(&mut self, context: &ThreadContext<'_>, index: u32) -> (StringId, bool) {
        match self.by_index.get(index as usize) {
            Some(&id) if id != NONE => return (StringId(id), true),
            Some(_) => {}
            None => return (self.intern_text(UNKNOWN_NAME), false),
        }
        if !context.strings.holds(context.source.bytes(), u64::from(index)) {
            return (self.intern_text(UNKNOWN_NAME), false);
        }
        let id = StringId::new(self.list.len());
        self.list.push(NameRef::Table(index));
        self.by_index[index as usize] = id.0;
        (id, true)
    }

    fn intern_text(&mut self, text: &'static str) -> StringId {
        *self.by_text.entry(text).or_insert_with(|| {
            self.list.push(NameRef::Builtin(text));
            StringId::new(self.list.len() - 1)
        })
    }
}

/// Collects the markers and warnings of a thread.
struct Output<'a> {
    context: &'a ThreadContext<'a>,
    warnings: flowline_profile::Warnings,
    derived: Derived,
}

impl Output<'_> {
    fn emit(&mut self, marker: Marker, rows: MarkerRows) {
        self.derived.markers.push(marker);
        if self.context.wants_rows {
            self.derived.rows.push(rows);
        }
    }

    fn warn(&mut self, kind: WarningKind, row: usize) {
        let context = self.context;
        self.warnings.add(kind, || {
            let place = match context.payload(row).offset() {
                Some(offset) => format!(", payload at byte {offset}"),
                None => String::new(),
            };
            format!("thread \"{}\" ({}), event {row}{place}", context.raw.name, context.raw.tid)
        });
    }
}

/// Derives the markers of one thread; returns them with the warnings.
pub(super) fn derive(context: &ThreadContext<'_>) -> (Derived, flowline_profile::Warnings) {
    let derived = Derived { markers: Vec::with_capacity(context.raw.markers.len()), ..Derived::default() };
    let mut out = Output { context, warnings: flowline_profile::Warnings::default(), derived };
    let mut names = Names { by_index: vec![NONE; context.strings.len()], ..Names::default() };
    let mut pairs = pairs::Pairs::default();
    let mut network = network::Network::default();
    let mut screenshots = screenshots::Screenshots::default();
    for row in 0..context.raw.markers.len() {
        let (name, known) = names.intern_index(context, context.raw.markers.name[row]);
        if !known || context.has_unknown_category(row) {
            out.warn(WarningKind::IndexOutOfRange, row);
        }
        let is_derived = match context.kind(row).map_or(Rule::Phase, |kind| kind.rule) {
            Rule::Phase => false,
            Rule::Ipc => ipc::emit(context, &mut names, row, &mut out),
            Rule::Network => network.take(context, row, name, &mut out),
            Rule::Screenshot => screenshots.take(context, row, name, false, &mut out),
            Rule::WindowDestroyed => screenshots.take(context, row, name, true, &mut out),
        };
        if !is_derived {
            derive_by_phase(context, row, name, &mut pairs, &mut out);
        }
    }
    network.finish(context, &mut out);
    screenshots.finish(context, &mut out);
    pairs.finish(context, &mut out);
    out.derived.names = names.list;
    (out.derived, out.warnings)
}

fn derive_by_phase(
    context: &ThreadContext<'_>,
    row: usize,
    name: StringId,
    pairs: &mut pairs::Pairs,
    out: &mut Output<'_>,
) {
    match context.raw.markers.phase[row] {
        1 => match (context.start(row), context.end(row)) {
            (Some(start), Some(end)) => {
                if end < start {
                    out.warn(WarningKind::NegativeDuration, row);
                }
                let (start, end) = (start.min(end), start.max(end));
                out.emit(context.marker(row, name, start, end, MarkerFlags::default()), MarkerRows::one(row));
            }
            _ => out.warn(WarningKind::BadTime, row),
        },
        2 => pairs.open(context, row, name, out),
        3 => pairs.close(context, row, name, out),
        phase => {
            if phase != 0 {
                out.warn(WarningKind::UnknownPhase, row);
            }
            // An unknown phase does not determine which time applies; use the first valid one.
            let time = if phase == 0 { context.start(row) } else { context.start(row).or(context.end(row)) };
            match time {
                Some(time) => {
                    out.emit(context.marker(row, name, time, time, MarkerFlags::INSTANT), MarkerRows::one(row));
                }
                None => out.warn(WarningKind::BadTime, row),
            }
        }
    }
}

/// The time range of a thread: its samples plus one interval, or its markers if it has no samples.
pub(super) fn thread_range(raw: &RawThread, interval: Ns) -> Option<TimeRange> {
    if let Some((first, last)) = raw.samples {
        return Some(TimeRange::new(first + raw.shift, last + raw.shift + interval));
    }
    let mut range: Option<TimeRange> = None;
    let mut include = |time: Ns| {
        if time != NO_TIME {
            let point = TimeRange::new(time + raw.shift, time + raw.shift);
            range = Some(range.map_or(point, |range| range.union(point)));
        }
    };
    for (row, phase) in raw.markers.phase.iter().enumerate() {
        if matches!(phase, 0..=2) {
            include(raw.markers.start[row]);
        }
        if matches!(phase, 1 | 3) {
            include(raw.markers.end[row]);
        }
    }
    range
}
