//! speedscope profiles: `{"$schema": ".../file-format-schema.json", "shared": {"frames": [...]}, "profiles": [...]}`.
//!
//! Each profile becomes a thread of a single process (see `thread` for its content). Frames with the same name, file,
//! line and column are one function. Members may come in any order, and threads are read in parallel.

mod elements;
mod importer;
mod thread;

pub(super) use importer::Speedscope;
