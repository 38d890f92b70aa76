//! The layouts of the chart, and the orders of tapes, as options name them.

use clap::ValueEnum;

use flowline_profile::Arrangement;
use flowline_view::TapeOrder;

/// Layouts of the chart by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PictureLayout {
    /// By name
    Name,
    /// Nested by containment
    Stack,
    /// One row per flow
    Object,
}

impl PictureLayout {
    /// The arrangement of the rows of threads, if they are shown.
    pub(super) const fn arrangement(self) -> Option<Arrangement> {
        match self {
            Self::Name => Some(Arrangement::ByName),
            Self::Stack => Some(Arrangement::Stack),
            Self::Object => None,
        }
    }
}

/// Orders of tapes by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OrderArg {
    /// The earliest first
    Start,
    /// The longest first
    Length,
    /// Those that waited longest in all first
    Wait,
    /// Those with the longest single wait first
    LongestWait,
    /// Those that ran longest first
    Run,
    /// By type
    Type,
}

impl From<OrderArg> for TapeOrder {
    fn from(order: OrderArg) -> Self {
        match order {
            OrderArg::Start => Self::Start,
            OrderArg::Length => Self::Length,
            OrderArg::Wait => Self::Wait,
            OrderArg::LongestWait => Self::LongestWait,
            OrderArg::Run => Self::Run,
            OrderArg::Type => Self::Type,
        }
    }
}
