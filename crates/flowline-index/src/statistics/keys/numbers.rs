//! The group number of each marker.

use super::field;
use super::key::{Grouping, Key, KeyValue};
use super::table::{Raw, Table};
use crate::statistics::pieces::Piece;
use crate::statistics::subject::{Member, Subject, ThreadPart};
use flowline_profile::Profile;

/// Maximum number of groups of a pair of plain keys that are numbered without visiting the markers.
const MAX_PAIRS: usize = 1 << 18;

/// The group number of each marker.
#[derive(Debug)]
pub(crate) struct Numbers<'a> {
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
    pub(crate) fn new(
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
    #[inline]
    pub(crate) const fn groups(&self) -> usize {
        self.groups
    }

    /// The group number of a member, given the number of its thread in the subject, the thread, and its position.
    #[inline(always)]
    pub(crate) fn number(&self, thread: usize, part: &ThreadPart<'_>, position: usize, member: &Member) -> u32 {
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
    pub(crate) fn values(&self, profile: &Profile, group: u32) -> Vec<KeyValue> {
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
