//! Toolbar.

use egui::{Align, Button, Layout, RichText, Role, Ui, WidgetInfo};

use crate::commands::{ViewAction, WindowAction, shortcut, title_with_shortcut, with_shortcut};
use crate::hidden_panels::PanelKind;
use crate::tables::TableKind;
use crate::widgets::counted;
use crate::widgets::menu::context_menu;
use crate::widgets::style::color;
use crate::window::bars::search_box;
use crate::window::bars::toolbar_layout::{
    BY_FILE, NAME_WIDTH, ToolbarLayout, ToolbarSize, all_markers_text, has_call_colors,
};
use crate::window::recent_file::RecentFile;
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_index::Arrangement;
use flowline_profile::{ColorBy, MarkerSurface};
use flowline_scene::Palette;
use flowline_session::{Session, why_no_flows};
use flowline_view::{Command, FlowLaneCommand, Theme};

/// Number of recent recordings in the menu of the Open button.
const RECENT: usize = 12;
/// Width in points of the warnings button with its full text.
const WARNING_WIDTH: f32 = 110.0;

/// Shows the toolbar.
pub(crate) fn toolbar(
    ui: &mut Ui,
    session: Option<&Session>,
    state: &ShellState,
    recent: &[RecentFile],
    palette: &Palette,
) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    ui.horizontal_centered(|ui| {
        let tools = ToolbarLayout::new(ui, session);
        let room = tools.room;
        if room == ToolbarSize::Wide {
            ui.label(RichText::new("Flowline").size(15.0).strong());
        }
        let hint = format!("{}, or drop a file on the window", shortcut(ui.ctx(), WindowAction::Open));
        let open = ui.button("Open…").on_hover_text(hint);
        if open.clicked() {
            commands.push(WindowAction::Open.into());
        }
        context_menu(&open, |ui| {
            for file in recent.iter().take(RECENT) {
                if ui.button(file.name()).on_hover_text(file.folder()).clicked() {
                    commands.push(WindowCommand::OpenRecent(file.path.clone()));
                    ui.close();
                }
            }
            if recent.is_empty() {
                ui.weak("No recent recordings.");
            }
        });
        let Some(session) = session else { return };
        // A narrow window has no room for this button, but its key works.
        if tools.has_compare {
            let hint = with_shortcut(ui.ctx(), "Open a second recording below this one", WindowAction::Compare);
            let compare = ui.button("Compare…").on_hover_text(hint);
            if compare.clicked() {
                commands.push(WindowAction::Compare.into());
            }
        }
        // A narrow window keeps the controls and drops plain information (the title bar also has the name).
        if room == ToolbarSize::Wide {
            let name = egui::Label::new(RichText::new(session.name()).weak()).truncate();
            let name = ui.scope(|ui| {
                ui.set_max_width(NAME_WIDTH);
                ui.add(name)
            });
            name.inner.on_hover_text(session.path.display().to_string());
        }
        ui.add_space(8.0);
        search_box::show(ui, session, state, (palette, tools), &mut commands);
        ui.add_space(8.0);
        if room < ToolbarSize::Narrow {
            let chosen = LAYOUTS.iter().find(|(arrangement, ..)| *arrangement == session.view.arrangement);
            let chosen = chosen.filter(|_| !session.view.flow_lanes.shown).map_or(BY_OBJECT, |(_, text, _)| text);
            ui.menu_button(chosen, |ui| commands.extend(layouts(ui, session)));
        } else {
            commands.extend(layouts(ui, session));
        }
        if room == ToolbarSize::Tiny {
            ui.menu_button("More", |ui| {
                commands.extend(categories(ui, session, palette));
                commands.extend(switches(ui, session, state));
                commands.extend(panels(ui, state));
            });
        } else {
            commands.extend(categories(ui, session, palette));
            if room == ToolbarSize::Wide {
                commands.extend(switches(ui, session, state));
            } else {
                ui.menu_button("More", |ui| commands.extend(switches(ui, session, state)));
            }
            ui.add_space(4.0);
            commands.extend(panels(ui, state));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let help = ui.button("?").on_hover_text(WindowAction::Help.title());
            help.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Keys and search"));
            if help.clicked() {
                commands.push(WindowAction::Help.into());
            }
            let icon = if session.view.theme == Theme::Dark { "☀" } else { "🌑" };
            let theme = ui.button(icon).on_hover_text(title_with_shortcut(ui.ctx(), WindowAction::Theme));
            theme.widget_info(|| WidgetInfo::labeled(Role::Button, true, WindowAction::Theme.title()));
            if theme.clicked() {
                commands.push(WindowAction::Theme.into());
            }
            // Nothing overlaps this side; in a narrow window, the button drops its words.
            commands.extend(warnings_badge(ui, session, palette));
            contents(ui, session);
        });
    });
    commands
}

/// Counts of the recording's contents, as far as they fit.
fn contents(ui: &mut Ui, session: &Session) {
    let (profile, flows) = (session.index.profile(), session.index.flows());
    let mut parts = vec![counted(profile.marker_count(), "marker")];
    if flows.is_known() {
        parts.push(counted(flows.len(), "flow"));
    }
    let few = parts.join(" · ");
    let [processes, threads] = [(profile.processes.len(), "process"), (profile.thread_count(), "thread")]
        .map(|(count, what)| counted(count, what));
    let font = egui::TextStyle::Body.resolve(ui.style());
    let fits = |text: &String| {
        let size = ui.painter().layout_no_wrap(text.clone(), font.clone(), egui::Color32::PLACEHOLDER).size();
        size.x + ui.spacing().item_spacing.x <= ui.available_width()
    };
    if let Some(text) = [format!("{processes} · {threads} · {few}"), few].into_iter().find(fits) {
        ui.weak(text);
    }
}

/// The arrangements of rows with their names and tooltips.
const LAYOUTS: [(Arrangement, &str, &str); 2] = [
    (Arrangement::ByName, "By name", "One group of rows per marker name"),
    (Arrangement::Stack, "Stack", "Stack-based markers nested, the rest by name"),
];
/// Name of the layout with one lane per flow.
const BY_OBJECT: &str = "By flow";

/// The layout switches: rows of threads in either arrangement, or flow lanes.
fn layouts(ui: &mut Ui, session: &Session) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    for (arrangement, text, hint) in LAYOUTS {
        let chosen = session.view.arrangement == arrangement && !session.view.flow_lanes.shown;
        let hint = with_shortcut(ui.ctx(), hint, ViewAction::Layout);
        let button = ui.add(Button::new(text).selected(chosen)).on_hover_text(hint);
        if button.clicked() {
            commands.push(Command::SetArrangement(arrangement).into());
        }
    }
    let shown = session.view.flow_lanes.shown;
    let objects = ui.add_enabled(shown || !session.index.flows().is_empty(), Button::new(BY_OBJECT).selected(shown));
    let hint = with_shortcut(ui.ctx(), "One lane per flow, with its run and wait segments", ViewAction::FlowLanes);
    let objects = objects.on_hover_text(hint);
    if objects.on_disabled_hover_text(why_no_flows(&session.index)).clicked() {
        commands.push(Command::FlowLane(FlowLaneCommand::Show(!shown)).into());
    }
    commands
}

/// The menu of categories.
fn categories(ui: &mut Ui, session: &Session, palette: &Palette) -> Vec<WindowCommand> {
    let mut searches = Vec::new();
    crate::window::bars::category_menu::show(ui, session, palette, &mut searches);
    searches.into_iter().map(WindowCommand::View).collect()
}

/// Switches for the panels beside and below the chart.
fn panels(ui: &mut Ui, state: &ShellState) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    let tables = Button::new("Tables").selected(state.table.is_some());
    let hint = with_shortcut(ui.ctx(), "Tables of markers and flows", WindowAction::Table(TableKind::Markers));
    if ui.add(tables).on_hover_text(hint).clicked() {
        commands.push(WindowCommand::ShowTable(state.table.is_none().then(TableKind::default)));
    }
    let details = Button::new("Details").selected(state.shows_details);
    let toggle = WindowAction::Panel(PanelKind::Details);
    let hint = with_shortcut(ui.ctx(), "Fields of the selected marker", toggle);
    if ui.add(details).on_hover_text(hint).clicked() {
        commands.push(toggle.into());
    }
    commands
}

/// Switches that are rarely used.
fn switches(ui: &mut Ui, session: &Session, state: &ShellState) -> Vec<WindowCommand> {
    let mut commands: Vec<WindowCommand> = all_markers(ui, session).into_iter().collect();
    commands.extend(call_colors(ui, session));
    let boxes = Button::new("Box").selected(state.box_mode);
    let key = shortcut(ui.ctx(), WindowAction::BoxMode);
    let hint = format!("Box mode: dragging on the chart selects rows and time ({key} or Alt+drag)");
    let boxes = ui.add(boxes).on_hover_text(hint);
    commands.extend(boxes.clicked().then_some(WindowAction::BoxMode.into()));
    commands
}

/// The switch for markers that the recording hides from the chart or from tables; absent if there are none.
fn all_markers(ui: &mut Ui, session: &Session) -> Option<WindowCommand> {
    let text = all_markers_text(session)?;
    let [chart, table] = [MarkerSurface::Chart, MarkerSurface::Table].map(|place| session.hidden_markers(place));
    let is_on = session.view.tracks.all_markers;
    let hint = format!(
        "The recording hides {} markers from the chart and {} from tables, but searches find them. Click to show all.",
        crate::widgets::grouped(chart),
        crate::widgets::grouped(table),
    );
    let button = ui.add(Button::new(text).selected(is_on)).on_hover_text(hint);
    button.clicked().then(|| Command::ShowAllMarkers(!is_on).into())
}

/// The switch for the colors of calls; absent if no samples have stacks.
fn call_colors(ui: &mut Ui, session: &Session) -> Option<WindowCommand> {
    if !has_call_colors(session) {
        return None;
    }
    let colors = session.view.color_by;
    let button = Button::new(BY_FILE).selected(colors == ColorBy::File);
    let response = ui.add(button).on_hover_text("Color the calls of stack charts by file instead of category");
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, colors == ColorBy::File, "Color calls by file"));
    response
        .clicked()
        .then(|| Command::ColorBy(if colors == ColorBy::File { ColorBy::Kind } else { ColorBy::File }).into())
}

fn warnings_badge(ui: &mut Ui, session: &Session, palette: &Palette) -> Option<WindowCommand> {
    let warnings = session.index.warnings().list();
    let messages = &session.flows.setup.messages;
    let count = warnings.len() + messages.len();
    if count == 0 {
        return None;
    }
    let severe = !messages.is_empty() || warnings.iter().any(|warning| !warning.kind.is_ordinary());
    let words = counted(count, "warning");
    let is_short = ui.available_width() < WARNING_WIDTH;
    let text = if is_short { format!("⚠ {}", crate::widgets::grouped(count)) } else { format!("⚠ {words}") };
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(text.clone(), font, egui::Color32::PLACEHOLDER).size().x;
    // In a tiny window, the button would cover the menus.
    if is_short && ui.available_width() < width + 2.0 * ui.spacing().button_padding.x {
        return None;
    }
    let text = RichText::new(text).color(if severe { color(palette.search_match) } else { color(palette.text2) });
    let badge = ui.button(text).on_hover_text("Import warnings");
    badge.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("⚠ {words}")));
    badge.clicked().then_some(WindowAction::Warnings.into())
}
