//! Names and counts of the lanes of the overview, and the name of the lane of milestones and notes, in the label column.

use egui::{Align2, FontId, Id, Rect, Role, Sense, Ui, WidgetInfo, pos2};

use crate::canvas::layout::CanvasLayout;
use crate::widgets::style::color;
use flowline_format::{format_count, format_counted, format_duration_ns, format_percent};
use flowline_index::Derived;
use flowline_insights::overview::GpuUse;
use flowline_insights::page_load::Screenshots;
use flowline_scene::{Palette, PixelRect};
use flowline_session::Session;

/// Distance in points between the edges of the label column and the texts.
const INDENT: f32 = 12.0;
/// Size of the texts in points.
const CAPTION: f32 = 11.0;
/// Label columns narrower than this many points show no counts.
const MIN_COUNTS: f32 = 140.0;

/// A label: name, count or nothing, text for screen readers.
type Label = (&'static str, String, String);

/// Shows the labels.
pub(crate) fn show(ui: &Ui, session: &Session, layout: &CanvasLayout, palette: &Palette) {
    let (column, input, scale) = (layout.corner, session.scene_input(), session.canvas.scale);
    let line = egui::Stroke::new(1.0, color(palette.line));
    if layout.lane.is_positive() && layout.lane_label.width() >= 1.0 {
        let rect = layout.lane_label;
        ui.painter().rect_filled(rect, 0.0, color(palette.panel));
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, line);
        let first = Rect::from_min_size(rect.min, egui::vec2(rect.width(), flowline_scene::LANE_LINE));
        let name = "Milestones and notes";
        label(ui, session, first, (name, String::new(), name.to_owned()), palette);
    }
    let Some(lanes) = input.scope.lanes().filter(|_| column.is_positive()) else { return };
    let parts = input.overview_parts();
    let (name, tasks, spoken) = lanes.responsiveness.as_ref().map_or_else(Default::default, |own| {
        let count = own.count() as u64;
        (own.name(), format_count(count), format_counted(count, own.one()))
    });
    let requests = lanes.network.as_ref().map_or(0, |network| network.count()) as u64;
    let screens = Screenshots::if_built(&session.index).map_or(0, |screens| screens.list().len()) as u64;
    let texts: [(Option<PixelRect>, Label); 4] = [
        (parts.tasks, (name, tasks, spoken)),
        (parts.cpu, (cpu_title(session), gpu_share(session), cpu_name(session))),
        (
            parts.network,
            ("Network", format_count(requests), format!("Network, {}", format_counted(requests, "request"))),
        ),
        (parts.screens, ("Screens", String::new(), format_counted(screens, "screenshot"))),
    ];
    for (part, text) in texts {
        let Some(part) = part else { continue };
        let (top, bottom) = (part.y / scale, part.bottom() / scale);
        let rect = Rect::from_min_max(pos2(column.min.x, top), pos2(column.max.x, bottom));
        label(ui, session, rect, text, palette);
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

/// Name of the CPU lane. Samples without times state no use of a CPU.
fn cpu_title(session: &Session) -> &'static str {
    if gpu_use(session).is_some() {
        return "GPU";
    }
    if session.view.clock().unit.is_time() { "CPU" } else { "Samples" }
}

/// Description of the CPU lane for screen readers.
fn cpu_name(session: &Session) -> String {
    let what = if session.view.clock().unit.is_time() { "CPU time" } else { "Samples" };
    if let Some(gpu) = gpu_use(session) {
        let whole = format_duration_ns(gpu.whole.0);
        return format!("GPU, busy {} of {whole}", format_percent(gpu.share()));
    }
    let threads = session.scope().lanes().map_or(&[][..], |lanes| &lanes.cpu_threads);
    match threads {
        [thread] => format!("{what} of {}", session.index.profile().thread_title(*thread)),
        threads => format!("{what} of {}", format_counted(threads.len() as u64, "thread")),
    }
}

fn label(ui: &Ui, session: &Session, rect: Rect, (name, count, spoken): Label, palette: &Palette) {
    let response = ui.interact(rect, Id::unique(("overview label", session.canvas.pane, name)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken.as_str()));
    let (font, painter) = (FontId::proportional(CAPTION), ui.painter().with_clip_rect(rect));
    painter.text(
        pos2(rect.min.x + INDENT, rect.center().y),
        Align2::LEFT_CENTER,
        name,
        font.clone(),
        color(palette.text2),
    );
    if rect.width() >= MIN_COUNTS {
        let place = pos2(rect.max.x - INDENT, rect.center().y);
        painter.text(place, Align2::RIGHT_CENTER, count, font, color(palette.text));
    }
}
