//! The entity of an address: the known company behind it, or else its site. Insights, trees and tables use the same list.

mod entity;
mod owners;
mod site;

pub use entity::{Entity, entity_of, host};
pub use site::site;
