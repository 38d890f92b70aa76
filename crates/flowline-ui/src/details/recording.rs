//! The details of the recording, shown while nothing is selected.

use egui::{CollapsingHeader, Ui};

use super::grid;
use super::header::{self, Header};
use super::metrics::TEXT;
use super::page_load;
use crate::commands::{WindowAction, shortcut};
use crate::widgets::grouped;
use flowline_format::{format_bytes, format_duration_ns};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Maximum number of metadata lines.
const MAX_PARTS: usize = 60;

/// Shows facts about the whole recording; returns the user's commands.
pub(super) fn show(ui: &mut Ui, session: &Session, palette: &Palette) -> Vec<Command> {
    let profile = session.index.profile();
    let meta = &profile.meta;
    let name = session.name();
    let format = meta.format_name();
    let subtitle = if meta.product.is_empty() { format } else { format!("{}, {format}", meta.product) };
    let header = Header { color: None, title: &name, short: &[], subtitle: &subtitle, thread: None };
    let mut commands = header::show(ui, session, &header, palette);
    ui.add_space(12.0);
    commands.extend(page_load::show(ui, session, palette));
    for (label, value) in facts(session) {
        grid::row(ui, label, &value, palette);
    }
    if let Some(cluster) = profile.main_cluster() {
        let outside = grouped(usize::try_from(cluster.outside).unwrap_or(usize::MAX));
        let length = format_duration_ns(cluster.range.len());
        let text = format!("{length} from the time origin; markers outside, possibly from another clock: {outside}");
        grid::row(ui, "Main part", &text, palette);
    }
    if !profile.parts.is_empty() {
        ui.add_space(6.0);
        let title = format!("Other data in the file ({})", grouped(profile.parts.len()));
        ui.horizontal(|ui| {
            ui.add_space(TEXT - 18.0);
            ui.vertical(|ui| {
                CollapsingHeader::new(title).show_unindented(ui, |ui| {
                    for (name, place) in profile.parts.iter().take(MAX_PARTS) {
                        grid::row(ui, name, &profile.part_text(*place, 160), palette);
                    }
                });
            });
        });
    }
    ui.add_space(12.0);
    let help = shortcut(ui.ctx(), WindowAction::Help);
    grid::note(ui, &format!("Click a marker to see its fields here; press {help} for all keys."), palette);
    commands
}

/// Counts and sizes, those that are not zero.
fn facts(session: &Session) -> Vec<(&'static str, String)> {
    let profile = session.index.profile();
    let meta = &profile.meta;
    #[expect(clippy::cast_precision_loss, reason = "a size in words")]
    let size = format_bytes(meta.file_bytes as f64);
    let samples: usize = profile.threads_with_ids().filter_map(|(id, _)| Some(profile.samples(id)?.cpu.len())).sum();
    let (threads, flows) = (profile.thread_count(), session.index.flows());
    let tracks = profile.threads.len() - threads;
    let flows = if flows.is_known() { grouped(flows.len()) } else { "not analyzed yet".to_owned() };
    let is_timed = meta.capabilities.axis.is_time();
    let mut facts = vec![
        (if is_timed { "Duration" } else { "Total" }, profile.clock().length(meta.range.len())),
        ("Processes", grouped(profile.processes.len())),
        ("Threads", grouped(threads)),
    ];
    facts.extend((tracks > 0).then(|| ("Tracks", grouped(tracks))));
    facts.push(("Markers", grouped(profile.marker_count())));
    // Without times, the total counts samples, and a stack may count as many of them.
    facts.extend((samples > 0).then(|| (if is_timed { "Samples" } else { "Stacks" }, grouped(samples))));
    facts.extend([("Flows", flows), ("File", size)]);
    facts
}
