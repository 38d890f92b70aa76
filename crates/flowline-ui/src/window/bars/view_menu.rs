//! The menu *View*: what the chart shows, and how. It stays open, so that several entries can be changed.

use egui::{Align, Layout, RichText, Ui};

use super::applies::applies;
use super::{analyze_menu, category_menu, kinds_legend, preset_menu};
use crate::commands::{
    CommandContext, NoteAction, SelectionAction, UiCommand, ViewAction, WindowAction, title_with_shortcut,
};
use crate::hidden_panels::PanelKind;
use crate::widgets::menu::{check_entry, submenu};
use crate::widgets::style::{SMALL, color};
use crate::widgets::{Dropdown, Segment, grouped, segmented};
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_format::format_percent;
use flowline_index::KindShare;
use flowline_profile::MarkerSurface;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, Presets, Theme};

/// The state that the menu shows.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) session: &'a Session,
    pub(super) state: &'a ShellState,
    pub(super) context: CommandContext<'a>,
    pub(super) presets: &'a Presets,
    pub(super) palette: &'a Palette,
    /// True if the menu *Analyze* is part of this menu.
    pub(super) has_analyze: bool,
}

/// Shows the button and, while open, its menu.
pub(super) fn show(ui: &mut Ui, shown: Shown<'_>, commands: &mut Vec<WindowCommand>) {
    Dropdown::menu("View").staying().show(ui, shown.palette, |ui| {
        ui.set_max_width(kinds_legend::WIDTH);
        let hidden = kinds_legend::show(ui, shown.session, shown.palette);
        commands.extend(hidden.map(WindowCommand::View));
        categories(ui, shown, commands);
        preset_menu::show(ui, shown.session, shown.presets, commands);
        ui.separator();
        colors(ui, shown, commands);
        ui.separator();
        switches(ui, shown, commands);
        ui.separator();
        submenu(ui, "Panels", |ui| panels(ui, shown.state, commands));
        if shown.has_analyze {
            submenu(ui, "Analyze", |ui| analyze_menu::entries(ui, shown.context, commands));
        }
    });
}

/// A line with a text and alternatives at its right end; returns the number of the clicked one.
fn choice(ui: &mut Ui, text: &str, segments: &[Segment<'_>], palette: &Palette) -> Option<usize> {
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.label(text);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| segmented(ui, segments, palette)).inner
    })
    .inner
}

/// The colors of the chart, and the theme.
fn colors(ui: &mut Ui, shown: Shown<'_>, commands: &mut Vec<WindowCommand>) {
    let color_by = shown.session.view.color_by;
    let kinds = shown.session.index.kind_share();
    let choices = kinds.choices();
    let segments = choices.map(|by| Segment {
        text: by.title(),
        hint: title_with_shortcut(ui.ctx(), ViewAction::ColorBy(by)),
        is_chosen: by == color_by,
        is_enabled: true,
    });
    if let Some(number) = choice(ui, "Color by", &segments, shown.palette) {
        commands.push(Command::ColorBy(choices[number]).into());
    }
    if let Some(text) = known_kinds(kinds) {
        ui.horizontal(|ui| {
            ui.add_space(8.0);
            ui.label(RichText::new(text).size(SMALL).color(color(shown.palette.text2)));
        });
    }
    let theme = shown.session.view.theme;
    let segments = [("Dark", Theme::Dark), ("Light", Theme::Light)].map(|(text, other)| Segment {
        text,
        hint: title_with_shortcut(ui.ctx(), WindowAction::Theme),
        is_chosen: other == theme,
        is_enabled: true,
    });
    let number = choice(ui, "Theme", &segments, shown.palette);
    if number.is_some_and(|number| !segments[number].is_chosen) {
        commands.push(WindowAction::Theme.into());
    }
}

/// Says how much of the work has a known kind, which decides the colors of the first view.
fn known_kinds(kinds: KindShare) -> Option<String> {
    let share = kinds.known_share()?;
    if kinds.known == 0 {
        return Some("No work has a known kind.".to_owned());
    }
    Some(format!("{} of the work has a known kind.", format_percent(share)))
}

/// Switches with a check mark.
fn switches(ui: &mut Ui, shown: Shown<'_>, commands: &mut Vec<WindowCommand>) {
    let view = &shown.session.view;
    let entries: [(&str, UiCommand, bool); 6] = [
        ("Box selection", WindowAction::BoxMode.into(), shown.state.box_mode),
        ("Rows empty in the visible range", ViewAction::EmptyRows.into(), !view.tracks.hide_empty_rows),
        ("Idle threads", ViewAction::IdleThreads.into(), view.tracks.shows_idle(shown.session.index.profile())),
        ("Compact rows", ViewAction::Compact.into(), view.tracks.compact),
        ("Notes", NoteAction::Show.into(), view.notes.shown),
        ("Tables of the visible range", ViewAction::FollowView.into(), view.follows_view),
    ];
    for (text, command, is_on) in entries {
        if check_entry(ui, (text, command), is_on) {
            commands.push(WindowCommand::Run(command));
        }
    }
    let origin = SelectionAction::NavigationOrigin;
    if applies(origin, shown.context) {
        let navigation = shown.session.main_navigation().and_then(|own| own.marker);
        if check_entry(ui, ("Zero time at the main navigation", origin), view.zero == navigation) {
            commands.push(WindowCommand::Run(origin.into()));
        }
    }
    let counts = [MarkerSurface::Chart, MarkerSurface::Table].map(|place| shown.session.hidden_markers(place));
    if counts.iter().any(|count| *count > 0) {
        let text = format!("Hidden by the recording ({})", grouped(counts[0].max(counts[1])));
        if check_entry(ui, (text.as_str(), ViewAction::AllMarkers), view.tracks.all_markers) {
            commands.push(WindowCommand::Run(ViewAction::AllMarkers.into()));
        }
    }
}

/// Switches of the panels.
fn panels(ui: &mut Ui, state: &ShellState, commands: &mut Vec<WindowCommand>) {
    let entries = [
        ("Overview", PanelKind::Overview, !state.hidden.overview),
        ("Milestones and notes", PanelKind::Milestones, !state.hidden.milestones),
        ("Label column", PanelKind::Labels, !state.hidden.labels),
        ("Details", PanelKind::Details, state.shows_details),
        ("Tables", PanelKind::Drawer, state.table.is_some()),
        ("Rows of the flow panel", PanelKind::Flows, !state.hidden.flows),
    ];
    for (text, panel, is_on) in entries {
        if check_entry(ui, (text, WindowAction::Panel(panel)), is_on) {
            commands.push(WindowAction::Panel(panel).into());
        }
    }
}

/// The submenu of categories, which are filters of the search.
fn categories(ui: &mut Ui, shown: Shown<'_>, commands: &mut Vec<WindowCommand>) {
    let mut searches = Vec::new();
    category_menu::show(ui, shown.session, shown.palette, &mut searches);
    commands.extend(searches.into_iter().map(WindowCommand::View));
}
