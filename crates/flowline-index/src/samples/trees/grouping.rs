//! Grouping criteria of functions and trace events.

use crate::entities::entity_of;
use flowline_profile::samples::ResourceKind;

/// A criterion by which functions are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// No groups.
    #[default]
    None,
    /// The category of the innermost frame of a sample, or the kind of work of an event.
    Category,
    /// The file of the nearest function that has one, from the innermost outward.
    File,
    /// The library, site or add-on that contains the function.
    Library,
    /// The author of the nearest function that has one: its add-on, or the entity of its file.
    ThirdParty,
}

impl Grouping {
    /// All criteria.
    pub const ALL: [Self; 5] = [Self::None, Self::Category, Self::File, Self::Library, Self::ThirdParty];

    /// True if the arguments of trace events determine their group, so that events with equal names can differ.
    #[must_use]
    #[inline]
    pub const fn is_by_address(self) -> bool {
        matches!(self, Self::File | Self::ThirdParty)
    }

    /// Name of the group of functions without the property.
    pub(crate) const fn nothing(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Category => "(no category)",
            Self::File => "(no file)",
            Self::Library => "(no library)",
            Self::ThirdParty => "(no site)",
        }
    }
}

/// The author of a function: its add-on, or the entity of its file or resource.
pub(crate) fn third_party(file: &str, (kind, resource): (ResourceKind, &str)) -> String {
    match kind {
        ResourceKind::ADDON => resource.to_owned(),
        ResourceKind::LIBRARY => String::new(),
        _ => entity_of(file).or_else(|| entity_of(resource)).map_or_else(String::new, |entity| entity.name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn third_parties_are_addons_and_sites() {
        let of = |file, kind, name| third_party(file, (kind, name));
        assert_eq!(of("moz-extension://0-1/a.js", ResourceKind::ADDON, "Blocker"), "Blocker");
        assert_eq!(of("https://cdn.example.com/a.js", ResourceKind::WEBHOST, "https://x.org"), "example.com");
        assert_eq!(of("", ResourceKind::WEBHOST, "https://www.x.org"), "x.org");
        assert_eq!(of("", ResourceKind::LIBRARY, "libxul.so"), "");
        assert_eq!(of("a.js", ResourceKind::UNKNOWN, ""), "");
        assert_eq!(of("https://www.googletagmanager.com/gtm.js", ResourceKind::UNKNOWN, ""), "Google Tag Manager");
    }
}
