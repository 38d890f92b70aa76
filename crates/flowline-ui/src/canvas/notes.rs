//! Notes in the lane above the chart, under the pointer: selecting, moving and editing them, and their place in the accessibility tree. The scene
//! draws them at [`SceneInput::placed_notes`](flowline_scene::SceneInput::placed_notes).

use egui::{
    Area, Context, CursorIcon, Frame, Id, Key, Order, Pos2, Rect, Response, Role, Sense, TextEdit, Ui, WidgetInfo, pos2,
};

use crate::canvas::layout::CanvasLayout;
use crate::canvas::state::{CanvasState, NoteDrag, NoteText};
use crate::commands::NoteAction;
use crate::tables::TableKind;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::menu::offer;
use flowline_format::format_counted;
use flowline_profile::Ns;
use flowline_profile::notes::{EntryLocation, NoteKind};
use flowline_scene::PlacedNote;
use flowline_session::Session;
use flowline_view::{Command, NoteCommand, NoteId};

/// Adds the widgets of all notes over the chart, and the field for the text of one; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, state: &mut CanvasState, layout: &CanvasLayout) -> Vec<Command> {
    let input = session.scene_input();
    let placed = input.placed_notes();
    let (scale, pane) = (session.canvas.scale, session.canvas.pane);
    let points = |note: &PlacedNote| {
        let rect = note.rect;
        Rect::from_min_max(pos2(rect.x, rect.y) / scale, pos2(rect.right(), rect.bottom()) / scale)
    };
    let mut commands = Vec::new();
    for note in placed {
        let rect = points(note).intersect(layout.lane);
        if !rect.is_positive() {
            continue;
        }
        let response = ui.interact(rect, Id::unique(("note", pane, note.note.0)), Sense::click_and_drag());
        let text = || session.note_text(note.note).unwrap_or_default();
        let text = || match note.others {
            0 => text(),
            others => format!("{} (and {})", text(), format_counted(others as u64, "more note")),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Note, true, text()));
        pointer(session, state, (&response, note), layout, &mut commands);
        let response = if note.is_dot || note.text.len() > 30 { response.on_hover_text(text()) } else { response };
        response.context_menu(|ui| commands.extend(menu(ui, session, note.note)));
    }
    if session.view.notes.link_from.is_some() && ui.rect_contains_pointer(layout.chart) {
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    }
    match session.view.notes.asked {
        Some(asked) => {
            let place = placed.iter().find(|note| note.note == asked).map(|note| points(note).left_bottom());
            let place = place.unwrap_or(pos2(layout.chart.center().x - 120.0, layout.chart.min.y + 40.0));
            commands.extend(editor(ui.ctx(), session, state, (asked, place)));
        }
        None => state.note_text = None,
    }
    commands
}

/// Selects, edits or moves a note.
fn pointer(
    session: &Session,
    state: &mut CanvasState,
    (response, placed): (&Response, &PlacedNote),
    layout: &CanvasLayout,
    commands: &mut Vec<Command>,
) {
    let id = placed.note;
    if response.double_clicked() {
        commands.push(Command::Note(NoteCommand::Ask(Some(id))));
    } else if response.clicked() {
        commands.push(Command::Note(NoteCommand::Select(Some(id))));
    }
    if response.drag_started() {
        let press = response.ctx.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
        let note = session.view.notes.get(id).zip(press);
        state.note_drag =
            note.map(|(note, press)| NoteDrag { note: id, before: note.kind.clone(), press, moved: false });
    }
    let Some(drag) = state.note_drag.as_mut().filter(|drag| drag.note == id) else { return };
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let time = |x: f32| session.view.axis.time(f64::from((x - layout.chart.min.x) * session.canvas.scale));
    let by = Ns((time(pointer.x) - time(drag.press.x)).0);
    let to = match &drag.before {
        NoteKind::Range(range) => Some(NoteKind::Range(range.shifted(by))),
        NoteKind::Bookmark(time) => Some(NoteKind::Bookmark(*time + by)),
        // A label moves to the marker on which it is dropped.
        NoteKind::Label(_) if response.drag_stopped() => {
            let scale = session.canvas.scale;
            let hits = session.scene_input().hits(pointer.x * scale, pointer.y * scale);
            hits.marker().and_then(|(marker, _)| session.entry_of(marker)).map(NoteKind::Label)
        }
        _ => None,
    };
    if let Some(to) = to {
        commands.push(Command::Note(NoteCommand::Move { note: id, to, continues: drag.moved }));
        drag.moved = true;
    }
    response.ctx.set_cursor_icon(CursorIcon::Grabbing);
    if response.drag_stopped() {
        state.note_drag = None;
    }
}

/// Context menu of a note.
pub(crate) fn menu(ui: &mut Ui, session: &Session, id: NoteId) -> Option<Command> {
    let note = session.view.notes.get(id)?;
    let mut chosen = None;
    offer(ui, &mut chosen, "Edit text", Some(Command::Note(NoteCommand::Ask(Some(id)))));
    let known = |place: EntryLocation| matches!(place, EntryLocation::Marker(_) | EntryLocation::Call(_));
    let from = note.kind.entries().next().filter(|entry| known(entry.place)).cloned();
    let link = from.map(|entry| Command::Note(NoteCommand::LinkFrom(Some(entry))));
    offer(ui, &mut chosen, ("Link to…", NoteAction::Link), link);
    let delete = Command::Note(NoteCommand::Delete(id));
    offer(ui, &mut chosen, ("Delete note", NoteAction::Delete), Some(delete));
    if ui.button("Show all notes").clicked() {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::Notes));
        ui.close();
    }
    chosen
}

/// The field for the text of a note.
fn editor(
    context: &Context,
    session: &Session,
    state: &mut CanvasState,
    (id, place): (NoteId, Pos2),
) -> Option<Command> {
    let note = session.view.notes.get(id)?;
    let is_new = state.note_text.as_ref().is_none_or(|edited| edited.note != id);
    if is_new {
        state.note_text = Some(NoteText { note: id, text: note.text.clone() });
    }
    let edited = state.note_text.as_mut()?;
    let mut command = None;
    let area = Area::new(Id::unique("text of a note")).order(Order::Foreground).fixed_pos(place).constrain(true);
    area.show(context, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(260.0);
            let response = ui.add(TextEdit::singleline(&mut edited.text).hint_text("Note text").desired_width(250.0));
            response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Note text"));
            if is_new {
                response.request_focus();
            }
            let escaped = ui.input(|input| input.key_pressed(Key::Escape));
            if response.lost_focus() {
                command =
                    Some(if escaped { NoteCommand::Ask(None) } else { NoteCommand::Edit(id, edited.text.clone()) });
            }
        });
    });
    command.map(Command::Note)
}
