//! By what markers are grouped, and the number of each marker's group.
//!
//! Names, categories, threads and processes are numbers already, so their groups follow from a table. Fields are in payloads:
//! their values are read once, on all cores, and each marker keeps the number of its group in 4 bytes.

mod field;

use std::collections::HashMap;

use super::normalize::normalized;
use super::pieces::Piece;
use super::subject::{Member, Subject, ThreadPart};
use flowline_profile::{CompactString, ProcessId, Profile, StringId, ThreadId};

/// By what markers are grouped.
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
    /// The key of a name on the command line: `name`, `category` (`cat`), `thread`, `process`, else the key of a field.
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

    /// Its name.
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

/// What a group has in common for one key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyValue {
    /// A name, category or field, or what stands for a thread or process where [`Grouping::as_texts`] asks for texts.
    Text(CompactString),
    /// A thread.
    Thread(ThreadId),
    /// A process.
    Process(ProcessId),
    /// Markers without the field.
    Missing,
}

impl KeyValue {
    /// As people read it.
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

/// How markers are grouped: by one key, by a pair of them (a pivot), or by more. Without a key, all are one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The keys.
    pub keys: Vec<Key>,
    /// Whether numbers in names are replaced: `Load 12` and `Load 7` are one name, `Load #`.
    pub normalize: bool,
    /// Whether threads and processes are told apart by their names only, as in comparisons of two recordings.
    pub as_texts: bool,
}

impl Default for Grouping {
    /// By name.
    fn default() -> Self {
        Self::by([Key::Name])
    }
}

impl Grouping {
    /// By keys, names as they are.
    #[must_use]
    pub fn by(keys: impl Into<Vec<Key>>) -> Self {
        Self { keys: keys.into(), normalize: false, as_texts: false }
    }
}

fn process_name(profile: &Profile, id: ProcessId) -> &str {
    profile.processes.get(id.index()).map_or("", |process| &process.name)
}

/// What a plain key is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Raw {
    Name,
    Category,
    Thread,
    Process,
}

/// A plain key: from the number that a marker has to the number of its value.
#[derive(Clone, Debug)]
struct Table {
    raw: Raw,
    /// The last entry is for numbers beyond.
    numbers: Vec<u32>,
    /// For each value, a raw number that has it.
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

/// Most groups of a pair of plain keys that are numbered without looking at the markers.
const MAX_PAIRS: usize = 1 << 18;

/// The number of each marker's group.
#[derive(Debug)]
pub(super) struct Numbers<'a> {
    grouping: &'a Grouping,
    /// Greatest number of groups.
    groups: usize,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// All are one group.
    One,
    Plain(Table),
    /// The second number counts within the first.
    Pair(Table, Table),
    /// For each thread of the subject, the number by position from its first candidate on; and the values of each group.
    Listed(Vec<Vec<u32>>, Vec<Vec<KeyValue>>),
}

impl<'a> Numbers<'a> {
    /// `None` if `keep_going` returned `false` while payloads were read.
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
        // A small scope of a large recording only numbers the groups that occur.
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

    /// Greatest number of groups; numbers are less.
    pub(super) const fn groups(&self) -> usize {
        self.groups
    }

    /// The number of a member's group: number of its thread in the subject, the thread, its position.
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

    /// The values that a group has in common, one for each key.
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
