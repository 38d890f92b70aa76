//! Opens, maps and decompresses files, and checks the memory that an import may use.

pub(super) mod file_stamp;
mod gzip;
pub(super) mod mapping;
pub(super) mod memory;
pub(super) mod proc;
pub(super) mod source;
mod spool;
mod stream;
pub(super) mod text;
pub(super) mod unpack;
mod utf16;
pub(crate) mod zstd;
