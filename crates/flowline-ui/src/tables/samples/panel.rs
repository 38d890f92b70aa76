//! Shows the chosen view of the samples.

use egui::Ui;

use super::lit_row::lit_entries;
use super::sample_result::SampleResult;
use super::sample_view::SampleView;
use super::sampled_threads::has_tree;
use super::state::SampleTrees;
use super::transforms::Trail;
use super::{event_log, flame, functions, tools, tree};
use crate::tables::TableKind;
use crate::tables::active_filters::{FilterSet, active_filters};
use crate::tables::tool_strip::FilterSlot;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::empty_state;
use flowline_profile::Profile;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Shows the samples; returns the user's commands, and the highlighting of a row's entries if it changes.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    (view, slot): (SampleView, &mut FilterSlot<'_>),
    palette: &Palette,
) -> Vec<Command> {
    state.lit.clear();
    let mut commands = contents(ui, session, state, (view, slot), palette);
    let built = state.built.as_ref();
    let lit = built.and_then(|built| lit_entries(session.index.profile(), built, &state.lit));
    if lit != session.view.lit {
        commands.push(Command::Light(lit));
    }
    commands
}

fn contents(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    (view, slot): (SampleView, &mut FilterSlot<'_>),
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.follow(session, view);
    let profile = session.index.profile();
    let copying = tools::show(ui, session, state, (view, slot), palette);
    let Some(built) = &state.built else {
        if has_trees(profile) {
            ui.weak("Counting…");
        } else {
            empty_state(ui, NO_TREES, NO_TREES_WHY, None);
        }
        return Vec::new();
    };
    if built.tree.whole.is_zero() {
        return nothing(ui, session, state).into_iter().collect();
    }
    if view == SampleView::EventLog && !built.tree.has_entries() {
        let what = "The event log shows slices and calls, not samples.";
        if empty_state(ui, what, "This thread has only samples.", Some("Show call tree")) {
            post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CallTree));
        }
        return Vec::new();
    }
    if !built.has(view, state.least) {
        ui.weak("Counting…");
        return Vec::new();
    }
    match view {
        SampleView::CallTree | SampleView::BottomUp => tree::show(ui, session, state, view, copying, palette),
        SampleView::Functions => functions::show(ui, session, state, copying, palette),
        SampleView::Flame => flame::show(ui, session, state, palette),
        SampleView::EventLog => return event_log::show(ui, session, state, copying, palette),
    }
    Vec::new()
}

const NO_TREES: &str = "This recording has no samples and no slices.";
const NO_TREES_WHY: &str = "Trees add up the samples of a profiler, or the slices of a trace.";

/// Explains an empty tree; returns the command that clears a filter if the user asks for it.
fn nothing(ui: &mut Ui, session: &Session, state: &mut SampleTrees) -> Option<Command> {
    let built = state.built.as_ref()?;
    let what = reason(session.index.profile(), built, &state.trail);
    let active = active_filters(session, FilterSet::Range);
    let has_threads = !built.request.threads.is_empty();
    let is_filtered = !built.request.search.is_empty() && has_threads;
    let (has_range, has_transforms) = (built.request.range.is_some() && has_threads, !state.trail.list().is_empty());
    if is_filtered {
        if empty_state(ui, what, "Function names, files and libraries are compared.", Some("Clear filter")) {
            state.search.clear();
        }
    } else if has_range && !has_transforms {
        let filter = active.into_iter().next();
        let why = filter.as_ref().map(|(text, _)| format!("Only this is shown: {text}.")).unwrap_or_default();
        let action = filter.is_some().then_some("Clear filter");
        return if empty_state(ui, what, &why, action) { filter.map(|(_, clear)| clear) } else { None };
    } else {
        empty_state(ui, what, "", None);
    }
    None
}

/// True if a thread of the recording has a tree.
fn has_trees(profile: &Profile) -> bool {
    profile.threads_with_ids().any(|(id, _)| has_tree(profile, id))
}

/// The reason for an empty tree.
fn reason(profile: &Profile, built: &SampleResult, trail: &Trail) -> &'static str {
    if built.request.threads.is_empty() {
        return if has_trees(profile) { "The selected threads have no samples and no slices." } else { NO_TREES };
    }
    match built.count {
        (0, _) if !built.tree.has_entries() && built.request.range.is_some() => {
            "This thread has no samples in the range."
        }
        (0, _) if !built.tree.has_entries() => "This thread has no samples.",
        (all, unknown) if all == unknown && !built.tree.has_entries() => "The stacks of all samples are unknown.",
        _ if !built.request.search.is_empty() => "No stacks match the filter.",
        _ if !trail.list().is_empty() => "The transforms remove all samples.",
        _ if built.tree.has_entries() && built.request.range.is_some() => {
            "No events or calls of this kind in the range."
        }
        _ if built.tree.has_entries() => "No events or calls of this kind.",
        _ => "No functions of this kind were sampled.",
    }
}
