//! Grouping keys, and the group number of each marker.
//!
//! Names, categories, threads, and processes are already numbers, so their groups come from a table. Fields are in
//! payloads: their values are read once, on all cores, and each marker stores its group number in 4 bytes.

mod field;

use std::collections::HashMap;

use super::normalize::normalized;
use super::pieces::Piece;
use super::subject::{Member, Subject, ThreadPart};
use flowline_profile::{CompactString, ProcessId, Profile, StringId, ThreadId};

/// A grouping key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The name.
    Name,
    /// The category.
    Category,
    /// The thread.
    Thread,
    /// The process.
    Process,
    /// The value of a field of the payload, or of an argument of a trace event, by its key.
    Field(String),
}

impl Key {
    /// Parses a key from the command line: `name`, `category` (`cat`), `thread`, `process`, otherwise the key of a
    /// field.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text {
            "name" => Self::Name,
            "category" | "cat" => Self::Category,
            "thread" => Self::Thread,
            "process" => Self::Process,
            field => Self::Field(field.to_owned()),
        }
    }

    /// The key's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Name => "name",
            Self::Category => "category",
            Self::Thread => "thread",
            Self::Process => "process",
            Self::Field(key) => key,
        }
    }
}

/// The common value of a group for one key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyValue {
    /// A name, category, or field, or the name of a thread or process with [`Grouping::as_texts`].
    Text(CompactString),
    /// A thread.
    Thread(ThreadId),
    /// A process.
    Process(ProcessId),
    /// Markers without the field.
    Missing,
}

impl KeyValue {
    /// The value as displayed.
    #[must_use]
    pub fn text<'a>(&'a self, profile: &'a Profile) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Thread(id) => &profile.thread(*id).name,
            Self::Process(id) => process_name(profile, *id),
            Self::Missing => "",
        }
    }
}

/// A grouping of markers: by one key, by a pair of keys (a pivot), or by more. Without keys, all markers form one
/// group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The keys.
    pub keys: Vec<Key>,
    /// True if numbers in names are replaced, so that `Load 12` and `Load 7` become one name, `Load #`.
    pub normalize: bool,
    /// True if threads and processes are distinguished only by name, as needed to compare two recordings.
    pub as_texts: bool,
}

impl Default for Grouping {
    /// Groups by name.
    fn default() -> Self {
        Self::by([Key::Name])
    }
}

impl Grouping {
    /// Groups by keys, without normalizing names.
    #[must_use]
    pub fn by(keys: impl Into<Vec<Key>>) -> Self {
        Self { keys: keys.into(), normalize: false, as_texts: false }
    }
}

fn process_name(profile: &Profile, id: ProcessId) -> &str {
    profile.processes.get(id.index()).map_or("", |process| &process.name)
}

/// The source of a plain key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Raw {
    Name,
    Category,
    Thread,
    Process,
}

/// A plain key: maps the raw number of a marker (such as its name id) to the number of its value.
#[derive(Clone, Debug)]
struct Table {
    raw: Raw,
    /// The last entry is used for out-of-range numbers.
    numbers: Vec<u32>,
    /// For each value, the first raw number that has it.
    first: Vec<u32>,
}

impl Table {
    fn new(profile: &Profile, raw: Raw, grouping: &Grouping) -> Self {
        let count = match raw {
            Raw::Name => profile.strings.len(),
            Raw::Category => profile.categories.len(),
            Raw::Thread => profile.threads.len(),
            Raw::Process => profile.processes.len(),
        };
        let count = u32::try_from(count).unwrap_or(u32::MAX - 1);
        let by_text = match raw {
            Raw::Name => grouping.normalize,
            Raw::Category => true,
            Raw::Thread | Raw::Process => grouping.as_texts,
        };
        if !by_text {
            return Self { raw, numbers: (0..=count).collect(), first: (0..=count).collect() };
        }
        let mut known: HashMap<String, u32> = HashMap::new();
        let (mut numbers, mut first) = (Vec::new(), Vec::new());
        for number in 0..=count {
            let text = raw.text(profile, number);
            let text = if raw == Raw::Name { normalized(text) } else { text.to_owned() };
            let value = *known.entry(text).or_insert_with(|| {
                first.push(number);
                u32::try_from(first.len() - 1).unwrap_or(u32::MAX)
            });
            numbers.push(value);
        }
        Self { raw, numbers, first }
    }

    #[inline(always)]
    fn number(&self, part: &ThreadPart<'_>, member: &Member) -> u32 {
        let raw = match self.raw {
            Raw::Name => part.thread.markers.name(member.marker).index(),
            Raw::Category => part.thread.markers.category(member.marker).index(),
            Raw::Thread => part.id.index(),
            Raw::Process => part.thread.process.index(),
        };
        self.numbers[raw.min(self.numbers.len() - 1)]
    }

    fn value(&self, profile: &Profile, number: u32, grouping: &Grouping) -> KeyValue {
        let raw = self.first[number as usize];
        match self.raw {
            Raw::Name if grouping.normalize => KeyValue::Text(normalized(self.raw.text(profile, raw)).into()),
            Raw::Thread if !grouping.as_texts => KeyValue::Thread(ThreadId(raw)),
            Raw::Process if !grouping.as_texts => KeyValue::Process(ProcessId(raw)),
            _ => KeyValue::Text(self.raw.text(profile, raw).into()),
        }
    }
}

impl Raw {
    fn text(self, profile: &Profile, number: u32) -> &str {
        match self {
            Self::Name => profile.strings.get(StringId(number)),
            Self::Category => profile.category_name(flowline_profile::CategoryId(number)),
            Self::Thread => profile.threads.get(number as usize).map_or("", |thread| &thread.name),
            Self::Process => process_name(profile, ProcessId(number)),
        }
    }
}

/// Maximum number of groups of a pair of plain keys that are numbered without visiting the markers.
const MAX_PAIRS: usize = 1 << 18;

/// The group number of each marker.
#[derive(Debug)]
pub(super) struct Numbers<'a> {
    grouping: &'a Grouping,
    /// Upper bound of the number of groups.
    groups: usize,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// All markers are in one group.
    One,
    Plain(Table),
    /// The group number is the first value number times the count of second values, plus the second value number.
    Pair(Table, Table),
    /// For each thread of the subject, the group numbers by position, starting at its first candidate; and the values
    /// of each group.
    Listed(Vec<Vec<u32>>, Vec<Vec<KeyValue>>),
}

impl<'a> Numbers<'a> {
    /// Numbers the groups. `None` if `keep_going` returned `false` while payloads were read.
    pub(super) fn new(
        subject: &Subject<'_>,
        pieces: &[Piece],
        grouping: &'a Grouping,
        keep_going: &(impl Fn() -> bool + Sync),
    ) -> Option<Self> {
        let profile = subject.profile();
        let table = |key: &Key| {
            let raw = match key {
                Key::Name => Raw::Name,
                Key::Category => Raw::Category,
                Key::Thread => Raw::Thread,
                Key::Process => Raw::Process,
                Key::Field(_) => return None,
            };
            Some(Table::new(profile, raw, grouping))
        };
        // In a small scope of a large recording, only the groups that occur are numbered.
        let most = subject.candidates().saturating_mul(4).saturating_add(1 << 10);
        let tables: Option<Vec<Table>> = grouping.keys.iter().map(table).collect();
        let (groups, source) = match tables.map(<[Table; 2]>::try_from) {
            Some(Ok([first, second]))
                if first.first.len().saturating_mul(second.first.len()) <= most.min(MAX_PAIRS) =>
            {
                (first.first.len() * second.first.len(), Source::Pair(first, second))
            }
            Some(Err(mut tables)) if tables.len() < 2 && tables.iter().all(|table| table.first.len() <= most) => {
                match tables.pop() {
                    None => (1, Source::One),
                    Some(table) => (table.first.len(), Source::Plain(table)),
                }
            }
            _ => {
                let (numbers, values) = field::number(subject, pieces, grouping, &table, keep_going)?;
                (values.len(), Source::Listed(numbers, values))
            }
        };
        Some(Self { grouping, groups, source })
    }

    /// Upper bound of the number of groups. All group numbers are smaller.
    pub(super) const fn groups(&self) -> usize {
        self.groups
    }

    /// The group number of a member, given the number of its thread in the subject, the thread, and its position.
    #[inline(always)]
    pub(super) fn number(&self, thread: usize, part: &ThreadPart<'_>, position: usize, member: &Member) -> u32 {
        match &self.source {
            Source::One => 0,
            Source::Plain(table) => table.number(part, member),
            Source::Pair(first, second) => {
                let width = u32::try_from(second.first.len()).unwrap_or(u32::MAX);
                first.number(part, member) * width + second.number(part, member)
            }
            Source::Listed(numbers, _) => numbers[thread][position - part.from],
        }
    }

    /// The common values of a group, one for each key.
    pub(super) fn values(&self, profile: &Profile, group: u32) -> Vec<KeyValue> {
        match &self.source {
            Source::One => Vec::new(),
            Source::Plain(table) => vec![table.value(profile, group, self.grouping)],
            Source::Pair(first, second) => {
                let width = u32::try_from(second.first.len()).unwrap_or(u32::MAX);
                vec![
                    first.value(profile, group / width, self.grouping),
                    second.value(profile, group % width, self.grouping),
                ]
            }
            Source::Listed(_, values) => values[group as usize].clone(),
        }
    }
}
