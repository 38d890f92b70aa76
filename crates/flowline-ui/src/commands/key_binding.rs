//! A key with its modifiers, as the registry lists it.

use egui::{Key, Modifiers};

/// Modifier keys that are down. On macOS, Command counts as Ctrl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    ctrl: bool,
    alt: bool,
    shift: bool,
}

impl Held {
    const fn new(ctrl: bool, alt: bool, shift: bool) -> Self {
        Self { ctrl, alt, shift }
    }
}

impl From<Modifiers> for Held {
    fn from(modifiers: Modifiers) -> Self {
        let Modifiers { alt, ctrl, shift, mac_cmd, command } = modifiers;
        Self::new(ctrl || mac_cmd || command, alt, shift)
    }
}

/// The event that a binding waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trigger {
    /// A key press.
    Key(Key),
    /// A key press; the command lasts until the release.
    Hold(Key),
    /// A typed character, whose key depends on the keyboard layout.
    Text(&'static str),
    /// The system's copy command, usually Ctrl+C.
    Copy,
}

/// A key event.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeyEvent<'a> {
    /// A key was pressed.
    Press {
        /// The key.
        key: Key,
        /// The modifiers.
        modifiers: Modifiers,
        /// True if the key was already down.
        repeat: bool,
    },
    /// A character was typed.
    Text(&'a str),
    /// The system's copy command, with these modifiers.
    Copy(Modifiers),
}

/// A key of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyBinding {
    trigger: Trigger,
    /// `None` accepts all modifiers.
    held: Option<Held>,
    /// True if the command runs again while the key stays down.
    repeats: bool,
    /// True if the key also acts while a text box has the focus.
    while_typing: bool,
    /// False for alternatives of other keyboard layouts, which help and menus leave out.
    is_listed: bool,
}

impl KeyBinding {
    const fn new(trigger: Trigger, held: Held) -> Self {
        Self { trigger, held: Some(held), repeats: false, while_typing: false, is_listed: true }
    }

    /// The same key, which repeats the command while it stays down.
    pub(crate) const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }

    /// The same key, also while a text box has the focus.
    pub(crate) const fn while_typing(self) -> Self {
        Self { while_typing: true, ..self }
    }

    /// The same key, not while a text box has the focus.
    pub(crate) const fn not_while_typing(self) -> Self {
        Self { while_typing: false, ..self }
    }

    /// The same key with any modifiers.
    pub(crate) const fn with_any_modifiers(self) -> Self {
        Self { held: None, ..self }
    }

    /// The same key, left out of help and menus.
    pub(crate) const fn unlisted(self) -> Self {
        Self { is_listed: false, ..self }
    }

    /// True if help and menus list the key.
    pub(crate) const fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// The key whose release ends the command.
    pub(super) const fn held_key(&self) -> Option<Key> {
        match self.trigger {
            Trigger::Hold(key) => Some(key),
            Trigger::Key(_) | Trigger::Text(_) | Trigger::Copy => None,
        }
    }

    /// True if this key was pressed, with exactly its modifiers.
    pub(crate) fn is_press_of(&self, pressed: Key, modifiers: Modifiers) -> bool {
        let (Trigger::Key(key) | Trigger::Hold(key)) = self.trigger else { return false };
        key == pressed && self.held.is_none_or(|held| held == Held::from(modifiers))
    }

    /// True if the event runs the command; `typing` is true while a text box has the focus.
    pub(super) fn matches(&self, event: KeyEvent<'_>, typing: bool) -> bool {
        let matches = match (event, self.trigger) {
            (KeyEvent::Press { key, modifiers, repeat }, Trigger::Key(_) | Trigger::Hold(_)) => {
                self.is_press_of(key, modifiers) && (self.repeats || !repeat)
            }
            (KeyEvent::Text(typed), Trigger::Text(text)) => typed == text,
            // Whatever the copy command's keys are, only Shift selects between its two meanings.
            (KeyEvent::Copy(modifiers), Trigger::Copy) => {
                !modifiers.alt && self.held.is_some_and(|held| held.shift == modifiers.shift)
            }
            _ => false,
        };
        matches && (self.while_typing || !typing)
    }

    /// True if some event would run the commands of both keys.
    #[cfg(test)]
    pub(super) fn conflicts_with(&self, other: &Self) -> bool {
        let same_key = match (self.trigger, other.trigger) {
            (Trigger::Key(a) | Trigger::Hold(a), Trigger::Key(b) | Trigger::Hold(b)) => a == b,
            (a, b) => a == b,
        };
        same_key && (self.held.is_none() || other.held.is_none() || self.held == other.held)
    }

    /// The key for people: `Ctrl+Shift+L`.
    pub(crate) fn name(&self) -> String {
        let Held { ctrl, alt, shift } = match self.trigger {
            Trigger::Text(_) => Held::new(false, false, false),
            Trigger::Key(_) | Trigger::Hold(_) | Trigger::Copy => self.held.unwrap_or(Held::new(false, false, false)),
        };
        let modifiers = [(ctrl, "Ctrl+"), (alt, "Alt+"), (shift, "Shift+")];
        let modifiers: String = modifiers.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name).collect();
        let key = match self.trigger {
            Trigger::Key(key) | Trigger::Hold(key) => key_name(key),
            Trigger::Text("-") => key_name(Key::Minus),
            Trigger::Text(text) => text,
            Trigger::Copy => key_name(Key::C),
        };
        modifiers + key
    }
}

/// Name of a key.
fn key_name(key: Key) -> &'static str {
    match key {
        Key::ArrowLeft => "Left",
        Key::ArrowRight => "Right",
        Key::ArrowUp => "Up",
        Key::ArrowDown => "Down",
        Key::Escape => "Esc",
        key => key.symbol_or_name(),
    }
}

/// A key without modifiers.
pub(crate) const fn key(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Key(key), Held::new(false, false, false))
}

/// A key that moves the view while it is down.
pub(super) const fn hold(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Hold(key), Held::new(false, false, false))
}

/// A key with Shift.
pub(crate) const fn shift(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Key(key), Held::new(false, false, true))
}

/// A key with Alt.
pub(super) const fn alt(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Key(key), Held::new(false, true, false)).repeating()
}

/// A key with Alt and Shift.
pub(super) const fn alt_shift(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Key(key), Held::new(false, true, true)).repeating()
}

/// A key with Ctrl; it also acts while a text box has the focus.
pub(super) const fn ctrl(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Key(key), Held::new(true, false, false)).while_typing()
}

/// A key with Ctrl and Shift; it also acts while a text box has the focus.
pub(super) const fn ctrl_shift(key: Key) -> KeyBinding {
    KeyBinding::new(Trigger::Key(key), Held::new(true, false, true)).while_typing()
}

/// A character.
pub(super) const fn text(text: &'static str) -> KeyBinding {
    KeyBinding { held: None, ..KeyBinding::new(Trigger::Text(text), Held::new(false, false, false)) }
}

/// The system's copy command.
pub(super) const fn copy() -> KeyBinding {
    KeyBinding::new(Trigger::Copy, Held::new(true, false, false))
}

/// The system's copy command with Shift.
pub(super) const fn shift_copy() -> KeyBinding {
    KeyBinding::new(Trigger::Copy, Held::new(true, false, true))
}
