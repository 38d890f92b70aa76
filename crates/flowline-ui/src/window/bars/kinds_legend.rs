//! The kinds of work with their colors, their time in view, and an eye that hides them. Hidden kinds are excluded through
//! the search text, so the search box shows them.

use egui::{Align2, FontId, Rect, Response, Role, Sense, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::style::{SMALL, color};
use flowline_format::format_duration_ns;
use flowline_index::search::{Query, Term, Test, parts, whole_value};
use flowline_index::statistics::KindTime;
use flowline_profile::{Kind, ThreadId};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Height of a line, and width of each of the two columns, in points.
const ROW: f32 = 24.0;
const COLUMN: f32 = 228.0;
const GAP: f32 = 8.0;
/// Width of the legend in points.
pub(super) const WIDTH: f32 = 2.0 * COLUMN + GAP;
/// Side of a swatch, and of the eye, in points.
const SWATCH: f32 = 9.0;
const EYE: f32 = 16.0;

/// Shows all kinds in two columns; returns the search that hides or shows one.
pub(super) fn show(ui: &mut Ui, session: &Session, palette: &Palette) -> Option<Command> {
    let sums = sums(session);
    let time = |kind: Kind| {
        let of_kind = |own: &&KindTime| own.kind == Some(kind);
        sums.as_deref().and_then(|sums| sums.iter().find(of_kind)).map(|own| own.self_time)
    };
    let search = &session.view.search;
    let mut command = None;
    let mut line = |ui: &mut Ui, kind: Kind| {
        let (rect, response) = ui.allocate_exact_size(vec2(COLUMN, ROW), Sense::click());
        let is_hidden = is_hidden(search, kind);
        #[expect(clippy::cast_possible_truncation, reason = "clamped")]
        let time = time(kind).map(|time| format_duration_ns(time.clamp(0, i128::from(i64::MAX)) as i64));
        draw(ui, &response, rect, (kind, is_hidden, time.as_deref()), palette);
        let action = if is_hidden { "Show" } else { "Hide" };
        let spent = time.as_ref().map(|time| format!(", {time}")).unwrap_or_default();
        response
            .widget_info(|| WidgetInfo::selected(Role::CheckBox, true, !is_hidden, format!("{}{spent}", kind.title())));
        if response.clicked() {
            command = Some(Command::Search(with_kind(search, kind, is_hidden)));
        }
        response.on_hover_text(format!("{action} {}", kind.title()));
    };
    for pair in Kind::ALL.chunks(2) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            pair.iter().for_each(|kind| line(ui, *kind));
        });
    }
    command
}

/// The time of the kinds in view; `None` until it is added up. While the view moves, its range changes in each frame.
fn sums(session: &Session) -> Option<std::sync::Arc<Vec<KindTime>>> {
    let (scope, profile) = (session.scope(), session.index.profile());
    if session.view.is_moving() {
        return None;
    }
    let threads: Vec<ThreadId> =
        profile.threads_with_ids().map(|(id, _)| id).filter(|id| scope.shows(*id) && scope.has(*id)).collect();
    session.kinds.get(&session.index, threads, session.view.axis.visible())
}

fn draw(
    ui: &Ui,
    response: &Response,
    rect: Rect,
    (kind, is_hidden, time): (Kind, bool, Option<&str>),
    palette: &Palette,
) {
    if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, color(palette.accent_soft));
    }
    if response.has_focus() {
        focus_ring(ui, rect.shrink(2.0));
    }
    let eye = Rect::from_center_size(pos2(rect.min.x + 8.0 + EYE / 2.0, rect.center().y), Vec2::splat(EYE));
    let icon = if is_hidden { Icon::EyeOff } else { Icon::Eye };
    icon.paint(ui.painter(), eye, color(if is_hidden { palette.text3 } else { palette.text2 }));
    let swatch = Rect::from_center_size(pos2(eye.max.x + 8.0 + SWATCH / 2.0, rect.center().y), Vec2::splat(SWATCH));
    let (fill, edge) = (palette.fills[kind as usize], palette.edges[kind as usize]);
    if !is_hidden {
        ui.painter().rect_filled(swatch, 2.0, color(fill));
    }
    ui.painter().rect_stroke(swatch, 2.0, (1.0, color(edge)), StrokeKind::Inside);
    let text = pos2(swatch.max.x + 8.0, rect.center().y);
    let tint = color(if is_hidden { palette.text3 } else { palette.text });
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().text(text, Align2::LEFT_CENTER, kind.title(), font, tint);
    if let Some(time) = time {
        let font = FontId::proportional(SMALL);
        ui.painter().text(pos2(rect.max.x - 8.0, rect.center().y), Align2::RIGHT_CENTER, time, font, tint);
    }
}

/// True if a part of a search excludes exactly a kind.
fn excludes(part: &str, kind: Kind) -> bool {
    let query = Query::parse(part);
    match (query.any.as_slice(), query.none.as_slice()) {
        ([], [Term { test: Test::Field { key, text, whole: true }, .. }]) => {
            key == "work" && *text == kind.title().to_lowercase()
        }
        _ => false,
    }
}

fn is_hidden(search: &str, kind: Kind) -> bool {
    parts(search).into_iter().any(|part| excludes(part, kind))
}

/// The search text with a kind shown or hidden.
fn with_kind(search: &str, kind: Kind, shown: bool) -> String {
    let mut kept: Vec<&str> = parts(search).into_iter().filter(|part| !excludes(part, kind)).collect();
    let term = format!("-{}", whole_value("work", &kind.title().to_lowercase()));
    if !shown {
        kept.push(&term);
    }
    kept.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_added_to_and_removed_from_the_search() {
        let hidden = with_kind("paint, dur:>1ms", Kind::Script, false);
        assert_eq!(hidden, "paint, dur:>1ms, -work:=scripting");
        assert!(is_hidden(&hidden, Kind::Script) && !is_hidden(&hidden, Kind::Paint));
        assert_eq!(with_kind(&hidden, Kind::Script, false), hidden, "excluded only once");
        assert_eq!(with_kind(&hidden, Kind::Script, true), "paint, dur:>1ms");
        for kind in Kind::ALL {
            assert!(is_hidden(&with_kind("", kind, false), kind), "{}", kind.title());
        }
    }
}
