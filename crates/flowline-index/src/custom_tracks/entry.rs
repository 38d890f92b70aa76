//! An entry of a custom track, as its author wrote it.

use crate::colors::color_index;
use flowline_profile::{MarkerId, Ns, Value};

/// The function that created an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `performance.measure`.
    Measure,
    /// `performance.mark`.
    Mark,
    /// `console.timeStamp`.
    Stamp,
}

impl Origin {
    /// Name of the function in JavaScript.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measure => "performance.measure",
            Self::Mark => "performance.mark",
            Self::Stamp => "console.timeStamp",
        }
    }
}

/// The kind of an entry, which determines its track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// An entry with the name of its track.
    Track,
    /// A marker for all tracks.
    Marker,
    /// A time stamp with its own start or end but without a track; it is shown on the timings track.
    Timing,
}

impl EntryKind {
    /// Name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Track => "entry",
            Self::Marker => "marker",
            Self::Timing => "timing",
        }
    }
}

/// An entry of a custom track.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomEntry {
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Function that created the entry.
    pub origin: Origin,
    /// Marker that defines the entry.
    pub marker: MarkerId,
    /// Earlier stamps whose labels give the start and the end.
    pub named_after: [Option<MarkerId>; 2],
    /// Name of the entry.
    pub name: String,
    /// Track; empty without one.
    pub track: String,
    /// Group of the track; empty without one.
    pub group: String,
    /// Start.
    pub start: Ns,
    /// End, which may be before the start; `None` for a mark, which has no length.
    pub end: Option<Ns>,
    /// Color as written by the author.
    pub color: Option<String>,
    /// Text of the tooltip.
    pub tooltip: Option<String>,
    /// Properties in their original order.
    pub properties: Vec<(String, Value)>,
    /// Other data attached by the author; null without any.
    pub detail: Value,
}

impl CustomEntry {
    /// Palette word of the color. Unknown colors are drawn like entries without a color.
    #[must_use]
    pub fn color_word(&self) -> &'static str {
        match self.color.as_deref().unwrap_or_default() {
            "primary-light" => "lightblue",
            "primary-dark" => "ink",
            "secondary" => "purple",
            "secondary-light" => "magenta",
            "secondary-dark" => "brown",
            "tertiary" => "green",
            "tertiary-light" => "lightgreen",
            "tertiary-dark" => "teal",
            "error" => "red",
            "warning" => "yellow",
            _ => "blue",
        }
    }

    /// End for drawing: never before the start.
    #[must_use]
    #[inline]
    pub fn drawn_end(&self) -> Ns {
        self.end.map_or(self.start, |end| end.max(self.start))
    }

    pub(super) fn palette_entry(&self) -> u8 {
        color_index(self.color_word())
    }
}

/// A property's value as text: strings unchanged, other values as JSON.
#[must_use]
pub fn property_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => {
            let mut text = String::new();
            value.to_json(&mut text);
            text
        }
    }
}

/// The `detail` of an entry as text; empty without data.
#[must_use]
pub fn detail_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(members) if members.is_empty() => String::new(),
        value => property_text(value),
    }
}
