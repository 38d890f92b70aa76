//! The `flowline` program; see [`flowline::cli`].

#[cfg(unix)]
mod out_of_memory;

use std::process::ExitCode;

fn main() -> ExitCode {
    flowline::cli::main()
}
