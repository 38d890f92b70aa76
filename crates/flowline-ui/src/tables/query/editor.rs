//! The editor of the query: highlighting, completion, and the keys that run it.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    CompletionPopup, EventFilter, FontId, Frame, Id, Key, Modifiers, Rect, RectAlign, Role, ScrollArea, Stroke,
    StrokeKind, Suggestion, TextEdit, TextStyle, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::completion::{candidates, is_boundary};
use super::request::QueryRequest;
use super::sql_text::{PartKind, parts, word_at};
use super::state::QueryTable;
use crate::widgets::cursor_to_end;
use crate::widgets::icon::focus_ring;
use crate::widgets::style::color;
use flowline_scene::{Palette, Rgba};
use flowline_session::{QueryRun, Session};

const HINT: &str = "SELECT name, count(*) FROM slice GROUP BY name";

/// Id of the editor.
pub(super) fn editor_id() -> Id {
    Id::unique("query editor")
}

/// Color of a part of the query.
const fn tint(kind: PartKind, palette: &Palette) -> Rgba {
    match kind {
        PartKind::Plain => palette.text,
        PartKind::Keyword => palette.link,
        PartKind::Text => palette.good,
        PartKind::Number => palette.warn,
        PartKind::Comment => palette.text2,
    }
}

/// The text with colors; an error underlines its word.
fn highlighted(text: &str, error: Option<(u32, u32)>, (font, width): (&FontId, f32), palette: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    let wrong = error.and_then(|place| word_at(text, place));
    for (range, kind) in parts(text) {
        let mut format = TextFormat::simple(font.clone(), color(tint(kind, palette)));
        // A word can be several parts, and a part can be longer than the word.
        let overlaps = |wrong: &std::ops::Range<usize>| range.start < wrong.end && wrong.start < range.end;
        if wrong.as_ref().is_some_and(overlaps) {
            format.underline = Stroke::new(1.5, color(palette.bad));
        }
        job.append(&text[range], 0.0, format);
    }
    if text.is_empty() {
        job.append("", 0.0, TextFormat::simple(font.clone(), color(palette.text)));
    }
    job
}

/// Ctrl+Enter runs the query wherever the focus is, except in other text fields and behind dialogs.
pub(super) fn run_key(ui: &Ui) -> Option<QueryRequest> {
    let is_focused = ui.memory(|memory| memory.has_focus(editor_id()));
    let is_elsewhere = !ui.is_enabled() || (ui.ctx().text_edit_focused() && !is_focused);
    let is_pressed = !is_elsewhere && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
    is_pressed.then_some(QueryRequest::Run)
}

/// The request of a key in the editor, which must not reach the text; true if Escape cancels a query.
fn request(ui: &Ui, state: &mut QueryTable, run: Option<&QueryRun>) -> Option<QueryRequest> {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (key, back) in [(Key::ArrowUp, true), (Key::ArrowDown, false)] {
        if pressed(Modifiers::COMMAND, key)
            && let Some(text) = state.history.step(&state.text, back)
        {
            cursor_to_end(ui.ctx(), editor_id(), &text);
            state.insert(text);
        }
    }
    let is_running = run.is_some_and(QueryRun::is_running);
    (is_running && pressed(Modifiers::NONE, Key::Escape)).then_some(QueryRequest::Cancel)
}

/// Shows the editor in a rectangle; returns the user's request.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    session: &Session,
    (state, run): (&mut QueryTable, Option<&QueryRun>),
    palette: &Palette,
) -> Option<QueryRequest> {
    let id = editor_id();
    let is_focused = ui.memory(|memory| memory.has_focus(id));
    let is_open = ui.data(|data| data.get_temp(id.with("open"))).unwrap_or(false);
    // While suggestions are shown, Escape closes them first.
    let request = if is_focused && !is_open { request(ui, state, run) } else { None };
    ui.painter().rect(rect, 4.0, color(palette.inset), (1.0, color(palette.line_strong)), StrokeKind::Inside);
    if is_focused {
        focus_ring(ui, rect);
    }
    let font = TextStyle::Monospace.resolve(ui.style());
    // The place of an error belongs to the text that was run.
    let error = run.filter(|run| *run.sql == *state.text).and_then(|run| run.error()?.place);
    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, width: f32| {
        let job = highlighted(text.as_str(), error, (&font, width), palette);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let inner = rect.shrink(4.0);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).id_salt("editor"));
    child.shrink_clip_rect(inner);
    let catalog = Arc::clone(session.query.catalog());
    let QueryTable { text, quiet, .. } = state;
    let is_running = run.is_some_and(QueryRun::is_running);
    let output = ScrollArea::vertical().id_salt("editor").auto_shrink(false).show(&mut child, |ui| {
        let edit = TextEdit::multiline(text)
            .frame(Frame::NONE)
            .font(TextStyle::Monospace)
            .hint_text(HINT)
            .desired_width(f32::INFINITY)
            .desired_rows(1)
            .min_size(vec2(0.0, inner.height()))
            .event_filter(EventFilter {
                tab: false,
                horizontal_arrows: true,
                vertical_arrows: true,
                escape: is_running,
            })
            .layouter(&mut layouter);
        CompletionPopup::new(id).word_boundary(is_boundary).align(RectAlign::BOTTOM_START).show(ui, edit, |query| {
            if query.text == quiet.as_str() {
                return Vec::new();
            }
            let begin = query.text.char_indices().nth(query.word_range.start.0).map_or(query.text.len(), |(at, _)| at);
            let found = candidates(&catalog, query.text, query.word, begin);
            let suggestion = |candidate: super::completion::Candidate| {
                Suggestion::new(candidate.insert).description(candidate.about)
            };
            found.into_iter().map(suggestion).collect()
        })
    });
    let output = output.inner;
    if output.accepted.is_some() {
        // The accepted word may be the start of a longer one.
        state.quiet.clone_from(&state.text);
    }
    ui.data_mut(|data| data.insert_temp(id.with("open"), output.is_open));
    let response = output.text_edit.response.response;
    response.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, "SQL query"));
    request
}
