//! The page load that a recording shows: its address, its milestones as links, and the time origin.

use egui::Ui;

use super::grid;
use flowline_format::{format_counted, format_whole_ms};
use flowline_index::Derived;
use flowline_insights::page_load::Milestone;
use flowline_insights::report::{MetricKind, SectionKind, Sections};
use flowline_scene::Palette;
use flowline_session::{Session, metric_name, metric_value};
use flowline_view::Command;

/// The milestones that are listed.
const KINDS: [MetricKind; 4] = [MetricKind::Fcp, MetricKind::Lcp, MetricKind::Inp, MetricKind::Load];

/// The milestones of navigations without a new document, which have no load, and the number of these that are listed.
const SOFT_KINDS: [MetricKind; 4] = [MetricKind::Fcp, MetricKind::Lcp, MetricKind::Inp, MetricKind::Cls];
const MOST_SOFT: usize = 5;

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
    let soft = soft_navigations(ui, session, palette);
    chosen.or(soft).or(time_origin(ui, session, navigation, palette))
}

/// The figures of the navigations without a new document, each of which has its own.
fn soft_navigations(ui: &mut Ui, session: &Session, palette: &Palette) -> Option<Command> {
    let sections = Sections::if_built(&session.index)?.list();
    let soft = || sections.iter().filter(|own| own.kind == SectionKind::Soft);
    let mut chosen = None;
    for section in soft().take(MOST_SOFT) {
        grid::row(ui, "Soft navigation", &section.url, palette);
        for metric in SOFT_KINDS.iter().filter_map(|kind| section.metric(*kind)) {
            let Some((value, marker)) = metric_value(metric).zip(metric.marker) else { continue };
            let rating = metric.rating.map(|rating| format!(", {}", rating.name())).unwrap_or_default();
            let (key, value) = (format!("{}*", metric.kind.title()), value + &rating);
            let name = format!("{key} {value}");
            if grid::link(ui, &key, (&value, &name), palette).on_hover_text(metric_name(metric.kind)).clicked() {
                chosen = Some(Command::Reveal(marker));
            }
        }
    }
    if let Some(more) = soft().count().checked_sub(MOST_SOFT).filter(|more| *more > 0) {
        grid::row(ui, "Soft navigations", &format_counted(more as u64, "more navigation"), palette);
    }
    chosen
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
