//! The page load that a recording shows: its address, its milestones as links, and the time origin.

use egui::Ui;

use super::grid;
use flowline_format::format_whole_ms;
use flowline_insights::page_load::Milestone;
use flowline_insights::report::MetricKind;
use flowline_scene::Palette;
use flowline_session::{Session, metric_name};
use flowline_view::Command;

/// The milestones that are listed.
const KINDS: [MetricKind; 4] = [MetricKind::Fcp, MetricKind::Lcp, MetricKind::Inp, MetricKind::Load];

/// Shows the page load, if there is one; returns the user's command.
pub(super) fn show(ui: &mut Ui, session: &Session, palette: &Palette) -> Option<Command> {
    let navigation = session.main_navigation()?;
    let mut chosen = None;
    if !navigation.url.is_empty() {
        grid::row(ui, "Page", &navigation.url, palette);
    }
    if navigation.is_prerendered {
        grid::row(ui, "Prerendered", "times count from before the page was shown", palette);
    }
    for kind in KINDS {
        let milestone = match kind {
            MetricKind::Inp => session.main_interaction(),
            kind => session.main_milestone(kind),
        };
        let Some(milestone) = milestone else { continue };
        let Some((length, marker)) = milestone.since.or(milestone.value).zip(milestone.marker) else {
            let reason = milestone.unknown.as_deref().unwrap_or("not recorded");
            grid::row(ui, kind.title(), &format!("unknown: {reason}"), palette);
            continue;
        };
        let rating = milestone.rating.map(|rating| format!(", {}", rating.name())).unwrap_or_default();
        let so_far = if milestone.is_so_far { " so far" } else { "" };
        let value = format!("{}{so_far}{rating}", format_whole_ms(length.0));
        let name = format!("{} {value}", kind.title());
        if grid::link(ui, kind.title(), (&value, &name), palette).on_hover_text(metric_name(kind)).clicked() {
            chosen = Some(Command::Reveal(marker));
        }
    }
    chosen.or(time_origin(ui, session, navigation, palette))
}

/// Offers zero at the navigation, or at the start of the recording.
fn time_origin(ui: &mut Ui, session: &Session, navigation: &Milestone, palette: &Palette) -> Option<Command> {
    let marker = navigation.marker?;
    let is_zero = session.view.zero == Some(marker);
    let (text, name) = match is_zero {
        true => ("Count from the start", "Reset time origin"),
        false => ("Zero at the navigation", "Set time origin to the main navigation"),
    };
    let zero = Command::ZeroAt((!is_zero).then_some(marker));
    grid::link(ui, "Time origin", (text, name), palette).clicked().then_some(zero)
}
