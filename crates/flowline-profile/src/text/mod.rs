//! Display text: field formats, label templates, quantities with units, previews of nested values.
//!
//! The texts match those of the Firefox Profiler, because users compare them. `describe` and `fields` add methods to
//! [`super::Profile`] that describe a marker; everything else here depends only on values.

mod call_title;
mod describe;
mod field_line;
mod fields;
mod file_location;
mod find;
mod format;
mod gc;
mod label;
mod resource;
mod url;

pub use call_title::CalledFunction;
pub use describe::{LabelKind, ThreadStrings};
pub use field_line::FieldLine;
pub use fields::{FieldKind, WINDOW_KEY, WINDOW_LABEL};
pub use file_location::FileLocation;
pub use find::Wanted;
pub use format::{Format, StringLookup, TableColumn, format_value, is_id_key, write_value};
pub use gc::report_path;
pub use label::{LabelContext, LabelTemplate};
pub use resource::{is_resource_format, is_resource_key};
pub use url::{parts_of_url, short_name};
