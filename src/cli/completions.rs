//! `flowline completions`: shell completion scripts, generated from the definition of the command line.

use clap::Command;
use clap_complete::{Shell, generate};

/// Returns the completion script for a shell.
pub(super) fn script(mut program: Command, shell: Shell) -> Vec<u8> {
    let name = program.get_name().to_owned();
    // `generate` panics if it cannot write, for example to a closed pipe.
    let mut script = Vec::new();
    generate(shell, &mut program, name, &mut script);
    script
}
