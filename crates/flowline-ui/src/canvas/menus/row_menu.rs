//! The group of the chart's context menu about the clicked row: its thread, and what is hidden.

use egui::Pos2;

use crate::TableKind;
use crate::canvas::layout::CanvasLayout;
use crate::canvas::menus::{hide_menu, track_menu};
use crate::canvas::pointer::box_selection::{item_at, rows_at};
use crate::commands::{SelectionAction, ViewAction, WindowAction};
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::menu::{Groups, entry};
use flowline_profile::MarkerId;
use flowline_session::Session;
use flowline_view::Command;

/// The entries; returns the user's choice.
pub(super) fn entries(
    menu: &mut Groups<'_>,
    session: &Session,
    layout: &CanvasLayout,
    (place, marker): (Pos2, Option<MarkerId>),
) -> Option<Command> {
    let mut chosen = None;
    let item = item_at(session, layout, place);
    let rows = rows_at(session, layout, place).filter(|rows| !rows.is_empty());
    if let Some(rows) = rows.filter(|_| marker.is_none()) {
        let is_selected = session.view.chosen.rows.has_all(&rows);
        let text = if is_selected { "Remove row from selection" } else { "Add row to selection" };
        menu.offer(&mut chosen, (text, SelectionAction::ToggleRow), Some(Command::ToggleRows(rows.clone())));
        let statistics = ("Statistics of this row", WindowAction::Table(TableKind::Statistics));
        if session.view.chosen.rows.is_empty() && entry(menu.ui(), statistics, true) {
            post(menu.ui().ctx(), WidgetRequest::ShowTable(TableKind::Statistics));
            chosen = Some(Command::ToggleRows(rows));
        }
    }
    let thread = item.as_ref().and_then(track_menu::thread_of);
    if let Some(thread) = thread {
        let is_pinned = session.view.tracks.order.pinned.contains(&thread);
        let pin = if is_pinned { "Unpin row" } else { "Pin row" };
        menu.offer(&mut chosen, pin, Some(Command::TogglePinnedThread(thread)));
        menu.offer(&mut chosen, ("Hide row", ViewAction::HideThread), Some(Command::HideThread(thread)));
        let only = ("Show only this thread", ViewAction::OnlyThread);
        menu.offer(&mut chosen, only, Some(Command::ShowOnly(thread)));
    }
    chosen = hide_menu::entries(menu, session, marker).or(chosen);
    let other = item.filter(|_| thread.is_none());
    chosen.or(other.and_then(|item| track_menu::submenu(menu, session, &item)))
}
