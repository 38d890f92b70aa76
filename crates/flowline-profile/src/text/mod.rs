//! Text for people: field formats, label templates, quantities with units, previews of nested values.
//!
//! The texts follow the Firefox Profiler, which users compare them with. [`super::Profile`] gets the methods that describe
//! a marker in `describe` and `fields`; everything else here knows values only.

mod describe;
mod field_line;
mod fields;
mod find;
mod format;
mod gc;
mod label;
mod places;
mod resource;

pub use describe::{LabelKind, ThreadStrings};
pub use field_line::FieldLine;
pub use fields::{FieldKind, WINDOW_KEY};
pub use find::Wanted;
pub use format::{Format, StringLookup, TableColumn, format_value, write_value};
pub use label::{LabelContext, LabelTemplate};
pub use places::FilePlace;
pub use resource::{is_resource_format, is_resource_key};
