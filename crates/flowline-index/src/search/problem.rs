//! Problems of a query: terms that cannot be interpreted as they were probably meant, and how they are interpreted
//! instead.

/// A term that could not be interpreted as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The term as typed.
    pub term: String,
    /// The kind of problem.
    pub kind: ProblemKind,
}

/// The kind of problem with a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A field is compared with something that is not a number. The term is searched as text.
    NoNumber,
    /// A time is compared with something that is not a time. The term is searched as text.
    NoTime,
    /// The number of a comparison is missing. The term is ignored.
    Unfinished,
    /// A built-in key has no value yet. The term is ignored.
    NoValue,
    /// No marker has a field with this key. The term is searched as text.
    UnknownField {
        /// The key, in lower case.
        key: String,
    },
    /// The field has no numbers with such a unit. Nothing matches.
    OtherUnit {
        /// The key, in lower case.
        key: String,
    },
    /// No flow matches. The term searches a field `flow`.
    NoFlow,
    /// The flows are not available yet. The term searches a field `flow`.
    FlowsToCome,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let term = &self.term;
        match &self.kind {
            ProblemKind::NoNumber => write!(f, "“{term}” is not a valid number comparison. Searching for it as text."),
            ProblemKind::NoTime => {
                write!(
                    f,
                    "“{term}” is not a valid time comparison (times look like 5ms or 1.5s). Searching for it as text."
                )
            }
            ProblemKind::Unfinished => write!(f, "“{term}” is missing a number and is ignored."),
            ProblemKind::NoValue => write!(f, "“{term}” is missing a value and is ignored."),
            ProblemKind::UnknownField { key } => {
                write!(f, "No marker has a field “{key}”. Searching for “{term}” as text.")
            }
            ProblemKind::OtherUnit { key } => write!(f, "“{term}”: the field “{key}” does not use this unit."),
            ProblemKind::FlowsToCome => {
                write!(f, "Searching for “{term}” as text until flows are available.")
            }
            ProblemKind::NoFlow => write!(f, "“{term}” matches no flow in this recording. Searching for it as text."),
        }
    }
}
