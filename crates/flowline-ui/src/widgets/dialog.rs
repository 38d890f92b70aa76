//! The frame of all dialogs, and whether one is open.
//!
//! A dialog opens in the center of the window and can be dragged. Its header has the title and a close button on the fill
//! of the body.

use egui::{
    Align, Area, Button, Context, Id, Layout, Margin, Order, Rect, RichText, Role, Sense, Stroke, TextEdit, Ui, UiKind,
    vec2,
};

use crate::widgets::icon::{self, Icon};
use crate::widgets::style::{BODY, TITLE, color};
use crate::widgets::{palette_of, surface};

/// Height of the header in points.
const HEADER: f32 = 44.0;
/// Margin of the body in points.
const PADDING: f32 = 24.0;
/// Minimum distance to the edges of the window in points.
const MARGIN: f32 = 16.0;
/// Height of the controls of dialogs and pages in points.
pub(crate) const CONTROL: f32 = 32.0;
/// Corner radius in points.
const RADIUS: u8 = 8;

/// A dialog with a title.
pub(crate) struct Dialog<'a> {
    title: &'a str,
    width: f32,
    is_modal: bool,
}

/// A dialog that was shown.
pub(crate) struct Shown<T> {
    /// The result of its contents.
    pub(crate) inner: T,
    /// True if the user closed it.
    pub(crate) is_closed: bool,
}

impl<'a> Dialog<'a> {
    /// A dialog of a width in points; narrow windows have less. The title is its identity.
    pub(crate) const fn new(title: &'a str, width: f32) -> Self {
        Self { title, width, is_modal: false }
    }

    /// The same dialog, but nothing else in the window reacts, and a click outside closes it.
    pub(crate) const fn modal(self) -> Self {
        Self { is_modal: true, ..self }
    }

    /// Shows the dialog.
    pub(crate) fn show<T>(self, context: &Context, body: impl FnOnce(&mut Ui) -> T) -> Shown<T> {
        suppress_tooltips(context);
        let window = context.content_rect();
        let width = self.width.min(window.width() - 2.0 * MARGIN).max(120.0).floor();
        let id = Id::unique(("dialog", self.title));
        if self.is_modal {
            let modal = egui::Modal::new(id).frame(surface(context, palette_of(context).panel, RADIUS));
            let shown = modal.show(context, |ui| contents(ui, self.title, width, body));
            let (inner, is_closed) = shown.inner;
            return Shown { inner, is_closed: is_closed || shown.backdrop_response.clicked() };
        }
        let area = Area::new(id)
            .kind(UiKind::Window)
            .role(Role::Window)
            .accessible_name(self.title)
            .order(Order::Middle)
            .pivot(egui::Align2::CENTER_CENTER)
            .default_pos(window.center())
            .constrain_to(window);
        let shown = area.show(context, |ui| {
            surface(context, palette_of(context).panel, RADIUS)
                .show(ui, |ui| contents(ui, self.title, width, body))
                .inner
        });
        let (inner, is_closed) = shown.inner;
        Shown { inner, is_closed }
    }
}

/// The height that the body of a dialog can have in this window, in points.
pub(crate) fn body_height(context: &Context) -> f32 {
    (context.content_rect().height() - 2.0 * MARGIN - HEADER - 2.0 * PADDING).max(40.0)
}

fn contents<T>(ui: &mut Ui, title: &str, width: f32, body: impl FnOnce(&mut Ui) -> T) -> (T, bool) {
    ui.set_width(width);
    ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
    let is_closed = header(ui, title, width);
    let inner = egui::Frame::NONE.inner_margin(PADDING).show(ui, |ui| {
        ui.set_width(width - 2.0 * PADDING);
        body(ui)
    });
    (inner.inner, is_closed)
}

/// The title and the close button; returns true if the button was pressed.
fn header(ui: &mut Ui, title: &str, width: f32) -> bool {
    let palette = palette_of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(width, HEADER), Sense::hover());
    ui.advance_cursor_after_rect(Rect::from_min_max(rect.min, rect.max));
    ui.painter().hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, color(palette.line)));
    let close = Rect::from_center_size(egui::pos2(rect.max.x - PADDING - 4.0, rect.center().y), icon::BUTTON);
    let room = Rect::from_min_max(rect.min + vec2(PADDING, 0.0), egui::pos2(close.min.x - 8.0, rect.max.y));
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(room).layout(Layout::left_to_right(Align::Center)));
    let text = RichText::new(title).size(TITLE).color(color(palette.text));
    child.add(egui::Label::new(text).truncate().selectable(false));
    let response = ui.interact(close, ui.scope_id().with("close"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, format!("Close {title}")));
    icon::paint_button(ui, &response, close, Icon::Close, false);
    response.on_hover_text("Close (Esc)").clicked()
}

/// Shows the buttons of a dialog at its right edge. The first button in `contents` is the rightmost.
pub(crate) fn dialog_buttons<T>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> T) -> T {
    ui.add_space(8.0);
    let size = vec2(ui.available_width(), CONTROL);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), contents).inner
}

/// A button of a dialog or page.
pub(crate) fn page_button<'a>(text: &str) -> Button<'a> {
    Button::new(RichText::new(text).size(BODY)).min_size(vec2(72.0, CONTROL))
}

/// A field for one line of text that is as wide as its place.
pub(crate) fn text_field<'a>(text: &'a mut String, hint: &str) -> TextEdit<'a> {
    TextEdit::singleline(text).hint_text(hint.to_owned()).desired_width(f32::INFINITY).margin(Margin::symmetric(8, 7))
}

/// The button for the purpose of a dialog or page.
pub(crate) fn main_button<'a>(context: &Context, text: &str) -> Button<'a> {
    let palette = palette_of(context);
    Button::new(RichText::new(text).size(BODY).color(color(palette.on_accent)))
        .fill(color(palette.accent_fill))
        .stroke(Stroke::new(1.0, color(palette.accent)))
        .min_size(vec2(72.0, CONTROL))
}

/// Points between the parts of a page button with an icon.
const ICON_GAP: f32 = 8.0;

/// Width in points of a button with an icon.
pub(crate) fn page_icon_button_width(ui: &Ui, text: &str) -> f32 {
    let font = egui::FontId::proportional(BODY);
    let text = ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER);
    text.size().x + icon::GRID + 3.0 * ICON_GAP
}

/// A button of a page with an icon before its text; the main one is filled.
pub(crate) fn page_icon_button(ui: &mut Ui, shape: Icon, text: &str, is_main: bool) -> egui::Response {
    let button = if is_main { main_button(ui.ctx(), "") } else { page_button("") };
    let response = ui.add(button.min_size(vec2(page_icon_button_width(ui, text), CONTROL)));
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, text));
    let palette = palette_of(ui.ctx());
    let tint = color(if is_main { palette.on_accent } else { palette.text });
    let rect = response.rect;
    let corner = egui::pos2(rect.min.x + ICON_GAP, rect.center().y - icon::GRID / 2.0);
    shape.paint(ui.painter(), egui::Rect::from_min_size(corner, egui::Vec2::splat(icon::GRID)), tint);
    let at = egui::pos2(corner.x + icon::GRID + ICON_GAP, rect.center().y);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, text, egui::FontId::proportional(BODY), tint);
    response
}

/// Marks a dialog as open in this pass, so that no chart tooltip covers it.
pub(crate) fn suppress_tooltips(context: &Context) {
    let pass = context.cumulative_pass_nr();
    context.data_mut(|data| data.insert_temp(Id::unique(DIALOG), pass));
}

/// True if a dialog was marked with [`suppress_tooltips`] in this pass or the previous one.
pub(crate) fn has_dialog(context: &Context) -> bool {
    let last: Option<u64> = context.data(|data| data.get_temp(Id::unique(DIALOG)));
    last.is_some_and(|last| last + 1 >= context.cumulative_pass_nr())
}

/// Memory key for the pass that last showed a dialog.
const DIALOG: &str = "pass of the last dialog";
