//! The palette entries of one marker or call.

use flowline_profile::ColorBy;

/// A palette entry for each property that can determine the color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryColors {
    /// By the kind of work.
    pub kind: u8,
    /// By the name.
    pub name: u8,
    /// By the file of a call, or by the category of a slice of a recording without calls; else the kind's entry.
    pub group: u8,
}

impl EntryColors {
    /// The same entry for all properties: the recording states the color.
    #[must_use]
    #[inline]
    pub const fn fixed(entry: u8) -> Self {
        Self { kind: entry, name: entry, group: entry }
    }

    /// The entry for a property.
    #[must_use]
    #[inline]
    pub const fn get(self, by: ColorBy) -> u8 {
        match by {
            ColorBy::Kind => self.kind,
            ColorBy::Name => self.name,
            ColorBy::Category | ColorBy::File => self.group,
        }
    }
}
