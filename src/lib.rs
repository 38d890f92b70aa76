//! Flowline: a GPU-accelerated timeline for huge performance recordings.
//!
//! The `flowline` program is a thin layer over the crates of this workspace. A recording goes through them from top to bottom:
//!
//! | crate | contents |
//! |---|---|
//! | [`profile`] | the recording as columns: threads, markers, strings, schemas, counters |
//! | [`import`] | files to a [`Profile`](profile::Profile) and warnings |
//! | [`index`] | a profile to an [`Index`](index::Index): rows, level-of-detail pyramid, flow graph, search |
//! | [`insights`] | how a page performed: milestones, interactions, frames, layout shifts, insights |
//! | [`cache`] | cached indexes, mapped when a recording is opened again |
//! | [`view`] | plain state: visible range, selection, entered and pinned flows |
//! | [`scene`] | index and view to a [`Frame`](scene::Frame) of packed instances; hit testing |
//! | [`gpu`] | frames to pixels |
//! | [`session`] | an open recording without widgets |
//! | [`ui`] | widgets, keys and mouse to commands |
//!
//! [`app`] runs the passes of one frame, in a window or off screen; [`cli`] is the command line.
//!
//! Programs that only read, index and search recordings depend on `flowline-import` and `flowline-index`, which use no
//! graphics crate; `examples/read_profile.rs` of `flowline-index` shows that. `examples/render_png.rs` draws an image.
//! ARCHITECTURE.md has the rules of the layers.

pub mod app;
pub mod cli;

pub use flowline_cache as cache;
pub use flowline_format as format;
pub use flowline_gpu as gpu;
pub use flowline_import as import;
pub use flowline_index as index;
pub use flowline_insights as insights;
pub use flowline_json as json;
pub use flowline_profile as profile;
pub use flowline_scene as scene;
pub use flowline_session as session;
pub use flowline_ui as ui;
pub use flowline_view as view;
