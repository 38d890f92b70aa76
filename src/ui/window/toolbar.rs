//! Toolbar, and the window that lists warnings.

use egui::{Align, Button, Key, Layout, Modifiers, RichText, Role, TextEdit, Ui, WidgetInfo};

use super::command::WindowCommand;
use super::completion::{self, Completion};
use super::recent_file::RecentFile;
use super::state::ShellState;
use crate::index::Arrangement;
use crate::profile::{CallColors, Direction, Place};
use crate::scene::Palette;
use crate::session::{Session, why_no_flows};
use crate::ui::canvas::notices;
use crate::ui::hidden_panels::PanelKind;
use crate::ui::input::actions::step_hit;
use crate::ui::tables::TableKind;
use crate::ui::widgets::menu::context_menu;
use crate::ui::widgets::style::color;
use crate::ui::widgets::{counted, dialog};
use crate::view::{Command, TapeCommand, Theme};

/// Id of the search box.
pub(crate) const SEARCH_BOX: &str = "search box";

/// Width in points from which on the toolbar has room for a button that compares.
const MIN_WIDTH_TO_COMPARE: f32 = 900.0;

/// Recordings opened before in the menu of the button that opens one.
const RECENT: usize = 12;
/// Width in points from which on the toolbar has room for switches that are rarely used; below, they are in a menu.
const MIN_WIDTH_FOR_SWITCHES: f32 = 1020.0;
/// Width in points from which on the toolbar has room for a button for each layout; below, they are in a menu.
const MIN_WIDTH_FOR_LAYOUTS: f32 = 870.0;
/// Width in points that the results of a search take beside the search box and their count.
const RESULTS_WIDTH: f32 = 330.0;
/// Width in points that the name of the recording takes at most.
const NAME_WIDTH: f32 = 200.0;

/// Width in points that the button of the warnings takes with its words.
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
        let more = session.map_or_else(MoreWidth::default, |session| MoreWidth::new(ui, session));
        let is_narrow = ui.available_width() < MIN_WIDTH_FOR_SWITCHES + more.switches;
        let is_small = ui.available_width() < MIN_WIDTH_FOR_LAYOUTS + more.count;
        if !is_narrow {
            ui.label(RichText::new("Flowline").size(15.0).strong());
        }
        let open = ui.button("Open…").on_hover_text("Ctrl+O, or drop a file on the window");
        if open.clicked() {
            commands.push(WindowCommand::OpenDialog);
        }
        context_menu(&open, |ui| {
            for file in recent.iter().take(RECENT) {
                if ui.button(file.name()).on_hover_text(file.folder()).clicked() {
                    commands.push(WindowCommand::OpenRecent(file.path.clone()));
                    ui.close();
                }
            }
            if recent.is_empty() {
                ui.weak("Nothing was opened before.");
            }
        });
        let Some(session) = session else { return };
        // A narrow window has no room for it; the key is there.
        if ui.available_width() > MIN_WIDTH_TO_COMPARE + more.count {
            let compare = ui.button("Compare…").on_hover_text("Open a second recording below this one (Ctrl+Shift+O)");
            if compare.clicked() {
                commands.push(WindowCommand::CompareDialog);
            }
        }
        // A narrow window keeps the controls and drops plain information (the title bar has the name too).
        let width = ui.available_width();
        if !is_narrow {
            let name = egui::Label::new(RichText::new(session.name()).weak()).truncate();
            let name = ui.scope(|ui| {
                ui.set_max_width(NAME_WIDTH);
                ui.add(name)
            });
            name.inner.on_hover_text(session.path.display().to_string());
        }
        ui.add_space(8.0);
        search(ui, session, state, (palette, is_narrow, is_small), &mut commands);
        ui.add_space(8.0);
        if is_small {
            let chosen = LAYOUTS.iter().find(|(arrangement, ..)| *arrangement == session.view.arrangement);
            let chosen = chosen.filter(|_| !session.view.tapes.shown).map_or(BY_OBJECT, |(_, text, _)| text);
            ui.menu_button(chosen, |ui| commands.extend(layouts(ui, session)));
        } else {
            commands.extend(layouts(ui, session));
        }
        let mut searches = Vec::new();
        super::category_menu::show(ui, session, palette, &mut searches);
        commands.extend(searches.into_iter().map(WindowCommand::View));
        if is_narrow {
            ui.menu_button("More", |ui| commands.extend(switches(ui, session, state)));
        } else {
            commands.extend(switches(ui, session, state));
        }
        ui.add_space(4.0);
        let tables = Button::new("Tables").selected(state.table.is_some());
        if ui.add(tables).on_hover_text("Tables of markers and flows (T)").clicked() {
            commands.push(WindowCommand::ShowTable(state.table.is_none().then(TableKind::default)));
        }
        let details = Button::new("Details").selected(!state.hidden.details);
        if ui.add(details).on_hover_text("Fields of the selected marker").clicked() {
            commands.push(WindowCommand::TogglePanel(PanelKind::Details));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("?").on_hover_text("Keys and search").clicked() {
                commands.push(WindowCommand::ToggleHelp);
            }
            let icon = if session.view.theme == Theme::Dark { "☀" } else { "🌑" };
            if ui.button(icon).on_hover_text("Light or dark (Ctrl+Shift+L)").clicked() {
                commands.push(WindowCommand::SwitchTheme);
            }
            // On this side, nothing lies over it; in a narrow window its words give way.
            commands.extend(warnings_badge(ui, session, palette));
            let profile = session.index.profile();
            let flows = session.index.flows();
            let text = format!(
                "{} · {} · {}{}",
                counted(profile.processes.len(), "process"),
                counted(profile.threads.len(), "thread"),
                counted(profile.marker_count(), "marker"),
                if flows.is_known() { format!(" · {}", counted(flows.len(), "flow")) } else { String::new() }
            );
            if width > 1000.0 {
                ui.add(egui::Label::new(RichText::new(text).weak()).truncate());
            }
        });
    });
    commands
}

/// Width in points of what only some recordings and searches have in the toolbar.
#[derive(Default)]
struct MoreWidth {
    /// Of what stands there beside the switches.
    switches: f32,
    /// Of the count of what a search found.
    count: f32,
}

impl MoreWidth {
    fn new(ui: &Ui, session: &Session) -> Self {
        let width = |text: String| {
            let font = egui::TextStyle::Button.resolve(ui.style());
            ui.painter().layout_no_wrap(text, font, egui::Color32::PLACEHOLDER).size().x
        };
        let spacing = ui.spacing().item_spacing.x;
        let button = |text: String| width(text) + 2.0 * ui.spacing().button_padding.x + spacing;
        let total = session.index.profile().marker_count();
        let count = match session.view.search.is_empty() {
            true => 0.0,
            false => width(results_text(total, total)),
        };
        let results = if session.view.search.is_empty() { 0.0 } else { RESULTS_WIDTH + count };
        let name = width(session.name()).min(NAME_WIDTH) + spacing;
        let all_markers = all_markers_text(session).map_or(0.0, button);
        let call_colors = if has_call_colors(session) { button(BY_FILE.to_owned()) } else { 0.0 };
        Self { switches: results + name + all_markers + call_colors, count }
    }
}

/// How many markers a search found.
fn results_text(found: usize, total: usize) -> String {
    format!("{} of {}", crate::ui::widgets::grouped(found), crate::ui::widgets::grouped(total))
}

/// The arrangements of rows, their names, and what they are.
const LAYOUTS: [(Arrangement, &str, &str); 2] = [
    (Arrangement::ByName, "By name", "One group of rows per marker name (L)"),
    (Arrangement::Stack, "Stack", "Stack-based markers nested, the rest by name (L)"),
];
/// The name of the layout with a row for each flow.
const BY_OBJECT: &str = "By object";

/// What the chart has rows of.
fn layouts(ui: &mut Ui, session: &Session) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    for (arrangement, text, hint) in LAYOUTS {
        let chosen = session.view.arrangement == arrangement && !session.view.tapes.shown;
        let button = ui.add(Button::new(text).selected(chosen)).on_hover_text(hint);
        if button.clicked() {
            commands.push(Command::SetArrangement(arrangement).into());
        }
    }
    let shown = session.view.tapes.shown;
    let objects = ui.add_enabled(shown || !session.index.flows().is_empty(), Button::new(BY_OBJECT).selected(shown));
    let objects = objects.on_hover_text("One row per flow: where it waited and where it ran (J)");
    if objects.on_disabled_hover_text(why_no_flows(&session.index)).clicked() {
        commands.push(Command::Tape(TapeCommand::Show(!shown)).into());
    }
    commands
}

/// Switches that are rarely used.
fn switches(ui: &mut Ui, session: &Session, state: &ShellState) -> Vec<WindowCommand> {
    let mut commands: Vec<WindowCommand> = all_markers(ui, session).into_iter().collect();
    commands.extend(call_colors(ui, session));
    let boxes = Button::new("Box").selected(state.box_mode);
    let boxes = ui.add(boxes).on_hover_text("Box mode: a drag on the chart selects rows and time (B; else Alt+drag)");
    commands.extend(boxes.clicked().then_some(WindowCommand::ToggleBoxMode));
    commands
}

/// The switch for markers that the recording keeps out of the chart or of tables; absent if there are none.
fn all_markers(ui: &mut Ui, session: &Session) -> Option<WindowCommand> {
    let text = all_markers_text(session)?;
    let [chart, table] = [Place::Chart, Place::Table].map(|place| session.hidden_markers(place));
    let is_on = session.view.tracks.all_markers;
    let hint = format!(
        "The recording keeps {} markers out of the chart and {} out of tables. Searches find all. This shows all.",
        crate::ui::widgets::grouped(chart),
        crate::ui::widgets::grouped(table),
    );
    let button = ui.add(Button::new(text).selected(is_on)).on_hover_text(hint);
    button.clicked().then(|| Command::ShowAllMarkers(!is_on).into())
}

/// The text of that switch.
fn all_markers_text(session: &Session) -> Option<String> {
    let most = [Place::Chart, Place::Table].map(|place| session.hidden_markers(place)).into_iter().max()?;
    (most > 0).then(|| format!("All markers (+{})", crate::ui::widgets::grouped(most)))
}

/// The text of the switch for the colours of calls.
const BY_FILE: &str = "By file";

fn has_call_colors(session: &Session) -> bool {
    !session.index.cpu().is_empty() && !session.index.profile().stacks.is_empty()
}

/// The switch for the colours of calls; absent if no samples have stacks.
fn call_colors(ui: &mut Ui, session: &Session) -> Option<WindowCommand> {
    if !has_call_colors(session) {
        return None;
    }
    let colors = session.view.call_colors;
    let button = Button::new(BY_FILE).selected(colors == CallColors::File);
    let response = ui.add(button).on_hover_text("Colour the calls of stack charts by file instead of by category");
    response
        .widget_info(|| WidgetInfo::selected(Role::Button, true, colors == CallColors::File, "Colour calls by file"));
    response.clicked().then(|| Command::ColorCalls(colors.other()).into())
}

/// Shows the search box, and what was found. In a narrow window, the box leaves room for that; in a small one, the count of all
/// markers does, too.
fn search(
    ui: &mut Ui,
    session: &Session,
    state: &ShellState,
    (palette, is_narrow, is_small): (&Palette, bool, bool),
    commands: &mut Vec<WindowCommand>,
) {
    let id = egui::Id::unique(SEARCH_BOX);
    let mut text = session.view.search.clone();
    let completion = Completion::new(ui, session, id);
    let has_results = is_narrow && !session.view.search.is_empty();
    let width = if has_results { 110.0 } else { (ui.available_width() * 0.28 - 20.0).clamp(110.0, 300.0) };
    let response = ui.add(
        TextEdit::singleline(&mut text)
            .id(id)
            .hint_text("Search:  thread:gecko dur:>20ms -paint")
            .desired_width(width)
            .margin(egui::vec2(8.0, 4.0))
            .lock_focus(completion.is_some()),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search markers"));
    if state.focus_search {
        response.request_focus();
    }
    let completed = match completion {
        Some(completion) => completion.show(ui, &session.view.search, response.rect),
        None => {
            notices::search_problems(ui, session, response.rect, palette);
            None
        }
    };
    if let Some(completed) = completed {
        completion::cursor_to_end(ui.ctx(), id, &completed);
        response.request_focus();
        commands.push(Command::Search(completed).into());
    } else if text != session.view.search {
        commands.push(Command::Search(text).into());
    }
    // Enter takes the focus from a single-line box; it is requested back, so typing can go on.
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if entered {
        let back = ui.input(|input| input.modifiers.matches_logically(Modifiers::SHIFT));
        commands.extend(
            step_hit(session, if back { Direction::Back } else { Direction::Forward }).map(WindowCommand::View),
        );
        response.request_focus();
    }
    if session.view.search.is_empty() {
        return;
    }
    if icon_button(ui, "✖", "Clear the search").clicked() {
        commands.push(Command::Search(String::new()).into());
    }
    let total = session.index.profile().marker_count();
    let text = match session.hits() {
        _ if session.is_searching() => "searching…".to_owned(),
        Some(hits) => {
            let left = session.scope().counted(session.index.profile()).unwrap_or(hits.total());
            if is_small { crate::ui::widgets::grouped(left) } else { results_text(left, total) }
        }
        None => String::new(),
    };
    let found = ui.label(RichText::new(text).color(color(palette.accent)));
    found.on_hover_text(format!("of {}", counted(total, "marker")));
    for (icon, direction, hint) in
        [("⏶", Direction::Back, "Previous hit (Shift+Enter)"), ("⏷", Direction::Forward, "Next hit (Enter)")]
    {
        if icon_button(ui, icon, hint).clicked() {
            commands.extend(step_hit(session, direction).map(WindowCommand::View));
        }
    }
}

/// A button with a symbol as text and its function as accessible name.
fn icon_button(ui: &mut Ui, icon: &str, name: &str) -> egui::Response {
    let response = ui.add(Button::new(icon).frame(false)).on_hover_text(name);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response
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
    let text = if is_short { format!("⚠ {}", crate::ui::widgets::grouped(count)) } else { format!("⚠ {words}") };
    let text = RichText::new(text).color(if severe { color(palette.hit) } else { color(palette.faint_text) });
    let badge = ui.button(text).on_hover_text("What was odd about this recording");
    badge.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("⚠ {words}")));
    badge.clicked().then_some(WindowCommand::ToggleWarnings)
}

/// The window that lists warnings.
pub(crate) fn warnings_window(context: &egui::Context, session: &Session, open: &mut bool) {
    dialog(context, "Warnings about this recording").open(open).default_width(640.0).show(context, |ui| {
        egui::ScrollArea::vertical().max_height(400.0).show(ui, |ui| {
            for message in &session.flows.setup.messages {
                ui.label(RichText::new("Flow rules").strong());
                ui.label(message);
                ui.add_space(6.0);
            }
            for warning in session.index.warnings().list() {
                let count = crate::ui::widgets::grouped(usize::try_from(warning.count).unwrap_or(usize::MAX));
                ui.label(RichText::new(format!("{} ×  {}", count, warning.kind.explain())).strong());
                ui.label(RichText::new(format!("first: {}", warning.first)).weak());
                ui.add_space(6.0);
            }
        });
    });
}
