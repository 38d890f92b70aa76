//! Context menus. A right click opens a menu at the pointer; Shift+F10 and the menu key open the menu of the focused
//! widget. A menu opened by a key focuses its first entry, and returns the focus when it closes.

use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{
    Atom, Button, Context, FocusDirection, Id, Key, Modifiers, Popup, Pos2, Response, Role, ScrollArea, SetOpenCommand,
    Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};

use crate::commands::{UiCommand, shortcut};
use crate::widgets::icon::Icon;

/// State of a menu opened by a key.
#[derive(Clone, Copy, Debug)]
struct ByKey {
    place: Pos2,
    /// True until its first entry has received the focus.
    focuses: bool,
}

/// True if a key that opens the context menu was pressed; consumes the key.
pub(crate) fn consume_menu_key(context: &Context) -> bool {
    context.input_mut(|input| {
        input.consume_key(Modifiers::SHIFT, Key::F10) || input.consume_key(Modifiers::NONE, Key::Menu)
    })
}

/// True if the context menu of a widget is open or may open in this frame. Other widgets can skip building its
/// contents.
pub(crate) fn may_be_open(response: &Response) -> bool {
    response.secondary_clicked()
        || response.has_focus()
        || Popup::is_id_open(&response.ctx, Popup::default_response_id(response))
        || response.ctx.data(|data| {
            data.get_temp::<ByKey>(by_key_id(response)).is_some() || data.get_temp::<bool>(focus_id(response)).is_some()
        })
}

/// Memory key that is set while the keyboard focus is inside the menu.
fn focus_id(response: &Response) -> Id {
    response.id.with("focus in menu")
}

/// Memory key for the [`ByKey`] state of a menu.
fn by_key_id(response: &Response) -> Id {
    response.id.with("menu by key")
}

/// Adds a context menu to a widget.
pub(crate) fn context_menu(response: &Response, contents: impl FnOnce(&mut Ui)) {
    let place = || response.rect.left_bottom() + vec2(24.0, 0.0);
    let opened = (response.has_focus() && consume_menu_key(&response.ctx)).then(place);
    context_menu_at(response, opened, contents);
}

/// Adds a context menu to a table row. Keys open the menu of the cursor's row. The keyboard focus returns to `table`.
pub(crate) fn row_menu(response: &Response, table: Id, is_cursor: bool, contents: impl FnOnce(&mut Ui)) {
    let focused = is_cursor && response.ctx.memory(|memory| memory.has_focus(table));
    let opened = (focused && consume_menu_key(&response.ctx)).then(|| response.rect.left_bottom() + vec2(24.0, 0.0));
    menu_at(response, table, opened, contents);
}

/// Adds a context menu to a widget; a key opens it at the position `opened`.
pub(crate) fn context_menu_at(response: &Response, opened: Option<Pos2>, contents: impl FnOnce(&mut Ui)) {
    menu_at(response, response.id, opened, contents);
}

/// Adds a context menu to a widget. When a menu that was opened by a key closes, `home` receives the keyboard focus.
fn menu_at(response: &Response, home: Id, opened: Option<Pos2>, contents: impl FnOnce(&mut Ui)) {
    let context = &response.ctx;
    let id = by_key_id(response);
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
        style_rows(ui);
        fit_window(ui, id, contents);
        keep_focus(ui, focus_id(response));
        if let Some(by_key) = by_key.filter(|by_key| by_key.focuses && !ui.is_sizing_pass()) {
            focus_first(ui);
            ui.data_mut(|data| data.insert_temp(id, ByKey { focuses: false, ..by_key }));
        }
    });
    if shown.is_none() {
        let was_inside = context.data_mut(|data| data.remove_temp::<bool>(focus_id(response))).is_some();
        if by_key.is_some() || was_inside {
            context.data_mut(|data| data.remove::<ByKey>(id));
            // A text field opened by a menu entry keeps the focus.
            if !context.text_edit_focused() {
                context.memory_mut(|memory| memory.request_focus(home));
            }
        }
    }
}

/// Moves the keyboard focus into a menu at the first arrow key, and stops the left arrow from moving it out.
fn keep_focus(ui: &Ui, id: Id) {
    if ui.is_sizing_pass() {
        return;
    }
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if has_focus(ui) {
        ui.data_mut(|data| data.insert_temp(id, true));
        if pressed(Key::ArrowLeft) {
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        }
    } else if ui.data(|data| data.get_temp::<bool>(id)).is_none() && (pressed(Key::ArrowDown) || pressed(Key::ArrowUp))
    {
        focus_first(ui);
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
}

/// Moves the keyboard focus into a menu that a button opened, at the down key. Call after its entries.
pub(crate) fn enter_by_arrow(ui: &Ui) {
    if !ui.is_sizing_pass() && !has_focus(ui) && ui.input(|input| input.key_pressed(Key::ArrowDown)) {
        focus_first(ui);
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
}

/// True if the keyboard focus is on a widget of the menu.
fn has_focus(ui: &Ui) -> bool {
    let (focused, layer) = (ui.memory(egui::Memory::focused), ui.layer_id());
    focused.is_some_and(|focused| {
        ui.ctx().viewport(|viewport| viewport.this_pass.widgets.get_layer(layer).any(|widget| widget.id == focused))
    })
}

/// Minimum points between a menu and the window edges.
const MARGIN: f32 = 12.0;

/// Shows the contents of a menu. A menu taller than the window scrolls, and keeps the focused entry in view. Widgets have
/// the same ids with and without the scroll area: a text field that filters the entries keeps its text and the focus.
fn fit_window(ui: &mut Ui, id: Id, contents: impl FnOnce(&mut Ui)) {
    let contents = |ui: &mut Ui| {
        ui.scope_builder(UiBuilder::new().scope_id(id.with("contents")), contents);
    };
    let (size_id, focus_id, pass_id) = (id.with("size"), id.with("focus"), id.with("pass"));
    let pass = ui.ctx().cumulative_pass_nr();
    let shown: Option<u64> = ui.data_mut(|data| {
        let before = data.get_temp(pass_id);
        data.insert_temp(pass_id, pass);
        before
    });
    let room = ui.ctx().content_rect().height() - 2.0 * MARGIN;
    let known: Option<Vec2> = ui.data(|data| data.get_temp(size_id));
    let Some(size) = known.filter(|size| size.y > room && !ui.is_sizing_pass()) else {
        contents(ui);
        let size = ui.min_rect().size();
        ui.data_mut(|data| data.insert_temp(size_id, size));
        return;
    };
    ui.set_width(size.x + ui.spacing().scroll.allocated_width());
    let area = ScrollArea::vertical().max_height(room);
    // A newly opened menu starts at the top.
    let is_new = shown.is_none_or(|shown| shown + 2 < pass);
    let area = if is_new { area.vertical_scroll_offset(0.0) } else { area };
    area.show(ui, |ui| {
        contents(ui);
        let size = vec2(size.x, ui.min_rect().height());
        ui.data_mut(|data| data.insert_temp(size_id, size));
        let focused = ui.memory(egui::Memory::focused);
        let before: Option<Option<Id>> = ui.data_mut(|data| {
            let before = data.get_temp(focus_id);
            data.insert_temp(focus_id, focused);
            before
        });
        let rect = focused.filter(|_| before != Some(focused)).and_then(|focused| {
            ui.ctx().viewport(|viewport| viewport.this_pass.widgets.get(focused).map(|widget| widget.rect))
        });
        rect.into_iter().for_each(|rect| ui.scroll_to_rect(rect, None));
    });
}

/// Focuses the first focusable widget of a menu.
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

/// Text of a menu entry, and the command of the registry that has the same effect, for its key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MenuLabel<'a> {
    text: &'a str,
    command: Option<UiCommand>,
}

impl<'a> From<&'a str> for MenuLabel<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, command: None }
    }
}

impl<'a, T: Into<UiCommand>> From<(&'a str, T)> for MenuLabel<'a> {
    fn from((text, command): (&'a str, T)) -> Self {
        Self { text, command: Some(command.into()) }
    }
}

/// Title and key of the registry.
impl<T: Into<UiCommand>> From<T> for MenuLabel<'static> {
    fn from(command: T) -> Self {
        let command = command.into();
        Self { text: command.title(), command: Some(command) }
    }
}

/// Width of a menu and height of its entries in points.
const WIDTH: f32 = 240.0;
const ROW_HEIGHT: f32 = 24.0;

/// Sets the look of menu entries: rows without gaps; the entry under the pointer is filled.
pub(crate) fn style_rows(ui: &mut Ui) {
    ui.set_min_width(WIDTH);
    let style = ui.style_mut();
    style.spacing.item_spacing.y = 0.0;
    style.spacing.button_padding = vec2(8.0, 0.0);
    style.spacing.interact_size.y = ROW_HEIGHT;
    let selection = style.visuals.selection;
    let widgets = &mut style.visuals.widgets;
    for lit in [&mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        lit.weak_bg_fill = selection.bg_fill;
        lit.fg_stroke.color = selection.stroke.color;
    }
}

/// Shows the contents of a menu that a button opened.
pub(crate) fn scrolling(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    style_rows(ui);
    let id = ui.scope_id().with("menu");
    fit_window(ui, id, contents);
}

/// Adds an entry that opens a submenu.
pub(crate) fn submenu(ui: &mut Ui, text: &str, contents: impl FnOnce(&mut Ui)) {
    let config = MenuConfig::find(ui);
    submenu_with(ui, text, config, contents);
}

/// Adds an entry that opens a submenu with a behavior of its own; returns the response of the entry.
pub(crate) fn submenu_with(ui: &mut Ui, text: &str, config: MenuConfig, contents: impl FnOnce(&mut Ui)) -> Response {
    let arrow = Atom::paint(Vec2::splat(14.0), |ui, place| {
        Icon::ChevronRight.paint(ui.painter(), place.rect, place.fallback_text_color);
    });
    let button = SubMenuButton::from_button(Button::new(text).right_text(arrow)).config(config);
    let shown = button.ui(ui, |ui| {
        style_rows(ui);
        contents(ui);
    });
    shown.0
}

/// Adds an entry with a check mark while it is on; returns true if it was clicked. The menu stays open.
pub(crate) fn check_entry<'a>(ui: &mut Ui, label: impl Into<MenuLabel<'a>>, is_on: bool) -> bool {
    let MenuLabel { text, command } = label.into();
    let key = command.map(|command| shortcut(ui.ctx(), command)).unwrap_or_default();
    let mark = Atom::paint(Vec2::splat(16.0), move |ui, place| {
        if is_on {
            Icon::Check.paint(ui.painter(), place.rect, place.fallback_text_color);
        }
    });
    let button = Button::new((mark, text));
    let button = if key.is_empty() { button } else { button.shortcut_text(key) };
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, text));
    response.clicked()
}

/// Adds a menu entry; returns true if it was clicked.
pub(crate) fn entry<'a>(ui: &mut Ui, label: impl Into<MenuLabel<'a>>, is_enabled: bool) -> bool {
    let MenuLabel { text, command } = label.into();
    let key = command.map(|command| shortcut(ui.ctx(), command)).unwrap_or_default();
    let button = Button::new(text);
    // An empty shortcut text would become part of the button's accessible name.
    let button = if key.is_empty() { button } else { button.shortcut_text(key) };
    let chosen = ui.add_enabled(is_enabled, button).clicked();
    if chosen {
        ui.close();
    }
    chosen
}

/// Adds a menu entry for a choice, if there is one; sets `chosen` if it was clicked.
pub(crate) fn offer<'a, T>(ui: &mut Ui, chosen: &mut Option<T>, label: impl Into<MenuLabel<'a>>, choice: Option<T>) {
    if choice.is_some() && entry(ui, label, true) {
        *chosen = choice;
    }
}

/// A menu in groups. A line precedes each group but the first, and groups without entries have none.
pub(crate) struct Groups<'u> {
    ui: &'u mut Ui,
    has_entry: bool,
    is_new: bool,
}

impl<'u> Groups<'u> {
    pub(crate) const fn new(ui: &'u mut Ui) -> Self {
        Self { ui, has_entry: false, is_new: false }
    }

    /// Begins the next group.
    pub(crate) const fn next(&mut self) {
        self.is_new = self.has_entry;
    }

    /// The place of the next entry, which the caller must add.
    pub(crate) fn ui(&mut self) -> &mut Ui {
        if self.is_new {
            self.ui.separator();
        }
        (self.has_entry, self.is_new) = (true, false);
        self.ui
    }

    /// Adds an entry for a choice, if there is one; sets `chosen` if it was clicked.
    pub(crate) fn offer<'a, T>(&mut self, chosen: &mut Option<T>, label: impl Into<MenuLabel<'a>>, choice: Option<T>) {
        if choice.is_some() {
            offer(self.ui(), chosen, label, choice);
        }
    }
}
