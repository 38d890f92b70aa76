//! Shows the statistics.

use egui::Ui;

use super::state::StatisticsTable;
use super::statistics_result::Question;
use super::subject::Subject;
use super::{comparison, distribution, group_table, lists, tools};
use crate::tables::tool_strip::FilterSlot;
use flowline_index::statistics::RangeRule;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Shows the statistics of a recording, compared with `other` if a comparison is on; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    state: &mut StatisticsTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    if state.what == Subject::Markers {
        state.follow(session, other);
    } else {
        let rule = state.rule(session);
        state.lists.follow(session, state.what, rule);
    }
    let copying = tools::show(ui, (session, other), state, slot);
    if state.what != Subject::Markers {
        let asked = lists::show(ui, session, &mut state.lists, &mut state.widths, copying, palette);
        if asked.lists_flows {
            state.wanted_kind = state.lists.kind();
        }
        return asked.commands;
    }
    state.follow_selection(session);
    if state.compared.is_on() {
        return comparison::show(ui, (session, other), state, copying, palette);
    }
    let Some(answer) = &state.answer else {
        ui.weak("Counting…");
        return Vec::new();
    };
    if answer.groups.is_empty() {
        ui.add_space(4.0);
        ui.weak(if state.task.is_running() { "Counting…" } else { nothing(&answer.question) });
        return Vec::new();
    }
    let commands = distribution::show(ui, session, state, palette);
    group_table::show(ui, session, state, copying, palette);
    commands
}

/// Explains an empty result.
const fn nothing(question: &Question) -> &'static str {
    match question.rule {
        RangeRule::StartsInside if question.scope.has_range() => {
            "No matching markers start in the range. Select “Overlaps” to count all markers that overlap it."
        }
        _ => "No matching markers.",
    }
}
