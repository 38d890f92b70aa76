//! The pinned tooltip: a click keeps the card of a marker or call open, so that its text can be copied and its buttons
//! can be pressed. It always shows the selection, so stepping along a flow or between calls updates it. It moves with
//! its marker and is hidden while the marker is out of view.

use egui::{Pos2, Rect, Vec2};

use crate::details::flow_cards::StepButton;
use flowline_profile::{MarkerId, SelectedCall};
use flowline_view::ViewState;

/// Target of a pinned tooltip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TooltipTarget {
    Marker(MarkerId),
    Call(SelectedCall),
}

impl TooltipTarget {
    /// The selected marker or call.
    pub(crate) fn selected(view: &ViewState) -> Option<Self> {
        view.selected.map(Self::Marker).or(view.selected_call.map(Self::Call))
    }
}

/// A pinned tooltip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PinnedTooltip {
    /// The marker or call shown.
    pub(crate) target: TooltipTarget,
    /// Position of the click, next to which the tooltip is shown.
    pub(crate) place: Pos2,
    /// Offset from that position.
    pub(crate) shift: Vec2,
    pressed: Option<Pressed>,
    /// Target and its position in the last frame.
    beside: Option<(TooltipTarget, Pos2)>,
    /// Frames without motion that remain before the tooltip follows its target again. While the view moves to a new
    /// target, the tooltip keeps its position.
    walks: u8,
    /// True once its target has been in view.
    seen: bool,
}

/// The step button that was pressed last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pressed {
    button: StepButton,
    /// Center of the button at the press.
    place: Pos2,
    /// Target of the tooltip at the press.
    target: TooltipTarget,
    /// Remaining frames in which the tooltip may move: its height, and therefore its position, settles only after the
    /// first layout.
    frames: u8,
}

/// Number of frames after which a tooltip has its final size.
const SETTLING_FRAMES: u8 = 4;

impl PinnedTooltip {
    pub(crate) const fn new(target: TooltipTarget, place: Pos2) -> Self {
        Self { target, place, shift: Vec2::ZERO, pressed: None, beside: None, walks: 0, seen: false }
    }

    /// Changes the target to the selection. Without a selection, the tooltip closes.
    pub(crate) fn follow(self, selected: Option<TooltipTarget>) -> Option<Self> {
        selected.map(|target| match target == self.target {
            true => self,
            false => Self { target, walks: SETTLING_FRAMES, seen: false, ..self },
        })
    }

    /// Moves the tooltip by the motion of its marker since the last frame. `place` is the marker's current position, if
    /// it has one. After a change of target the tooltip keeps its position, so that the buttons for stepping along a
    /// flow stay under the pointer. `moves` is true while the view is animated.
    pub(crate) fn follow_target(&mut self, place: Option<Pos2>, moves: bool) {
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

    /// True if the tooltip is visible. It disappears and reappears together with its target.
    pub(crate) const fn is_shown(&mut self, is_in_view: bool) -> bool {
        self.seen |= is_in_view;
        is_in_view || !self.seen || self.walks > 0
    }

    /// Records a press of a step button. The card of the next marker may have another height, but its button must end
    /// up under the pointer.
    pub(crate) fn press(&mut self, button: StepButton, rect: Rect) {
        self.walks = SETTLING_FRAMES;
        // A button pressed again before the tooltip settles must end up at the position of the first press.
        let held = self.pressed.filter(|pressed| pressed.button == button);
        let place = held.map_or(rect.center(), |pressed| pressed.place);
        self.pressed = Some(Pressed { button, place, target: self.target, frames: SETTLING_FRAMES });
    }

    /// Moves the tooltip so that the pressed button keeps its position. `buttons` are those of the current marker.
    /// While `grows`, more content is being loaded. Returns true if the tooltip may move again.
    pub(crate) fn hold_still(&mut self, buttons: &[(StepButton, Rect)], grows: bool) -> bool {
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
    fn it_moves_with_its_marker() {
        let (one, other) = (TooltipTarget::Marker(MarkerId(1)), TooltipTarget::Marker(MarkerId(2)));
        let mut sticky = PinnedTooltip::new(one, pos2(10.0, 20.0));
        sticky.follow_target(Some(pos2(100.0, 50.0)), false);
        assert_eq!(sticky.place, pos2(10.0, 20.0), "it starts at the click");
        sticky.follow_target(Some(pos2(90.0, 80.0)), false);
        assert_eq!(sticky.place, pos2(0.0, 50.0));
        let mut sticky = sticky.follow(Some(other)).expect("a marker is selected");
        sticky.follow_target(Some(pos2(500.0, 80.0)), false);
        assert_eq!(sticky.place, pos2(0.0, 50.0), "a step along a flow does not move it");
        sticky.follow_target(Some(pos2(400.0, 80.0)), true);
        assert_eq!(sticky.place, pos2(0.0, 50.0), "the motion caused by the step does not move it");
        (0..SETTLING_FRAMES).for_each(|_| sticky.follow_target(Some(pos2(400.0, 80.0)), false));
        sticky.follow_target(Some(pos2(410.0, 80.0)), false);
        assert_eq!(sticky.place, pos2(10.0, 50.0));
    }

    #[test]
    fn the_pressed_button_keeps_its_position() {
        let button = (FlowId(3), Direction::Forward);
        let at = |y: f32| Rect::from_center_size(pos2(50.0, y), vec2(40.0, 16.0));
        let mut sticky = PinnedTooltip::new(TooltipTarget::Marker(MarkerId(1)), pos2(10.0, 20.0));
        sticky.press(button, at(100.0));
        assert!(!sticky.hold_still(&[(button, at(100.0))], false), "the next marker is not shown yet");
        let mut sticky = sticky.follow(Some(TooltipTarget::Marker(MarkerId(2)))).expect("a marker is selected");
        assert!(sticky.hold_still(&[((FlowId(3), Direction::Back), at(7.0)), (button, at(130.0))], false));
        assert_eq!(sticky.shift, vec2(0.0, -30.0));
        for _ in 0..3 {
            assert!(sticky.hold_still(&[(button, at(100.0))], false), "its size may still change");
        }
        assert!(!sticky.hold_still(&[(button, at(140.0))], false), "then its position is final");
        assert_eq!(sticky.shift, vec2(0.0, -30.0));
        assert_eq!(sticky.follow(None), None);
    }

    #[test]
    fn a_button_pressed_twice_keeps_the_position_of_the_first_press() {
        let button = (FlowId(3), Direction::Forward);
        let at = |y: f32| Rect::from_center_size(pos2(50.0, y), vec2(40.0, 16.0));
        let mut sticky = PinnedTooltip::new(TooltipTarget::Marker(MarkerId(1)), pos2(10.0, 20.0));
        sticky.press(button, at(100.0));
        let mut sticky = sticky.follow(Some(TooltipTarget::Marker(MarkerId(2)))).expect("a marker is selected");
        // The second press happens at the button's position before the second marker's card was laid out.
        sticky.press(button, at(130.0));
        let mut sticky = sticky.follow(Some(TooltipTarget::Marker(MarkerId(3)))).expect("a marker is selected");
        assert!(sticky.hold_still(&[(button, at(90.0))], false));
        assert_eq!(sticky.shift, vec2(0.0, 10.0));
    }
}
