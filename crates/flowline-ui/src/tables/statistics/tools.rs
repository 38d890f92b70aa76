//! Toolbar of the statistics: subject, grouping, counting rule, columns, comparison and copying.

use egui::containers::menu::menu_style;
use egui::{Button, Event, Key as KeyboardKey, Popup, PopupCloseBehavior, Response, RichText, TextEdit, Ui};

use super::columns::Number;
use super::comparison;
use super::comparison_rows::{Column, Order};
use super::comparison_state::ComparisonState;
use super::state::StatisticsTable;
use super::subject::Subject;
use crate::commands::WindowAction;
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widget_requests::run_command;
use crate::widgets::icon::{Icon, icon_button};
use crate::widgets::menu;
use crate::widgets::table::{self, CopyRequest, copy_menu};
use crate::widgets::{Dropdown, Segment, grouped, leave_by_arrows, palette_of, segmented, segmented_named};
use flowline_index::statistics::{Key, RangeRule};
use flowline_session::{Job, Session};

/// Shows the toolbar; returns the copy request.
pub(super) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    state: &mut StatisticsTable,
    slot: &mut FilterSlot<'_>,
) -> Option<CopyRequest> {
    let tools = tools(session, state.what);
    tool_strip::show(ui, slot, state, tools, |ui, state| {
        let (count, what) = match state.what {
            Subject::Markers if state.compared.is_on() => (state.compared.count(), "group"),
            Subject::Markers => (state.answer.as_ref().map_or(0, |answer| answer.groups.len()), "group"),
            Subject::Counters => (state.lists.len(), "row"),
            Subject::Flows => (state.lists.len(), "kind"),
        };
        if state.what == Subject::Markers {
            more_menu(ui, (session, other), state);
        }
        let wanted = copy_menu(ui);
        let is_ready = count > 0 && !state.is_busy();
        match state.what {
            Subject::Markers if state.compared.is_on() => {
                table::export_button(ui, !state.is_busy(), || super::comparison::file(state, session, other));
            }
            Subject::Markers => table::export_button(ui, is_ready, || super::group_table::exported(session, state)),
            Subject::Counters | Subject::Flows => table::export_button(ui, is_ready, || state.lists.exported()),
        }
        if state.what == Subject::Markers && state.compared.is_on() {
            compared_column_menu(ui, &mut state.compared);
        } else if state.what == Subject::Markers {
            column_menu(ui, state);
        }
        if state.what == Subject::Markers && !state.compared.is_on() {
            instants_button(ui, state);
        }
        let text = if state.is_busy() { "Counting…".to_owned() } else { table::counted(count, what) };
        ui.label(RichText::new(text).small().weak());
        wanted
    })
}

/// The tools of a subject.
fn tools(session: &Session, what: Subject) -> Tools<'_, StatisticsTable> {
    let mut tools = Tools::new("statistics");
    tools.add("subject", |ui, state| {
        what_buttons(ui, state);
        ui.separator();
    });
    match what {
        Subject::Markers => {
            tools.add("first group", |ui, state| {
                ui.label(RichText::new("By").small().weak());
                key_menu(ui, state, 0);
            });
            tools.add("second group", |ui, state| key_menu(ui, state, 1));
            let hints = ["Count markers that start in the range", "Count all markers that overlap the range"];
            tools.add("rule", move |ui, state| rule_buttons(ui, session, state, hints));
        }
        Subject::Counters => {}
        Subject::Flows => {
            let hints = [
                "Count flows with a marker that starts in the range",
                "Count flows with a marker that overlaps the range",
            ];
            tools.add("rule of flows", move |ui, state| rule_buttons(ui, session, state, hints));
            tools.add("list", list_button);
        }
    }
    tools
}

/// The button that shows the groups of instants, which have no duration, if there are other groups.
fn instants_button(ui: &mut Ui, state: &mut StatisticsTable) {
    let Some(answer) = &state.answer else { return };
    let count = answer.groups.iter().filter(|group| group.lengths.is_none()).count();
    if count == 0 || count == answer.groups.len() {
        return;
    }
    let text = format!("{} with no duration", grouped(count));
    let button = Button::new(text).selected(state.with_instants);
    let hint = if state.with_instants { "Hide groups of instants" } else { "Show groups of instants" };
    if ui.add(button).on_hover_text(hint).clicked() {
        (state.with_instants, state.order) = (!state.with_instants, None);
    }
}

/// The switch between markers, counters and flows.
fn what_buttons(ui: &mut Ui, state: &mut StatisticsTable) {
    let subjects = [
        (Subject::Markers, "Markers", "Groups of matching markers"),
        (Subject::Counters, "Counters", "Minimum, maximum, time-weighted mean and change in the range"),
        (Subject::Flows, "Flows", "Flows with matching markers by kind; lengths cover whole flows"),
    ];
    let segments = subjects.map(|(what, text, hint)| Segment {
        text,
        hint: hint.to_owned(),
        is_chosen: state.what == what,
        is_enabled: true,
    });
    // The tabs of the drawer have the same names.
    let name = |text: &str| format!("Statistics of {}", text.to_lowercase());
    if let Some(number) = segmented_named(ui, &segments, palette_of(ui.ctx()), name) {
        state.what = subjects[number].0;
    }
}

/// Buttons that select which markers count.
fn rule_buttons(ui: &mut Ui, session: &Session, state: &mut StatisticsTable, hints: [&str; 2]) {
    let rules = [(RangeRule::StartsInside, "Starts inside"), (RangeRule::Overlaps, "Overlaps")];
    let current = state.rule(session);
    let segment = |number: usize| Segment {
        text: rules[number].1,
        hint: hints[number].to_owned(),
        is_chosen: rules[number].0 == current,
        is_enabled: true,
    };
    if let Some(number) = segmented(ui, &[segment(0), segment(1)], palette_of(ui.ctx())) {
        state.chosen_rule = Some(rules[number].0);
    }
}

/// Button that lists the flows of the chosen kind.
fn list_button(ui: &mut Ui, state: &mut StatisticsTable) {
    let kind = state.lists.kind();
    let button = Button::new("List flows");
    let response = ui.add_enabled(kind.is_some(), button);
    if response.on_hover_text("Show the flows of this kind in the flow table (Enter, double-click)").clicked() {
        state.wanted_kind = kind;
    }
}

/// Keys without a field name.
const PLAIN: [(Key, &str); 4] =
    [(Key::Name, "Name"), (Key::Category, "Category"), (Key::Thread, "Thread"), (Key::Process, "Process")];

fn key_text(key: Option<&Key>) -> String {
    match key {
        None => "(none)".to_owned(),
        Some(Key::Field(name)) => format!("Field {name}"),
        Some(key) => PLAIN.iter().find(|(plain, _)| plain == key).map_or("", |(_, text)| text).to_owned(),
    }
}

fn key_menu(ui: &mut Ui, state: &mut StatisticsTable, which: usize) {
    let hint = ["Primary grouping", "Secondary grouping"][which];
    let shown = key_text(state.keys[which].as_ref());
    let button = Dropdown::choice("", &shown, hint).hint(hint).staying();
    let button = button.show(ui, palette_of(ui.ctx()), |ui| {
        if which == 1 && ui.selectable_value(&mut state.keys[1], None, "(none)").clicked() {
            ui.close();
        }
        for (key, text) in PLAIN {
            if ui.selectable_value(&mut state.keys[which], Some(key), text).clicked() {
                ui.close();
            }
        }
        ui.separator();
        let id = ui.scope_id().with("field");
        let mut text: String = ui.data_mut(|data| data.get_temp(id).unwrap_or_default());
        let edit = TextEdit::singleline(&mut text).hint_text("Payload field").align(egui::Align2::LEFT_CENTER);
        let edit = ui.add(edit.desired_width(130.0));
        leave_by_arrows(ui, &edit);
        type_into(ui, &edit, &mut text);
        let is_confirmed = edit.lost_focus() && ui.input(|input| input.key_pressed(KeyboardKey::Enter));
        if is_confirmed && !text.trim().is_empty() {
            state.keys[which] = Some(state.fields.named(&text));
            ui.close();
        }
        if let Some(key) = state.fields.show(ui, &text) {
            state.keys[which] = Some(key);
            ui.close();
        }
        ui.data_mut(|data| data.insert_temp(id, text));
        menu::enter_by_arrow(ui);
    });
    if which == 0 && std::mem::take(&mut state.wants_grouping) {
        button.request_focus();
        Popup::open_id(ui.ctx(), Popup::default_response_id(&button));
        ui.ctx().request_repaint();
    }
}

/// Gives letters that are typed while a menu is open to its text field.
fn type_into(ui: &Ui, field: &Response, text: &mut String) {
    if field.has_focus() {
        return;
    }
    let typed: String = ui.input(|input| {
        let letters = input.events.iter().filter_map(|event| match event {
            Event::Text(typed) if !typed.trim().is_empty() => Some(typed.as_str()),
            _ => None,
        });
        letters.collect()
    });
    if !typed.is_empty() {
        text.push_str(&typed);
        field.request_focus();
        ui.ctx().request_repaint();
    }
}

fn column_menu(ui: &mut Ui, state: &mut StatisticsTable) {
    table::column_menu(ui, |ui| {
        for number in Number::ALL {
            let (title, hint) = number.text();
            let mut is_shown = state.shown.contains(&number);
            if ui.checkbox(&mut is_shown, title).on_hover_text(hint).changed() {
                state.shown.retain(|shown| *shown != number);
                if is_shown {
                    state.shown.push(number);
                }
                state.shown.sort_by_key(|shown| Number::ALL.iter().position(|number| number == shown));
            }
        }
        if ui.button("Reset columns").clicked() {
            state.shown = state.usual_columns();
        }
        if ui.button("Reset column widths").clicked() {
            state.widths.clear();
        }
    });
}

/// The column menu of a comparison.
fn compared_column_menu(ui: &mut Ui, compared: &mut ComparisonState) {
    table::column_menu(ui, |ui| {
        for column in Column::all() {
            let mut is_shown = compared.shown.contains(&column);
            if ui.checkbox(&mut is_shown, column.column().title).changed() {
                let is_kept = |other: &Column| {
                    (*other != column && compared.shown.contains(other)) || (*other == column && is_shown)
                };
                compared.shown = Column::all().filter(is_kept).collect();
            }
        }
        if ui.button("Reset columns").clicked() {
            compared.shown = Column::USUAL.to_vec();
        }
        if ui.button("Reset column widths").clicked() {
            compared.widths.clear();
        }
        if ui.button("Sort by difference").clicked() {
            compared.sort = (Order::Difference, true);
        }
    });
}

/// The menu of rarely used tools: merging of groups, and comparisons.
fn more_menu(ui: &mut Ui, (session, other): (&Session, Option<&Session>), state: &mut StatisticsTable) {
    let button = icon_button(ui, Icon::Dots, "More", "Merge groups and compare statistics");
    let shown = Popup::menu(&button).style(menu_style).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    shown.show(|ui| {
        menu::scrolling(ui, |ui| {
            if menu::check_entry(ui, "Ignore numbers", state.normalize) {
                state.normalize = !state.normalize;
            }
            ui.separator();
            compare_entries(ui, (session, other), state);
        });
    });
}

fn compare_entries(ui: &mut Ui, (session, other): (&Session, Option<&Session>), state: &mut StatisticsTable) {
    let set = if state.compared.is_on() { "Set as A" } else { "Compare with another range or thread" };
    if state.can_keep() && menu::entry(ui, set, true) {
        comparison::keep(state, session);
    }
    if other.is_some() && !state.compared.is_of_recordings() && menu::entry(ui, "Compare recordings", true) {
        run_command(ui.ctx(), WindowAction::CompareStatistics);
    }
    if state.compared.is_on() && menu::entry(ui, "End comparison", true) {
        state.compared.end();
    }
}
