//! Buttons of tables with a menu: columns, and copying all rows.

use egui::containers::menu::menu_style;
use egui::{Button, Popup, PopupCloseBehavior, Ui};

use super::text::Format;
use crate::commands::{WindowAction, shortcut};
use crate::widgets::icon::{Icon, icon_button};
use crate::widgets::menu;

/// Rows to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyRequest {
    /// The cursor's row: Ctrl+C.
    Row,
    /// All rows.
    All(Format),
}

/// Shows the menu that copies all rows.
pub(crate) fn copy_menu(ui: &mut Ui) -> Option<CopyRequest> {
    let mut wanted = None;
    let button = icon_button(ui, Icon::Copy, "Copy rows", "Copy all rows");
    Popup::menu(&button).style(menu_style).show(|ui| {
        menu::style_rows(ui);
        let key = shortcut(ui.ctx(), WindowAction::CopyLink);
        for (format, text, keys, hint) in [
            (Format::Text, "Copy text", "", "All rows, columns padded with spaces"),
            (Format::Tsv, "Copy TSV", key.as_str(), "All rows for a spreadsheet, times in milliseconds"),
            (Format::Markdown, "Copy Markdown", "", "All rows as a Markdown table"),
        ] {
            if ui.add(Button::new(text).shortcut_text(keys)).on_hover_text(hint).clicked() {
                wanted = Some(CopyRequest::All(format));
                ui.close();
            }
        }
    });
    wanted
}

/// Shows the button of the columns, with a menu that stays open while its entries are clicked.
pub(crate) fn column_menu(ui: &mut Ui, entries: impl FnOnce(&mut Ui)) {
    let button = icon_button(ui, Icon::Columns, "Columns", "Columns and their widths");
    let popup = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.style(menu_style).show(|ui| menu::scrolling(ui, entries));
}
