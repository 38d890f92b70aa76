//! The `flowline` program; see [`flowline::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    flowline::cli::main()
}
