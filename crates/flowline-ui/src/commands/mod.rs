//! The command registry: every command that keys, menus, buttons and the palette can run, with its title and its keys.
//!
//! [`REGISTRY`] has one row per command. Everything that names a command or its keys reads it: input, help, palette,
//! menus, tooltips and `docs/keys.md`.

mod availability;
mod command_row;
mod gestures;
mod key_binding;
mod key_map;
mod key_press;
mod keys_doc;
mod lookup;
mod program_rows;
mod reach;
mod registry;
mod row_builders;
mod shortcut;
mod ui_command;

pub(crate) use availability::CommandContext;
pub(crate) use command_row::{CommandRow, Gesture};
pub(crate) use gestures::{GESTURES, WIDGET_KEYS};
pub(crate) use key_binding::{KeyBinding, key, shift};
pub use key_map::KeyMap;
pub(crate) use key_press::{KeyPress, key_presses};
pub use keys_doc::{key_titles, keys_markdown};
pub(crate) use lookup::command_rows;
pub(crate) use reach::{Reach, Target};
pub(crate) use registry::REGISTRY;
pub(crate) use shortcut::{set_key_map, shortcut, title_with_shortcut, with_shortcut};
pub(crate) use ui_command::{FlowAction, NoteAction, SelectionAction, UiCommand, ViewAction, WindowAction};
