//! The functions that Flowline adds to SQL.

/// A function.
#[derive(Debug)]
pub struct FunctionSpec {
    /// Name.
    pub name: &'static str,
    /// Name, arguments and result.
    pub signature: &'static str,
    /// Meaning, as a sentence.
    pub description: &'static str,
}

/// All functions.
pub const FUNCTIONS: &[FunctionSpec] = &[
    FunctionSpec {
        name: "percentile_exact",
        signature: "percentile_exact(x, p) → type of x",
        description: "The exact percentile by nearest rank: the ceil(p n)-th smallest value that is not NULL, as in `flowline stats`. An aggregate; p is a literal from 0 to 1.",
    },
    FunctionSpec {
        name: "intersect_ns",
        signature: "intersect_ns(ts, dur, ts2, dur2) → integer",
        description: "The length of the time that two ranges share, in nanoseconds; 0 if they do not touch.",
    },
    FunctionSpec {
        name: "extract_arg",
        signature: "extract_arg(arg_set_id, key) → text",
        description: "One argument as text, such as `extract_arg(arg_set_id, 'data.url')`; NULL if there is none. Only the rows that remain after other conditions are decoded.",
    },
    FunctionSpec {
        name: "path",
        signature: "path(slice_id) → table",
        description: "The critical path to the end of a slice, oldest segment first, with the columns of `critical_path`.",
    },
    FunctionSpec {
        name: "ancestors",
        signature: "ancestors(slice_id) → table",
        description: "The slices that enclose a slice, outermost first, with the columns of `slice`.",
    },
    FunctionSpec {
        name: "descendants",
        signature: "descendants(slice_id) → table",
        description: "The slices inside a slice, in start order, with the columns of `slice`.",
    },
    FunctionSpec {
        name: "flow_chain",
        signature: "flow_chain(slice_id, direction) → table",
        description: "The slices that a slice leads to along flows ('outgoing') or that led to it ('incoming'), nearest first, with the columns of `slice`.",
    },
];
