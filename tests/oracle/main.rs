//! The figures of the first view, compared with a plain reader of the raw file, for every fixture and every recording
//! beside the project.
//!
//! The reader shares no code with the program. It is derived from the definitions of the figures and the descriptions of the
//! formats alone, and prefers short code to speed.

#[path = "../support/folder.rs"]
mod folder;
#[expect(dead_code, reason = "this test program uses only some of these helpers")]
#[path = "../support/program.rs"]
mod program;
#[expect(dead_code, reason = "this test program uses only some of these helpers")]
#[path = "../support/protobuf.rs"]
mod protobuf;

mod first_view;
mod found;
mod made;
mod plain_reader;
mod properties;
mod reader;
mod recordings;
mod scheduler;
mod shown;
mod text_formats;
