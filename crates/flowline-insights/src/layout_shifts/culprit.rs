//! A culprit of layout shifts.

use flowline_profile::MarkerId;

/// The kind of a culprit, in the order in which culprits are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CulpritKind {
    /// A font that arrived after text had been laid out with another one.
    Font,
    /// A frame that was inserted.
    Iframe,
    /// An animation that the compositor could not run.
    Animation,
    /// An image whose size was unknown until it arrived.
    UnsizedImage,
}

impl CulpritKind {
    /// Name in the UI.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Font => "Font",
            Self::Iframe => "Inserted frame",
            Self::Animation => "Animation",
            Self::UnsizedImage => "Image without size",
        }
    }
}

/// A culprit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// Its kind.
    pub kind: CulpritKind,
    /// Its address, or the name of an animation; empty if unknown.
    pub name: String,
    /// The node of an image.
    pub node: Option<i64>,
    /// Why the compositor could not run an animation, in the words of Chrome.
    pub reasons: Vec<&'static str>,
    /// The properties of an animation that the compositor does not support.
    pub properties: Vec<String>,
    /// The marker that states it.
    pub marker: MarkerId,
}

/// The reasons of `compositeFailed` by bit.
const REASONS: [(u32, &str); 18] = [
    (0, "ACCELERATED_ANIMATIONS_DISABLED"),
    (1, "EFFECT_SUPPRESSED_BY_DEVTOOLS"),
    (2, "INVALID_ANIMATION_OR_EFFECT"),
    (3, "EFFECT_HAS_UNSUPPORTED_TIMING_PARAMS"),
    (4, "EFFECT_HAS_NON_REPLACE_COMPOSITE_MODE"),
    (5, "TARGET_HAS_INVALID_COMPOSITING_STATE"),
    (6, "TARGET_HAS_INCOMPATIBLE_ANIMATIONS"),
    (7, "TARGET_HAS_CSS_OFFSET"),
    (9, "ANIMATION_AFFECTS_NON_CSS_PROPERTIES"),
    (10, "TRANSFORM_RELATED_PROPERTY_CANNOT_BE_ACCELERATED_ON_TARGET"),
    (11, "TRANSFORM_BOX_SIZE_DEPENDENT"),
    (12, "FILTER_RELATED_PROPERTY_MAY_MOVE_PIXELS"),
    (13, "UNSUPPORTED_CSS_PROPERTY"),
    (15, "MIXED_KEYFRAME_VALUE_TYPES"),
    (16, "TIMELINE_SOURCE_HAS_INVALID_COMPOSITING_STATE"),
    (17, "ANIMATION_HAS_NO_VISIBLE_CHANGE"),
    (18, "AFFECTS_IMPORTANT_PROPERTY"),
    (19, "SVG_TARGET_HAS_INDEPENDENT_TRANSFORM_PROPERTY"),
];

/// The reasons whose bits are set.
pub(super) fn reasons(bits: i64) -> Vec<&'static str> {
    REASONS.iter().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, name)| *name).collect()
}
