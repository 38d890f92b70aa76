//! Functions and scripts as read.

/// Functions, and the tables that frames and functions refer to.
#[derive(Debug, Default)]
pub(in crate::firefox) struct FuncColumns {
    pub(super) name: Vec<u32>,
    pub(super) is_js: Vec<bool>,
    pub(super) relevant_for_js: Vec<bool>,
    pub(super) resource: Vec<u32>,
    /// Script numbers, since version 58.
    pub(super) source: Vec<u32>,
    /// String numbers of file names, before version 58.
    pub(super) file: Vec<u32>,
    pub(super) line: Vec<u32>,
    pub(super) column: Vec<u32>,
    /// Positions in the original sources of scripts.
    pub(super) original: Vec<u32>,
    pub(super) resource_name: Vec<u32>,
    pub(super) resource_kind: Vec<u32>,
    pub(super) symbol_library: Vec<u32>,
    pub(super) symbol_address: Vec<u64>,
    pub(super) symbol_name: Vec<u32>,
    /// Names of libraries: offsets of strings in the text. Before version 41 each thread has its own.
    pub(in crate::firefox) libraries: Vec<u64>,
}

/// Scripts of a recording, since version 58.
#[derive(Debug, Default)]
pub(in crate::firefox) struct SourceColumns {
    pub(super) id: Vec<u32>,
    pub(super) file: Vec<u32>,
    /// Positions in the original sources of scripts: script, line, column.
    pub(super) place_source: Vec<u32>,
    pub(super) place_line: Vec<u32>,
    pub(super) place_column: Vec<u32>,
}
