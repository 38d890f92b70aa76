//! The commands that the keys of a frame run.

use egui::{Context, Event, Key};

use super::command_row::CommandRow;
use super::key_binding::KeyEvent;
use super::key_map::KeyMap;
use super::lookup::row_of_event;

/// A command that a key runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyPress {
    /// The row of the command.
    pub(crate) row: &'static CommandRow,
    /// The key whose release ends the command; `None` for commands that take effect at once.
    pub(crate) held: Option<Key>,
}

/// The commands of this frame's keys. While a text box has the focus, only Escape and some Ctrl combinations act.
#[must_use]
pub(crate) fn key_presses(context: &Context, map: KeyMap) -> Vec<KeyPress> {
    let typing = context.text_edit_focused();
    context.input(|input| {
        let mut presses = Vec::new();
        // The text event after a key pressed with Alt or Ctrl belongs to that key; it must not run another command.
        let mut has_modifier = false;
        for event in &input.events {
            let event = match event {
                Event::Key { key, pressed: true, modifiers, repeat, .. } => {
                    has_modifier = modifiers.alt || modifiers.command || modifiers.ctrl;
                    KeyEvent::Press { key: *key, modifiers: *modifiers, repeat: *repeat }
                }
                Event::Text(text) if !has_modifier => KeyEvent::Text(text),
                Event::Copy => KeyEvent::Copy(input.modifiers),
                _ => continue,
            };
            if let Some((row, key)) = row_of_event(event, map, typing) {
                presses.push(KeyPress { row, held: key.held_key() });
            }
        }
        presses
    })
}
