//! Short notice after a copy, because the clipboard gives no feedback.

use std::time::Duration;

use egui::{Align2, Area, Context, Frame, Id, Order, OutputCommand, RichText};

use crate::widgets::grouped;

/// Duration of the notice in seconds.
const SHOWN: f64 = 1.6;
/// Maximum characters of the copied text in the notice.
const LETTERS: usize = 60;

/// The last copy: its time and the text of the notice.
#[derive(Clone, Debug, Default)]
pub(crate) struct CopyNotice(Option<(f64, String)>);

impl CopyNotice {
    /// Shows a notice for text copied in this frame or shortly before.
    pub(crate) fn show(&mut self, context: &Context) {
        let now = context.input(|input| input.time);
        let text = context.output(|output| {
            output.commands.iter().rev().find_map(|command| match command {
                OutputCommand::CopyText(text) => Some(summary(text)),
                _ => None,
            })
        });
        if let Some(text) = text {
            self.0 = Some((now, text));
        }
        let Some((since, text)) = self.0.as_ref().filter(|(since, _)| now - since < SHOWN) else {
            self.0 = None;
            return;
        };
        context.request_repaint_after(Duration::from_secs_f64((since + SHOWN - now).max(0.01)));
        let area = Area::new(Id::unique("copied")).order(Order::Tooltip).interactable(false);
        area.anchor(Align2::CENTER_BOTTOM, [0.0, -36.0]).show(context, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| ui.label(RichText::new(text)));
        });
    }
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
