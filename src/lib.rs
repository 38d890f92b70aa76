//! Flowline: a GPU-accelerated timeline for huge performance recordings.

pub mod app;
pub mod cache;
pub mod cli;
pub mod gpu;
pub mod import;
pub mod index;
pub mod profile;
pub mod scene;
pub mod session;
pub mod ui;
pub mod view;
