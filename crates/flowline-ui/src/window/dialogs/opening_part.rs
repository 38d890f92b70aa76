//! The notice that a recording shows only a part of its time since it was opened, and the button that shows everything. It
//! disappears like a report; the ruler goes on to say how much of the recording is in view.

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

/// True while the notice applies and has not been shown for as long as a report.
pub(crate) fn is_due(context: &Context, session: &Session) -> bool {
    session.opening_part().is_some() && toasts::is_in_time(context, Id::unique("opening part").with(&session.path))
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
        PartSubject::MostEvents => "the part with nearly all events",
    };
    let [shown, whole] = [part.range, session.index.whole_view()].map(|range| format_duration_ns(range.len()));
    format!("Showing {subject}, {shown} of {whole}.")
}
