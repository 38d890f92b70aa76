//! The label column: process and thread headings that fold, names of row groups, counters with their range. One widget a
//! visible item, so that keyboard and screen reader reach them.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::index::GroupKind;
use crate::profile::ThreadId;
use crate::scene::{Item, ItemKind, Palette};
use crate::session::Document;
use crate::ui::canvas::counter_card;
use crate::ui::widgets::style::color;
use crate::view::Command;

/// Shows the labels of the visible items in `area` (points).
pub(crate) fn show(ui: &mut Ui, document: &Document, area: Rect, palette: &Palette) -> Vec<Command> {
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area).id_salt("labels"));
    child.shrink_clip_rect(area);
    child.painter().rect_filled(area, 0.0, color(palette.panel));
    let input = document.scene_input();
    let mut commands = Vec::new();
    for item in input.visible_items() {
        let y = (input.item_y(item) - input.regions.chart.y) / input.scale + area.min.y;
        let height = input.item_height(item) / input.scale;
        let rect = Rect::from_min_size(pos2(area.min.x, y), vec2(area.width(), height));
        let labeled = item_label(document, item);
        commands.extend(show_item(&mut child, item, rect, &labeled, palette));
    }
    // The thread and group whose headings are scrolled away stay readable at the top.
    sticky_heading(&child, document, area, palette);
    let line = egui::Stroke::new(1.0, color(palette.grid));
    child.painter().vline(area.max.x - 0.5, area.y_range(), line);
    commands
}

fn sticky_heading(ui: &Ui, document: &Document, area: Rect, palette: &Palette) {
    let input = document.scene_input();
    let Some(ItemKind::Row { thread, row, .. }) = input.visible_items().first().map(|item| item.kind) else { return };
    let profile = document.index.profile();
    let Some(layout) = document.index.layout(document.layout().view().arrangement).if_built(thread) else { return };
    let rows = &layout.rows;
    let group = rows.group_of(row as usize).map_or("", |group| group_name(document, group.kind));
    let name = &profile.thread(thread).name;
    let text = if group == "Stack" { name.clone() } else { format!("{name} › {group}") };
    let rect = Rect::from_min_size(area.min, vec2(area.width(), 18.0));
    ui.painter().rect_filled(rect, 0.0, color(palette.heading));
    let font = egui::TextStyle::Small.resolve(ui.style());
    let galley = crate::ui::widgets::elide(ui, &text, area.width() - 16.0, font, color(palette.text));
    ui.painter().galley(rect.min + vec2(8.0, 3.0), galley, color(palette.text));
}

fn group_name(document: &Document, kind: GroupKind) -> &str {
    match kind {
        GroupKind::Name(name) => document.index.profile().strings.get(name),
        GroupKind::Network => "Network Requests",
        GroupKind::Operations(name) => document.index.profile().strings.get(name),
        GroupKind::Stack => "Stack",
    }
}

/// What an item says: text, the number at its right end, and all of it in a sentence for screen readers.
#[derive(Default)]
struct ItemLabel {
    text: String,
    right: String,
    spoken: String,
    swatch: Option<u8>,
    /// What the upper and the lower end of its area stand for.
    range: Option<(String, String)>,
}

fn item_label(document: &Document, item: &Item) -> ItemLabel {
    let profile = document.index.profile();
    match item.kind {
        ItemKind::Process { process, collapsed } => {
            let process = &profile.processes[process.index()];
            let state = if collapsed { "collapsed" } else { "expanded" };
            ItemLabel {
                text: process.name.clone(),
                right: if process.pid.is_empty() { String::new() } else { format!("pid {}", process.pid) },
                spoken: match process.pid.as_str() {
                    "" => format!("{}, {state}", process.name),
                    pid => format!("Process {}, pid {pid}, {state}", process.name),
                },
                ..ItemLabel::default()
            }
        }
        ItemKind::Thread { thread, expanded } => {
            let data = profile.thread(thread);
            let count = document.hits().map_or(data.markers.len(), |hits| hits.thread(thread).len());
            let state = if expanded { "expanded" } else { "collapsed" };
            let what = match (document.hits().is_some(), count) {
                (true, 1) => "hit",
                (true, _) => "hits",
                (false, 1) => "marker",
                (false, _) => "markers",
            };
            ItemLabel {
                text: if data.name.is_empty() { format!("Thread {}", data.tid) } else { data.name.clone() },
                right: crate::ui::widgets::grouped(count),
                spoken: format!("Thread {}, {count} {what}, {state}", data.name),
                ..ItemLabel::default()
            }
        }
        ItemKind::Row { thread, row, first_of_group } => row_label(document, thread, row as usize, first_of_group),
        ItemKind::FlowTrack { track, expanded } => {
            let track = document.flows.setup.tracks.get(track as usize);
            let (name, count) = track.map_or(("", 0), |track| (track.name.as_str(), track.flows().len()));
            let state = if expanded { "expanded" } else { "collapsed" };
            ItemLabel {
                text: name.to_owned(),
                right: crate::ui::widgets::grouped(count),
                spoken: format!("Flows: {name}, {count}, {state}"),
                ..ItemLabel::default()
            }
        }
        ItemKind::FlowRow { .. } => ItemLabel::default(),
        ItemKind::CounterHeading { process, count, expanded } => {
            let state = if expanded { "expanded" } else { "collapsed" };
            let owner = process.map(|process| format!(" of {}", profile.processes[process.index()].name));
            ItemLabel {
                text: "Counters".into(),
                right: crate::ui::widgets::grouped(count as usize),
                spoken: format!("Counters{}, {count}, {state}", owner.unwrap_or_default()),
                ..ItemLabel::default()
            }
        }
        ItemKind::Counter { counter } => {
            let Some((text, most, least, color)) = counter_card::label(document, counter) else {
                return ItemLabel::default();
            };
            ItemLabel {
                spoken: format!("Counter {text}, {least} to {most}"),
                text,
                swatch: color,
                range: Some((most, least)),
                ..ItemLabel::default()
            }
        }
        ItemKind::EmptyThreads { count, shown, .. } => {
            let text = format!("{count} {} without markers", if count == 1 { "thread" } else { "threads" });
            let right = if shown { "hide" } else { "show" };
            ItemLabel { spoken: format!("{text}, {right}"), text, right: right.into(), ..ItemLabel::default() }
        }
    }
}

fn row_label(document: &Document, thread: ThreadId, row: usize, first_of_group: bool) -> ItemLabel {
    let profile = document.index.profile();
    let made = document.index.layout(document.layout().view().arrangement).if_built(thread).filter(|_| first_of_group);
    let Some((layout, group)) = made.and_then(|layout| Some((layout, layout.rows.group_of(row)?))) else {
        return ItemLabel::default();
    };
    // Where all is one stack, the thread's heading says it.
    let only_stack = group.kind == GroupKind::Stack && layout.rows.groups.len() == 1;
    let text = if only_stack { "" } else { group_name(document, group.kind) };
    let swatch = match group.kind {
        GroupKind::Stack => None,
        GroupKind::Name(name) | GroupKind::Operations(name) if profile.meta.colors_by_name => {
            Some(crate::index::color_of_name(profile.strings.get(name)))
        }
        _ => profile.categories.get(group.category.index()).map(|category| crate::index::color_index(&category.color)),
    };
    let rows = group.first_row as usize..(group.first_row + group.rows) as usize;
    let found = document.search().and_then(|search| search.layout.thread(thread));
    let shown = found.filter(|found| found.rows.len() == layout.rows.len()).unwrap_or(layout);
    let count: usize = rows.map(|row| shown.rows.row(row).len()).sum();
    ItemLabel {
        text: text.to_owned(),
        right: if only_stack { String::new() } else { crate::ui::widgets::grouped(count) },
        spoken: match only_stack {
            true => String::new(),
            false => format!("{text}, {}, {count} markers", profile.category_name(group.category)),
        },
        swatch,
        range: None,
    }
}

fn show_item(ui: &mut Ui, item: &Item, rect: Rect, label: &ItemLabel, palette: &Palette) -> Vec<Command> {
    if label.spoken.is_empty() {
        return Vec::new();
    }
    let id = ui.scope_id().with(key_of(item));
    let folds = !matches!(item.kind, ItemKind::Row { .. } | ItemKind::FlowRow { .. } | ItemKind::Counter { .. });
    let response = ui.interact(rect, id, if folds { Sense::click() } else { Sense::hover() });
    let kind = if folds { Role::DisclosureTriangle } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(kind, true, label.spoken.as_str()));
    let (indent, style, strong, open) = match item.kind {
        ItemKind::Process { collapsed, .. } => (6.0, egui::TextStyle::Body, true, Some(!collapsed)),
        ItemKind::Thread { expanded, .. }
        | ItemKind::FlowTrack { expanded, .. }
        | ItemKind::CounterHeading { expanded, .. } => (16.0, egui::TextStyle::Body, false, Some(expanded)),
        ItemKind::Row { .. } | ItemKind::FlowRow { .. } | ItemKind::Counter { .. } => {
            (34.0, egui::TextStyle::Small, false, None)
        }
        ItemKind::EmptyThreads { shown, .. } => (16.0, egui::TextStyle::Small, false, Some(shown)),
    };
    let painter = ui.painter().clone();
    match item.kind {
        ItemKind::Process { .. } => drop(painter.rect_filled(rect, 0.0, color(palette.heading))),
        ItemKind::Thread { .. } | ItemKind::FlowTrack { .. } | ItemKind::CounterHeading { .. } => {
            painter.hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.grid)));
        }
        ItemKind::Counter { .. } => {
            painter.hline(rect.x_range(), rect.max.y - 0.5, (1.0, color(palette.grid)));
        }
        _ => {}
    }
    if folds && (response.hovered() || response.has_focus()) {
        painter.rect_filled(rect, 0.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    if let Some(open) = open {
        crate::ui::widgets::arrow(
            &painter,
            pos2(rect.min.x + indent + 4.0, rect.center().y),
            open,
            color(palette.faint_text),
        );
    }
    if let Some(swatch) = label.swatch {
        let dot = Rect::from_center_size(pos2(rect.min.x + 27.0, rect.center().y), vec2(6.0, 6.0));
        painter.rect_filled(dot, 1.5, color(palette.fills[usize::from(swatch) % palette.fills.len()]));
    }
    let faint = color(palette.faint_text);
    let is_faint = matches!(item.kind, ItemKind::Row { .. } | ItemKind::FlowRow { .. } | ItemKind::EmptyThreads { .. });
    let text_color = if is_faint { faint } else { color(palette.text) };
    let mut right_width = 0.0_f32;
    let mut at_right = |text: &str, place: egui::Align| {
        let small = egui::TextStyle::Small.resolve(ui.style());
        let galley = crate::ui::widgets::elide(ui, text, rect.width() / 2.0, small, faint);
        let size = galley.size();
        let inside = place.align_size_within_range(size.y, rect.shrink2(vec2(0.0, 2.0)).y_range());
        painter.galley(pos2(rect.max.x - size.x - 8.0, inside.min), galley, faint);
        right_width = right_width.max(size.x);
    };
    at_right(&label.right, egui::Align::Center);
    if let Some((most, least)) = &label.range {
        at_right(most, egui::Align::Min);
        at_right(least, egui::Align::Max);
    }
    let left = rect.min.x + indent + if open.is_some() { 12.0 } else { 0.0 };
    let mut font = style.resolve(ui.style());
    if strong {
        font.size += 0.5;
    }
    let room = rect.max.x - right_width - 16.0 - left;
    let galley = crate::ui::widgets::elide(ui, &label.text, room, font, text_color);
    let cut = galley.elided;
    painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, text_color);
    let response = if cut { response.on_hover_text(&label.text) } else { response };
    clicked(item, &response)
}

/// Rows of one thread share its key with their number.
fn key_of(item: &Item) -> (u8, u32, u32) {
    match item.kind {
        ItemKind::Process { process, .. } => (0, process.0, 0),
        ItemKind::Thread { thread, .. } => (1, thread.0, 0),
        ItemKind::Row { thread, row, .. } => (2, thread.0, row),
        ItemKind::EmptyThreads { process, .. } => (3, process.0, 0),
        ItemKind::FlowTrack { track, .. } => (4, track, 0),
        ItemKind::FlowRow { track, row } => (5, track, row),
        ItemKind::CounterHeading { process, .. } => (6, process.map_or(u32::MAX, |process| process.0), 0),
        ItemKind::Counter { counter } => (7, counter.0, 0),
    }
}

fn clicked(item: &Item, response: &egui::Response) -> Vec<Command> {
    let mut commands = Vec::new();
    if response.clicked() {
        commands.extend(match item.kind {
            ItemKind::Process { process, .. } => Some(Command::ToggleProcess(process)),
            ItemKind::Thread { thread, .. } => Some(Command::ToggleThread(thread)),
            ItemKind::EmptyThreads { process, .. } => Some(Command::ToggleEmpty(process)),
            ItemKind::FlowTrack { track, .. } => Some(Command::ToggleFlowTrack(track)),
            ItemKind::CounterHeading { process, .. } => Some(Command::ToggleCounters(process)),
            ItemKind::Row { .. } | ItemKind::FlowRow { .. } | ItemKind::Counter { .. } => None,
        });
    }
    if let ItemKind::Thread { thread, .. } = item.kind {
        response.context_menu(|ui| {
            for (text, command) in [
                ("Hide this thread", Command::HideThread(thread)),
                ("Show only this thread", Command::ShowOnly(thread)),
                ("Show all threads", Command::ShowAll),
                ("Expand all threads", Command::ExpandAll),
                ("Collapse all threads", Command::CollapseAll),
            ] {
                if ui.button(text).clicked() {
                    commands.push(command);
                    ui.close();
                }
            }
        });
    }
    commands
}
