//! The widgets of a frame: toolbar, panels and canvas.

use egui::{Align, Frame, Layout, Margin, Rect, RichText, Ui, UiBuilder};

use super::{AppRequest, Shell};
use crate::canvas::flows::flow_panel;
use crate::canvas::layout::{CanvasLayout, CanvasWidget};
use crate::canvas::pointer::box_selection;
use crate::canvas::state::CanvasState;
use crate::canvas::tooltips::tooltip;
use crate::canvas::{
    chart, film_strip, flags, label_column, notes, notices, overview_labels, path_strip, scroll_bar, splitters,
};
use crate::commands::{CommandContext, WindowAction};
use crate::details::panel as details;
use crate::hidden_panels::PanelKind;
use crate::tables::drawer;
use crate::widget_requests;
use crate::widgets::style::{SMALL, color};
use crate::window::bars::pane_heading::Headings;
use crate::window::bars::toolbar::Toolbar;
use crate::window::bars::{pane_heading, status_line, toolbar};
use crate::window::layout::WindowLayout;
use crate::window::panels::Panels;
use crate::window::window_command::WindowCommand;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, Pane};

impl Shell {
    pub(super) fn show_widgets(&mut self, ui: &mut Ui, layout: WindowLayout, requests: &mut Vec<AppRequest>) {
        let palette = Palette::for_theme(self.theme);
        let background = Frame::new().fill(color(palette.panel));
        let state = &self.state;
        let mut collapsed = state.collapsed;
        let mut commands = Vec::new();
        widget_requests::set_editor_advice(ui.ctx(), self.opener_advice.as_deref());
        let active = self.active();
        widget_requests::set_source_search(ui.ctx(), self.look_up("x").is_some());
        panel(ui, "toolbar", layout.toolbar, background, |ui| {
            let context = CommandContext { session: self.session_of(active), has_second: self.compares() };
            let labels = if self.state.hidden.labels { 0.0 } else { layout.sizes.labels };
            let (recent, presets) = (&self.recent, &self.presets);
            commands.extend(toolbar::toolbar(ui, Toolbar { context, state, recent, presets, palette, labels }));
        });
        self.state.focus_search = false;
        let slim = background.inner_margin(Margin::symmetric(12, 0));
        if !self.panes.is_empty() {
            let pointed = self.pane_at_pointer(ui.ctx()).unwrap_or(active);
            if let Some(session) = self.session_of(pointed) {
                panel(ui, "status", layout.status, slim, |ui| {
                    let work = self.saving.first().map(|saving| saving.text());
                    status_line::show(ui, session, pointed == active, (&self.state, work.as_deref()), palette);
                });
            }
            if let Some((rect, parts)) = layout.details.zip(self.pane_mut(active)) {
                panel(ui, "details", rect, background, |ui| {
                    let wanted = details::show(ui, &parts.session, &mut parts.panels, &mut collapsed, palette);
                    commands.extend(wanted.into_iter().map(|command| WindowCommand::In(active, command)));
                });
            }
            self.state.collapsed = collapsed;
            if let Some((rect, table)) = layout.table.zip(self.state.table)
                && let Some((session, panels, other)) = self.drawer_parts(table)
            {
                panels.selection.opens = layout.details.is_none();
                let frame = background.inner_margin(Margin::symmetric(4, 4));
                panel(ui, "table", rect, frame, |ui| {
                    let (wanted, open) = drawer::show(ui, (session, other), panels, table, palette);
                    let pane = session.canvas.pane;
                    commands.extend(wanted.into_iter().map(|command| WindowCommand::In(pane, command)));
                    if open != Some(table) {
                        commands.push(WindowCommand::ShowTable(open));
                    }
                });
            }
            commands.extend(self.unlight(&layout));
            self.show_headings(ui, &layout, palette, &mut commands);
            for (pane, name) in Pane::ALL.into_iter().zip(["canvas", "canvas of the second recording"]) {
                let rect = if pane == Pane::A { Some(layout.canvas) } else { layout.other.map(|other| other.canvas) };
                let Some((rect, parts)) = rect.zip(self.pane_mut(pane)) else { continue };
                panel(ui, name, rect, Frame::NONE, |ui| {
                    let (wanted, collapsed) = canvas(ui, &parts.session, &mut parts.panels, &mut parts.canvas, palette);
                    commands.extend(wanted.into_iter().map(|command| WindowCommand::In(pane, command)));
                    commands.extend(collapsed.map(|panel| WindowAction::Panel(panel).into()));
                });
                let table = parts.panels.wanted_table.take();
                commands.extend(table.map(|table| WindowCommand::ShowTable(Some(table))));
            }
            commands.extend(edges(ui, &layout, palette));
        } else {
            let rest = Rect::from_min_max(layout.toolbar.left_bottom(), layout.status.right_top());
            let frame = Frame::new().fill(color(palette.canvas));
            panel(ui, "welcome", rest, frame, |ui| self.welcome(ui, requests, palette));
            panel(ui, "status", layout.status, slim, |ui| {
                let text = RichText::new("No recording open").size(SMALL).color(color(palette.text2));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.label(text));
            });
        }
        self.pending.extend(commands);
        self.overlays(ui, requests, palette);
    }

    /// Shows the headings of two recordings.
    fn show_headings(&self, ui: &mut Ui, layout: &WindowLayout, palette: &Palette, commands: &mut Vec<WindowCommand>) {
        let ([first, second], Some(other)) = (self.panes.as_slice(), layout.other) else { return };
        let Some(pairing) = &second.pairing else { return };
        let sessions = [&first.session, &second.session];
        let headings = Headings { sessions, pairing, active: self.active() };
        for (pane, rect) in Pane::ALL.into_iter().zip(other.headings) {
            commands.extend(pane_heading::show(ui, headings, pane, rect, palette));
        }
    }
}

impl Shell {
    /// The commands that remove the highlighting of panes in which no table of samples is shown.
    fn unlight(&mut self, layout: &WindowLayout) -> Vec<WindowCommand> {
        let table = self.state.table.filter(|table| layout.table.is_some() && table.samples().is_some());
        let shown = table.and_then(|table| self.drawer_parts(table)).map(|(session, ..)| session.canvas.pane);
        let is_lit = |session: &Session| session.view.lit.is_some() && Some(session.canvas.pane) != shown;
        let lit = self.panes.iter().map(|pane| &pane.session).filter(|session| is_lit(session));
        lit.map(|session| WindowCommand::In(session.canvas.pane, Command::Light(None))).collect()
    }
}

/// Shows a part of the window with a background and a margin, clipped to its rectangle.
fn panel(ui: &mut Ui, name: &str, rect: Rect, frame: Frame, contents: impl FnOnce(&mut Ui)) {
    let inner = rect - frame.inner_margin;
    let inner = Rect::from_min_max(inner.min, inner.max.max(inner.min));
    ui.painter().rect_filled(rect, 0.0, frame.fill);
    let mut child = ui.new_child(UiBuilder::new().id_salt(name).max_rect(inner));
    child.shrink_clip_rect(rect);
    contents(&mut child);
}

/// Draws the lines between panels and adds the splitters. A double click on a splitter hides its panel.
fn edges(ui: &Ui, layout: &WindowLayout, palette: &Palette) -> Option<WindowCommand> {
    let line = (1.0, color(palette.grid));
    let mut collapsed = None;
    ui.painter().hline(layout.toolbar.x_range(), layout.toolbar.max.y, line);
    ui.painter().hline(layout.status.x_range(), layout.status.min.y, line);
    if let Some(details) = layout.details {
        ui.painter().vline(details.min.x, details.y_range(), line);
        let splitter = CanvasWidget::DetailsSplitter.of(Pane::A);
        let is_collapsed = splitters::vertical(ui, splitter, details.min.x, details, "Width of the details");
        collapsed = is_collapsed.then_some(PanelKind::Details);
    }
    if let Some(table) = layout.table {
        ui.painter().hline(table.x_range(), table.min.y, line);
        let splitter = CanvasWidget::TableSplitter.of(Pane::A);
        let is_collapsed = splitters::horizontal(ui, splitter, table.min.y, table, "Height of the table", palette);
        collapsed = collapsed.or(is_collapsed.then_some(PanelKind::Drawer));
    }
    if let Some(other) = layout.other {
        let (splitter, heading) = (CanvasWidget::PaneSplitter.of(Pane::A), other.headings[1]);
        ui.painter().hline(heading.x_range(), heading.min.y, line);
        splitters::horizontal(ui, splitter, heading.min.y, heading, "Height of the second recording", palette);
    }
    collapsed.map(|panel| WindowAction::Panel(panel).into())
}

/// Shows the widgets around and over the canvas. Also returns the panel whose edge was double-clicked.
fn canvas(
    ui: &mut Ui,
    session: &Session,
    panels: &mut Panels,
    state: &mut CanvasState,
    palette: &Palette,
) -> (Vec<Command>, Option<PanelKind>) {
    let layout = CanvasLayout::new(&session.canvas.regions, session.canvas.scale);
    let pane = session.canvas.pane;
    let mut commands = label_column::show(ui, session, layout.labels, palette);
    commands.extend(splitters::corner(ui, &layout, palette, session));
    commands.extend(chart::show(ui, session, &layout));
    commands.extend(path_strip::show(ui, session, &layout, palette));
    scroll_bar::show(ui, session, state, &layout, palette);
    overview_labels::show(ui, session, &layout, palette);
    film_strip::show(ui, session, &mut panels.screens, &layout, palette);
    commands.extend(flags::show(ui, session, &layout, palette));
    commands.extend(notes::show(ui, session, state, &layout));
    box_selection::readout(ui, session, state);
    commands.extend(notices::nothing_found(ui, session, &layout));
    commands.extend(notices::out_of_view(ui, session, &layout));
    commands.extend(notices::empty_chart(ui, session, &layout));
    let (wanted, focused) = flow_panel::show(ui, session, &layout, palette);
    commands.extend(wanted);
    panels.focused_flow = focused;
    let (splitter, labels) = (CanvasWidget::LabelSplitter.of(pane), layout.labels);
    let is_collapsed = splitters::vertical(ui, splitter, labels.max.x, labels, "Width of the labels");
    let mut collapsed = is_collapsed.then_some(PanelKind::Labels);
    if layout.flow_header.height() >= 1.0 {
        let header = layout.flow_header;
        let splitter = CanvasWidget::FlowSplitter.of(pane);
        let is_collapsed =
            splitters::horizontal(ui, splitter, header.min.y, header, "Height of the flow panel", palette);
        collapsed = collapsed.or(is_collapsed.then_some(PanelKind::Flows));
    }
    tooltip::show(ui, session, state, (&mut panels.screens, palette));
    (commands, collapsed)
}
