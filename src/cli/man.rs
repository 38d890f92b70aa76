//! `flowline man`: the manual page in man(7) format, generated from the definition of the command line.

use std::fmt::Write as _;

use clap::{Arg, Command};

/// Returns the manual page of a program.
pub(super) fn page(command: &Command) -> String {
    let mut page = String::new();
    let name = command.get_name().to_uppercase();
    let version = command.get_version().unwrap_or_default();
    line(&mut page, &format!(".TH {name} 1 \"\" \"{} {version}\"", command.get_name()));
    line(&mut page, ".SH NAME");
    line(&mut page, &format!("{} \\- {}", command.get_name(), escaped(&about(command))));
    line(&mut page, ".SH SYNOPSIS");
    line(&mut page, &format!(".B {}", command.get_name()));
    line(&mut page, "[\\fIOPTIONS\\fR] [\\fIFILE\\fR]");
    line(&mut page, ".br");
    line(&mut page, &format!(".B {}", command.get_name()));
    line(&mut page, "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]");
    line(&mut page, ".SH OPTIONS");
    arguments(&mut page, command);
    line(&mut page, ".SH COMMANDS");
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        line(&mut page, &format!(".SS {} {}{}", command.get_name(), sub.get_name(), positionals(sub)));
        line(&mut page, &escaped(&about(sub)));
        arguments(&mut page, sub);
    }
    line(&mut page, ".SH EXIT STATUS");
    for (status, meaning) in [
        ("0", "success"),
        ("1", "an error, reported on standard error"),
        ("2", "a usage error"),
        ("3", "a comparison found more growth than allowed"),
    ] {
        line(&mut page, ".TP");
        line(&mut page, &format!(".B {status}"));
        line(&mut page, meaning);
    }
    page
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

/// Escapes a text so that it contains no requests or escape sequences.
fn escaped(text: &str) -> String {
    let mut out = text.replace('\\', "\\e").replace('-', "\\-").replace('\n', " ");
    if out.starts_with(['.', '\'']) {
        out.insert_str(0, "\\&");
    }
    out
}

fn about(command: &Command) -> String {
    command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default()
}

/// Returns the value names of an argument.
fn values(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default();
    if names.is_empty() {
        arg.get_id().to_string().to_uppercase()
    } else {
        names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the positional arguments of a command.
fn positionals(command: &Command) -> String {
    let mut text = String::new();
    for arg in command.get_positionals() {
        let (open, close) = if arg.is_required_set() { ("", "") } else { ("[", "]") };
        // Writing to a string cannot fail.
        _ = write!(text, " {open}{}{close}", values(arg));
    }
    text
}

/// Writes one paragraph per argument, positional arguments first.
fn arguments(page: &mut String, command: &Command) {
    let is_shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help" && arg.get_id() != "version";
    for arg in command.get_positionals().chain(command.get_opts()).chain(flags(command)).filter(is_shown) {
        let names = [
            arg.get_short().map(|short| format!("\\fB\\-{short}\\fR")),
            arg.get_long().map(|long| format!("\\fB{}\\fR", escaped(&format!("--{long}")))),
        ];
        let names: Vec<String> = names.into_iter().flatten().collect();
        let value = match values(arg) {
            value if value.is_empty() => value,
            value => format!("\\fI{}\\fR", escaped(&value)),
        };
        line(page, ".TP");
        line(page, format!("{} {value}", names.join(", ")).trim());
        let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let possible: Vec<String> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        if !possible.is_empty() && arg.get_action().takes_values() {
            help = format!("{help} (one of {})", possible.join(", "));
        }
        let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        if defaults.iter().any(|value| !value.is_empty()) && arg.get_action().takes_values() {
            help = format!("{help} [default: {}]", defaults.join(" "));
        }
        line(page, &escaped(help.trim()));
    }
}

/// Returns the options without a value.
fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.get_action().takes_values())
}
