//! Writes a part of a Firefox profile, raw or processed. Rows of markers, samples and counters are removed; everything
//! else (meta, libraries, string tables, frames and stacks, pages) is copied unchanged, so the indexes into it stay
//! valid.
//!
//! `rows` selects the rows of markers, `kept_times` those of samples and counters, and `tables` writes the tables.

mod cutter;
mod rows;
mod sample_selection;
mod tables;

pub(crate) use cutter::cut;
