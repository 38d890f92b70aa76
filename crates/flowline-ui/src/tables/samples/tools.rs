//! Toolbar of the sample views: thread, kind of functions, filter, copying, and the trail of transforms.

use egui::{Button, Label, RichText, Role, TextEdit, Ui, WidgetInfo};

use super::event_log::LEAST;
use super::sample_result::{SampleResult, shows_all};
use super::sample_view::{SampleView, samples_id};
use super::sampled_threads::has_tree;
use super::state::SampleTrees;
use super::transforms::describe;
use super::{export, summary};
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widgets::style::color;
use crate::widgets::table::{self, CopyRequest, copy_menu};
use crate::widgets::{Dropdown, Segment, grouped, list_filter, palette_of, segmented};
use flowline_format::shorten_middle;
use flowline_index::samples::entries::{EntrySet, has_entries, has_samples};
use flowline_index::samples::{Grouping, Implementation, Measure, SampleKind, Transform, has_libraries};
use flowline_profile::samples::WeightUnit;
use flowline_profile::{Profile, ThreadId};
use flowline_scene::Palette;
use flowline_session::{Job, Session};

/// Letters of the thread's name on its menu.
const MAX_THREAD: usize = 28;
/// The filter's hint text and its help.
const FILTER_HINT: &str = "Filter functions";
const FILTER_HELP: &str = "Show only stacks with a matching function, file or library; separate terms that must all \
    match with commas";

/// Shows the toolbar; returns the copy request.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    (view, slot): (SampleView, &mut FilterSlot<'_>),
    palette: &Palette,
) -> Option<CopyRequest> {
    let profile = session.index.profile();
    let tools = tools(session, state, view);
    let wanted = tool_strip::show(ui, slot, state, tools, |ui, state| {
        export::more_menu(ui, profile, state);
        let wanted = (view != SampleView::Flame).then(|| {
            export::rows_button(ui, profile, state, view);
            copy_menu(ui)
        });
        ui.add(Label::new(RichText::new(count_text(state)).small().weak()).extend());
        wanted.flatten()
    });
    trail(ui, profile, state, palette);
    if let Some(built) = &state.built {
        summary::show(ui, built, palette);
    }
    wanted
}

/// The tools of a view.
fn tools<'t>(session: &'t Session, state: &SampleTrees, view: SampleView) -> Tools<'t, SampleTrees> {
    let profile: &Profile = session.index.profile();
    let mut tools = Tools::new("samples");
    tools.add("thread", |ui, state| thread_menu(ui, profile, state));
    if let Some(thread) = without_samples(session, state) {
        let text = format!("{} has no samples or slices.", thread_text(profile, thread));
        tools.add_text("without samples", RichText::new(text).small());
    }
    tools.add("filter", move |ui, state: &mut SampleTrees| {
        let edit = TextEdit::singleline(&mut state.search).hint_text(FILTER_HINT).desired_width(130.0);
        let edit = edit.margin(egui::vec2(6.0, 1.0)).align(egui::Align2::LEFT_CENTER);
        let response = ui.add(edit).on_hover_text(FILTER_HELP);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter functions"));
        let typed = response.has_focus() || response.lost_focus();
        if typed && table::key(ui, egui::Key::Enter) + table::key(ui, egui::Key::ArrowDown) > 0 {
            ui.memory_mut(|memory| memory.request_focus(samples_id(view)));
        }
        keep_button(ui, state);
    });
    tools.add("kind", |ui, state| kind_menu(ui, profile, state));
    tools.add("entries", |ui, state| entries_menu(ui, profile, state));
    tools.add("functions", implementation_switch);
    if view == SampleView::EventLog {
        tools.add("least", least_buttons);
    }
    tools.add("measure", measure_button);
    if view.has_groups() {
        tools.add("groups", |ui, state| group_menu(ui, profile, state));
    }
    let has_entries = state.built.as_ref().is_some_and(|built| built.tree.has_entries());
    if !has_entries && profile.categories.iter().any(|category| category.name == "Idle") {
        tools.add("idle", idle_button);
    }
    if !has_entries && has_libraries(&profile.stacks) {
        tools.add("addresses", address_button);
    }
    tools
}

/// Button that shows functions without a name one by one.
fn address_button(ui: &mut Ui, state: &mut SampleTrees) {
    let button = Button::new("Addresses").selected(state.addresses);
    if ui.add(button).on_hover_text("Show functions without a name by address instead of their libraries").clicked() {
        state.addresses = !state.addresses;
    }
}

/// Button that includes idle samples.
fn idle_button(ui: &mut Ui, state: &mut SampleTrees) {
    let without = state.built.as_ref().is_some_and(|built| built.request.without_idle);
    let button = Button::new("Idle").selected(!without);
    if ui.add(button).on_hover_text("Include idle samples").clicked() {
        state.without_idle = Some(!without);
    }
}

/// Menu that switches between slices with calls and samples, if a thread has both.
fn entries_menu(ui: &mut Ui, profile: &Profile, state: &mut SampleTrees) {
    let Some(built) = &state.built else { return };
    let any = |is: fn(&Profile, ThreadId) -> bool| built.request.threads.iter().any(|id| is(profile, *id));
    if built.request.kind != SampleKind::Cpu || !any(has_entries) || !any(has_samples) {
        return;
    }
    let all = [
        (Some(EntrySet::Shown), "Events and calls", "Calls and the slices that DevTools shows in its trees"),
        (Some(EntrySet::All), "All events", "Calls and all slices of the thread"),
        (Some(EntrySet::Calls), "Calls", "Only calls"),
        (None, "Samples", "Profiler samples with their recorded stacks"),
    ];
    let current = built.request.entries;
    let shown = all.iter().find(|(set, ..)| *set == current).map_or("", |(_, text, _)| text);
    let name = "Data source of the tree";
    Dropdown::choice("", shown, name).hint(name).show(ui, palette_of(ui.ctx()), |ui| {
        for (set, text, hint) in all {
            if ui.selectable_label(set == current, text).on_hover_text(hint).clicked() {
                state.entries = Some(set);
            }
        }
    });
}

/// The switch between script functions, native ones, and both.
fn implementation_switch(ui: &mut Ui, state: &mut SampleTrees) {
    let all = [
        (Implementation::All, "All", "All functions"),
        (Implementation::Js, "JavaScript", "Script functions and their labels"),
        (Implementation::Native, "Native", "All functions except script functions"),
    ];
    let is_chosen = |implementation: Implementation| state.implementation == implementation;
    let segments = all.map(|(implementation, text, hint)| Segment {
        text,
        hint: hint.to_owned(),
        is_chosen: is_chosen(implementation),
        is_enabled: true,
    });
    if let Some(number) = segmented(ui, &segments, palette_of(ui.ctx())) {
        state.implementation = all[number].0;
    }
}

/// The switch for the minimum duration of event log entries.
fn least_buttons(ui: &mut Ui, state: &mut SampleTrees) {
    let segments = LEAST.map(|(least, text)| Segment {
        text,
        hint: "Hide shorter events and calls".to_owned(),
        is_chosen: state.least == least,
        is_enabled: true,
    });
    if let Some(number) = segmented(ui, &segments, palette_of(ui.ctx())) {
        state.least = LEAST[number].0;
    }
}

/// Menu of the groups above the first level of the tree.
fn group_menu(ui: &mut Ui, profile: &Profile, state: &mut SampleTrees) {
    let text = |grouping: Grouping| match grouping {
        Grouping::None => "No groups",
        Grouping::Category => "Group by category",
        Grouping::File => "Group by file",
        Grouping::Library => "Group by library",
        Grouping::ThirdParty => "Group by third party",
    };
    let name = "Groups above the first level of the tree";
    Dropdown::choice("", text(state.grouping), name).hint(name).show(ui, palette_of(ui.ctx()), |ui| {
        let is_offered = |grouping: &Grouping| *grouping != Grouping::Category || profile.categories.len() > 1;
        for grouping in Grouping::ALL.into_iter().filter(is_offered) {
            ui.selectable_value(&mut state.grouping, grouping, text(grouping));
        }
    });
}

/// Button that turns the filter into a transform, so that another filter can narrow its result.
fn keep_button(ui: &mut Ui, state: &mut SampleTrees) {
    let search = state.search.trim();
    if search.is_empty() {
        return;
    }
    let response = ui.add(Button::new("Apply")).on_hover_text(
        "Drop all samples that do not match, as a transform that can be undone, and clear the filter field",
    );
    let name = "Apply filter as transform";
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.clicked() {
        state.trail.add(Transform::FilterSamples(search.to_owned(), state.implementation));
        state.search.clear();
    }
}

/// Button that switches the measure between weight and time, if samples have both.
fn measure_button(ui: &mut Ui, state: &mut SampleTrees) {
    let has_both = |built: &&SampleResult| built.has_time && !built.tree.has_entries();
    let Some(built) = state.built.as_ref().filter(has_both) else { return };
    let is_time = built.tree.measure == Measure::Time;
    let button = Button::new("By time").selected(is_time);
    let hint = "Measure the time from each sample to the next one instead of counting samples";
    if ui.add(button).on_hover_text(hint).clicked() {
        state.measure = Some(built.tree.measure.other());
    }
}

/// Number and total of the samples or entries in the tree, as text.
fn count_text(state: &SampleTrees) -> String {
    let Some(built) = &state.built else { return String::new() };
    if state.is_busy() {
        return "Counting…".to_owned();
    }
    if let Some(list) = &built.tree.nodes.entries {
        let mut text = format!("{} events and calls", grouped(list.len()));
        let shown = usize::try_from(built.tree.whole.samples).unwrap_or(usize::MAX);
        if (built.request.range.is_some() || !shows_all(&built.request)) && shown < list.len() {
            text += &format!(", {} shown", grouped(shown));
        }
        if list.omitted > 0 {
            text += &format!(", {} ignored (not properly nested)", grouped(list.omitted));
        }
        return text;
    }
    let (all, unknown) = built.count;
    // Without times, the axis counts samples, and a stack may count as many of them.
    let counts_stacks = !built.clock.unit.is_time() && (built.unit != WeightUnit::Samples || has_weights(built));
    let mut text = table::counted(all, if counts_stacks { "stack" } else { "sample" });
    if unknown > 0 {
        text += &format!(", {} with unknown stacks", grouped(unknown));
    }
    let shown = built.tree.whole;
    if usize::try_from(shown.samples).is_ok_and(|count| count + unknown < all) {
        text += &format!(", {} shown", grouped(usize::try_from(shown.samples).unwrap_or(usize::MAX)));
    }
    text + &whole_text(built)
}

/// True if the weights of the samples differ from 1.
fn has_weights(built: &SampleResult) -> bool {
    let whole = built.tree.whole;
    #[expect(clippy::cast_precision_loss, reason = "a number of samples")]
    let count = whole.samples as f64;
    (whole.weight - count).abs() > 0.5
}

fn whole_text(built: &SampleResult) -> String {
    match (built.has_time, built.unit) {
        (true, _) => format!(", {}", flowline_format::format_duration_ns(built.tree.whole.time.0)),
        (false, WeightUnit::Samples) if !has_weights(built) => String::new(),
        (false, WeightUnit::Samples) => {
            format!(", weight {}", WeightUnit::Samples.text(built.tree.whole.weight))
        }
        (false, unit) => format!(", {}", unit.text_with_unit(built.tree.whole.weight, built.clock.unit)),
    }
}

/// Name of a thread, with its process if there are several.
fn thread_text(profile: &Profile, thread: ThreadId) -> String {
    let name = profile.long_name(thread);
    match profile.processes.len() {
        0 | 1 => name.into_owned(),
        _ => format!("{name}, {}", profile.process_of(thread).name),
    }
}

/// The selected marker's thread, if the view follows it but shows another one because it has neither samples
/// nor slices.
fn without_samples(session: &Session, state: &SampleTrees) -> Option<ThreadId> {
    let profile = session.index.profile();
    let (thread, _) = profile.locate(session.view.selected?)?;
    let follows = state.chosen.is_none() && session.scope().threads_with_selection().is_none();
    (follows && !has_tree(profile, thread)).then_some(thread)
}

fn thread_menu(ui: &mut Ui, profile: &Profile, state: &mut SampleTrees) {
    let Some(built) = &state.built else { return };
    let shown = match built.request.threads[..] {
        [] => "No thread".to_owned(),
        [thread] => thread_text(profile, thread),
        _ => table::counted(built.request.threads.len(), "thread"),
    };
    let name = "Thread whose samples or slices are shown";
    // A long name would take the room of the other tools.
    let shown = shorten_middle(&shown, MAX_THREAD);
    Dropdown::choice("", &shown, name).hint(name).staying().show(ui, palette_of(ui.ctx()), |ui| {
        let all: Vec<ThreadId> =
            profile.threads_with_ids().map(|(id, _)| id).filter(|id| has_tree(profile, *id)).collect();
        let wanted = list_filter(ui, all.len());
        let mut choices: Vec<(String, Option<Vec<ThreadId>>)> =
            vec![("Thread of the selected marker".to_owned(), None)];
        if all.len() > 1 {
            choices.push(("All threads".to_owned(), Some(all.clone())));
        }
        choices.extend(all.into_iter().map(|thread| {
            let owner = profile.thread(thread);
            let count = owner.samples.as_ref().map_or(owner.markers.len(), |samples| samples.cpu.len());
            (format!("{}  ({})", thread_text(profile, thread), grouped(count)), Some(vec![thread]))
        }));
        for (text, choice) in choices.into_iter().filter(|(text, _)| text.to_lowercase().contains(&wanted)) {
            if ui.selectable_label(state.chosen == choice, text).clicked() {
                state.chosen = choice;
                ui.close();
            }
        }
    });
}

fn kind_menu(ui: &mut Ui, profile: &Profile, state: &mut SampleTrees) {
    let Some(built) = &state.built else { return };
    let has = |kind: SampleKind| built.request.threads.iter().any(|thread| kind.is_in(profile, *thread));
    let kinds = SampleKind::ALL.map(|kind| (kind, kind_text(kind)));
    if kinds.iter().filter(|(kind, _)| has(*kind)).count() < 2 {
        return;
    }
    let shown = kinds.iter().find(|(kind, _)| *kind == state.kind).map_or("", |(_, (text, _))| text);
    let name = "Kind of samples";
    Dropdown::choice("", shown, name).hint(name).show(ui, palette_of(ui.ctx()), |ui| {
        for (kind, (text, hint)) in kinds.into_iter().filter(|(kind, _)| has(*kind)) {
            ui.selectable_value(&mut state.kind, kind, text).on_hover_text(hint);
        }
    });
}

/// Name and tooltip of a kind of samples.
const fn kind_text(kind: SampleKind) -> (&'static str, &'static str) {
    match kind {
        SampleKind::Cpu => ("CPU", "CPU samples of the thread"),
        SampleKind::JsAllocations => ("JavaScript allocations", "JavaScript objects by allocation site"),
        SampleKind::NativeRetained => ("Retained memory", "Memory allocated but not released in the range"),
        SampleKind::NativeAllocations => ("Allocated memory", "All allocated memory by allocation site"),
        SampleKind::NativeReleased => {
            ("Deallocated memory", "Memory allocated and released in the range, by allocation site")
        }
        SampleKind::NativeReleases => ("Deallocation sites", "All released memory by deallocation site"),
    }
}

/// Shows the trail of transforms. A click on one undoes those after it.
fn trail(ui: &mut Ui, profile: &Profile, state: &mut SampleTrees, palette: &Palette) {
    if state.trail.list().is_empty() && !state.trail.can_redo() {
        return;
    }
    let mut back = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(3.0, 2.0);
        ui.add_space(4.0);
        let all = state.trail.list().len();
        let step = |ui: &mut Ui, text: String, count: usize, hint: &str| {
            let button = Button::new(RichText::new(text).small()).selected(count == all);
            ui.add(button.truncate()).on_hover_text(hint).clicked().then_some(count)
        };
        back = step(ui, "Complete".to_owned(), 0, "Undo all transforms");
        for (at, transform) in state.trail.list().iter().enumerate() {
            ui.label(RichText::new("›").color(color(palette.text2)));
            back = step(ui, describe(profile, transform), at + 1, "Undo the transforms after this one").or(back);
        }
        if state.trail.can_redo() && ui.button("Redo").on_hover_text("Redo the last undone transform").clicked() {
            state.trail.redo();
            back = None;
        }
    });
    if let Some(count) = back {
        state.trail.go_back(count);
    }
}
