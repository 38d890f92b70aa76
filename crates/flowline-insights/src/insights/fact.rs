//! The facts of an insight, as values that output and UI write in their own ways.

use flowline_profile::{MarkerId, Ns, ThreadId};

/// A fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Unknown.
    Unknown,
    /// A duration, which may be negative.
    Duration(Ns),
    /// A moment on the recording's clock.
    Moment(Ns),
    /// A number of bytes.
    Bytes(f64),
    /// A number of things.
    Count(i64),
    /// A score, or another number without a unit.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A text.
    Text(String),
    /// The address of a resource or document.
    Url(String),
    /// A marker.
    Marker(MarkerId),
    /// A thread.
    Thread(ThreadId),
    /// Several facts of one kind.
    List(Vec<Self>),
    /// Facts with names.
    Group(Facts),
}

/// Facts by name. The name is the key in JSON, with its unit: `lcp_ns`.
pub type Facts = Vec<(&'static str, Fact)>;

impl Fact {
    /// A text, or unknown if it is empty.
    #[must_use]
    pub fn text(text: &str) -> Self {
        if text.is_empty() { Self::Unknown } else { Self::Text(text.to_owned()) }
    }

    /// A value, or unknown.
    pub fn known<T>(value: Option<T>, fact: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Unknown, fact)
    }
}

/// The fact with a name.
#[must_use]
pub fn fact<'a>(facts: &'a Facts, name: &str) -> Option<&'a Fact> {
    facts.iter().find(|(own, _)| *own == name).map(|(_, fact)| fact)
}
