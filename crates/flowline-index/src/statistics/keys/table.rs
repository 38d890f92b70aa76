//! Plain keys: from a number that each marker has to the number of its value.

use std::borrow::Cow;
use std::collections::HashMap;

use super::key::{Grouping, KeyValue, process_name};
use crate::statistics::normalize::normalized;
use crate::statistics::subject::{Member, ThreadPart};
use flowline_profile::{ProcessId, Profile, StringId, ThreadId};

/// The source of a plain key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    Name,
    Category,
    Thread,
    Process,
}

/// A plain key: maps the raw number of a marker (such as its name id) to the number of its value.
#[derive(Clone, Debug)]
pub(super) struct Table {
    raw: Raw,
    /// The last entry is used for out-of-range numbers.
    numbers: Vec<u32>,
    /// For each value, the first raw number that has it.
    pub(super) first: Vec<u32>,
}

impl Table {
    pub(super) fn new(profile: &Profile, raw: Raw, grouping: &Grouping) -> Self {
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
            let text = if raw == Raw::Name { normalized(&text) } else { text.into_owned() };
            let value = *known.entry(text).or_insert_with(|| {
                first.push(number);
                u32::try_from(first.len() - 1).unwrap_or(u32::MAX)
            });
            numbers.push(value);
        }
        Self { raw, numbers, first }
    }

    #[inline(always)]
    pub(super) fn number(&self, part: &ThreadPart<'_>, member: &Member) -> u32 {
        let raw = match self.raw {
            Raw::Name => part.thread.markers.name(member.marker).index(),
            Raw::Category => part.thread.markers.category(member.marker).index(),
            Raw::Thread => part.id.index(),
            Raw::Process => part.thread.process.index(),
        };
        self.numbers[raw.min(self.numbers.len() - 1)]
    }

    pub(super) fn value(&self, profile: &Profile, number: u32, grouping: &Grouping) -> KeyValue {
        let raw = self.first[number as usize];
        match self.raw {
            Raw::Name if grouping.normalize => KeyValue::Text(normalized(&self.raw.text(profile, raw)).into()),
            Raw::Thread if !grouping.as_texts => KeyValue::Thread(ThreadId(raw)),
            Raw::Process if !grouping.as_texts => KeyValue::Process(ProcessId(raw)),
            _ => KeyValue::Text(self.raw.text(profile, raw).into()),
        }
    }
}

impl Raw {
    fn text(self, profile: &Profile, number: u32) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            Self::Name => profile.strings.get(StringId(number)),
            Self::Category => profile.category_name(flowline_profile::CategoryId(number)),
            Self::Thread if (number as usize) < profile.threads.len() => return profile.long_name(ThreadId(number)),
            Self::Thread => "",
            Self::Process => process_name(profile, ProcessId(number)),
        })
    }
}
