//! Renames a query track: the menu of its label opens a text field in place of the name.

use egui::{Id, Key, Rect, Role, TextEdit, Ui, WidgetInfo, vec2};

use crate::widgets::select_all;
use flowline_scene::{ItemKind, SceneInput};
use flowline_view::{Command, QUERY_TRACKS, QueryTrackCommand};

/// The name that is being edited.
#[derive(Clone, Debug)]
struct EditedName {
    track: u32,
    text: String,
    is_new: bool,
}

fn edited_id() -> Id {
    Id::unique("name of a query track")
}

/// The number of the query track of a heading.
pub(super) fn track_of(kind: &ItemKind) -> Option<u32> {
    match kind {
        ItemKind::Track(heading) if heading.track.kind == QUERY_TRACKS => Some(heading.track.number),
        _ => None,
    }
}

/// Opens the field for a track.
pub(super) fn start(ui: &Ui, input: &SceneInput<'_>, track: u32) {
    let text = input.view.tracks.query_track(track).map(|track| track.name.clone()).unwrap_or_default();
    ui.data_mut(|data| data.insert_temp(edited_id(), EditedName { track, text, is_new: true }));
    ui.ctx().request_repaint();
}

/// Shows the field if the name of an item is being edited; returns the command that sets the name.
pub(super) fn show(ui: &mut Ui, kind: &ItemKind, label: Rect) -> Option<Command> {
    let track = track_of(kind)?;
    let edited: Option<EditedName> = ui.data(|data| data.get_temp(edited_id()));
    let mut edited = edited.filter(|edited| edited.track == track)?;
    let field = Id::unique("field of the name of a query track");
    let place = Rect::from_center_size(label.center(), vec2(label.width() - 12.0, 20.0));
    let response = ui.put(place, TextEdit::singleline(&mut edited.text).id(field).hint_text("Track name"));
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Track name"));
    if std::mem::take(&mut edited.is_new) {
        response.request_focus();
        select_all(ui.ctx(), response.id, &edited.text);
    }
    if !response.lost_focus() {
        ui.data_mut(|data| data.insert_temp(edited_id(), edited));
        return None;
    }
    ui.data_mut(|data| data.remove::<EditedName>(edited_id()));
    let is_escaped = ui.input(|input| input.key_pressed(Key::Escape));
    (!is_escaped).then_some(Command::QueryTrack(QueryTrackCommand::Rename(track, edited.text)))
}
