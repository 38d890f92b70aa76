//! Rules of the source that the compiler cannot check: the table of ARCHITECTURE.md, circles among files, and what the style asks of
//! every file.

mod file_graph;
mod files;
mod layers;
mod signatures;
mod source;
mod units;
