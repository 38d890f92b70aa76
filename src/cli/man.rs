//! `flowline man`: the manual page, generated from the definition of the command line. One page documents all commands,
//! each in a section of its own.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// Exit statuses and their meanings.
const EXIT_STATUS: [(&str, &str); 4] = [
    ("0", "success"),
    ("1", "an error, reported on standard error"),
    ("2", "a usage error"),
    ("3", "a comparison found more growth than allowed, or a page load broke its budget"),
];

/// Returns the manual page of a program.
pub(super) fn page(program: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let name = program.get_name();
    let man = Man::new(program.clone().subcommand_value_name("command"));
    // Without a date, the version would take its place.
    let man = man.title(name.to_uppercase()).date("\"\"");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in program.get_subcommands() {
        page.extend(command_section(&format!("{name} {}", command.get_name()), command)?);
    }
    let mut statuses = Roff::new();
    statuses.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in EXIT_STATUS {
        statuses.control("TP", []).text([bold(status)]).text([roman(meaning)]);
    }
    statuses.to_writer(&mut page)?;
    Ok(page)
}

/// Returns the section about a command: its own manual page, whose sections become subsections.
fn command_section(name: &str, command: &Command) -> std::io::Result<Vec<u8>> {
    let mut section = Vec::new();
    Roff::new().control("SH", [name]).to_writer(&mut section)?;
    // `--help` and the global options are documented once, above the commands.
    let man = Man::new(command.clone().bin_name(name).disable_help_flag(true));
    let mut parts = Vec::new();
    man.render_description_section(&mut parts)?;
    man.render_synopsis_section(&mut parts)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut parts)?;
    }
    section.extend(String::from_utf8_lossy(&parts).replace("\n.SH ", "\n.SS ").into_bytes());
    Ok(section)
}
