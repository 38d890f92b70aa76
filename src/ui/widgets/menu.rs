//! Context menus: a right click opens them at the pointer; Shift+F10 and the menu key open that of the widget with the keyboard
//! focus. Opened by a key, the first entry has the focus, and closing hands it back.

use egui::{Button, Context, Id, Key, Modifiers, Popup, Pos2, Response, SetOpenCommand, Ui, vec2};

/// A menu that was opened by a key.
#[derive(Clone, Copy, Debug)]
struct ByKey {
    place: Pos2,
    /// Whether its first entry is to get the focus.
    focuses: bool,
}

/// Whether the keys ask for a menu; takes the keys.
pub(crate) fn takes_key(context: &Context) -> bool {
    context.input_mut(|input| {
        input.consume_key(Modifiers::SHIFT, Key::F10) || input.consume_key(Modifiers::NONE, Key::Menu)
    })
}

/// The context menu of a widget.
pub(crate) fn context_menu(response: &Response, contents: impl FnOnce(&mut Ui)) {
    let place = || response.rect.left_bottom() + vec2(24.0, 0.0);
    let opened = (response.has_focus() && takes_key(&response.ctx)).then(place);
    context_menu_at(response, opened, contents);
}

/// The context menu of a row of a table; `table` has the keyboard focus, and gets it back. Keys open the menu of the row with
/// the cursor.
pub(crate) fn row_menu(response: &Response, table: Id, is_cursor: bool, contents: impl FnOnce(&mut Ui)) {
    let focused = is_cursor && response.ctx.memory(|memory| memory.has_focus(table));
    let opened = (focused && takes_key(&response.ctx)).then(|| response.rect.left_bottom() + vec2(24.0, 0.0));
    menu_at(response, table, opened, contents);
}

/// The context menu of a widget that a key may open somewhere.
pub(crate) fn context_menu_at(response: &Response, opened: Option<Pos2>, contents: impl FnOnce(&mut Ui)) {
    menu_at(response, response.id, opened, contents);
}

/// The context menu of a widget; `home` gets the keyboard focus when a menu that was opened by a key is closed.
fn menu_at(response: &Response, home: Id, opened: Option<Pos2>, contents: impl FnOnce(&mut Ui)) {
    let context = &response.ctx;
    let id = response.id.with("menu by key");
    if response.secondary_clicked() {
        context.data_mut(|data| data.remove::<ByKey>(id));
    }
    if let Some(place) = opened {
        context.data_mut(|data| data.insert_temp(id, ByKey { place, focuses: true }));
    }
    let by_key: Option<ByKey> = context.data(|data| data.get_temp(id));
    let mut popup = Popup::context_menu(response);
    if let Some(by_key) = by_key {
        popup = popup.at_position(by_key.place);
    }
    if opened.is_some() {
        popup = popup.open_memory(SetOpenCommand::Bool(true));
    }
    let shown = popup.show(|ui| {
        contents(ui);
        if let Some(by_key) = by_key.filter(|by_key| by_key.focuses && !ui.is_sizing_pass()) {
            focus_first(ui);
            ui.data_mut(|data| data.insert_temp(id, ByKey { focuses: false, ..by_key }));
        }
    });
    if by_key.is_some() && shown.is_none() {
        context.data_mut(|data| data.remove::<ByKey>(id));
        context.memory_mut(|memory| memory.request_focus(home));
    }
}

/// Gives the focus to the first widget of a menu that can have it.
fn focus_first(ui: &Ui) {
    let layer = ui.layer_id();
    let first: Option<Id> = ui.ctx().viewport(|viewport| {
        let mut widgets = viewport.this_pass.widgets.get_layer(layer);
        widgets.find(|widget| widget.enabled && widget.sense.is_focusable()).map(|widget| widget.id)
    });
    if let Some(first) = first {
        ui.memory_mut(|memory| memory.request_focus(first));
        ui.ctx().request_repaint();
    }
}

/// An entry of a menu with its key; returns whether it was chosen.
pub(crate) fn entry(ui: &mut Ui, text: &str, key: &str, is_enabled: bool) -> bool {
    let button = Button::new(text);
    // An empty key would be a part of the button's name.
    let button = if key.is_empty() { button } else { button.shortcut_text(key) };
    let chosen = ui.add_enabled(is_enabled, button).clicked();
    if chosen {
        ui.close();
    }
    chosen
}
