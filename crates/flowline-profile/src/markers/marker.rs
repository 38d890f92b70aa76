//! A single marker.

use super::flags::MarkerFlags;
use crate::{CategoryId, PayloadRef, StringId, Supplement, TypeId};
use flowline_format::Ns;

/// A marker, for building a [`super::MarkerTable`].
#[derive(Clone, Debug)]
pub struct Marker {
    /// Start.
    pub start: Ns,
    /// End; equal to the start for instants.
    pub end: Ns,
    /// Name.
    pub name: StringId,
    /// Category.
    pub category: CategoryId,
    /// Payload type; `None` without a payload or without `type`.
    pub kind: Option<TypeId>,
    /// Flags.
    pub flags: MarkerFlags,
    /// Payload.
    pub payload: PayloadRef,
    /// Payload of the start event, if start and end both have a payload (see [`Supplement::Start`]).
    pub begin: PayloadRef,
    /// Other additions to the payload; boxed because few markers have any.
    pub supplement: Option<Box<Supplement>>,
}
