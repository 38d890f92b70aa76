//! Command lines that reproduce the window: `flowline render` draws it, `flowline FILE --view` opens it. The command
//! line contains the view as one word ([`crate::SavedView`]).

use std::fmt::Write as _;

use flowline_session::{Alignment, Session};
use flowline_view::Theme;

/// State of the window for a command line.
pub(crate) struct WindowSnapshot<'a> {
    /// The second recording and its alignment.
    pub(crate) second: Option<(&'a Session, Alignment)>,
    pub(crate) theme: Theme,
    /// The view, as a word.
    pub(crate) view: String,
}

/// Quotes a word for a POSIX shell, if necessary.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Words of a command line.
struct Words(String);

impl Words {
    fn word(&mut self, word: &str) {
        self.0.push(' ');
        self.0.push_str(&shell_word(word));
    }

    /// Adds an option with its value in one word, so that the value may begin with a hyphen.
    fn option(&mut self, name: &str, value: &str) {
        self.word(&format!("--{name}={value}"));
    }

    /// Adds the second recording and the view.
    fn view(&mut self, session: &Session, look: &WindowSnapshot<'_>) {
        if let Some((second, alignment)) = look.second {
            self.option("compare", &file(second));
            self.option("align", &alignment_text(session, second, alignment));
        }
        self.option("view", &look.view);
    }
}

/// The file of a recording; `example` for the bundled one.
fn file(session: &Session) -> String {
    if session.path.as_os_str().is_empty() {
        return "example".to_owned();
    }
    std::path::absolute(&session.path).unwrap_or_else(|_| session.path.clone()).display().to_string()
}

/// The command that renders the window.
pub(crate) fn render_command(session: &Session, look: &WindowSnapshot<'_>) -> String {
    let mut words = Words("flowline render".to_owned());
    words.word(&file(session));
    words.word("-o");
    words.word("picture.png");
    let [width, height] = session.canvas.size;
    words.option("size", &format!("{width}x{height}"));
    if (session.canvas.scale - 1.0).abs() > 1e-3 {
        words.option("scale", &session.canvas.scale.to_string());
    }
    words.option("theme", if look.theme == Theme::Dark { "dark" } else { "light" });
    words.view(session, look);
    words.0
}

/// The command that opens the recording with the current view.
pub(crate) fn link_command(session: &Session, look: &WindowSnapshot<'_>) -> String {
    let mut words = Words("flowline".to_owned());
    // Without a file, the bundled example opens.
    if !session.path.as_os_str().is_empty() {
        words.word(&file(session));
    }
    words.view(session, look);
    words.0
}

fn alignment_text(first: &Session, second: &Session, alignment: Alignment) -> String {
    let (a, b) = (first.index.profile(), second.index.profile());
    match alignment {
        Alignment::Start => "start".to_owned(),
        Alignment::Zero => "zero".to_owned(),
        Alignment::Moments { .. } | Alignment::Milestone { .. } | Alignment::Offset(_) => {
            let offset = alignment.shift(a, b).0 - Alignment::Start.shift(a, b).0;
            let mut text = "offset:".to_owned();
            // Writing to a string cannot fail.
            _ = write!(text, "{}{}ns", if offset < 0 { "-" } else { "" }, offset.unsigned_abs());
            text
        }
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
            assert_eq!(shell_word(word), expected);
        }
    }
}
