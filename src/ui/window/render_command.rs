//! The command line that draws what the window shows: `flowline render` with the options of the view.

use std::fmt::Write as _;

use crate::index::Index;
use crate::profile::{Arrangement, FlowId, Implementation, Profile, TimeRange};
use crate::session::{Alignment, Session};
use crate::ui::tables::TableKind;
use crate::view::Theme;

/// What the window shows beside the recording's view.
#[derive(Clone, Copy)]
pub(crate) struct WindowLook<'a> {
    /// The recording below the first, and how it is aligned.
    pub(crate) second: Option<(&'a Session, Alignment)>,
    pub(crate) theme: Theme,
    pub(crate) table: Option<TableKind>,
    /// Height of the table in points.
    pub(crate) table_height: f32,
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Words of a command line.
#[derive(Default)]
struct Words(String);

impl Words {
    fn word(&mut self, word: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(&quoted(word));
    }

    /// An option with its value in one word, so that a value may begin with a hyphen.
    fn option(&mut self, name: &str, value: &str) {
        self.word(&format!("--{name}={value}"));
    }
}

/// A range on the recording's own displayed clock, in nanoseconds.
fn range_text(profile: &Profile, range: TimeRange) -> String {
    let start = profile.on_own_clock(range.start).0.max(0);
    let end = profile.on_own_clock(range.end).0.max(start + 1);
    format!("{start}ns..{end}ns")
}

/// The command.
pub(crate) fn render_command(session: &Session, look: WindowLook<'_>) -> String {
    let (view, index) = (&session.view, &session.index);
    let profile = index.profile();
    let file = |session: &Session| match session.path.as_os_str().is_empty() {
        true => "example".to_owned(),
        false => std::path::absolute(&session.path).unwrap_or_else(|_| session.path.clone()).display().to_string(),
    };
    let mut words = Words("flowline render".to_owned());
    words.word(&file(session));
    words.word("-o");
    words.word("picture.png");
    let [width, height] = session.canvas.size;
    words.option("size", &format!("{width}x{height}"));
    if (session.canvas.scale - 1.0).abs() > 1e-3 {
        words.option("scale", &session.canvas.scale.to_string());
    }
    words.option("range", &range_text(profile, view.axis.visible()));
    let layout = match (view.tapes.shown, view.arrangement) {
        (true, _) => "object",
        (_, Arrangement::Stack) => "stack",
        (_, Arrangement::ByName) => "name",
    };
    words.option("layout", layout);
    words.option("theme", if look.theme == Theme::Dark { "dark" } else { "light" });
    if !view.search.is_empty() {
        words.option("search", &view.search);
    }
    for (name, marker) in
        [("select", view.selected), ("zero", view.zero), ("critical", view.path.map(|path| path.marker))]
    {
        if let Some(marker) = marker {
            words.option(name, &marker.0.to_string());
        }
    }
    if let Some(range) = view.measure.and_then(|measure| measure.range()) {
        words.option("measure", &range_text(profile, range));
    }
    flows(&mut words, index, &view.flows.entered, "flow");
    flows(&mut words, index, &view.flows.pinned, "pin");
    let chain = view.flows.chain_back.max(view.flows.chain_forward);
    if chain > 0 {
        words.option("chain", &chain.to_string());
    }
    for (flag, is_on) in [
        ("--connections", view.flows.all_connections),
        ("--path", view.flows.path),
        ("--all-markers", view.tracks.all_markers),
    ] {
        if is_on {
            words.word(flag);
        }
    }
    match view.call_functions {
        Implementation::All => {}
        Implementation::Js => words.option("impl", "js"),
        Implementation::Native => words.option("impl", "native"),
    }
    if let Some(table) = look.table {
        words.option("table", table_word(table));
        words.option("table-height", &format!("{:.0}", look.table_height));
    }
    if let Some((second, alignment)) = look.second {
        words.option("compare", &file(second));
        words.option("align", &alignment_text(session, second, alignment));
    }
    words.0
}

fn flows(words: &mut Words, index: &Index, flows: &[FlowId], option: &str) {
    for flow in flows {
        words.option(option, &index.flows().name(index.profile(), *flow).to_string());
    }
}

fn alignment_text(first: &Session, second: &Session, alignment: Alignment) -> String {
    let (a, b) = (first.index.profile(), second.index.profile());
    match alignment {
        Alignment::Start => "start".to_owned(),
        Alignment::Zero => "zero".to_owned(),
        Alignment::Moments { .. } | Alignment::Offset(_) => {
            let offset = alignment.shift(a, b).0 - Alignment::Start.shift(a, b).0;
            let mut text = "offset:".to_owned();
            // Writing to a string cannot fail.
            _ = write!(text, "{}{}ns", if offset < 0 { "-" } else { "" }, offset.unsigned_abs());
            text
        }
    }
}

/// What the command line calls a table.
const fn table_word(table: TableKind) -> &'static str {
    match table {
        TableKind::Markers => "markers",
        TableKind::FlowTree => "flow",
        TableKind::AllFlows => "flows",
        TableKind::CallTree => "calltree",
        TableKind::BottomUp => "bottomup",
        TableKind::Functions => "functions",
        TableKind::Flame => "flame",
        TableKind::EventLog => "log",
        TableKind::Statistics => "statistics",
        TableKind::CriticalPath => "path",
        TableKind::Network => "network",
        TableKind::Notes => "notes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        for (word, expected) in [
            ("a/b-c.json", "a/b-c.json"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("--search=-paint, load", "'--search=-paint, load'"),
            ("$HOME", "'$HOME'"),
            ("1;2", "'1;2'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
