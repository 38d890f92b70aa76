//! Splits the input of a frame into batches that are handled one after the other.
//!
//! A slow frame receives many events at once, and each may change the target of the next: after `/`, text goes to the
//! search box; after Escape, it does not. Therefore each key press and each button press or release ends a batch. Every
//! batch runs through the whole frame (commands, refresh, widgets), and only the last one is drawn. Events of one frame
//! thus have the same effect as events of separate frames.

use std::collections::VecDeque;

use egui::{Event, ImeEvent, RawInput};

/// Maximum number of batches in a frame; further input waits for the next frame.
const MAX_BATCHES: usize = 24;

/// Input that is deferred to a later frame.
#[derive(Debug, Default)]
pub(crate) struct InputQueue {
    waiting: VecDeque<Event>,
}

/// True if events after this one may have another target.
fn ends_batch(event: &Event) -> bool {
    match event {
        Event::Key { pressed, .. } => *pressed,
        Event::Ime(event) => matches!(event, ImeEvent::Commit(_)),
        Event::PointerButton { .. }
        | Event::Touch { .. }
        | Event::Text(_)
        | Event::Copy
        | Event::Cut
        | Event::Paste(_)
        | Event::WindowFocused(_)
        | Event::AccessKitActionRequest(_) => true,
        _ => false,
    }
}

/// True if an event belongs to the preceding key press: the text of the key, or its release.
fn belongs_to_press(event: &Event, press: &Event) -> bool {
    match (press, event) {
        (Event::Key { pressed: true, .. }, Event::Text(_) | Event::Copy | Event::Cut | Event::Paste(_)) => true,
        (
            Event::Key { key, pressed: true, .. } | Event::Key { physical_key: Some(key), .. },
            Event::Key { key: released, pressed: false, .. },
        ) => key == released,
        _ => false,
    }
}

impl InputQueue {
    /// Splits the input of a frame into at least one batch. Dropped files are in the first batch only.
    pub(crate) fn batches(&mut self, mut input: RawInput) -> Vec<RawInput> {
        self.waiting.extend(std::mem::take(&mut input.events));
        let empty = RawInput { dropped_files: Vec::new(), hovered_files: input.hovered_files.clone(), ..input.clone() };
        let mut batches = vec![input];
        let mut press: Option<Event> = None;
        while let Some(event) = self.waiting.front() {
            let belongs = press.as_ref().is_some_and(|press| belongs_to_press(event, press));
            if press.is_some() && !belongs {
                if batches.len() == MAX_BATCHES {
                    break;
                }
                batches.push(empty.clone());
                press = None;
            }
            let Some(event) = self.waiting.pop_front() else { break };
            if !belongs && ends_batch(&event) {
                press = Some(event.clone());
            }
            if let Some(batch) = batches.last_mut() {
                batch.events.push(event);
            }
        }
        batches
    }

    /// True if no input is deferred.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use egui::{Key, Modifiers, PointerButton, pos2};

    use super::*;

    fn key(key: Key, pressed: bool) -> Event {
        Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
    }

    fn counts(events: Vec<Event>) -> Vec<usize> {
        let input = RawInput { events, ..RawInput::default() };
        InputQueue::default().batches(input).iter().map(|batch| batch.events.len()).collect()
    }

    #[test]
    fn a_key_its_text_and_its_release_stay_together() {
        let slash = [key(Key::Slash, true), Event::Text("/".into()), key(Key::Slash, false)];
        let letters = [key(Key::P, true), Event::Text("p".into()), key(Key::A, true), Event::Text("a".into())];
        assert_eq!(counts([&slash[..], &letters[..]].concat()), [3, 2, 2]);
    }

    #[test]
    fn pointer_moves_share_a_batch_and_buttons_do_not() {
        let moved = |x: f32| Event::PointerMoved(pos2(x, 0.0));
        let button = |pressed| Event::PointerButton {
            pos: pos2(2.0, 0.0),
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let events = vec![moved(1.0), moved(2.0), button(true), moved(3.0), moved(4.0), button(false), moved(5.0)];
        assert_eq!(counts(events), [3, 3, 1]);
        assert_eq!(counts(Vec::new()), [0], "a frame without input has one empty batch");
    }

    #[test]
    fn excess_input_is_deferred_in_order() {
        let keys: Vec<Event> = (0..40).map(|at| key(if at % 2 == 0 { Key::A } else { Key::B }, true)).collect();
        let mut queue = InputQueue::default();
        let mut all = Vec::new();
        let mut frames = 0;
        let mut input = RawInput { events: keys.clone(), ..RawInput::default() };
        loop {
            frames += 1;
            all.extend(queue.batches(std::mem::take(&mut input)).into_iter().flat_map(|batch| batch.events));
            if queue.is_empty() {
                break;
            }
        }
        assert_eq!((frames, all), (2, keys));
    }
}
