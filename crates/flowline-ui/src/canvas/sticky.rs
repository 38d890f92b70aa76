//! The sticky tooltip: a click keeps the card of a marker or call open, so that its text can be copied and its buttons pressed.
//! It stands for what is selected: whoever walks along a flow, or from call to call, takes it along. It stands beside its
//! marker: where the marker goes, it goes, and while the marker is out of view, it is not shown.

use egui::{Pos2, Rect, Vec2};

use crate::details::flow_cards::WalkButton;
use flowline_profile::{MarkerId, SelectedCall};
use flowline_view::ViewState;

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
    /// What it stood beside in the last frame, and where that was.
    beside: Option<(StickyTarget, Pos2)>,
    /// Whether it goes to another target: until the view has come to rest there, the tooltip stays where it is.
    /// Frames of rest that are still to pass.
    walks: u8,
    /// Whether its target has been in view.
    seen: bool,
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
        Self { target, place, shift: Vec2::ZERO, pressed: None, beside: None, walks: 0, seen: false }
    }

    /// Shows what is selected from now on. Without anything, the tooltip closes.
    pub(crate) fn follow(self, selected: Option<StickyTarget>) -> Option<Self> {
        selected.map(|target| match target == self.target {
            true => self,
            false => Self { target, walks: SETTLING_FRAMES, seen: false, ..self },
        })
    }

    /// Goes where its marker went since the last frame; `place` is where the marker is now, if it has a place. When the target
    /// is another one, the tooltip stays: the buttons that lead along a flow stay under the pointer. `moves` is whether the
    /// view moves by itself.
    pub(crate) fn stand_beside(&mut self, place: Option<Pos2>, moves: bool) {
        self.walks = match moves || self.pressed.is_some() {
            true if self.walks > 0 => SETTLING_FRAMES,
            _ => self.walks.saturating_sub(1),
        };
        let before = self.beside.filter(|(target, _)| *target == self.target && self.walks == 0);
        if let Some((now, (_, before))) = place.zip(before) {
            self.place += now - before;
        }
        self.beside = place.map(|place| (self.target, place));
    }

    /// Whether it is shown, given whether its target is in view: it goes when its target goes, and comes back with it.
    pub(crate) const fn is_shown(&mut self, is_in_view: bool) -> bool {
        self.seen |= is_in_view;
        is_in_view || !self.seen || self.walks > 0
    }

    /// Remembers a press. The card of the next marker may be higher or lower; its button is to come under the pointer.
    pub(crate) fn press(&mut self, button: WalkButton, rect: Rect) {
        self.walks = SETTLING_FRAMES;
        // A button that is pressed again before it has come to rest is to come to rest where it was pressed first.
        let held = self.pressed.filter(|pressed| pressed.button == button);
        let place = held.map_or(rect.center(), |pressed| pressed.place);
        self.pressed = Some(Pressed { button, place, target: self.target, frames: SETTLING_FRAMES });
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
    use egui::{pos2, vec2};
    use flowline_profile::{Direction, FlowId};

    #[test]
    fn it_goes_where_its_marker_goes() {
        let (one, other) = (StickyTarget::Marker(MarkerId(1)), StickyTarget::Marker(MarkerId(2)));
        let mut sticky = StickyTooltip::new(one, pos2(10.0, 20.0));
        sticky.stand_beside(Some(pos2(100.0, 50.0)), false);
        assert_eq!(sticky.place, pos2(10.0, 20.0), "it begins where the click was");
        sticky.stand_beside(Some(pos2(90.0, 80.0)), false);
        assert_eq!(sticky.place, pos2(0.0, 50.0));
        let mut sticky = sticky.follow(Some(other)).expect("a marker is selected");
        sticky.stand_beside(Some(pos2(500.0, 80.0)), false);
        assert_eq!(sticky.place, pos2(0.0, 50.0), "a step along a flow leaves it where it is");
        sticky.stand_beside(Some(pos2(400.0, 80.0)), true);
        assert_eq!(sticky.place, pos2(0.0, 50.0), "and so does what the step moves");
        (0..SETTLING_FRAMES).for_each(|_| sticky.stand_beside(Some(pos2(400.0, 80.0)), false));
        sticky.stand_beside(Some(pos2(410.0, 80.0)), false);
        assert_eq!(sticky.place, pos2(10.0, 50.0));
    }

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

    #[test]
    fn a_button_pressed_again_at_once_stays_where_it_was_pressed_first() {
        let button = (FlowId(3), Direction::Forward);
        let at = |y: f32| Rect::from_center_size(pos2(50.0, y), vec2(40.0, 16.0));
        let mut sticky = StickyTooltip::new(StickyTarget::Marker(MarkerId(1)), pos2(10.0, 20.0));
        sticky.press(button, at(100.0));
        let mut sticky = sticky.follow(Some(StickyTarget::Marker(MarkerId(2)))).expect("a marker is selected");
        // The press was where the button stood before the card of the second marker was laid out.
        sticky.press(button, at(130.0));
        let mut sticky = sticky.follow(Some(StickyTarget::Marker(MarkerId(3)))).expect("a marker is selected");
        assert!(sticky.hold_still(&[(button, at(90.0))], false));
        assert_eq!(sticky.shift, vec2(0.0, 10.0));
    }
}
