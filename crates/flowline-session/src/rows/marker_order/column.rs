//! The columns of the marker table.

use crate::export::KnownColumn;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerColumn {
    /// Start on the displayed clock.
    Start,
    /// End on the displayed clock; the time of an instant.
    End,
    /// Duration; instants count as zero.
    Duration,
    /// Duration without direct children.
    SelfTime,
    /// CPU time, which only some traces contain.
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
    pub const ALL: [Self; 10] = [
        Self::Start,
        Self::End,
        Self::Duration,
        Self::SelfTime,
        Self::Cpu,
        Self::Name,
        Self::Category,
        Self::Thread,
        Self::Process,
        Self::Details,
    ];

    /// The default columns.
    pub const USUAL: [Self; 5] = [Self::Start, Self::Duration, Self::Name, Self::Thread, Self::Details];

    /// The exported columns. Details export all of the data.
    #[must_use]
    pub const fn exported(self) -> &'static [KnownColumn] {
        match self {
            Self::Start => &[KnownColumn::DisplayedStart],
            Self::End => &[KnownColumn::DisplayedEnd],
            Self::Duration => &[KnownColumn::Duration],
            Self::SelfTime => &[KnownColumn::SelfTime],
            Self::Cpu => &[KnownColumn::Cpu],
            Self::Name => &[KnownColumn::Name],
            Self::Category => &[KnownColumn::Category],
            Self::Thread => &[KnownColumn::Thread, KnownColumn::ThreadName, KnownColumn::Process, KnownColumn::Pid],
            Self::Process => &[KnownColumn::Process, KnownColumn::Pid],
            Self::Details => &[KnownColumn::Details, KnownColumn::Data],
        }
    }

    /// Heading of the column.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::End => "End",
            Self::Duration => "Duration",
            Self::SelfTime => "Self",
            Self::Cpu => "CPU",
            Self::Name => "Name",
            Self::Category => "Category",
            Self::Thread => "Thread",
            Self::Process => "Process",
            Self::Details => "Details",
        }
    }

    /// True if the first click on the heading shows the largest values first.
    #[must_use]
    pub const fn is_amount(self) -> bool {
        matches!(self, Self::Duration | Self::SelfTime | Self::Cpu)
    }
}
