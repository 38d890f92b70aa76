//! User input for the window under test: keys, mouse, mouse wheel, text, copying.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, OutputCommand, PointerButton, Pos2, TouchPhase, Vec2};

use crate::harness::window::{Node, Window};
use flowline::session::Job;

impl Window {
    pub(crate) fn event(&mut self, event: Event) {
        self.harness.event(event);
    }

    pub(crate) fn button(&mut self, place: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
        self.event(Event::PointerButton { pos: place, button, pressed, modifiers });
    }

    pub(crate) fn click_at(&mut self, place: Pos2) {
        self.pause();
        self.event(Event::PointerMoved(place));
        for pressed in [true, false] {
            self.button(place, PointerButton::Primary, pressed, Modifiers::NONE);
        }
        self.settle();
    }

    #[track_caller]
    pub(crate) fn click(&mut self, role: Role, text: &str) {
        // A tooltip grows when its flow timelines load, which moves its buttons.
        let grows =
            |window: &Self| window.harness.state().shell.session().is_some_and(|session| session.timelines.is_busy());
        if grows(self) {
            self.wait("timelines", |window| !grows(window));
        }
        let place = self.get(role, text).rect.center();
        self.click_at(place);
    }

    /// Chooses an entry of the menu of the details.
    #[track_caller]
    pub(crate) fn choose_in_details(&mut self, entry: &str) {
        self.press("More actions");
        self.press(entry);
    }

    /// Clicks a button.
    #[track_caller]
    pub(crate) fn press(&mut self, label: &str) {
        self.click(Role::Button, label);
    }

    /// Chooses an entry of a node's context menu.
    #[track_caller]
    pub(crate) fn choose(&mut self, node: &Node, entry: &str) {
        let place = node.rect.center();
        self.pause();
        self.event(Event::PointerMoved(place));
        for pressed in [true, false] {
            self.button(place, PointerButton::Secondary, pressed, Modifiers::NONE);
        }
        self.settle();
        self.press(entry);
    }

    pub(crate) fn point_at(&mut self, place: Pos2) {
        self.event(Event::PointerMoved(place));
        self.settle();
    }

    pub(crate) fn drag(&mut self, from: Pos2, to: Pos2, modifiers: Modifiers) {
        self.pause();
        self.event(Event::ModifiersChanged(modifiers));
        self.event(Event::PointerMoved(from));
        self.button(from, PointerButton::Primary, true, modifiers);
        self.event(Event::PointerMoved(from + (to - from) / 2.0));
        self.event(Event::PointerMoved(to));
        self.button(to, PointerButton::Primary, false, modifiers);
        self.event(Event::ModifiersChanged(Modifiers::NONE));
        self.settle();
    }

    pub(crate) fn wheel(&mut self, place: Pos2, delta: Vec2, modifiers: Modifiers) {
        self.event(Event::PointerMoved(place));
        self.event(Event::ModifiersChanged(modifiers));
        self.event(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta,
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers,
        });
        self.settle();
        self.pause();
        self.event(Event::ModifiersChanged(Modifiers::NONE));
        self.settle();
    }

    /// Runs one frame with several events.
    pub(crate) fn together(&mut self, events: impl IntoIterator<Item = Event>) {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.harness.key_press(key);
        self.settle();
    }

    pub(crate) fn chord(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Types text like a keyboard: a key press, and the text it produces.
    pub(crate) fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            let name = letter.to_string();
            let key = Key::from_name(&name.to_uppercase());
            let event = |pressed| {
                let modifiers = Modifiers::NONE;
                key.map(|key| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers })
            };
            for event in [event(true), Some(Event::Text(name)), event(false)].into_iter().flatten() {
                self.event(event);
            }
        }
        self.settle();
    }

    /// Text put on the clipboard by the last copy.
    pub(crate) fn copy(&mut self) -> Vec<String> {
        self.event(Event::Copy);
        self.harness.step();
        let commands = self.harness.output().platform_output.commands.clone();
        self.settle();
        commands
            .into_iter()
            .filter_map(|command| match command {
                OutputCommand::CopyText(text) => Some(text),
                _ => None,
            })
            .collect()
    }
}
