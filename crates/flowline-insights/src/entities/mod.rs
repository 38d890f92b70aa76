//! Who is behind the address of a resource: a known company, or else the site.

mod entity;
mod owners;

pub use entity::{Entity, entity_of, host};
