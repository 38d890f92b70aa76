//! Grouping keys and their values.

use flowline_profile::{CompactString, ProcessId, Profile, ThreadId};

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
    /// The value of a field of the payload, or of an argument of a trace event: by its key, by its label in the details,
    /// by its path through nested objects (`nursery.reason`), or by the last part of that path.
    Field(String),
}

impl Key {
    /// Parses a key from the command line: `name`, `category` (`cat`), `thread`, `process`, otherwise the name of a
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
    #[inline]
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

#[inline]
pub(super) fn process_name(profile: &Profile, id: ProcessId) -> &str {
    profile.processes.get(id.index()).map_or("", |process| &process.name)
}
