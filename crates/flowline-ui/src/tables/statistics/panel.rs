//! Shows the statistics.

use egui::{Rect, Ui, UiBuilder};

use super::state::StatisticsTable;
use super::statistics_result::Answer;
use super::subject::Subject;
use super::{comparison, distribution, group_table, lists, tools};
use crate::tables::active_filters::FilterSet;
use crate::tables::empty_table::no_rows;
use crate::tables::tool_strip::FilterSlot;
use crate::widgets::empty_state;
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
        if state.wants_to_keep && state.can_keep() {
            state.wants_to_keep = false;
            comparison::keep(state, session);
        }
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
        if state.task.is_running() {
            ui.weak("Counting…");
            return Vec::new();
        }
        return nothing(ui, session, state).into_iter().collect();
    }
    // The distribution is beside the groups, so that it never moves their rows.
    let all = ui.available_rect_before_wrap();
    let has_distribution = state.cursor.is_some() && state.current().is_some();
    let groups_width = || group_table::width_of_whole_columns(state, all.width() * GROUPS_PART);
    let split = if has_distribution { all.min.x + groups_width() } else { all.max.x };
    let part = |ui: &mut Ui, rect: Rect, name: &str| ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name));
    let mut groups = part(ui, all.with_max_x(split), "groups");
    groups.shrink_clip_rect(all.with_max_x(split));
    group_table::show(&mut groups, session, state, copying, palette);
    if !has_distribution {
        return Vec::new();
    }
    let mut beside = part(ui, all.with_min_x(split + 8.0), "distribution");
    beside.shrink_clip_rect(all.with_min_x(split));
    distribution::show(&mut beside, session, state, palette)
}

/// Part of the width that the groups keep beside the distribution of one of them.
const GROUPS_PART: f32 = 0.62;

/// Explains an empty result; returns the command that clears a filter if the user asks for it.
fn nothing(ui: &mut Ui, session: &Session, state: &mut StatisticsTable) -> Option<Command> {
    let starts_inside =
        |answer: &Answer| answer.question.rule == RangeRule::StartsInside && answer.question.scope.has_range();
    if !state.answer.as_ref().is_some_and(starts_inside) {
        return no_rows(ui, session, None, (FilterSet::Scope, "marker"));
    }
    let why = "Markers that began before the range are not counted.";
    if empty_state(ui, "No matching markers start in the range.", why, Some("Count markers that overlap it")) {
        state.chosen_rule = Some(RangeRule::Overlaps);
    }
    None
}
