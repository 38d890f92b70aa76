//! What a query says that cannot be read as it was probably meant, and what it was taken for instead.

/// A term that could not be read as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The term as typed.
    pub term: String,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What is wrong with a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A comparison of a field with something that is no number. The term is text.
    NoNumber,
    /// A comparison of a time with something that is no time. The term is text.
    NoTime,
    /// The number of a comparison is missing. The term is left out.
    Unfinished,
    /// A key that means something in every recording has no value yet. The term is left out.
    NoValue,
    /// No marker has a field of this key. The term is text.
    UnknownField {
        /// The key, in lower case.
        key: String,
    },
    /// No number of this field has such a unit. Nothing matches.
    OtherUnit {
        /// The key, in lower case.
        key: String,
    },
    /// There is no flow of this name. The term asks for a field `flow`.
    NoFlow,
    /// The flows are not found yet. The term asks for a field `flow`.
    FlowsToCome,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let term = &self.term;
        match &self.kind {
            ProblemKind::NoNumber => write!(f, "“{term}” does not compare with a number. It is searched for as text."),
            ProblemKind::NoTime => {
                write!(
                    f,
                    "“{term}” does not compare with a time (times look like 5ms, 20us or 1.5s). It is searched for as text."
                )
            }
            ProblemKind::Unfinished => write!(f, "“{term}” lacks its number. It is left out."),
            ProblemKind::NoValue => write!(f, "“{term}” lacks its value. It is left out."),
            ProblemKind::UnknownField { key } => {
                write!(f, "No marker has a field “{key}”. “{term}” is searched for as text.")
            }
            ProblemKind::OtherUnit { key } => write!(f, "“{term}”: no number of “{key}” has this unit."),
            ProblemKind::FlowsToCome => {
                write!(f, "“{term}” is searched for as text until the flows are found.")
            }
            ProblemKind::NoFlow => write!(f, "“{term}” names no flow of this recording. It is searched for as text."),
        }
    }
}
