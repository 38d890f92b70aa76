//! The layouts of the chart: rows of threads in either arrangement, or one lane per flow.

use egui::{Align2, Rect, TextStyle, Ui, pos2};

use super::toolbar_layout::{LAYOUT_NAMES, ROWS, ToolbarLayout};
use crate::commands::{ViewAction, with_shortcut};
use crate::widgets::menu::entry;
use crate::widgets::style::color;
use crate::widgets::{Dropdown, Segment, segmented};
use crate::window::window_command::WindowCommand;
use flowline_index::Arrangement;
use flowline_scene::Palette;
use flowline_session::{Session, why_no_flows};
use flowline_view::{Command, FlowLaneCommand};

/// Tooltips of the layouts, from left to right.
const HINTS: [&str; 3] = [
    "One group of rows per name",
    "Nested slices in a stack, the rest by name",
    "One lane per flow, with its run and wait segments",
];

/// Shows the switch; returns the user's choice.
pub(super) fn show(ui: &mut Ui, layout: ToolbarLayout, session: &Session, palette: &Palette) -> Option<WindowCommand> {
    let lanes = session.view.flow_lanes.shown;
    let chosen = match session.view.arrangement {
        _ if lanes => 2,
        Arrangement::ByName => 0,
        Arrangement::Stack => 1,
    };
    let has_lanes = lanes || !session.index.flows().is_empty();
    let number = if layout.has_segments {
        label(ui, palette);
        let segment = |number: usize| {
            let is_enabled = number != 2 || has_lanes;
            let action = if number == 2 { ViewAction::FlowLanes } else { ViewAction::Layout };
            let hint = if is_enabled {
                with_shortcut(ui.ctx(), HINTS[number], action)
            } else {
                why_no_flows(&session.index).to_owned()
            };
            Segment { text: LAYOUT_NAMES[number], hint, is_chosen: number == chosen, is_enabled }
        };
        let segments = [0, 1, 2].map(segment);
        segmented(ui, &segments, palette)
    } else {
        menu(ui, chosen, has_lanes, palette)
    };
    number.map(|number| command(number, lanes))
}

fn label(ui: &mut Ui, palette: &Palette) {
    let font = TextStyle::Small.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(ROWS.to_owned(), font.clone(), color(palette.text3));
    let (rect, _): (Rect, _) = ui.allocate_exact_size(galley.size() + egui::vec2(4.0, 0.0), egui::Sense::hover());
    ui.painter().text(pos2(rect.min.x, rect.center().y), Align2::LEFT_CENTER, ROWS, font, color(palette.text3));
}

/// The layouts as a menu. Returns the number of the chosen one.
fn menu(ui: &mut Ui, chosen: usize, has_lanes: bool, palette: &Palette) -> Option<usize> {
    let mut number = None;
    let name = format!("{ROWS}: {}", LAYOUT_NAMES[chosen]);
    Dropdown::choice(ROWS, LAYOUT_NAMES[chosen], &name).show(ui, palette, |ui| {
        for (at, text) in LAYOUT_NAMES.into_iter().enumerate().filter(|(at, _)| *at != 2 || has_lanes) {
            let action = if at == 2 { ViewAction::FlowLanes } else { ViewAction::Layout };
            if entry(ui, (text, action), true) {
                number = Some(at);
            }
        }
    });
    number
}

/// The command for the clicked layout. A click on the shown lanes returns to the rows of threads.
fn command(number: usize, lanes: bool) -> WindowCommand {
    match number {
        0 => Command::SetArrangement(Arrangement::ByName).into(),
        1 => Command::SetArrangement(Arrangement::Stack).into(),
        _ => Command::FlowLane(FlowLaneCommand::Show(!lanes)).into(),
    }
}
