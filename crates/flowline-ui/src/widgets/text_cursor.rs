//! Cursor and selection of text fields.

use egui::text::{CCursor, CCursorRange};
use egui::{Context, Id};

/// Selects the whole text of a field, so that typing replaces it.
pub(crate) fn select_all(context: &Context, field: Id, text: &str) {
    let mut state = egui::TextEdit::load_state(context, field).unwrap_or_default();
    let (start, end) = (CCursor::new(0), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(CCursorRange::two(start, end)));
    state.store(context, field);
}

/// Moves the cursor of a text field to the end of its text.
pub(crate) fn cursor_to_end(context: &Context, field: Id, text: &str) {
    let mut state = egui::TextEdit::load_state(context, field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(text.chars().count()))));
    state.store(context, field);
}
