//! Stacks and frames as read.

use super::function_columns::FuncColumns;
use crate::firefox::threads::number_columns::NO_ADDRESS;
use crate::firefox::threads::sentinels::NONE;

/// Stacks and frames as columns, and in processed profiles the tables that frames refer to. Missing columns are empty.
#[derive(Debug, Default)]
pub(in crate::firefox) struct StackColumns {
    pub(in crate::firefox) stacks: Stacks,
    pub(in crate::firefox) frames: Frames,
    pub(in crate::firefox) functions: FuncColumns,
}

/// Stacks: the caller of each and its innermost frame.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Stacks {
    /// Stack number of the caller; [`NONE`] at a root.
    pub(in crate::firefox) prefix: Vec<u32>,
    pub(in crate::firefox) frame: Vec<u32>,
    /// Before version 53.
    pub(in crate::firefox) category: Vec<u32>,
    pub(in crate::firefox) subcategory: Vec<u32>,
}

/// Frames as columns.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Frames {
    /// Processed: a function. Raw: a string, and once the thread is finished a location.
    pub(in crate::firefox) func: Vec<u32>,
    pub(in crate::firefox) address: Vec<u64>,
    pub(in crate::firefox) line: Vec<u32>,
    pub(in crate::firefox) column: Vec<u32>,
    pub(in crate::firefox) category: Vec<u32>,
    pub(in crate::firefox) subcategory: Vec<u32>,
    pub(in crate::firefox) native_symbol: Vec<u32>,
    pub(in crate::firefox) inline_depth: Vec<u32>,
    /// Before version 54.
    pub(in crate::firefox) implementation: Vec<u32>,
    /// Positions in the original sources of scripts.
    pub(in crate::firefox) original: Vec<u32>,
    /// Raw: true if the frame is shown among script frames.
    pub(in crate::firefox) relevant_for_js: Vec<bool>,
}

impl StackColumns {
    pub(in crate::firefox) fn stack_count(&self) -> usize {
        self.stacks.frame.len()
    }

    pub(in crate::firefox) fn frame_count(&self) -> usize {
        self.frames.func.len()
    }

    /// True if nothing was read.
    pub(in crate::firefox) fn is_empty(&self) -> bool {
        self.stack_count() == 0 && self.frame_count() == 0
    }
}

/// The number in a row of a column; [`NONE`] beyond its end.
pub(super) fn at(column: &[u32], row: usize) -> u32 {
    column.get(row).copied().unwrap_or(NONE)
}

/// Like [`at`], for addresses.
pub(super) fn address_at(column: &[u64], row: usize) -> u64 {
    column.get(row).copied().unwrap_or(NO_ADDRESS)
}
