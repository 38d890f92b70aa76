//! A filter above a long list in a menu.

use egui::{EventFilter, Response, Role, TextEdit, Ui, WidgetInfo};

/// Lists with more entries than this have a filter.
const SHORT: usize = 12;

/// Lets the up and down keys leave a text field in a menu, as they leave the other entries.
pub(crate) fn leave_by_arrows(ui: &Ui, field: &Response) {
    if field.has_focus() {
        let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: false, escape: false };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(field.id, filter));
    }
}

/// Shows a filter if a list is long. Returns what the user typed, in lower case; empty for a short list. The field has the
/// focus when the menu opens, and the menu must not close on clicks inside.
pub(crate) fn list_filter(ui: &mut Ui, entries: usize) -> String {
    if entries <= SHORT {
        return String::new();
    }
    let id = ui.scope_id().with("list filter");
    let mut text: String = ui.data_mut(|data| data.get_temp(id).unwrap_or_default());
    // The menu has just opened if the last pass did not show it. A table that had the focus before may still have it, and a
    // menu is first laid out without being shown.
    let (pass, pass_id) = (ui.ctx().cumulative_pass_nr(), id.with("pass"));
    let before: Option<u64> = ui.data(|data| data.get_temp(pass_id));
    let is_new = before.is_none_or(|before| before + 1 < pass);
    if !ui.is_sizing_pass() {
        ui.data_mut(|data| data.insert_temp(pass_id, pass));
    }
    if is_new {
        text.clear();
    }
    let edit = TextEdit::singleline(&mut text).id(id.with("field")).hint_text("Filter");
    let edit = edit.align(egui::Align2::LEFT_CENTER);
    let response = ui.add(edit.desired_width(ui.available_width().max(120.0)));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter the list"));
    if is_new && !ui.is_sizing_pass() {
        response.request_focus();
    }
    leave_by_arrows(ui, &response);
    let wanted = text.to_lowercase();
    ui.data_mut(|data| data.insert_temp(id, text));
    wanted
}
