//! Headings of two recordings in one window: letter and name, the alignment menu, and a button that closes the second.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Button, DragValue, Label, Layout, PopupCloseBehavior, Rect, RichText, Role, Sense, Ui, UiBuilder,
    WidgetInfo, vec2,
};

use crate::canvas::pointer::measure::selected_times;
use crate::commands::WindowAction;
use crate::widgets::grouped;
use crate::widgets::style::color;
use crate::window::window_command::WindowCommand;
use flowline_insights::page_load::MilestoneKind;
use flowline_profile::Ns;
use flowline_scene::Palette;
use flowline_session::{Alignment, Pairing, Session, milestone_alignments};
use flowline_view::Pane;

/// Data of the headings.
#[derive(Clone, Copy)]
pub(crate) struct Headings<'a> {
    /// Both recordings.
    pub(crate) sessions: [&'a Session; 2],
    /// The alignment of the second to the first.
    pub(crate) pairing: &'a Pairing,
    /// The active recording: the target of keys, details and tables.
    pub(crate) active: Pane,
}

/// Shows the heading of a recording; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    headings: Headings<'_>,
    pane: Pane,
    rect: Rect,
    palette: &Palette,
) -> Option<WindowCommand> {
    let is_active = headings.active == pane;
    ui.painter().rect_filled(rect, 0.0, color(palette.heading));
    ui.painter().hline(rect.x_range(), rect.max.y - 0.5, (1.0, color(palette.grid)));
    let session = headings.sessions[pane as usize];
    let inner = rect.shrink2(vec2(8.0, 2.0));
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).layout(layout).id_salt(("heading", pane)));
    child.shrink_clip_rect(rect);
    let ui = &mut child;
    ui.spacing_mut().item_spacing.x = 6.0;
    badge(ui, pane, is_active, palette);
    let mut wanted = None;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if pane == Pane::B {
            let close = ui.add(Button::new("✖").frame(false)).on_hover_text(WindowAction::CloseSecond.title());
            close.widget_info(|| WidgetInfo::labeled(Role::Button, true, WindowAction::CloseSecond.title()));
            if close.clicked() {
                wanted = Some(WindowAction::CloseSecond.into());
            }
            let compare = Button::new(RichText::new("Compare statistics").small()).small();
            let hint = "Statistics of A and B side by side, by name";
            if ui.add(compare).on_hover_text(hint).clicked() {
                wanted = Some(WindowAction::CompareStatistics.into());
            }
            wanted = alignment_menu(ui, headings).map(WindowCommand::Align).or(wanted.take());
        }
        if let Some(text) = found(session) {
            ui.label(RichText::new(text).small().color(color(palette.accent)));
        }
        ui.with_layout(layout, |ui| {
            let name = RichText::new(session.name());
            let name = if is_active { name } else { name.weak() };
            ui.add(Label::new(name).truncate()).on_hover_text(session.path.display().to_string());
        });
    });
    wanted
}

/// Number of markers of a recording that match the search, once it is complete.
fn found(session: &Session) -> Option<String> {
    let (profile, scope) = (session.index.profile(), session.scope());
    scope.search()?;
    Some(format!("{} of {} markers", grouped(scope.counted(profile)?), grouped(profile.marker_count())))
}

/// The letter of a recording, filled if it is the active one.
fn badge(ui: &mut Ui, pane: Pane, is_active: bool, palette: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(18.0, 16.0), Sense::hover());
    let (fill, text) = if is_active { (palette.accent, palette.canvas) } else { (palette.grid, palette.text2) };
    ui.painter().rect_filled(rect, 3.0, color(fill));
    let font = egui::FontId::proportional(11.5);
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, pane.letter(), font, color(text));
    let state = if is_active { ", active" } else { "" };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Recording {}{state}", pane.letter())));
}

/// The menu for the alignment.
fn alignment_menu(ui: &mut Ui, headings: Headings<'_>) -> Option<Alignment> {
    let Headings { sessions, pairing, .. } = headings;
    let mut chosen = None;
    let text = RichText::new(format!("Aligned {} ⏷", pairing.words())).small();
    // The menu stays open because a click on the number starts editing it.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new(text).config(stays).ui(ui, |ui| {
        ui.set_min_width(230.0);
        let selected = sessions.map(|session| selected_times(session).map(|times| times.start));
        let markers = selected[0].zip(selected[1]).map(|(a, b)| Alignment::Moments { a, b });
        for (name, hint, alignment) in [
            ("By start", "Align the starts of both recordings", Some(Alignment::Start)),
            ("By clock", "Align equal clock times: for two recordings of the same machine", Some(Alignment::Zero)),
            ("By selected markers", "Align the starts of the markers selected in A and B", markers),
        ] {
            let button = Button::selectable(alignment == Some(pairing.alignment()), name);
            let button = ui.add_enabled(alignment.is_some(), button).on_hover_text(hint);
            if button.on_disabled_hover_text("Select a marker in A and one in B").clicked() {
                chosen = alignment;
                ui.close();
            }
        }
        for alignment in milestone_alignments(sessions) {
            let Alignment::Milestone { kind, .. } = alignment else { continue };
            let (name, hint) = match kind {
                MilestoneKind::Navigation => {
                    ("By navigation".to_owned(), "Align the navigations of both pages".to_owned())
                }
                kind => {
                    (format!("By {}", kind.name()), format!("Align the {} of both pages", kind.title().to_lowercase()))
                }
            };
            let button = Button::selectable(alignment == pairing.alignment(), name);
            if ui.add(button).on_hover_text(hint).clicked() {
                chosen = Some(alignment);
                ui.close();
            }
        }
        ui.separator();
        ui.horizontal(|ui| {
            ui.label("Starts after A by");
            let mut ms = pairing.after().as_ms();
            let value = ui.add(DragValue::new(&mut ms).speed(1.0).max_decimals(6).suffix(" ms"));
            value.widget_info(|| {
                WidgetInfo::labeled(Role::SpinButton, true, "Milliseconds from the start of A to the start of B")
            });
            if value.changed() {
                chosen = Ns::from_ms(ms).map(Alignment::Offset);
            }
        });
    });
    chosen
}
