//! Flowline: a GPU-accelerated timeline for huge performance recordings.
//!
//! The `flowline` program is a thin layer over this library. Data flows through the modules from top to bottom:
//!
//! | module | job | feature |
//! |---|---|---|
//! | [`profile`] | the recording as columns: threads, markers, strings, schemas, counters | |
//! | [`import`] | reads files into a [`Profile`](profile::Profile), with warnings | |
//! | [`index`] | derives an [`Index`](index::Index): rows, level-of-detail pyramid, flow graph, search | |
//! | [`cache`] | stores indexes on disk between sessions | |
//! | [`view`] | view state: visible range, selection, navigation history and pinned items, as plain data | |
//! | [`scene`] | turns index and view into a [`Frame`](scene::Frame) of packed instances; hit testing | |
#![cfg_attr(
    feature = "render",
    doc = "| [`gpu`] | draws frames | `render` |",
    doc = "| [`ui`] | widgets; turns keyboard and mouse input into commands | `render` |",
    doc = "| [`app`] | the passes of one frame, off-screen images; with `window`, the window too | `render` |"
)]
#![cfg_attr(feature = "window", doc = "| [`cli`] | the command line | `window` |")]
//!
//! Without default features, the library reads, indexes and searches recordings and has no graphics dependencies.
//! `examples/read_profile.rs` shows that use; `examples/render_png.rs` renders an image. ARCHITECTURE.md lists the
//! rules that the layers follow.

#[cfg(feature = "render")]
pub mod app;
pub mod cache;
#[cfg(feature = "window")]
pub mod cli;
#[cfg(feature = "render")]
pub mod gpu;
pub mod import;
pub mod index;
pub mod profile;
pub mod scene;
pub mod session;
#[cfg(feature = "render")]
pub mod ui;
pub mod view;
