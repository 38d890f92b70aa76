//! Flowline: a GPU-accelerated timeline for huge performance recordings.
//!
//! The `flowline` program is a thin layer over this library. A recording goes through the modules from top to bottom:
//!
//! | module | job | feature |
//! |---|---|---|
//! | [`profile`] | the recording as columns: threads, markers, strings, schemas, counters | |
//! | [`import`] | files to a [`Profile`](profile::Profile) and warnings | |
//! | [`index`] | a profile to an [`Index`](index::Index): rows, level-of-detail pyramid, flow graph, search | |
//! | [`cache`] | indexes kept from one opening to the next | |
//! | [`view`] | what is visible, selected, entered and pinned, as plain state | |
//! | [`scene`] | index and view to a [`Frame`](scene::Frame) of packed instances; hit testing | |
#![cfg_attr(
    feature = "render",
    doc = "| [`gpu`] | frames to pixels | `render` |",
    doc = "| [`ui`] | widgets, keys and mouse to commands | `render` |",
    doc = "| [`app`] | the passes of one frame, pictures without a window; with `window`, the window too | `render` |"
)]
#![cfg_attr(feature = "window", doc = "| [`cli`] | the command line | `window` |")]
//!
//! Without default features the library reads, indexes and searches recordings and depends on no graphics crate.
//! `examples/read_profile.rs` shows that use, `examples/render_png.rs` draws a picture. ARCHITECTURE.md has the rules
//! that the layers keep.

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
