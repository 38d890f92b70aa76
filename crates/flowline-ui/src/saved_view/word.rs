//! Choices that files name by a word.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::table_state::Words;
use crate::tables::TableKind;
use crate::tables::samples::saved_state::FUNCTIONS;
use flowline_profile::{Arrangement, ColorBy, Implementation};
use flowline_view::FlowLaneOrder;

/// A choice with words.
pub(super) trait NamedChoice: Copy + PartialEq + 'static {
    /// Values and their words.
    const WORDS: Words<Self>;
}

impl NamedChoice for Arrangement {
    const WORDS: Words<Self> = &[(Self::ByName, "name"), (Self::Stack, "stack")];
}

impl NamedChoice for ColorBy {
    const WORDS: Words<Self> =
        &[(Self::Kind, "kind"), (Self::Name, "name"), (Self::File, "file"), (Self::Category, "category")];
}

impl NamedChoice for Implementation {
    const WORDS: Words<Self> = FUNCTIONS;
}

impl NamedChoice for FlowLaneOrder {
    const WORDS: Words<Self> = &[
        (Self::Start, "start"),
        (Self::Length, "length"),
        (Self::Wait, "wait"),
        (Self::LongestWait, "longest_wait"),
        (Self::Run, "run"),
        (Self::Type, "type"),
    ];
}

impl NamedChoice for TableKind {
    const WORDS: Words<Self> = &[
        (Self::Selection, "selection"),
        (Self::Markers, "markers"),
        (Self::FlowTree, "flow"),
        (Self::AllFlows, "flows"),
        (Self::CallTree, "calltree"),
        (Self::BottomUp, "bottomup"),
        (Self::Functions, "functions"),
        (Self::Flame, "flame"),
        (Self::EventLog, "log"),
        (Self::Statistics, "statistics"),
        (Self::CriticalPath, "path"),
        (Self::Network, "network"),
        (Self::Insights, "insights"),
        (Self::Notes, "notes"),
        (Self::Query, "query"),
    ];
}

/// The word of a choice.
pub(super) fn text<T: NamedChoice>(choice: T) -> Option<&'static str> {
    T::WORDS.iter().find(|(known, _)| *known == choice).map(|(_, word)| *word)
}

/// The choice with a word.
pub(super) fn find<T: NamedChoice>(word: &str) -> Option<T> {
    T::WORDS.iter().find(|(_, known)| *known == word).map(|(choice, _)| *choice)
}

/// Writes the word of a choice; for `#[serde(with)]`.
pub(super) fn serialize<T: NamedChoice, S: Serializer>(choice: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
    choice.and_then(text).serialize(to)
}

/// Reads the word of a choice; for `#[serde(with)]`. Unknown words, perhaps of a newer version, count as missing.
pub(super) fn deserialize<'de, T: NamedChoice, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Ok(String::deserialize(from).ok().and_then(|word| find(&word)))
}
