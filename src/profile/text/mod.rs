//! Display text: field formats, label templates, quantities with units, previews of nested values.
//!
//! The texts match those of the Firefox Profiler, because users compare them. `describe` and `fields` add methods to
//! [`super::Profile`] that describe a marker; everything else here depends only on values.

mod decimal;
mod describe;
mod field_line;
mod fields;
mod find;
mod format;
mod gc;
mod js;
mod label;
pub(crate) mod natural;
mod places;
mod preview;
pub(super) mod quantity;
mod resource;

pub use describe::{LabelKind, ThreadStrings};
pub use field_line::FieldLine;
pub use fields::{FieldKind, WINDOW_KEY};
pub use find::Wanted;
pub use format::{Format, StringLookup, TableColumn, format_value, write_value};
pub use js::write_json_string;
pub use label::{LabelContext, LabelTemplate};
pub use places::FilePlace;
pub(crate) use quantity::write_percent;
pub use quantity::{
    format_bytes, format_count, format_counted, format_duration_ms, format_duration_ns, format_number, format_time,
};
pub use resource::{is_resource_format, is_resource_key};
