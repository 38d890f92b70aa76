//! The notes table: all notes in time order. A click reveals a note; buttons edit, delete and save notes.

use egui::{Button, Id, Key, RichText, Role, Ui};

use crate::commands::{NoteAction, shortcut};
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widget_requests::{NotesFile, WidgetRequest, post};
use crate::widgets::empty_state;
use crate::widgets::menu::row_menu;
use crate::widgets::table::{self, Body, Cell, CopyRequest, Scroll, TableColumn, Widths};
use flowline_format::DurationUnit;
use flowline_profile::notes::Note;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, NoteCommand, NoteId};

const COLUMNS: [TableColumn; 5] = [
    TableColumn::times("Start", 112.0),
    TableColumn::lengths("Length", 84.0),
    TableColumn::text("Kind", 72.0, 0.0),
    TableColumn::text("About", 200.0, 1.5),
    TableColumn::text("Note", 240.0, 3.0),
];

/// State of the table.
#[derive(Default)]
pub struct NotesTable {
    cursor: usize,
    widths: Widths,
    scroll: Scroll,
}

/// Id of the table's widget.
pub(crate) fn notes_id() -> Id {
    Id::unique("table of notes")
}

fn cells(session: &Session, note: &Note) -> Vec<Cell> {
    let times = note.kind.times();
    vec![
        times.map_or(Cell::Empty, |times| Cell::Time(session.view.clock().show(times.start))),
        times.filter(|times| !times.is_empty()).map_or(Cell::Empty, |times| Cell::Length(times.len())),
        Cell::Text(note.kind.name().to_owned()),
        Cell::Text(session.note_subject(note)),
        Cell::Text(note.text.lines().collect::<Vec<_>>().join(" ")),
    ]
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut NotesTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    let is_new = state.scroll.is_new(ui);
    let notes = &session.view.notes;
    let list = notes.by_time();
    state.cursor = state.cursor.min(list.len().saturating_sub(1));
    let current = list.get(state.cursor).copied();
    let mut commands = Vec::new();
    tools(ui, session, current, (slot, &mut commands));
    if list.is_empty() {
        let add = shortcut(ui.ctx(), NoteAction::Add);
        let why = format!("{add} adds one to the selected marker or range, or at the pointer.");
        if empty_state(ui, "No notes yet.", &why, Some("Add note")) {
            post(ui.ctx(), WidgetRequest::RunCommand(NoteAction::Add.into()));
        }
        return commands;
    }
    let lengths = list.iter().filter_map(|id| notes.get(*id)?.kind.times()).map(|times| times.len());
    let unit = DurationUnit::of_column(lengths);
    let columns = state.widths.apply(&COLUMNS.map(|column| column.in_unit(unit)));
    table::resizable_plain_header(ui, &columns, &mut state.widths);
    let title = || format!("Notes, {}", table::counted(list.len(), "row"));
    let mut body = Body::new(ui, notes_id(), Role::Table, title);
    let (mut pressed, mut cursor_id) = (None, None);
    let cursor = state.cursor;
    let of = |id: NoteId| notes.get(id).map(|note| cells(session, note)).unwrap_or_default();
    state.scroll.show(&mut body.ui, list.len(), |ui, number, rect| {
        let (id, is_cursor) = (ui.scope_id().with(("note", number)), number == cursor);
        if is_cursor {
            cursor_id = Some(id);
        }
        let response = table::row(ui, id, rect, is_cursor, palette);
        let cells = of(list[number]);
        table::announce_row(ui, &response, Role::Row, is_cursor, (number, list.len()), || table::line(&cells));
        for ((cell, column), span) in cells.iter().zip(&columns).zip(table::spans(&columns, rect.x_range())) {
            let tint = table::tint(palette, column.title == "Kind", is_cursor);
            table::cell(ui, rect, span, column.kind, &cell.shown_in(column), tint);
        }
        if response.double_clicked() {
            commands.push(Command::Note(NoteCommand::Ask(Some(list[number]))));
        } else if response.clicked() {
            commands.push(Command::RevealNote(list[number]));
            pressed = Some(number);
        }
        row_menu(&response, notes_id(), is_cursor, |ui| {
            commands.extend(crate::canvas::notes::menu(ui, session, list[number]));
        });
    });
    cursor_id.into_iter().for_each(|row| body.announce_cursor(row));
    let is_pressed = pressed.is_some();
    if body.focused {
        pressed = pressed.or(table::moved(&body.ui, || Some(cursor), list.len(), state.scroll.fits));
        if table::key(&body.ui, Key::Enter) > 0 {
            commands.extend(current.map(Command::RevealNote));
        }
        if table::key(&body.ui, Key::F2) > 0 {
            commands.extend(current.map(|id| Command::Note(NoteCommand::Ask(Some(id)))));
        }
        if table::key(&body.ui, Key::Delete) > 0 {
            commands.extend(current.map(|id| Command::Note(NoteCommand::Delete(id))));
        }
        if let Some(copying) = table::copying(&body.ui) {
            let text = match copying {
                CopyRequest::Row => current.map(|id| table::line(&of(id))),
                CopyRequest::All(format) => {
                    let rows: Vec<Vec<Cell>> = list.iter().take(table::LIMIT).map(|id| of(*id)).collect();
                    Some(table::write(format, &COLUMNS, &rows, list.len()))
                }
            };
            text.into_iter().for_each(|text| ui.copy_text(text));
        }
    }
    if let Some(row) = pressed {
        state.cursor = row;
        state.scroll.reveal(row);
        body.ui.ctx().request_repaint();
    }
    body.finish(is_pressed || is_new);
    commands
}

/// The buttons above the headings.
fn tools(
    ui: &mut Ui,
    session: &Session,
    current: Option<NoteId>,
    (slot, commands): (&mut FilterSlot<'_>, &mut Vec<Command>),
) {
    let button = |text: &str| Button::new(text.to_owned());
    let count = session.view.notes.list.len();
    let mut tools = Tools::new("notes");
    let of_current = move |ui: &mut Ui, (text, hint): (&str, &str), command: fn(NoteId) -> NoteCommand| {
        let pressed = ui.add_enabled(current.is_some(), button(text)).on_hover_text(hint).clicked();
        current.filter(|_| pressed).map(|id| Command::Note(command(id)))
    };
    tools.add("edit", move |ui, commands: &mut Vec<Command>| {
        commands.extend(of_current(ui, ("Edit", "F2"), |id| NoteCommand::Ask(Some(id))));
    });
    tools.add("delete", move |ui, commands| {
        let delete = shortcut(ui.ctx(), NoteAction::Delete);
        commands.extend(of_current(ui, ("Delete note", &delete), NoteCommand::Delete));
    });
    let [undo, redo] = session.view.can_undo();
    tools.add("undo", move |ui, commands| {
        if ui.add_enabled(undo, button("Undo")).on_hover_text(shortcut(ui.ctx(), NoteAction::Undo)).clicked() {
            commands.push(Command::Undo);
        }
        if ui.add_enabled(redo, button("Redo")).on_hover_text(shortcut(ui.ctx(), NoteAction::Redo)).clicked() {
            commands.push(Command::Redo);
        }
    });
    let mut shown = session.view.notes.shown;
    tools.add("show", move |ui, commands| {
        if ui.checkbox(&mut shown, "Show on chart").changed() {
            commands.push(Command::Note(NoteCommand::Show(shown)));
        }
    });
    let has_notes = count > 0;
    tools.add("save", move |ui, _| {
        if ui.add_enabled(has_notes, button("Save notes as…")).clicked() {
            post(ui.ctx(), WidgetRequest::ShowNotesDialog(NotesFile::new(session)));
        }
    });
    let has_trace = session.index.profile().source.holds_events();
    tools.add("save trace", move |ui, _| {
        let copy = ui.add_enabled(has_notes && has_trace, button("Save trace with notes…"));
        if copy.on_hover_text("Saves a copy with the notes in the format of Chrome DevTools").clicked() {
            post(ui.ctx(), WidgetRequest::ShowTraceDialog(NotesFile::new(session)));
        }
    });
    tool_strip::show(ui, slot, commands, tools, |ui, _| {
        ui.label(RichText::new(table::counted(count, "note")).small().weak());
    });
}
