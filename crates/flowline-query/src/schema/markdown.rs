//! The schema reference of `docs/query.md`.

use std::fmt::Write as _;

use super::{FUNCTIONS, TABLES};

/// The reference of all tables and functions in Markdown.
#[must_use]
pub fn schema_reference() -> String {
    let mut out = String::from(
        "# Tables and functions\n\nThis page is printed by `flowline-query schema`. Every table begins with `recording_id`. \
         Numbers of slices, tracks, threads, processes and flows are unique within a recording.\n",
    );
    // Writing to a string cannot fail. This applies to all writes below.
    for table in TABLES {
        let _infallible =
            write!(out, "\n## `{}`\n{}\n\n| column | type | meaning |\n|---|---|---|\n", table.name, table.description);
        for column in table.columns {
            let _infallible = writeln!(
                out,
                "| `{}` | {} | {} |",
                column.name,
                column.kind.name(),
                column.description.replace('|', "\\|")
            );
        }
    }
    out.push_str("\n## Functions\n\n| function | meaning |\n|---|---|\n");
    for function in FUNCTIONS {
        let _infallible = writeln!(out, "| `{}` | {} |", function.signature, function.description);
    }
    out
}
