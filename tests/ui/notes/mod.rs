//! Notes, and hidden entries.

mod by_keys;
mod hiding;
