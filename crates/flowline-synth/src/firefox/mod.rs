//! Raw Gecko profiles, as written by Firefox.

mod catalog;
mod payload;
mod profile;
mod rows;
mod samples;
mod schema;
mod strings;

pub(crate) use profile::write;
pub(crate) use schema::{CATEGORIES, Category, SCHEMAS};
