//! The marker table: every marker of the recording, of the search, or of the selected range, in any order.
//!
//! Rows are marker ids, 4 bytes each, ordered on the pool; texts are made for the rows on screen only.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::{Key, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use rayon::prelude::*;

use super::document::Document;
use super::marker_card::{duration_text, time_text};
use super::style::color;
use super::virtual_list::ListScroll;
use crate::index::Index;
use crate::index::search::Hits;
use crate::profile::describe::LabelKind;
use crate::profile::{MarkerId, Profile, ThreadId, TimeRange};
use crate::scene::Palette;
use crate::view::Command;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Start on the displayed clock.
    Start,
    /// Length; instants count as zero.
    Duration,
    /// Name.
    Name,
    /// Thread and process.
    Thread,
    /// The schema's table label.
    Details,
}

impl Column {
    /// All columns from left to right.
    pub const ALL: [Self; 5] = [Self::Start, Self::Duration, Self::Name, Self::Thread, Self::Details];

    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Duration => "Duration",
            Self::Name => "Name",
            Self::Thread => "Thread",
            Self::Details => "Details",
        }
    }

    /// Points from the left edge at which it begins.
    const fn left(self) -> f32 {
        match self {
            Self::Start => 8.0,
            Self::Duration => 130.0,
            Self::Name => 220.0,
            Self::Thread => 470.0,
            Self::Details => 720.0,
        }
    }
}

/// What the rows are and how they are ordered; another value means that they are stale.
#[derive(Clone, Debug, PartialEq)]
struct TableKey {
    search: Option<u64>,
    range: Option<TimeRange>,
    column: Column,
    descending: bool,
}

/// State of the table.
pub struct MarkerTable {
    key: Option<TableKey>,
    rows: Arc<Vec<MarkerId>>,
    sort: (Column, bool),
    scroll: ListScroll,
    fits: f64,
    revealed: Option<MarkerId>,
    sender: Sender<(TableKey, Vec<MarkerId>)>,
    receiver: Receiver<(TableKey, Vec<MarkerId>)>,
    pending: bool,
    wake: Arc<dyn Fn() + Send + Sync>,
}

const ROW_HEIGHT: f32 = 18.0;

/// The markers of a selection in an order. Ties keep time order, then file order.
#[must_use]
pub fn ordered(
    profile: &Profile,
    hits: Option<&Hits>,
    range: Option<TimeRange>,
    column: Column,
    descending: bool,
) -> Vec<MarkerId> {
    let in_range = |thread: ThreadId, at: usize| {
        let markers = &profile.thread(thread).markers;
        range.is_none_or(|range| markers.start[at] <= range.end && markers.end[at] >= range.start)
    };
    let of_thread = |id: ThreadId| -> Vec<(i64, i64, MarkerId)> {
        let thread = profile.thread(id);
        let key = |local: crate::profile::LocalMarker| {
            let at = local.index();
            let start = thread.markers.start[at].0;
            let main = match column {
                Column::Duration => thread.markers.end[at].0 - start,
                _ => start,
            };
            in_range(id, at).then(|| (main, start, thread.global(local)))
        };
        match hits {
            Some(hits) => hits.thread(id).iter().copied().filter_map(key).collect(),
            None => (0..thread.markers.len()).map(crate::profile::LocalMarker::new).filter_map(key).collect(),
        }
    };
    let ids: Vec<ThreadId> = (0..profile.threads.len()).map(ThreadId::new).collect();
    let mut keys: Vec<(i64, i64, MarkerId)> = ids.into_par_iter().flat_map_iter(of_thread).collect();
    match column {
        Column::Start | Column::Duration => keys.par_sort_unstable(),
        Column::Name => sort_by_text(&mut keys, profile, |thread, local| profile.marker_name(thread, local)),
        Column::Thread => sort_by_text(&mut keys, profile, |thread, _| &profile.thread(thread).name),
        Column::Details => {
            let mut texts: Vec<(String, (i64, i64, MarkerId))> = keys
                .into_par_iter()
                .map(|key| {
                    let place = profile.locate(key.2);
                    let text = place.map(|(thread, local)| profile.marker_label(LabelKind::Table, thread, local));
                    (text.unwrap_or_default().to_lowercase(), key)
                })
                .collect();
            texts.par_sort_unstable();
            keys = texts.into_iter().map(|(_, key)| key).collect();
        }
    }
    if descending {
        keys.reverse();
    }
    keys.into_iter().map(|(_, _, id)| id).collect()
}

fn sort_by_text<'a>(
    keys: &mut [(i64, i64, MarkerId)],
    profile: &'a Profile,
    text: impl Fn(ThreadId, crate::profile::LocalMarker) -> &'a str + Sync,
) {
    keys.par_sort_by_cached_key(|(main, start, id)| {
        let text = profile.locate(*id).map(|(thread, local)| text(thread, local).to_lowercase());
        (text, *main, *start, *id)
    });
}

impl MarkerTable {
    /// `wake` is called when a new order is ready.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = channel();
        Self {
            key: None,
            rows: Arc::default(),
            sort: (Column::Start, false),
            scroll: ListScroll::default(),
            fits: 1.0,
            revealed: None,
            sender,
            receiver,
            pending: false,
            wake,
        }
    }

    /// The rows shown, in order.
    #[must_use]
    pub fn rows(&self) -> &[MarkerId] {
        &self.rows
    }

    fn follow(&mut self, index: &Arc<Index>, search: Option<(u64, &Hits)>, range: Option<TimeRange>) {
        let key =
            TableKey { search: search.map(|(number, _)| number), range, column: self.sort.0, descending: self.sort.1 };
        if self.key.as_ref() != Some(&key) {
            self.key = Some(key.clone());
            self.pending = true;
            let hits = search.map(|(_, hits)| hits.clone());
            let (index, sender, wake) = (Arc::clone(index), self.sender.clone(), Arc::clone(&self.wake));
            rayon::spawn(move || {
                let rows = ordered(index.profile(), hits.as_ref(), key.range, key.column, key.descending);
                // The receiver is gone only when the document was closed.
                let _closed = sender.send((key, rows));
                wake();
            });
        }
        while let Ok((key, rows)) = self.receiver.try_recv() {
            if self.key.as_ref() == Some(&key) {
                self.rows = Arc::new(rows);
                self.pending = false;
                self.revealed = None;
            }
        }
    }
}

/// The table's widget; with the keyboard focus on it, Up, Down, pages and copying are the table's.
pub(super) fn table_id() -> egui::Id {
    egui::Id::unique("marker table")
}

/// Shows the table; returns what the person asked for.
pub(super) fn show(ui: &mut Ui, document: &mut Document, palette: &Palette) -> Vec<Command> {
    let Document { index, view, search, table, .. } = document;
    let search = search.as_ref().map(|search| (search.number, &search.hits));
    table.follow(index, search, view.range);
    let mut commands = Vec::new();
    // The panel keeps its height whatever is in it, also while rows are being ordered.
    ui.set_min_height(ui.available_height());
    header(ui, table);
    if table.rows.is_empty() {
        let text = if table.pending { "Sorting…" } else { "No marker matches." };
        ui.weak(text);
        return commands;
    }
    let id = table_id();
    let focused = ui.memory(|memory| memory.has_focus(id));
    if let Some(selected) = view.selected.filter(|selected| table.revealed != Some(*selected)) {
        table.revealed = Some(selected);
        if let Some(row) = table.rows.iter().position(|row| *row == selected) {
            table.scroll.reveal(row, table.fits.max(1.0));
        }
    }
    let area = ui.available_rect_before_wrap();
    let response = ui.interact(area, id, Sense::click());
    let rows = Arc::clone(&table.rows);
    response.widget_info(|| WidgetInfo::labeled(Role::Table, true, format!("Marker table, {} rows", rows.len())));
    if focused {
        let arrows =
            egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    }
    let selected = view.selected;
    table.fits = table.scroll.show(ui, rows.len(), ROW_HEIGHT, |ui, number, rect| {
        let marker = rows[number];
        if let Some(command) = row(ui, index, marker, rect, selected == Some(marker), palette) {
            commands.push(command);
        }
    });
    if response.clicked() || !commands.is_empty() {
        response.request_focus();
        ui.ctx().request_repaint();
    }
    if focused {
        commands.extend(keys(ui, index, &rows, selected, table.fits));
    }
    commands
}

fn header(ui: &mut Ui, table: &mut MarkerTable) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    for (number, column) in Column::ALL.into_iter().enumerate() {
        let right = Column::ALL.get(number + 1).map_or(rect.width(), |next| next.left());
        let cell = egui::Rect::from_min_max(
            pos2(rect.min.x + column.left() - 4.0, rect.min.y),
            pos2((rect.min.x + right - 8.0).max(rect.min.x + column.left()), rect.max.y),
        );
        let arrow = match table.sort {
            (sorted, descending) if sorted == column => {
                if descending {
                    " ⏷"
                } else {
                    " ⏶"
                }
            }
            _ => "",
        };
        let text = RichText::new(format!("{}{arrow}", column.title())).small().strong();
        let mut child = ui
            .new_child(egui::UiBuilder::new().max_rect(cell).layout(egui::Layout::left_to_right(egui::Align::Center)));
        if child.add(egui::Button::new(text).frame(false)).clicked() {
            // The longest first is what a first click on a duration is for.
            table.sort = match table.sort {
                (sorted, descending) if sorted == column => (column, !descending),
                _ => (column, column == Column::Duration),
            };
        }
    }
}

/// The texts of a row, by column.
#[must_use]
pub(super) fn cells(index: &Index, marker: MarkerId) -> Option<[String; 5]> {
    let profile = index.profile();
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    let process = profile.process_of(thread);
    let name = profile.marker_name(thread, local);
    let details = profile.marker_label(LabelKind::Table, thread, local);
    Some([
        time_text(profile.displayed(markers.start[local.index()])),
        duration_text(profile, thread, local),
        name.to_owned(),
        format!("{} ({} {})", profile.thread(thread).name, process.name, process.pid),
        if details == name { String::new() } else { details },
    ])
}

fn row(
    ui: &mut Ui,
    index: &Index,
    marker: MarkerId,
    rect: egui::Rect,
    selected: bool,
    palette: &Palette,
) -> Option<Command> {
    let cells = cells(index, marker)?;
    let response = ui.interact(rect, ui.scope_id().with(("row", marker)), Sense::click());
    if selected {
        ui.painter().rect_filled(rect, 0.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, color(palette.stripe));
    }
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, selected, cells.join(", ")));
    let font = egui::TextStyle::Body.resolve(ui.style());
    for (number, column) in Column::ALL.into_iter().enumerate() {
        let right = Column::ALL.get(number + 1).map_or(rect.width(), |next| next.left());
        let tint = if matches!(column, Column::Thread | Column::Details) { palette.faint_text } else { palette.text };
        let text = super::elide(ui, &cells[number], right - column.left() - 10.0, font.clone(), color(tint));
        ui.painter().galley(pos2(rect.min.x + column.left(), rect.min.y + 1.0), text, color(tint));
    }
    let double = response.double_clicked();
    if double {
        return Some(Command::ZoomToMarker(marker));
    }
    response.clicked().then_some(Command::Reveal(marker))
}

/// Arrow keys move the selection, Ctrl+C copies the row.
fn keys(ui: &Ui, index: &Index, rows: &[MarkerId], selected: Option<MarkerId>, fits: f64) -> Vec<Command> {
    #[expect(clippy::cast_possible_truncation, reason = "rows on screen")]
    let page = (fits as isize - 1).max(1);
    let step = ui.input_mut(|input| {
        let mut step = 0;
        for (key, by) in [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, page), (Key::PageUp, -page)] {
            step += by * isize::try_from(input.count_and_consume_key(egui::Modifiers::NONE, key)).unwrap_or(0);
        }
        step
    });
    let copied = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy)));
    if let Some(cells) = selected.filter(|_| copied).and_then(|marker| cells(index, marker)) {
        ui.copy_text(cells.join("\t"));
    }
    if step == 0 {
        return Vec::new();
    }
    let here = selected.and_then(|marker| rows.iter().position(|row| *row == marker));
    let next = match here {
        Some(here) => here.saturating_add_signed(step).min(rows.len().saturating_sub(1)),
        None => 0,
    };
    rows.get(next).map(|marker| Command::Reveal(*marker)).into_iter().collect()
}
