//! Flowline: a GPU-accelerated timeline for huge performance recordings.

pub mod import;
pub mod index;
pub mod profile;
