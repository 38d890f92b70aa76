//! Flags of milestones under the pointer, their tooltips and menus, and their place in the accessibility tree. The scene
//! draws them at [`SceneInput::placed_flags`](flowline_scene::SceneInput::placed_flags).

use egui::{Id, Popup, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2};

use crate::canvas::layout::CanvasLayout;
use crate::canvas::tooltips::tooltip_text::TooltipText;
use crate::commands::SelectionAction;
use crate::tables::TableKind;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::has_dialog;
use crate::widgets::menu::{entry, offer};
use flowline_format::{format_counted, format_whole_ms};
use flowline_index::Derived;
use flowline_index::flows::elided;
use flowline_insights::flags::Flags;
use flowline_insights::interactions::Interactions;
use flowline_insights::page_load::{Milestone, MilestoneKind};
use flowline_profile::MarkerId;
use flowline_scene::{FlagText, Palette, PlacedFlag};
use flowline_session::Session;
use flowline_view::{Command, PathTarget};

/// At most this many milestones of a flag have a line in its tooltip, which has three lines in all.
const LISTED: usize = 2;
/// Most letters of an address in a tooltip.
const ADDRESS: usize = 48;

/// Adds a widget for each flag; returns the user's commands.
pub(crate) fn show(ui: &Ui, session: &Session, layout: &CanvasLayout, palette: &Palette) -> Vec<Command> {
    let Some(flags) = Flags::if_built(&session.index).filter(|_| layout.lane.is_positive()) else {
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
        commands.extend(flag_commands(&response, session, flags, flag));
        let is_covered = has_dialog(ui.ctx()) || Popup::is_any_open(ui.ctx());
        if let Some(pointer) = response.hover_pos().filter(|_| !is_covered) {
            show_tooltip(ui, tooltip(session, flags, flag), pointer, palette);
        }
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

/// Shows the lines of a tooltip at the pointer, as long as the pointer is over the flag.
fn show_tooltip(ui: &Ui, lines: Vec<String>, pointer: Pos2, palette: &Palette) {
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let mut text = TooltipText::new(None, &first, String::new(), true).wide();
    text.list(lines.collect());
    text.show(ui, "milestone tooltip", (pointer, palette), |_, _| {});
}

/// Lines of the tooltip: what each milestone is and when it was, since the navigation, its event and its address.
fn tooltip(session: &Session, flags: Flags<'_>, flag: &PlacedFlag) -> Vec<String> {
    let known = flag.milestones.iter().filter_map(|own| flags.get(own.position).map(|(_, found)| (own, found)));
    let mut lines: Vec<String> = known.clone().take(LISTED).map(|(own, found)| moment(own, found)).collect();
    let more = flag.milestones.len().saturating_sub(LISTED) + flag.others;
    if more > 0 {
        lines.push(format_counted(more as u64, "more milestone"));
    }
    if lines.len() == 1 {
        lines.extend(known.clone().next().and_then(|(_, found)| event(session, found)));
    }
    let is_late = known.clone().next().is_some_and(|(_, found)| found.kind != MilestoneKind::Navigation);
    lines.push(match is_late {
        true => "Click selects it, then K shows its critical path".to_owned(),
        false => "Click selects it".to_owned(),
    });
    lines
}

/// "Largest contentful paint 1,386 ms so far after the navigation, good".
fn moment(own: &FlagText, found: &Milestone) -> String {
    let since = found.since.filter(|_| found.kind != MilestoneKind::Navigation && found.mark.is_empty());
    let so_far = if found.is_so_far { " so far" } else { "" };
    let mut text = match (since, found.value) {
        (Some(since), _) => {
            format!("{} {}{so_far} after the navigation", found.kind.title(), format_whole_ms(since.0))
        }
        (None, Some(value)) if found.mark.is_empty() => {
            format!("{} {}{so_far}", found.kind.title(), format_whole_ms(value.0))
        }
        (None, _) => own.text.clone(),
    };
    match found.rating {
        Some(rating) => text = format!("{text}, {}", rating.name()),
        None if found.inactive == Some(true) => text += ", in an inactive tab",
        None => {}
    }
    // The time of a prerendered page counts from before it was shown.
    if found.is_prerendered { text + ", prerendered" } else { text }
}

/// The event that states a milestone, and the address of the page.
fn event(session: &Session, found: &Milestone) -> Option<String> {
    let profile = session.index.profile();
    let marker = found.marker.filter(|_| found.kind == MilestoneKind::InteractionToNextPaint);
    let interactions = Interactions::if_built(&session.index);
    let input =
        marker.zip(interactions).and_then(|(marker, all)| Some(all.list().get(all.of_marker(marker)?)?.event.clone()));
    let of_marker =
        |marker| profile.locate(marker).map(|(thread, local)| profile.marker_name(thread, local).to_owned());
    let name = input.or_else(|| found.marker.and_then(of_marker));
    let url = Some(elided(&found.url, ADDRESS)).filter(|url| !url.is_empty());
    let parts: Vec<String> = name.into_iter().chain(url).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn flag_commands(response: &Response, session: &Session, flags: Flags<'_>, flag: &PlacedFlag) -> Option<Command> {
    let first = flag.milestones.first().and_then(|own| flags.get(own.position));
    let marker = first.and_then(|(_, own)| own.marker);
    let mut chosen = None;
    if response.clicked() {
        chosen = marker.map(Command::Reveal);
    }
    response.context_menu(|ui| chosen = menu(ui, session, flags, flag, marker));
    chosen
}

/// Context menu of a flag.
fn menu(
    ui: &mut Ui,
    session: &Session,
    flags: Flags<'_>,
    flag: &PlacedFlag,
    marker: Option<MarkerId>,
) -> Option<Command> {
    let mut chosen = None;
    for own in &flag.milestones {
        let marker = flags.get(own.position).and_then(|(_, own): (_, &Milestone)| own.marker);
        let label = format!("Select {}", own.text);
        offer(ui, &mut chosen, label.as_str(), marker.map(Command::Reveal));
    }
    let late = flag.milestones.first().filter(|_| flag.kind != MilestoneKind::Navigation);
    if let Some((marker, own)) = marker.zip(late)
        && entry(ui, (format!("Critical path to {}", own.text).as_str(), SelectionAction::CriticalPath), true)
    {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
        chosen = Some(Command::ShowPath(Some(PathTarget::end_of(marker))));
    }
    ui.separator();
    offer(ui, &mut chosen, "Set time origin here", marker.map(|marker| Command::ZeroAt(Some(marker))));
    let navigation = session.main_navigation().and_then(|own| own.marker).filter(|own| session.view.zero != Some(*own));
    let navigation = navigation.map(|marker| Command::ZeroAt(Some(marker)));
    offer(ui, &mut chosen, ("Set time origin to the navigation", SelectionAction::NavigationOrigin), navigation);
    if session.view.zero.is_some() {
        offer(ui, &mut chosen, SelectionAction::ResetOrigin, Some(Command::ZeroAt(None)));
    }
    chosen
}
