//! Flowline: a GPU-accelerated timeline for huge performance recordings.

pub mod gpu;
pub mod import;
pub mod index;
pub mod profile;
pub mod scene;
pub mod synth;
pub mod view;
