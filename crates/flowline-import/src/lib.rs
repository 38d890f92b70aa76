//! Turns bytes into a [`Profile`](flowline_profile::Profile): detects the format by content, reads the text, and
//! derives markers.
//!
//! A format is a folder or a file with an `Importer` and an entry in [`FORMATS`]. `io` opens, unpacks and maps files;
//! the importers only see text, possibly while it is still being unpacked.
//!
//! Damage never stops an importer: it keeps everything readable and reports each kind of damage as a warning with the
//! first location. [`ImportError`] means that nothing is usable.

mod annotate;
mod collapsed;
mod cpuprofile;
pub mod cut;
mod error;
mod event_functions;
mod firefox;
mod format_detection;
mod formats;
mod heapprofile;
mod importer;
mod io;
mod json_copy;
mod json_rest;
mod open;
mod options;
mod perf_script;
mod perfetto;
mod progress;
mod sampled;
mod scalar;
mod speedscope;
mod text_start;
mod timings;
mod trace_events;
mod unsupported_formats;
mod v8;

pub use annotate::write_annotated;
pub use cut::{write_json_part, write_part};
pub use error::ImportError;
pub use firefox::UNKNOWN_NAME;
pub use formats::{CONTAINERS, FORMATS, Format, cut_format_names, file_endings, format_names};
pub use io::file_stamp::FileStamp;
pub use io::mapping::MappedFile;
pub use io::memory::{Budget, peak_memory};
pub use io::unpack::{is_compressed_file, is_packed};
pub use open::{Imported, open, open_input, open_partial, read, read_with};
pub use options::{DEFAULT_MAX_GROWTH, DEFAULT_MAX_UNPACKED, DEFAULT_MAX_WINDOW, Options};
pub use perfetto::{as_text, trace_texts};
pub use progress::{Phase, Progress};
pub use timings::Timings;
