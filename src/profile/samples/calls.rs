//! How calls of functions are named and coloured; index, view and scene share these types.

use crate::profile::ids::ThreadId;
use crate::profile::time::TimeRange;

/// What the colour of a call stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CallColors {
    /// The category of its stack.
    #[default]
    Category,
    /// The file of its function, or else the library, site or add-on.
    File,
}

impl CallColors {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Category => Self::File,
            Self::File => Self::Category,
        }
    }
}

/// A call in the stack chart of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallRef {
    /// The thread.
    pub thread: ThreadId,
    /// Position of the call among those of the thread.
    pub call: u32,
}

/// A call that was chosen, and when it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedCall {
    /// The call.
    pub call: CallRef,
    /// Its start and end.
    pub times: TimeRange,
}
