//! How calls of functions are named and coloured; index, view and scene share these types.

use crate::ids::ThreadId;
use flowline_format::TimeRange;

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

/// Which functions are shown. The frame of another one is left out: its time goes to the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Implementation {
    /// All.
    #[default]
    All,
    /// Functions of scripts, and labels that belong with them.
    Js,
    /// Everything but functions of scripts and addresses that are in no library.
    Native,
}

impl Implementation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::All, Self::Js, Self::Native];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Js => "js",
            Self::Native => "native",
        }
    }
}

/// Which calls stack charts have, and what their colours stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallChoice {
    /// The functions whose calls are there.
    pub functions: Implementation,
    /// What the colours stand for.
    pub colors: CallColors,
}

/// A call in the stack chart of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallRef {
    /// The thread.
    pub thread: ThreadId,
    /// The functions of the chart: charts of other functions number their calls otherwise.
    pub functions: Implementation,
    /// Position of the call in that chart.
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
