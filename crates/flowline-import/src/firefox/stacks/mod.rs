//! Tables of stacks, frames and functions as read, and their union for the whole recording.
//!
//! Raw profiles have stacks and frames per thread, and a text per frame (`location`). Processed profiles also have
//! function tables: one set per thread, and since version 60 one set for all threads. `tables` reads these, and `unite`
//! merges all of them into `flowline_profile::StackTables`.

mod functions;
mod location;
mod order;
mod process;
mod raw_functions;
mod renumber;
mod stack_merge;
mod tables;

pub(super) use location::{Location, locations};
pub(super) use process::{Extension, ProcessTables, extensions};
pub(super) use renumber::SampledThread;
pub(super) use stack_merge::{Inputs, unite};
pub(super) use tables::{FuncColumns, SourceColumns, read_libraries, read_member};

use super::number_columns::NO_ADDRESS;
use super::sentinels::NONE;

/// Stacks and frames as columns, and in processed profiles the tables that frames refer to. Missing columns are empty.
#[derive(Debug, Default)]
pub(super) struct StackColumns {
    pub(super) stacks: Stacks,
    pub(super) frames: Frames,
    pub(super) functions: FuncColumns,
}

/// Stacks: the caller of each and its innermost frame.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// Stack number of the caller; [`NONE`] at a root.
    pub(super) prefix: Vec<u32>,
    pub(super) frame: Vec<u32>,
    /// Before version 53.
    pub(super) category: Vec<u32>,
    pub(super) subcategory: Vec<u32>,
}

/// Frames as columns.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Processed: a function. Raw: a string, and once the thread is finished a location.
    pub(super) func: Vec<u32>,
    pub(super) address: Vec<u64>,
    pub(super) line: Vec<u32>,
    pub(super) column: Vec<u32>,
    pub(super) category: Vec<u32>,
    pub(super) subcategory: Vec<u32>,
    pub(super) native_symbol: Vec<u32>,
    pub(super) inline_depth: Vec<u32>,
    /// Before version 54.
    pub(super) implementation: Vec<u32>,
    /// Positions in the original sources of scripts.
    pub(super) original: Vec<u32>,
    /// Raw: true if the frame is shown among script frames.
    pub(super) relevant_for_js: Vec<bool>,
}

impl StackColumns {
    pub(super) fn stack_count(&self) -> usize {
        self.stacks.frame.len()
    }

    pub(super) fn frame_count(&self) -> usize {
        self.frames.func.len()
    }

    /// True if nothing was read.
    pub(super) fn is_empty(&self) -> bool {
        self.stack_count() == 0 && self.frame_count() == 0
    }
}

/// The number in a row of a column; [`NONE`] beyond its end.
fn at(column: &[u32], row: usize) -> u32 {
    column.get(row).copied().unwrap_or(NONE)
}

/// Like [`at`], for addresses.
fn address_at(column: &[u64], row: usize) -> u64 {
    column.get(row).copied().unwrap_or(NO_ADDRESS)
}
