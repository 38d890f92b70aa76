//! Flags of milestones under the pointer, their tooltips and menus, and their place in the accessibility tree. The scene
//! draws them at [`SceneInput::placed_flags`](flowline_scene::SceneInput::placed_flags).

use egui::{Id, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2};

use crate::canvas::layout::CanvasLayout;
use crate::commands::SelectionAction;
use crate::widgets::menu::offer;
use flowline_format::format_counted;
use flowline_insights::page_load::{Milestone, Milestones};
use flowline_profile::MarkerId;
use flowline_scene::PlacedFlag;
use flowline_session::Session;
use flowline_view::Command;

/// Adds a widget for each flag; returns the user's commands.
pub(crate) fn show(ui: &Ui, session: &Session, layout: &CanvasLayout) -> Vec<Command> {
    let Some(milestones) = Milestones::if_built(&session.index).filter(|_| layout.lane.is_positive()) else {
        return Vec::new();
    };
    let input = session.scene_input();
    let (scale, pane) = (session.canvas.scale, session.canvas.pane);
    let mut commands = Vec::new();
    for flag in input.placed_flags() {
        let rect = Rect::from_min_max(
            pos2(flag.rect.x, flag.rect.y) / scale,
            pos2(flag.rect.right(), flag.rect.bottom()) / scale,
        );
        let position = flag.milestones.first().map_or(0, |first| first.position);
        let response = ui.interact(rect, Id::unique(("milestone", pane, position)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name(flag)));
        commands.extend(flag_commands(&response, session, milestones, flag));
    }
    commands
}

/// Name of a flag for screen readers: all its milestones.
fn name(flag: &PlacedFlag) -> String {
    let texts: Vec<&str> = flag.milestones.iter().map(|own| own.text.as_str()).collect();
    let names = texts.join(", ");
    if flag.others == 0 {
        names
    } else {
        format!("{names} and {}", format_counted(flag.others as u64, "more milestone"))
    }
}

/// Lines of the tooltip: the milestones, their rating and address.
fn tooltip(milestones: &Milestones, flag: &PlacedFlag) -> String {
    let mut lines: Vec<String> = Vec::new();
    for own in &flag.milestones {
        let Some((_, milestone)) = milestones.flag(own.position) else { continue };
        lines.push(match milestone.rating {
            Some(rating) => format!("{}, {}", own.text, rating.name()),
            None => own.text.clone(),
        });
    }
    if flag.others > 0 {
        lines.push(format_counted(flag.others as u64, "more milestone"));
    }
    let first = flag.milestones.first().and_then(|own| milestones.flag(own.position));
    lines.extend(first.map(|(_, own)| own.url.clone()).filter(|url| !url.is_empty()));
    lines.join("\n")
}

fn flag_commands(
    response: &Response,
    session: &Session,
    milestones: &Milestones,
    flag: &PlacedFlag,
) -> Option<Command> {
    let first = flag.milestones.first().and_then(|own| milestones.flag(own.position));
    let marker = first.and_then(|(_, own)| own.marker);
    let mut chosen = None;
    if response.clicked() {
        chosen = marker.map(Command::Reveal);
    }
    let response = response.clone().on_hover_text(tooltip(milestones, flag));
    response.context_menu(|ui| chosen = menu(ui, session, milestones, flag, marker));
    chosen
}

/// Context menu of a flag.
fn menu(
    ui: &mut Ui,
    session: &Session,
    milestones: &Milestones,
    flag: &PlacedFlag,
    marker: Option<MarkerId>,
) -> Option<Command> {
    let mut chosen = None;
    for own in &flag.milestones {
        let marker = milestones.flag(own.position).and_then(|(_, own): (_, &Milestone)| own.marker);
        let label = format!("Select {}", own.text);
        offer(ui, &mut chosen, label.as_str(), marker.map(Command::Reveal));
    }
    ui.separator();
    offer(ui, &mut chosen, "Set time origin here", marker.map(|marker| Command::ZeroAt(Some(marker))));
    if let Some(navigation) = navigation_origin(session) {
        offer(ui, &mut chosen, "Set time origin to the navigation", Some(navigation));
    }
    if session.view.zero.is_some() {
        offer(ui, &mut chosen, SelectionAction::ResetOrigin, Some(Command::ZeroAt(None)));
    }
    chosen
}

/// The command that sets the time origin to the main navigation, if there is one and it is not the origin yet.
pub(crate) fn navigation_origin(session: &Session) -> Option<Command> {
    let marker = Milestones::if_built(&session.index)?.main_navigation()?.marker?;
    (session.view.zero != Some(marker)).then_some(Command::ZeroAt(Some(marker)))
}
