//! Cursor and selection of text fields.

use egui::text::{CCursor, CCursorRange};
use egui::{Context, Id};

/// Selects the whole text of a field, so that typing replaces it.
pub(crate) fn select_all(context: &Context, field: Id, text: &str) {
    select_range(context, field, 0..text.chars().count());
}

/// Selects a part of the text of a field, in characters, so that typing replaces it.
pub(crate) fn select_range(context: &Context, field: Id, range: std::ops::Range<usize>) {
    let mut state = egui::TextEdit::load_state(context, field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(range.start), CCursor::new(range.end))));
    state.store(context, field);
}

/// Moves the cursor of a text field to the end of its text.
pub(crate) fn cursor_to_end(context: &Context, field: Id, text: &str) {
    let mut state = egui::TextEdit::load_state(context, field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(text.chars().count()))));
    state.store(context, field);
}
