//! The columns of the marker table.

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerColumn {
    /// Start on the displayed clock.
    Start,
    /// End on the displayed clock; of an instant, its time.
    End,
    /// Duration; instants count as zero.
    Duration,
    /// Time on a processor, which some traces tell.
    Cpu,
    /// Name.
    Name,
    /// Category.
    Category,
    /// Thread and process.
    Thread,
    /// Process.
    Process,
    /// The schema's table label.
    Details,
}

impl MarkerColumn {
    /// All columns from left to right.
    pub const ALL: [Self; 9] = [
        Self::Start,
        Self::End,
        Self::Duration,
        Self::Cpu,
        Self::Name,
        Self::Category,
        Self::Thread,
        Self::Process,
        Self::Details,
    ];

    /// The columns shown at first.
    pub const USUAL: [Self; 5] = [Self::Start, Self::Duration, Self::Name, Self::Thread, Self::Details];

    /// Heading of the column.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::End => "End",
            Self::Duration => "Duration",
            Self::Cpu => "CPU",
            Self::Name => "Name",
            Self::Category => "Category",
            Self::Thread => "Thread",
            Self::Process => "Process",
            Self::Details => "Details",
        }
    }

    /// Whether the first click on the heading shows the largest values first.
    #[must_use]
    pub const fn is_amount(self) -> bool {
        matches!(self, Self::Duration | Self::Cpu)
    }
}
