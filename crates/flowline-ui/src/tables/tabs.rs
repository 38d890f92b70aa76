//! The tabs of the drawer: one line, with a menu of the tabs that do not fit.

use egui::{Align2, Rect, Role, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::{TableKind, samples};
use crate::commands::{ViewAction, WindowAction, with_shortcut};
use crate::widgets::Dropdown;
use crate::widgets::icon::{Icon, focus_ring, icon_button, icon_toggle};
use crate::widgets::menu::entry;
use crate::widgets::style::color;
use flowline_index::Network;
use flowline_scene::Palette;
use flowline_session::{InsightReport, Session};
use flowline_view::Command;

/// Height in points.
pub(super) const HEIGHT: f32 = 28.0;
/// Points beside the text of a tab.
const PADDING: f32 = 10.0;
/// Width in points of the buttons at the right end.
const END_WIDTH: f32 = 64.0;

/// A table with its title and hint.
type Tab = (TableKind, &'static str, &'static str);

/// Shows the tabs with `shown` as the current one. Without a click, `next` is shown next. Returns the table to show next, and
/// the command of the switch for the visible range. The tabs depend on the recording only, so that a selection moves none.
pub(super) fn show(
    ui: &mut Ui,
    line: Rect,
    session: &Session,
    (shown, next): (TableKind, TableKind),
    palette: &Palette,
) -> (Option<TableKind>, Option<Command>) {
    let has_log = samples::has_log(session.index.profile());
    let has_network = Network::may_have(session.index.profile());
    let has_insights = InsightReport::may_exist(session.index.profile());
    let is_offered = |table: TableKind| match table {
        TableKind::EventLog => has_log || shown == table,
        TableKind::Network => has_network || shown == table,
        TableKind::Insights => has_insights || shown == table,
        _ => true,
    };
    let tabs: Vec<Tab> = TableKind::ALL.into_iter().filter(|(table, ..)| is_offered(*table)).collect();
    let more = Dropdown::menu("More");
    let (fitting, rest) = divided(ui, &tabs, shown, (line.width() - END_WIDTH, more.width(ui)));
    let (mut open, mut left) = (Some(next), line.min.x);
    for tab in fitting {
        let place = Rect::from_min_size(pos2(left, line.min.y), vec2(width(ui, tab.1), HEIGHT));
        left = place.max.x;
        if show_tab(ui, place, tab, tab.0 == shown, palette) {
            open = Some(tab.0);
        }
    }
    if !rest.is_empty() {
        let place = Rect::from_min_size(pos2(left, line.min.y + 2.0), vec2(more.width(ui), HEIGHT - 4.0));
        more.show_at(ui, place, palette, |ui| {
            for (table, title, _) in rest {
                if entry(ui, (title, WindowAction::Table(table)), true) {
                    open = Some(table);
                }
            }
        });
    }
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut end = ui.new_child(UiBuilder::new().id_salt("end of tabs").max_rect(line).layout(layout));
    if icon_button(&mut end, Icon::Close, "Close table", "Close table").clicked() {
        open = None;
    }
    // The other tables ignore the scope.
    let follows = session.view.follows_view;
    let has_range = !matches!(
        shown,
        TableKind::FlowTree
            | TableKind::CriticalPath
            | TableKind::Insights
            | TableKind::Query
            | TableKind::Notes
            | TableKind::Selection
    );
    let hint = with_shortcut(ui.ctx(), "Follow the visible range of the chart", ViewAction::FollowView);
    let is_clicked = has_range && icon_toggle(&mut end, Icon::Eye, "Visible range", &hint, Some(follows)).clicked();
    (open, is_clicked.then_some(Command::FollowView(!follows)))
}

fn width(ui: &Ui, title: &str) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    ui.painter().layout_no_wrap(title.to_owned(), font, egui::Color32::PLACEHOLDER).size().x + 2.0 * PADDING
}

/// The tabs that fit, and the others. The shown one is always among the first.
fn divided(ui: &Ui, tabs: &[Tab], shown: TableKind, (room, more): (f32, f32)) -> (Vec<Tab>, Vec<Tab>) {
    let widths: Vec<f32> = tabs.iter().map(|tab| width(ui, tab.1)).collect();
    if widths.iter().sum::<f32>() <= room {
        return (tabs.to_vec(), Vec::new());
    }
    let own = tabs.iter().position(|tab| tab.0 == shown);
    let mut rest = room - more - own.map_or(0.0, |own| widths[own]);
    let mut is_full = false;
    let fits = |number: usize| {
        if Some(number) == own {
            return true;
        }
        is_full |= widths[number] > rest;
        rest -= widths[number];
        !is_full
    };
    let fits: Vec<bool> = (0..tabs.len()).map(fits).collect();
    let of = |wanted: bool| tabs.iter().zip(&fits).filter(|(_, fits)| **fits == wanted).map(|(tab, _)| *tab).collect();
    (of(true), of(false))
}

fn show_tab(ui: &mut Ui, place: Rect, (table, title, hint): Tab, is_shown: bool, palette: &Palette) -> bool {
    let response = ui.interact(place, ui.scope_id().with(("tab", title)), Sense::click());
    let tint = if is_shown || response.hovered() { palette.text } else { palette.text2 };
    let font = TextStyle::Button.resolve(ui.style());
    ui.painter().text(place.center(), Align2::CENTER_CENTER, title, font, color(tint));
    if is_shown {
        let line = place.shrink2(vec2(PADDING, 0.0));
        let line = Rect::from_min_max(pos2(line.min.x, place.max.y - 2.0), pos2(line.max.x, place.max.y));
        ui.painter().rect_filled(line, 0.0, color(palette.accent));
    }
    if response.has_focus() {
        focus_ring(ui, place.shrink(2.0));
    }
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, title));
    let is_clicked = response.clicked();
    response.on_hover_text(with_shortcut(ui.ctx(), hint, WindowAction::Table(table)));
    is_clicked
}
