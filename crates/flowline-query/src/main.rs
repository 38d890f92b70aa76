//! The `flowline-query` program; see [`flowline_query::commands`].

use std::process::ExitCode;

fn main() -> ExitCode {
    flowline_query::commands::main()
}
