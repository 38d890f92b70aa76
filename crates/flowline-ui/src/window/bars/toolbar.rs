//! The toolbar. Its places do not depend on the search or the selection.

use egui::{Align, Layout, Rect, Ui, UiBuilder};

use super::toolbar_layout::ToolbarLayout;
use super::{analyze_menu, recording_menu, rows_switch, search_box, settings_menu, tab_menu, view_menu, warnings};
use crate::commands::{CommandContext, WindowAction, title_with_shortcut, with_shortcut};
use crate::hidden_panels::PanelKind;
use crate::widgets::icon::{Icon, icon_button, icon_toggle};
use crate::widgets::style::color;
use crate::window::recent_file::RecentFile;
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_scene::Palette;
use flowline_view::Presets;

/// The state that the toolbar shows.
#[derive(Clone, Copy)]
pub(crate) struct Toolbar<'a> {
    /// The active recording, and whether there is a second one.
    pub(crate) context: CommandContext<'a>,
    pub(crate) state: &'a ShellState,
    pub(crate) recent: &'a [RecentFile],
    pub(crate) presets: &'a Presets,
    pub(crate) palette: &'a Palette,
    /// Width of the label column in points.
    pub(crate) labels: f32,
}

/// Shows the toolbar.
pub(crate) fn toolbar(ui: &mut Ui, toolbar: Toolbar<'_>) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    let Toolbar { context, state, recent, presets, palette, labels } = toolbar;
    let has_warnings = context.session.is_some_and(|session| warnings::count(session) > 0);
    let tabs = context.session.map_or(0.0, |session| tab_menu::width(ui, session));
    let layout = ToolbarLayout::new(ui, ui.max_rect(), labels, has_warnings, tabs);
    recording_menu::show(ui, layout.name, context, recent, palette, &mut commands);
    if let Some(session) = context.session {
        search_box::show(ui, session, state, (palette, layout.search), &mut commands);
        part(ui, "menus", layout.middle, Layout::left_to_right(Align::Center), |ui| {
            commands.extend(rows_switch::show(ui, layout, session, palette));
            let has_analyze = !layout.has_analyze;
            let shown = view_menu::Shown { session, state, context, presets, palette, has_analyze };
            view_menu::show(ui, shown, &mut commands);
            if layout.has_analyze {
                analyze_menu::show(ui, context, palette, &mut commands);
            }
            commands.extend(tab_menu::show(ui, session, palette).map(WindowCommand::from));
        });
        commands.extend(warnings::show(ui, layout.warnings, session, palette));
    }
    part(ui, "panels", layout.right, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_space(8.0);
        let help = title_with_shortcut(ui.ctx(), WindowAction::Help);
        if icon_button(ui, Icon::Help, WindowAction::Help.title(), &help).clicked() {
            commands.push(WindowAction::Help.into());
        }
        settings_menu::show(ui, palette, &mut commands);
        if context.session.is_some() {
            separator(ui, palette);
            panel_switches(ui, state, &mut commands);
        }
    });
    commands
}

/// Switches for the panels beside and below the chart, from right to left.
fn panel_switches(ui: &mut Ui, state: &ShellState, commands: &mut Vec<WindowCommand>) {
    let switches = [
        (Icon::PanelRight, "Details", PanelKind::Details, state.shows_details),
        (Icon::PanelBottom, "Tables", PanelKind::Drawer, state.table.is_some()),
    ];
    for (icon, name, panel, is_on) in switches {
        let toggle = WindowAction::Panel(panel);
        let hint = with_shortcut(ui.ctx(), toggle.title(), toggle);
        if icon_toggle(ui, icon, name, &hint, Some(is_on)).clicked() {
            commands.push(toggle.into());
        }
    }
}

fn separator(ui: &mut Ui, palette: &Palette) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0, 16.0), egui::Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), (1.0, color(palette.line)));
}

/// Shows a part of the toolbar in its place.
fn part(ui: &mut Ui, name: &str, rect: Rect, layout: Layout, contents: impl FnOnce(&mut Ui)) {
    let mut child = ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect).layout(layout));
    child.spacing_mut().item_spacing.x = 8.0;
    contents(&mut child);
}
