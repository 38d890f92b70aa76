//! The report of a copy, because the clipboard gives no feedback.

use egui::{Context, Id, OutputCommand};

use crate::toast::Toast;
use crate::widgets::grouped;

/// Maximum characters of the copied text in the report.
const LETTERS: usize = 60;

/// Sets the report of the text that is copied in this frame.
pub(crate) fn describe(context: &Context, toast: Toast) {
    context.data_mut(|data| data.insert_temp(description_id(), Some(toast)));
}

fn description_id() -> Id {
    Id::unique("report of the copied text")
}

/// The report of a text that was copied in this frame.
pub(crate) fn report(context: &Context) -> Option<Toast> {
    let described = context.data_mut(|data| data.remove_temp::<Option<Toast>>(description_id())).flatten();
    let text = context.output(|output| {
        output.commands.iter().rev().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(summary(text)),
            _ => None,
        })
    });
    text.map(|text| described.unwrap_or_else(|| Toast::report(text)))
}

/// "Copied 3 lines", or the copied line itself, shortened.
fn summary(text: &str) -> String {
    let lines = text.trim_end().lines().count();
    if lines > 1 {
        return format!("Copied {} lines", grouped(lines));
    }
    let line = text.trim();
    match line.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("Copied {}…", &line[..end]),
        None => format!("Copied {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_and_several_are_counted() {
        assert_eq!(summary("Paint\n"), "Copied Paint");
        assert_eq!(summary("a\nb\n\nc\n"), "Copied 4 lines");
        assert_eq!(summary(&"é".repeat(80)), format!("Copied {}…", "é".repeat(LETTERS)));
    }
}
