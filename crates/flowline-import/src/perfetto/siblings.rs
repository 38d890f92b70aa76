//! Order and merging of the tracks below one parent.
//!
//! Source: `track_descriptor.proto` of Perfetto, fields 11 (`child_ordering`), 12 (`sibling_order_rank`), 15
//! (`sibling_merge_behavior`), 16 (`sibling_merge_key`) and 17 (`sibling_merge_key_int`).

use super::json_text::text;
use super::wire::Field;

/// Order of the tracks below a track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ChildOrder {
    /// By name, which is also the default.
    #[default]
    ByName,
    /// By first event.
    Chronological,
    /// By rank.
    Explicit,
}

impl ChildOrder {
    const fn of_number(number: u64) -> Self {
        match number {
            2 => Self::Chronological,
            3 => Self::Explicit,
            _ => Self::ByName,
        }
    }
}

/// Identifies a track among those below the same parent: tracks with the same key are one track.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SiblingKey {
    Name(Box<str>),
    Text(Box<str>),
    Number(u64),
    /// The id of a track that is never merged.
    Own(u64),
}

/// Statements of a track about its place among the tracks below the same parent, and about those below itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Siblings {
    children: Option<ChildOrder>,
    rank: Option<i64>,
    behavior: Option<u64>,
    key: Option<SiblingKey>,
}

impl Siblings {
    /// No statements.
    pub(super) const NONE: Self = Self { children: None, rank: None, behavior: None, key: None };

    /// True for a field about these properties.
    pub(super) const fn has_field(number: u64) -> bool {
        matches!(number, 11 | 12 | 15..=17)
    }

    /// Reads a field of a track descriptor; ignores fields about other properties.
    pub(super) fn read(&mut self, field: &Field<'_>) {
        match field.number {
            11 => self.children = Some(ChildOrder::of_number(field.number())),
            12 => self.rank = Some(field.signed()),
            15 => self.behavior = Some(field.number()),
            16 => self.key = Some(SiblingKey::Text(text(field.bytes()).into())),
            17 => self.key = Some(SiblingKey::Number(field.number())),
            _ => {}
        }
    }

    /// Adds the statements of a later description.
    pub(super) fn add(&mut self, later: Self) {
        self.children = later.children.or(self.children);
        self.rank = later.rank.or(self.rank);
        self.behavior = later.behavior.or(self.behavior);
        self.key = later.key.or_else(|| self.key.take());
    }

    /// Order of the tracks below this one.
    pub(super) fn child_order(&self) -> ChildOrder {
        self.children.unwrap_or_default()
    }

    /// Rank in an explicit order.
    pub(super) fn rank(&self) -> i64 {
        self.rank.unwrap_or_default()
    }

    /// Key of the track with an id and a name.
    pub(super) fn key(&self, uuid: u64, name: &str) -> SiblingKey {
        const NONE: u64 = 2;
        const BY_KEY: u64 = 3;
        match (self.behavior, &self.key) {
            (Some(NONE), _) => SiblingKey::Own(uuid),
            (Some(BY_KEY), Some(key)) => key.clone(),
            _ => SiblingKey::Name(name.into()),
        }
    }
}
