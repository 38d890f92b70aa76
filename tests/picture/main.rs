//! Images: the GPU against a CPU reference, and that reference against naive ones that visit every marker in exact
//! arithmetic; pointer hits; labels. Recordings, arrangements, zooms and positions are random.
//!
//! Floats may differ from exact arithmetic only if an edge lies within a thousandth of a pixel of a column boundary.
//! Such differences are counted and must be rare. Without a graphics driver these tests fail.

#[path = "../support/mod.rs"]
mod support;

mod bars;
mod comparing;
mod counters;
mod damage_tracking;
mod exact;
mod fixtures;
mod flags;
mod flow_lanes;
mod flows;
mod frames;
mod gpu;
mod insight_focus;
mod interactions;
mod invariants;
mod labels;
mod lit_entries;
mod marks;
mod naive;
mod network;
mod pointer;
mod query_tracks;
mod random;
mod renderer;
mod samples;
mod shaders;
mod svg;

use support::recording;
