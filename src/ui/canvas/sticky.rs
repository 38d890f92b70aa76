//! The sticky tooltip: a click keeps the card of a marker or call open, so that its text can be copied and its buttons pressed.
//! It stands for what is selected: whoever walks along a flow, or from call to call, takes it along.

use egui::{Pos2, Rect, Vec2};

use crate::profile::{MarkerId, SelectedCall};
use crate::ui::details::flow_cards::WalkButton;
use crate::view::ViewState;

/// What a tooltip shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StickyTarget {
    Marker(MarkerId),
    Call(SelectedCall),
}

impl StickyTarget {
    /// What is selected.
    pub(crate) fn selected(view: &ViewState) -> Option<Self> {
        view.selected.map(Self::Marker).or(view.selected_call.map(Self::Call))
    }
}

/// A tooltip that stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StickyTooltip {
    /// What it shows.
    pub(crate) target: StickyTarget,
    /// The place of the click, beside which it stands.
    pub(crate) place: Pos2,
    /// How far it is moved from there.
    pub(crate) shift: Vec2,
    pressed: Option<Pressed>,
}

/// The button that was pressed last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pressed {
    button: WalkButton,
    /// Where it was.
    place: Pos2,
    /// What was shown then.
    target: StickyTarget,
    /// Frames that may still move the tooltip: its height, and with it its place, settles after it is first laid out.
    frames: u8,
}

/// Frames after which a tooltip has its final size.
const SETTLING_FRAMES: u8 = 4;

impl StickyTooltip {
    pub(crate) const fn new(target: StickyTarget, place: Pos2) -> Self {
        Self { target, place, shift: Vec2::ZERO, pressed: None }
    }

    /// Shows what is selected from now on. Without anything, the tooltip closes.
    pub(crate) fn follow(self, selected: Option<StickyTarget>) -> Option<Self> {
        selected.map(|target| Self { target, ..self })
    }

    /// Remembers a press. The card of the next marker may be higher or lower; its button is to come under the pointer.
    pub(crate) fn press(&mut self, button: WalkButton, rect: Rect) {
        self.pressed = Some(Pressed { button, place: rect.center(), target: self.target, frames: SETTLING_FRAMES });
    }

    /// Moves the tooltip so that the pressed button is where it was when it was pressed; `buttons` are those of the marker
    /// shown now. While `grows`, more is to come in. Returns whether it may move further.
    pub(crate) fn hold_still(&mut self, buttons: &[(WalkButton, Rect)], grows: bool) -> bool {
        let Some(pressed) = self.pressed.filter(|pressed| pressed.target != self.target) else { return false };
        self.pressed = pressed.frames.checked_sub(u8::from(!grows)).map(|frames| Pressed { frames, ..pressed });
        let shown = buttons.iter().find(|(button, _)| *button == pressed.button);
        if let Some((_, rect)) = shown.filter(|_| self.pressed.is_some()) {
            self.shift += pressed.place - rect.center();
        }
        self.pressed.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Direction, FlowId};
    use egui::{pos2, vec2};

    #[test]
    fn the_pressed_button_stays_where_it_is() {
        let button = (FlowId(3), Direction::Forward);
        let at = |y: f32| Rect::from_center_size(pos2(50.0, y), vec2(40.0, 16.0));
        let mut sticky = StickyTooltip::new(StickyTarget::Marker(MarkerId(1)), pos2(10.0, 20.0));
        sticky.press(button, at(100.0));
        assert!(!sticky.hold_still(&[(button, at(100.0))], false), "the next marker is not shown yet");
        let mut sticky = sticky.follow(Some(StickyTarget::Marker(MarkerId(2)))).expect("a marker is selected");
        assert!(sticky.hold_still(&[((FlowId(3), Direction::Back), at(7.0)), (button, at(130.0))], false));
        assert_eq!(sticky.shift, vec2(0.0, -30.0));
        for _ in 0..3 {
            assert!(sticky.hold_still(&[(button, at(100.0))], false), "its size may still change");
        }
        assert!(!sticky.hold_still(&[(button, at(140.0))], false), "then it stays");
        assert_eq!(sticky.shift, vec2(0.0, -30.0));
        assert_eq!(sticky.follow(None), None);
    }
}
