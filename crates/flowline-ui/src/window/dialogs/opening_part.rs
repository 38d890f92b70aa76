//! The notice that a recording shows only a part of its time since it was opened, and the button that shows everything. It
//! stays until the view moves or the user closes it.

use egui::{Context, Id, Rect};

use super::toasts::{self, Pressed, ToastText};
use flowline_format::format_duration_ns;
use flowline_insights::first_part::{FirstPart, PartSubject};
use flowline_session::Session;

/// The user's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Show the whole recording.
    ShowAll,
    /// Close the notice.
    Dismiss,
}

/// Shows the notice at a place above the bottom of the chart, if it applies.
pub(crate) fn show(context: &Context, session: &Session, (chart, place): (Rect, usize)) -> Option<Choice> {
    let text = opening_notice(session)?;
    let text = ToastText { text: &text, button: Some("Show everything"), is_failure: false };
    let pressed = toasts::show(context, Id::unique("opening part"), text, toasts::place_of(chart, place))?;
    Some(match pressed {
        Pressed::Action => Choice::ShowAll,
        Pressed::Close => Choice::Dismiss,
    })
}

/// The text of the notice, if it applies.
#[must_use]
pub fn opening_notice(session: &Session) -> Option<String> {
    Some(text(session, session.opening_part()?))
}

fn text(session: &Session, part: &FirstPart) -> String {
    let subject = match &part.subject {
        PartSubject::PageLoad => "the page load",
        PartSubject::Step(name) => name,
    };
    let [shown, whole] = [part.range, session.index.first_view()].map(|range| format_duration_ns(range.len()));
    format!("Showing {subject}, {shown} of {whole}.")
}
