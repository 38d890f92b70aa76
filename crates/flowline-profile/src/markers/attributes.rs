//! Attributes that many markers share: name, category, payload type and flags.

use std::hash::{Hash, Hasher};

use bytemuck::{Pod, Zeroable};

use super::flags::MarkerFlags;
use super::marker::Marker;
use crate::{CategoryId, StringId, TypeId};

/// No type, as 16 bits.
const NO_TYPE: u16 = u16::MAX;
/// An unknown category, as 16 bits.
const NO_CATEGORY: u16 = u16::MAX;

/// Name, category, payload type and flags of a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Attributes {
    /// Name.
    pub name: StringId,
    category: u16,
    kind: u16,
    /// Flags.
    pub flags: MarkerFlags,
    padding: [u8; 3],
}

impl Hash for Attributes {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.name.0) | u64::from(self.category) << 32 | u64::from(self.kind) << 48);
        state.write_u8(self.flags.bits());
    }
}

impl Attributes {
    /// The attributes of a marker, with this name.
    #[must_use]
    #[inline]
    pub(super) fn of(marker: &Marker, name: StringId) -> Self {
        let category = u16::try_from(marker.category.0).unwrap_or(NO_CATEGORY);
        let kind = marker.kind.and_then(|kind| u16::try_from(kind.0).ok()).unwrap_or(NO_TYPE);
        Self { name, category, kind, flags: marker.flags, padding: [0; 3] }
    }

    /// Category.
    #[must_use]
    #[inline]
    pub const fn category(self) -> CategoryId {
        CategoryId(self.category as u32)
    }

    /// Payload type; `None` without a payload or without `type`.
    #[must_use]
    #[inline]
    pub fn kind(self) -> Option<TypeId> {
        (self.kind != NO_TYPE).then(|| TypeId(u32::from(self.kind)))
    }

    /// The same attributes with another name and category.
    #[must_use]
    pub(super) fn labelled(self, name: StringId, category: CategoryId) -> Self {
        Self { name, category: u16::try_from(category.0).unwrap_or(NO_CATEGORY), ..self }
    }

    /// The same attributes with thread-local numbers replaced by those in these lists; unknown categories become
    /// `other`.
    #[must_use]
    pub(super) fn remapped(
        self,
        names: &[StringId],
        categories: &[CategoryId],
        other: CategoryId,
        kinds: &[TypeId],
    ) -> Self {
        let name = names.get(self.name.index()).copied().unwrap_or_default();
        let known = Some(self.category).filter(|category| *category != NO_CATEGORY);
        let mapped = known.and_then(|category| categories.get(usize::from(category))).unwrap_or(&other);
        let category = u16::try_from(mapped.0).or(u16::try_from(other.0)).unwrap_or(0);
        let kind = self.kind().and_then(|kind| kinds.get(kind.index()));
        let kind = kind.and_then(|kind| u16::try_from(kind.0).ok()).unwrap_or(NO_TYPE);
        Self { name, category, kind, ..self }
    }
}
