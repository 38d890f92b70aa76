//! The property that determines the colors of slices and calls.

/// The property that determines the colors of slices and calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorBy {
    /// The kind of work.
    #[default]
    Kind,
    /// The category, in ten hues. Recordings with sampled calls do not have it.
    Category,
    /// The name, in ten hues.
    Name,
    /// The file of a call or, without one, its library, site or add-on; functions without any of these by name. Slices
    /// have the color of their kind.
    File,
}

impl ColorBy {
    /// All properties, in the order of menus.
    pub const ALL: [Self; 4] = [Self::Kind, Self::Category, Self::Name, Self::File];

    /// The next property.
    #[must_use]
    #[inline]
    pub const fn next(self) -> Self {
        match self {
            Self::Kind => Self::Category,
            Self::Category => Self::Name,
            Self::Name => Self::File,
            Self::File => Self::Kind,
        }
    }

    /// Label in menus.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Kind => "Kind",
            Self::Category => "Category",
            Self::Name => "Name",
            Self::File => "File",
        }
    }
}
