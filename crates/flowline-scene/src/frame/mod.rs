//! A frame: everything to draw, with all decisions made. It is the only input of the GPU layer.
//!
//! A frame is a list of batches. Each batch has a layer, a clip and a range of the instances of one primitive. Batches
//! are drawn layer by layer; within a layer, in insertion order. Text is drawn last.

mod contents;
mod damage;
mod labels;

pub use contents::{Batch, Frame, FrameId, Layer, TextRun};
pub use damage::{differing, frame_changes};
pub(crate) use labels::{
    Candidate, LabelCache, build as build_labels, can_have_label, min_label_ticks, min_mark_ticks, push_colored_label,
    push_label, push_label_beside, push_line, shortened, shortened_to, with_both_ends, with_hidden,
};
