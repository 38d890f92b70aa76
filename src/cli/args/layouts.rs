//! Layouts of the chart and orders of flow lanes as option values.

use clap::ValueEnum;

use flowline_profile::Arrangement;
use flowline_view::FlowLaneOrder;

/// Layouts of the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChartLayoutArg {
    /// Rows by marker name
    Name,
    /// Markers nested by containment
    Stack,
    /// One lane per flow
    Object,
}

impl ChartLayoutArg {
    /// Returns the arrangement of the rows of threads; `None` for flow lanes.
    pub(crate) const fn arrangement(self) -> Option<Arrangement> {
        match self {
            Self::Name => Some(Arrangement::ByName),
            Self::Stack => Some(Arrangement::Stack),
            Self::Object => None,
        }
    }
}

/// Orders of flow lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderArg {
    /// Earliest first
    Start,
    /// Longest first
    Length,
    /// Longest total wait time first
    Wait,
    /// Longest single wait first
    LongestWait,
    /// Longest run time first
    Run,
    /// By type
    Type,
}

impl From<OrderArg> for FlowLaneOrder {
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
