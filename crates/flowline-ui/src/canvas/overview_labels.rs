//! Names and counts of the lanes of the overview, and the name of the lane of milestones and notes, in the label column.

use std::collections::BTreeSet;

use egui::{Align2, FontId, Id, Rect, Role, Sense, Ui, WidgetInfo, pos2};

use crate::canvas::layout::CanvasLayout;
use crate::widgets::elide;
use crate::widgets::style::color;
use flowline_format::{format_count, format_counted, format_duration_ns, format_percent};
use flowline_index::Derived;
use flowline_insights::overview::GpuUse;
use flowline_insights::page_load::Screenshots;
use flowline_profile::ProcessId;
use flowline_scene::{Palette, PixelRect};
use flowline_session::Session;

/// Distance in points between the edges of the label column and the texts.
const INDENT: f32 = 12.0;
/// Least distance in points between a name and its count.
const GAP: f32 = 8.0;
/// Size of the texts in points.
const CAPTION: f32 = 11.0;
/// Label columns narrower than this many points show no counts.
const MIN_COUNTS: f32 = 140.0;

/// The label of a lane of the overview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneText {
    /// Its name.
    pub name: &'static str,
    /// What it shows, if that is not everything: a process.
    pub caption: String,
    /// A count or a share; empty if there is none.
    pub value: String,
    /// Description for screen readers.
    pub spoken: String,
}

/// The labels of the lanes that are shown, each with its place in the overview in pixels, from top to bottom.
#[must_use]
pub fn overview_lanes(session: &Session) -> Vec<(PixelRect, LaneText)> {
    let input = session.scene_input();
    let Some(lanes) = input.scope.lanes() else { return Vec::new() };
    let parts = input.overview_parts();
    let tasks = lanes.responsiveness.as_ref().map_or_else(LaneText::default, |own| {
        let count = own.count() as u64;
        let spoken = format_counted(count, own.one());
        LaneText { name: own.name(), value: own.value(), spoken, ..LaneText::default() }
    });
    let requests = lanes.network.as_ref().map_or(0, |network| network.count()) as u64;
    let network = LaneText {
        name: "Network",
        value: format_count(requests),
        spoken: format!("Network, {}", format_counted(requests, "request")),
        ..LaneText::default()
    };
    let screens = Screenshots::if_built(&session.index).map_or(0, |screens| screens.list().len()) as u64;
    let screens = LaneText { name: "Screens", spoken: format_counted(screens, "screenshot"), ..LaneText::default() };
    let cpu = LaneText {
        name: cpu_title(session),
        caption: cpu_process(session),
        value: gpu_share(session),
        spoken: cpu_name(session),
    };
    let all = [(parts.tasks, tasks), (parts.cpu, cpu), (parts.network, network), (parts.screens, screens)];
    all.into_iter().filter_map(|(part, text)| Some((part?, text))).collect()
}

/// Shows the labels.
pub(crate) fn show(ui: &Ui, session: &Session, layout: &CanvasLayout, palette: &Palette) {
    let (column, scale) = (layout.corner, session.canvas.scale);
    let line = egui::Stroke::new(1.0, color(palette.line));
    if layout.lane.is_positive() && layout.lane_label.width() >= 1.0 {
        let rect = layout.lane_label;
        ui.painter().rect_filled(rect, 0.0, color(palette.panel));
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, line);
        let first = Rect::from_min_size(rect.min, egui::vec2(rect.width(), flowline_scene::LANE_LINE));
        let name = "Milestones and notes";
        label(ui, session, first, &LaneText { name, spoken: name.to_owned(), ..LaneText::default() }, palette);
    }
    if !column.is_positive() {
        return;
    }
    for (part, text) in overview_lanes(session) {
        let (top, bottom) = (part.y / scale, part.bottom() / scale);
        let rect = Rect::from_min_max(pos2(column.min.x, top), pos2(column.max.x, bottom));
        label(ui, session, rect, &text, palette);
    }
}

/// Use of the GPU, if the lane shows its work instead of that of CPUs.
fn gpu_use(session: &Session) -> Option<GpuUse> {
    session.scope().lanes().and_then(|lanes| lanes.gpu)
}

/// Share of time during which the GPU was busy.
fn gpu_share(session: &Session) -> String {
    gpu_use(session).map_or_else(String::new, |gpu| format!("busy {}", format_percent(gpu.share())))
}

/// Name of the process whose CPU use is shown; empty if there is only one.
fn cpu_process(session: &Session) -> String {
    let profile = session.index.profile();
    let lanes = session.scope().lanes();
    if gpu_use(session).is_some() {
        let threads = lanes.map_or(&[][..], |lanes| &lanes.cpu_threads);
        let gpus: BTreeSet<ProcessId> = threads.iter().map(|thread| profile.thread(*thread).process).collect();
        return match (gpus.first(), gpus.len()) {
            (Some(gpu), 1) if profile.processes.len() > 1 => profile.processes[gpu.index()].name.to_string(),
            (_, 0 | 1) => String::new(),
            (_, count) => format_counted(count as u64, "GPU"),
        };
    }
    let process = lanes.and_then(|lanes| lanes.cpu_process);
    let named = process.filter(|_| profile.processes.len() > 1);
    named.map_or_else(String::new, |process| {
        profile.processes[process.index()].heading_parts(session.index.pages().of(process)).0
    })
}

/// Name of the CPU lane. Samples without times state no use of a CPU.
fn cpu_title(session: &Session) -> &'static str {
    if gpu_use(session).is_some() {
        return "GPU";
    }
    if session.view.clock().unit.is_time() { "CPU" } else { "Samples" }
}

/// Description of the CPU lane for screen readers.
pub(crate) fn cpu_name(session: &Session) -> String {
    let what = if session.view.clock().unit.is_time() { "CPU time" } else { "Samples" };
    if let Some(gpu) = gpu_use(session) {
        let whole = format_duration_ns(gpu.whole.0);
        return format!("GPU, busy {} of {whole}", format_percent(gpu.share()));
    }
    let threads = session.scope().lanes().map_or(&[][..], |lanes| &lanes.cpu_threads);
    match threads {
        [thread] => format!("{what} of {}", session.index.profile().thread_title(*thread)),
        threads => {
            let process = cpu_process(session);
            let of = if process.is_empty() { String::new() } else { format!(" of {process}") };
            format!("{what} of {}{of}", format_counted(threads.len() as u64, "thread"))
        }
    }
}

fn label(ui: &Ui, session: &Session, rect: Rect, text: &LaneText, palette: &Palette) {
    let response = ui.interact(rect, Id::unique(("overview label", session.canvas.pane, text.name)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text.spoken.as_str()));
    response.on_hover_text(text.spoken.as_str());
    let (font, painter) = (FontId::proportional(CAPTION), ui.painter().with_clip_rect(rect));
    let taken = painter.text(
        pos2(rect.min.x + INDENT, rect.center().y),
        Align2::LEFT_CENTER,
        text.name,
        font.clone(),
        color(palette.text2),
    );
    if rect.width() >= MIN_COUNTS {
        let room = (rect.width() - 2.0 * INDENT - taken.width() - GAP).max(0.0);
        let end = if text.value.is_empty() { &text.caption } else { &text.value };
        let count = elide(ui, end, room, font, color(palette.text));
        let place = pos2(rect.max.x - INDENT - count.size().x, rect.center().y - count.size().y / 2.0);
        painter.galley(place, count, color(palette.text));
    }
}
