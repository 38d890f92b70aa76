//! Filtering and coloring of calls; index, view and scene share these types.

use crate::ThreadId;
use flowline_format::TimeRange;

/// Function filter. The frames of hidden functions are omitted, and their time is attributed to the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Implementation {
    /// All functions.
    #[default]
    All,
    /// JavaScript functions, and labels that belong to them.
    Js,
    /// Everything except JavaScript functions and addresses outside of any library.
    Native,
    /// All functions, but consecutive functions that [`Implementation::Js`] hides are one call. Only the stack of a
    /// thread's markers and calls shows it, so it is not a choice.
    Folded,
}

impl Implementation {
    /// All filters to choose from.
    pub const ALL: [Self; 3] = [Self::All, Self::Js, Self::Native];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Js => "js",
            Self::Native => "native",
            Self::Folded => "folded",
        }
    }
}

/// A call in the stack chart of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallRef {
    /// The thread.
    pub thread: ThreadId,
    /// The function filter of the chart. Charts with another filter number their calls differently.
    pub functions: Implementation,
    /// Position of the call in that chart.
    pub call: u32,
}

/// A selected call and its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedCall {
    /// The call.
    pub call: CallRef,
    /// Its start and end.
    pub times: TimeRange,
}
