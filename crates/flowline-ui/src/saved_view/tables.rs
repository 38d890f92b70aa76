//! The part of a saved view about tables. Each table defines its own members.

use serde_json::Value;

use crate::window::panels::Panels;
use flowline_json::{Cursor, decode_value};

/// The state of all tables.
pub(super) fn saved(panels: &Panels) -> Value {
    let mut text = String::new();
    panels.choices().to_json(&mut text);
    // Text that was just written is valid.
    serde_json::from_str(&text).unwrap_or_default()
}

/// Restores the state of tables. Tables without a member stay unchanged.
pub(super) fn show(saved: &Value, panels: &mut Panels) {
    if saved.is_object()
        && let Ok(choices) = decode_value(&mut Cursor::at(saved.to_string().as_bytes(), 0))
    {
        panels.set_choices(&choices);
    }
}
