//! The label column: collapsible headings, names of row groups, and counters. Every visible item has a
//! widget, so keyboard and screen readers reach it. The kinds of tracks provide the label texts.

use egui::{
    FocusDirection, Key, Modifiers, PointerButton, Rect, Response, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use crate::TableKind;
use crate::canvas::menus::track_menu;
use crate::canvas::pointer::track_reordering;
use crate::canvas::thread_summary;
use crate::canvas::{label_controls, query_track_name};
use crate::tables::query::QueryRequest;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::menu::{context_menu, entry, may_be_open};
use crate::widgets::style::color;
use crate::widgets::{arrow, differences, elide, elide_common, has_dialog};
use flowline_profile::ThreadId;
use flowline_scene::{
    Background, Item, ItemKind, LabelStyle, Palette, SceneInput, SelectedShare, TrackLabel, with_alpha,
};
use flowline_session::Session;
use flowline_view::Command;

/// Shows the labels of the visible items in `area` (points).
pub(crate) fn show(ui: &mut Ui, session: &Session, area: Rect, palette: &Palette) -> Vec<Command> {
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area).id_salt("labels"));
    child.shrink_clip_rect(area);
    child.painter().rect_filled(area, 0.0, color(palette.panel));
    let input = session.scene_input();
    let mut commands = Vec::new();
    let labels: Vec<TrackLabel> = input.visible_items().iter().map(|item| item.kind.label(&input)).collect();
    let texts: Vec<&str> = labels.iter().map(|label| label.text.as_str()).collect();
    for item in input.visible_items() {
        mark_selected(&child, &input, item, area, palette);
    }
    for ((item, label), differs) in input.visible_items().iter().zip(&labels).zip(differences(&texts)) {
        // Items without a label belong to the group above.
        if label.spoken.is_empty() {
            continue;
        }
        let y = (input.item_y(item) - input.regions.chart.y) / input.scale + area.min.y;
        let height = input.item_height(item) / input.scale;
        let rect = Rect::from_min_size(pos2(area.min.x, y), vec2(area.width(), height));
        commands.extend(show_item(&mut child, &input, item, (rect, area), (label, differs), palette));
    }
    thread_summary::show(&child, &input, &labels, area, palette);
    commands.extend(sticky_headings(&mut child, &input, area, palette));
    let line = egui::Stroke::new(1.0, color(palette.grid));
    child.painter().vline(area.max.x - 0.5, area.y_range(), line);
    commands
}

/// Height in points of the line at the top with headings that are scrolled out of view.
pub const STICKY_HEIGHT: f32 = 18.0;

/// Keeps the headings of a thread and a group at the top when they are scrolled out of view. A click acts like a click
/// on the original heading and scrolls to it.
fn sticky_headings(ui: &mut Ui, input: &SceneInput<'_>, area: Rect, palette: &Palette) -> Vec<Command> {
    let scroll = input.view.scroll;
    let headings = input.sticky_headings();
    // A heading on screen needs no copy.
    let away: Vec<(Item, TrackLabel)> = headings
        .into_iter()
        .filter(|item| item.y + item.height / 2.0 < scroll)
        .map(|item| (item, item.kind.label(input)))
        .collect();
    let mut commands = Vec::new();
    let mut left = area.min.x;
    let names = away.len();
    for (number, (item, label)) in away.iter().enumerate() {
        let rest = area.max.x - left;
        let font = TextStyle::Small.resolve(ui.style());
        // The first of two headings leaves half of the width to the second.
        let room = if number + 1 < names { rest * 0.5 } else { rest };
        let text = if number > 0 { format!("› {}", label.text) } else { label.text.clone() };
        let galley = elide(ui, &text, room - 22.0, font, color(palette.text));
        let width = if number + 1 < names { galley.size().x + 22.0 } else { rest };
        let rect = Rect::from_min_size(pos2(left, area.min.y), vec2(width, STICKY_HEIGHT));
        let toggle = item.kind.toggle().filter(|_| item.kind.folds(input));
        let id = ui.scope_id().with(("sticky", item.kind.widget_key()));
        let response = ui.interact(rect, id, if toggle.is_some() { Sense::click() } else { Sense::hover() });
        let role = if toggle.is_some() { Role::DisclosureTriangle } else { Role::Label };
        response.widget_info(|| WidgetInfo::labeled(role, true, label.spoken.as_str()));
        ui.painter().rect_filled(rect, 0.0, color(palette.heading));
        if toggle.is_some() && (response.hovered() || response.has_focus()) {
            ui.painter().rect_filled(rect, 0.0, ui.visuals().widgets.hovered.weak_bg_fill);
        }
        if label.expanded.is_some() {
            arrow(ui.painter(), pos2(left + 9.0, rect.center().y), true, color(palette.text2));
        }
        ui.painter().galley(pos2(left + 16.0, rect.min.y + 3.0), galley, color(palette.text));
        if let Some(toggle) = toggle.filter(|_| response.clicked()) {
            // The heading of a group stays below that of its thread.
            let above = if number > 0 { f64::from(STICKY_HEIGHT) } else { 0.0 };
            commands.push(Command::Scroll(item.y - above - scroll));
            commands.push(toggle);
        }
        commands.extend(menu(&response, input, item));
        left = rect.max.x;
    }
    commands
}

/// Points between a label and the less important text behind it.
const DETAIL_GAP: f32 = 8.0;
/// The less important text is left out if less room remains for it.
const LEAST_DETAIL: f32 = 24.0;

/// Left edge of a label in points, and its text style.
const fn text_position(style: LabelStyle) -> (f32, TextStyle) {
    match style {
        LabelStyle::Heading => (6.0, TextStyle::Body),
        // Tracks are a level below their process by their indentation.
        LabelStyle::Track => (6.0, TextStyle::Body),
        // A level below the names of tracks, which have a triangle before them.
        LabelStyle::Row => (42.0, TextStyle::Small),
        LabelStyle::More => (6.0, TextStyle::Small),
        LabelStyle::FlowLane => (17.0, TextStyle::Small),
    }
}

fn show_item(
    ui: &mut Ui,
    input: &SceneInput<'_>,
    item: &Item,
    (rect, area): (Rect, Rect),
    (label, differs): (&TrackLabel, usize),
    palette: &Palette,
) -> Vec<Command> {
    let toggle = item.kind.toggle().filter(|_| item.kind.folds(input));
    let collapses = toggle.is_some();
    let pressed = item.kind.press(input);
    let chooses = can_be_selected(item);
    let id = ui.scope_id().with(item.kind.widget_key());
    let table = item.kind.table().and_then(table_of);
    let presses = pressed.is_some() || table.is_some();
    let sense = match (collapses || chooses, presses) {
        (true, _) => Sense::click_and_drag(),
        (_, true) => Sense::click(),
        _ => Sense::hover(),
    };
    let response = ui.interact(rect, id, sense);
    let role = match (collapses, presses) {
        (true, _) => Role::DisclosureTriangle,
        (_, true) => Role::Button,
        _ => Role::Label,
    };
    let chosen = match input.selected_share(&item.kind) {
        SelectedShare::None => "",
        SelectedShare::Some => ", partly selected",
        SelectedShare::All => ", selected",
    };
    response.widget_info(|| WidgetInfo::labeled(role, true, format!("{}{chosen}", label.spoken)));
    background(ui, item, rect, palette);
    if response.has_focus() || ((collapses || presses) && response.hovered()) {
        ui.painter().rect_filled(rect, 0.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let controls = label_controls::of(input, item);
    let staying = label_controls::staying_width(&controls);
    let (stays, is_pointed) = (staying > 0.0, response.contains_pointer() || response.has_focus());
    let shows_controls = !controls.is_empty() && (is_pointed || stays);
    let replaces_value = shows_controls && !stays;
    let plain = TrackLabel { right: String::new(), ..label.clone() };
    let text_rect = rect.with_max_x(rect.max.x - staying);
    let is_cut = texts(ui, text_rect, &item.kind, (if replaces_value { &plain } else { label }, differs), palette);
    let response = with_tooltip(response, input, item, (label, is_cut || replaces_value));
    let mut commands = Vec::new();
    if shows_controls {
        commands.extend(label_controls::show(ui, rect, &controls, palette));
    }
    let (modifiers, space) = ui.input(|input| (input.modifiers, input.key_pressed(Key::Space)));
    let by_pointer = response.clicked_by(PointerButton::Primary);
    if (space && response.has_focus()) || (by_pointer && modifiers.command) {
        commands.extend(choosing(input, item));
    } else if by_pointer && modifiers.shift {
        commands.extend(span(input, item).or_else(|| choosing(input, item)));
    } else if response.clicked() || (response.has_focus() && expands(ui, label.expanded)) {
        commands.extend(toggle.or(pressed));
        table.into_iter().for_each(|table| post(ui.ctx(), WidgetRequest::ShowTable(table)));
    }
    if let Some(track) = item.kind.track() {
        commands.extend(track_reordering::moves(ui, input, (&response, track), area, palette));
    }
    commands.extend(menu(&response, input, item));
    commands.extend(query_track_name::show(ui, &item.kind, rect));
    commands
}

/// Explains the time of an item, below its whole label if a part of that is not shown.
fn with_tooltip(
    response: Response,
    input: &SceneInput<'_>,
    item: &Item,
    (label, is_cut): (&TrackLabel, bool),
) -> Response {
    if !response.hovered() || has_dialog(&response.ctx) {
        return response;
    }
    let whole = [&label.text, &label.detail, &label.right].map(String::as_str);
    let whole = whole.into_iter().filter(|part| is_cut && !part.is_empty()).collect::<Vec<_>>().join(", ");
    let figure = item.kind.figure_tooltip(input).unwrap_or_default();
    let parts = [whole, figure].into_iter().filter(|part| !part.is_empty());
    let text = parts.collect::<Vec<_>>().join("\n");
    if text.is_empty() { response } else { response.on_hover_text(text) }
}

/// True if an arrow key expands or collapses the focused item. The focus stays.
fn expands(ui: &Ui, expanded: Option<bool>) -> bool {
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (opens, closes) = (pressed(Key::ArrowRight), pressed(Key::ArrowLeft));
    if opens || closes {
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
    expanded.is_some_and(|expanded| if expanded { closes } else { opens })
}

/// The table with the entries of a registered kind of track.
fn table_of(kind: &str) -> Option<TableKind> {
    (kind == "network").then_some(TableKind::Network)
}

/// True if an item represents a thread or rows.
const fn can_be_selected(item: &Item) -> bool {
    !matches!(
        item.kind,
        ItemKind::FlowTrack(_)
            | ItemKind::FlowRow(_)
            | ItemKind::CounterHeading(_)
            | ItemKind::IdleThreads(_)
            | ItemKind::MoreThreads(_)
            | ItemKind::MoreCounters(_)
            | ItemKind::MoreRows(_)
            | ItemKind::InstantLanes(_)
            | ItemKind::OutsideLanes(_)
            | ItemKind::FlowLane(_)
            | ItemKind::FlowLaneHeading(_)
    )
}

/// The command that selects an item by its label: a thread, the threads of a process, a row, or a group.
fn choosing(input: &SceneInput<'_>, item: &Item) -> Option<Command> {
    match item.kind {
        ItemKind::Thread(heading) => Some(Command::ToggleThreads(tracks_of(input, heading.thread))),
        ItemKind::Process(heading) => {
            let threads = input.index.profile().threads_with_ids();
            let own = threads.filter(|(id, thread)| thread.process == heading.process && input.scope.shows(*id));
            Some(Command::ToggleThreads(own.map(|(id, _)| id).collect()))
        }
        _ => Some(input.label_rows(&item.kind)).filter(|rows| !rows.is_empty()).map(Command::ToggleRows),
    }
}

/// A thread and the visible tracks below it; the thread comes last, because it is the start of a Shift range.
fn tracks_of(input: &SceneInput<'_>, thread: ThreadId) -> Vec<ThreadId> {
    let nested = input.index.profile().nested_tracks(thread).filter(|id| input.scope.shows(*id));
    nested.chain([thread]).collect()
}

/// Selects all threads from the last selected one to that of a heading.
fn span(input: &SceneInput<'_>, item: &Item) -> Option<Command> {
    let thread_of = |item: &Item| match item.kind {
        ItemKind::Thread(heading) => Some(heading.thread),
        _ => None,
    };
    let (here, anchor) = (thread_of(item)?, input.view.chosen.anchor?);
    let listed: Vec<ThreadId> = input.list.items().iter().filter_map(thread_of).collect();
    let place = |thread| listed.iter().position(|other| *other == thread);
    let (from, to) = (place(anchor)?, place(here)?);
    let mut threads = input.view.chosen.threads.clone();
    threads.extend(&listed[from.min(to)..=from.max(to)]);
    Some(Command::PickThreads(threads.into_iter().collect()))
}

/// Marks selected items with a bar at the left edge, which also works for rows without a label.
fn mark_selected(ui: &Ui, input: &SceneInput<'_>, item: &Item, area: Rect, palette: &Palette) {
    let part = input.selected_share(&item.kind);
    if part == SelectedShare::None {
        return;
    }
    let y = (input.item_y(item) - input.regions.chart.y) / input.scale + area.min.y;
    let rect = Rect::from_min_size(pos2(area.min.x, y), vec2(area.width(), input.item_height(item) / input.scale));
    let accent = palette.accent;
    ui.painter().rect_filled(rect, 0.0, color(with_alpha(accent, if part == SelectedShare::All { 44 } else { 20 })));
    ui.painter().rect_filled(Rect::from_min_size(rect.min, vec2(3.0, rect.height())), 0.0, color(accent));
}

/// The command that adds an unselected item to the selection.
fn choice_of(input: &SceneInput<'_>, item: &Item) -> Option<Command> {
    choosing(input, item).filter(|_| input.selected_share(&item.kind) == SelectedShare::None)
}

/// Context menu of an item.
fn menu(response: &Response, input: &SceneInput<'_>, item: &Item) -> Option<Command> {
    if !may_be_open(response) {
        return None;
    }
    let (menu, choice) = (track_menu::entries(input, &item.kind), choice_of(input, item));
    let mut chosen = None;
    if !menu.is_empty() || choice.is_some() {
        context_menu(response, |ui| {
            if let Some(choice) = choice
                && entry(ui, "Show statistics", true)
            {
                post(ui.ctx(), WidgetRequest::ShowTable(TableKind::Statistics));
                chosen = Some(choice);
            }
            if let Some(track) = query_track_name::track_of(&item.kind)
                && entry(ui, "Rename track…", true)
            {
                query_track_name::start(ui, input, track);
            }
            if let Some(track) = query_track_name::track_of(&item.kind)
                && entry(ui, "Show query", true)
            {
                post(ui.ctx(), WidgetRequest::Query(input.pane, QueryRequest::Show(track)));
                post(ui.ctx(), WidgetRequest::ShowTable(TableKind::Query));
            }
            for (text, command) in menu {
                if entry(ui, text, true) {
                    chosen = Some(command);
                }
            }
        });
    }
    chosen
}

fn background(ui: &Ui, item: &Item, rect: Rect, palette: &Palette) {
    let painter = ui.painter();
    let line = (1.0, color(palette.grid));
    match item.kind.background() {
        Background::Heading => drop(painter.rect_filled(rect, 0.0, color(palette.heading))),
        Background::TrackHeading { .. } => drop(painter.hline(rect.x_range(), rect.min.y + 0.5, line)),
        Background::LineBelow => drop(painter.hline(rect.x_range(), rect.max.y - 0.5, line)),
        Background::Plain | Background::Stripe => {}
    }
}

/// Draws a label; returns true if a part of it is cut or left out.
fn texts(ui: &Ui, rect: Rect, item: &ItemKind, (label, differs): (&TrackLabel, usize), palette: &Palette) -> bool {
    let painter = ui.painter();
    let faint = color(palette.text2);
    let (indent, style) = text_position(label.style);
    let indent = indent + label.indent;
    if let Some(open) = label.expanded.filter(|_| label.style == LabelStyle::Row) {
        arrow(painter, pos2(rect.min.x + indent - 17.0, rect.center().y), open, faint);
    } else if let Some(open) = label.expanded {
        arrow(painter, pos2(rect.min.x + indent + 4.0, rect.center().y), open, faint);
    }
    if let Some(swatch) = label.swatch {
        let dot = Rect::from_center_size(pos2(rect.min.x + indent - 7.0, rect.center().y), vec2(6.0, 6.0));
        painter.rect_filled(dot, 1.5, color(palette.fill(swatch)));
    }
    let is_counter = matches!(item, ItemKind::Counter(_));
    let is_faint = !is_counter && matches!(label.style, LabelStyle::Row | LabelStyle::More | LabelStyle::FlowLane);
    let tint = if is_faint { faint } else { color(palette.text) };
    // The triangle of a row is to the left of its dot. Tracks without a triangle have room for one, so that the names of
    // a level are below each other.
    let is_moved = match label.style {
        LabelStyle::Row => false,
        LabelStyle::Track => true,
        _ => label.expanded.is_some(),
    };
    let left = rect.min.x + indent + if is_moved { 12.0 } else { 0.0 };
    let mut font = style.resolve(ui.style());
    if label.style == LabelStyle::Heading {
        font.size += 0.5;
    }
    let small = TextStyle::Small.resolve(ui.style());
    let value = (!label.right.is_empty()).then(|| elide(ui, &label.right, rect.width() / 2.0, small, faint));
    let right_width = value.as_ref().map_or(0.0, |galley| galley.size().x);
    let is_value_cut = value.as_ref().is_some_and(|galley| galley.elided);
    let whole = rect.max.x - 16.0 - left;
    // A value that would shorten the name goes first.
    let fits = !elide_common(ui, &label.text, differs, whole - right_width, font.clone(), tint).1;
    let room = if fits { whole - right_width } else { whole };
    let mut is_cut = is_value_cut || !fits && right_width > 0.0;
    if let Some(galley) = value.filter(|_| fits) {
        let size = galley.size();
        painter.galley(pos2(rect.max.x - size.x - 8.0, rect.center().y - size.y / 2.0), galley, faint);
    }
    let (galley, shortened) = elide_common(ui, &label.text, differs, room, font, tint);
    let size = galley.size();
    painter.galley(pos2(left, rect.center().y - size.y / 2.0), galley, tint);
    let rest = room - size.x - DETAIL_GAP;
    is_cut |= shortened;
    if !label.detail.is_empty() && !shortened && rest > LEAST_DETAIL {
        let detail = elide(ui, &label.detail, rest, TextStyle::Small.resolve(ui.style()), faint);
        is_cut |= detail.elided;
        painter.galley(pos2(left + size.x + DETAIL_GAP, rect.center().y - detail.size().y / 2.0), detail, faint);
    } else {
        is_cut |= !label.detail.is_empty();
    }
    is_cut
}
