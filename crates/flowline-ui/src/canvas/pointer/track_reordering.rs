//! Reorders threads and processes in the label column, by dragging their headings or by keys.

use egui::{CursorIcon, FocusDirection, Key, Modifiers, Rect, Response, Ui};

use crate::widgets::style::color;
use flowline_profile::Direction;
use flowline_scene::{Palette, SceneInput};
use flowline_view::{Command, TrackRef};

/// A track that another one can be placed next to: the track, and the start of its heading and end of its content in
/// points from the top of the list.
type Sibling = (TrackRef, f64, f64);

/// The tracks that a track can be moved among, top to bottom: processes, the threads at the top, or the threads of one
/// process.
fn siblings(input: &SceneInput<'_>, track: TrackRef) -> Vec<Sibling> {
    let profile = input.index.profile();
    let pinned = &input.view.tracks.order.pinned;
    let is_sibling = |other: TrackRef| match (track, other) {
        (TrackRef::Process(_), TrackRef::Process(_)) => true,
        (TrackRef::Thread(one), TrackRef::Thread(other)) => match (pinned.contains(&one), pinned.contains(&other)) {
            (false, false) => profile.thread(one).process == profile.thread(other).process,
            (one, other) => one && other,
        },
        _ => false,
    };
    let mut found: Vec<Sibling> = Vec::new();
    let mut is_open = false;
    for item in input.list.items() {
        let heading = item.kind.track();
        // A process ends the threads before it; a thread does not end a process.
        let ends = match (track, heading) {
            (TrackRef::Thread(_), _) => heading.is_some() || !item.kind.is_of_thread(),
            (TrackRef::Process(_), heading) => matches!(heading, Some(TrackRef::Process(_))),
        };
        is_open &= !ends;
        if let Some(other) = heading.filter(|other| is_sibling(*other)) {
            found.push((other, item.y, item.y + item.height));
            is_open = true;
        } else if let Some(last) = found.last_mut().filter(|_| is_open) {
            last.2 = item.y + item.height;
        }
    }
    found
}

/// The command that moves a track up or down by one.
pub(crate) fn step(input: &SceneInput<'_>, track: TrackRef, direction: Direction) -> Option<Command> {
    let all = siblings(input, track);
    let at = all.iter().position(|(other, ..)| *other == track)?;
    let beside = match direction {
        Direction::Back => all.get(at.checked_sub(1)?)?,
        Direction::Forward => all.get(at + 1)?,
    };
    Some(Command::MoveTrack { track, beside: beside.0, side: direction })
}

/// Handles keys and drags on a heading; shows the drop position of the dragged track.
pub(in crate::canvas) fn moves(
    ui: &Ui,
    input: &SceneInput<'_>,
    (response, track): (&Response, TrackRef),
    area: Rect,
    palette: &Palette,
) -> Option<Command> {
    if response.has_focus() {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::ALT | Modifiers::SHIFT, key));
        for (key, direction) in [(Key::ArrowUp, Direction::Back), (Key::ArrowDown, Direction::Forward)] {
            if pressed(key) {
                // The arrow key moves the track, not the focus.
                ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
                return step(input, track, direction);
            }
        }
    }
    if !response.dragged() && !response.drag_stopped() {
        return None;
    }
    let pointer = response.interact_pointer_pos()?;
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let y = f64::from(pointer.y - area.min.y) + input.view.scroll;
    let all = siblings(input, track);
    let from = all.iter().position(|(other, ..)| *other == track)?;
    let gap = all.iter().filter(|(_, top, bottom)| f64::midpoint(*top, *bottom) < y).count();
    let line = all.get(gap).map(|(_, top, _)| *top).or(all.last().map(|(.., bottom)| *bottom))?;
    let is_moved = gap != from && gap != from + 1;
    if is_moved {
        #[expect(clippy::cast_possible_truncation, reason = "points on a screen")]
        let line = (line - input.view.scroll) as f32 + area.min.y;
        // In a small window, the list may have no height.
        let first = area.min.y + 1.0;
        let line = line.clamp(first, (area.max.y - 1.0).max(first));
        ui.painter().hline(area.x_range(), line, (2.0, color(palette.accent)));
    }
    if !response.drag_stopped() || !is_moved {
        return None;
    }
    let (beside, side) = match gap.checked_sub(1) {
        None => (all[0].0, Direction::Back),
        Some(before) => (all[before].0, Direction::Forward),
    };
    Some(Command::MoveTrack { track, beside, side })
}
