//! `flowline completions`: shell completion scripts, generated from the definition of the command line.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::args::ShellArg;

/// Returns the completion script for a shell.
pub(super) fn script(command: &Command, shell: ShellArg) -> String {
    match shell {
        ShellArg::Bash => bash(command),
        ShellArg::Zsh => {
            format!("#compdef {0}\nautoload -U +X bashcompinit && bashcompinit\n{1}", command.get_name(), bash(command))
        }
        ShellArg::Fish => fish(command),
    }
}

/// Returns the subcommands to offer.
fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != "help")
}

/// Returns the options of a command, including global options of the program.
fn options<'a>(command: &'a Command, sub: Option<&'a Command>) -> Vec<&'a Arg> {
    let own = sub.unwrap_or(command).get_arguments();
    let global = command.get_arguments().filter(move |arg| sub.is_some() && arg.is_global_set());
    own.chain(global).filter(|arg| !arg.is_positional() && !arg.is_hide_set()).collect()
}

/// Returns the names of an option as typed on the command line.
fn names(arg: &Arg) -> Vec<String> {
    let (short, long) =
        (arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}")));
    short.into_iter().chain(long).collect()
}

/// Returns the possible values of an argument; empty if it accepts anything.
fn possible(arg: &Arg) -> Vec<String> {
    if !arg.get_action().takes_values() {
        return Vec::new();
    }
    arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

/// Writes the Bash case for one command: values of the preceding option, otherwise options and values of positional
/// arguments; anything else completes to files.
fn bash_case(out: &mut String, label: &str, arguments: &[&Arg], first: &str) {
    // Writing to a string cannot fail.
    _ = writeln!(out, "    {label})");
    _ = writeln!(out, "      case \"$prev\" in");
    for arg in arguments.iter().filter(|arg| arg.get_action().takes_values() && !arg.is_positional()) {
        let values = possible(arg);
        let reply = match values.is_empty() {
            true => "COMPREPLY=($(compgen -f -- \"$cur\"))".to_owned(),
            false => format!("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))", values.join(" ")),
        };
        _ = writeln!(out, "        {}) {reply}; return;;", names(arg).join("|"));
    }
    _ = writeln!(out, "      esac");
    let options: Vec<String> = arguments.iter().filter(|arg| !arg.is_positional()).flat_map(|arg| names(arg)).collect();
    let values: Vec<String> =
        arguments.iter().filter(|arg| arg.is_positional()).flat_map(|arg| possible(arg)).collect();
    let words = format!("{first} {}", values.join(" "));
    _ = writeln!(
        out,
        "      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))",
        options.join(" ")
    );
    _ = writeln!(
        out,
        "      else COMPREPLY=($(compgen -W \"{}\" -- \"$cur\") $(compgen -f -- \"$cur\")); fi;;",
        words.trim()
    );
}

fn bash(command: &Command) -> String {
    let name = command.get_name();
    let subs: Vec<&str> = subcommands(command).map(Command::get_name).collect();
    let mut out = format!(
        "_{name}() {{\n  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= word\n  COMPREPLY=()\n  \
         for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n    case \"$word\" in\n      {}) command=$word; break;;\n    \
         esac\n  done\n  case \"$command\" in\n",
        subs.join("|")
    );
    for sub in subcommands(command) {
        let mut arguments = options(command, Some(sub));
        arguments.extend(sub.get_positionals());
        bash_case(&mut out, sub.get_name(), &arguments, "");
    }
    bash_case(&mut out, "*", &options(command, None), &subs.join(" "));
    _ = write!(out, "  esac\n}}\ncomplete -o filenames -F _{name} {name}\n");
    out
}

/// Quotes a text for Fish.
fn fish_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', " "))
}

fn fish(command: &Command) -> String {
    let name = command.get_name();
    let subs: Vec<&str> = subcommands(command).map(Command::get_name).collect();
    let no_command = format!("'not __fish_seen_subcommand_from {}'", subs.join(" "));
    let mut out = String::new();
    for sub in subcommands(command) {
        let about = fish_quoted(&sub.get_about().map(ToString::to_string).unwrap_or_default());
        _ = writeln!(out, "complete -c {name} -n {no_command} -a {} -d {about}", sub.get_name());
    }
    let mut offer = |condition: &str, arguments: Vec<&Arg>| {
        for arg in arguments {
            let short = arg.get_short().map(|short| format!(" -s {short}")).unwrap_or_default();
            let long = arg.get_long().map(|long| format!(" -l {long}")).unwrap_or_default();
            let values = possible(arg);
            let values = match (arg.get_action().takes_values(), values.is_empty()) {
                (false, _) => String::new(),
                (true, true) => " -r".to_owned(),
                (true, false) => format!(" -x -a {}", fish_quoted(&values.join(" "))),
            };
            let help = fish_quoted(&arg.get_help().map(ToString::to_string).unwrap_or_default());
            _ = writeln!(out, "complete -c {name} -n {condition}{short}{long}{values} -d {help}");
        }
    };
    offer(&no_command, options(command, None));
    for sub in subcommands(command) {
        let condition = format!("'__fish_seen_subcommand_from {}'", sub.get_name());
        offer(&condition, options(command, Some(sub)));
    }
    for sub in subcommands(command) {
        let values: Vec<String> = sub.get_positionals().flat_map(possible).collect();
        if !values.is_empty() {
            let condition = format!("'__fish_seen_subcommand_from {}'", sub.get_name());
            _ = writeln!(out, "complete -c {name} -n {condition} -a {}", fish_quoted(&values.join(" ")));
        }
    }
    out
}
