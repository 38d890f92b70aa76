//! Completion of `res:` in the search field: the resources in the recording, each with its number of markers. Up and
//! Down select one, Tab and Enter accept it, and a click does both.

use egui::{Area, Frame, Id, Key, Modifiers, Order, Rect, RichText, Role, Ui, WidgetInfo, vec2};

use crate::widgets::{counted, grouped};
use flowline_index::search::{resource_query, typed_resource};
use flowline_session::Session;

/// Maximum number of suggestions.
const MOST: usize = 10;
/// Width of the list in points.
const WIDTH: f32 = 420.0;

/// State of the list between frames.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    /// The text at the time of the last frame with a list.
    text: String,
    chosen: Option<usize>,
    /// The text after a suggestion was accepted. No suggestions are shown for it.
    taken: String,
    /// The list's rectangle (x, y, width, height) in the last frame; `None` if it was hidden.
    rect: Option<[f32; 4]>,
}

/// Suggestions of resources while the user types `res:`.
pub(super) struct Completion {
    id: Id,
    state: State,
    offered: Vec<(String, u32)>,
    total: usize,
    /// Byte offset of the word being completed.
    begin: usize,
    is_collecting: bool,
}

impl Completion {
    /// Suggestions for the text of the field `id`; `None` unless the user is typing `res:` there. Consumes the keys of
    /// the list, so it must be called before the field is shown.
    pub(super) fn new(ui: &Ui, session: &Session, id: Id) -> Option<Self> {
        let text = &session.view.search;
        let state_id = id.with("completion");
        let mut state: State = ui.data(|data| data.get_temp(state_id)).unwrap_or_default();
        let is_pressed = |rect: [f32; 4]| {
            let rect = Rect::from_min_size(egui::pos2(rect[0], rect[1]), vec2(rect[2], rect[3]));
            ui.input(|input| input.pointer.interact_pos().is_some_and(|place| rect.contains(place)))
        };
        let is_at_hand = ui.memory(|memory| memory.has_focus(id)) || state.rect.is_some_and(is_pressed);
        let typed = typed_resource(text).filter(|_| is_at_hand && state.taken != *text);
        let Some((begin, value)) = typed else {
            state.rect = None;
            ui.data_mut(|data| data.insert_temp(state_id, state));
            return None;
        };
        if state.text != *text {
            state = State { text: text.clone(), chosen: None, ..state };
        }
        let resources = session.resources.get(&session.index);
        let is_collecting = resources.is_none();
        let found = resources.map(|resources| resources.containing(&value, MOST)).unwrap_or_default();
        let mut completion =
            Self { id: state_id, state, total: found.total, offered: found.first, begin, is_collecting };
        completion.take_keys(ui);
        Some(completion)
    }

    /// Moves the selection with Up and Down.
    fn take_keys(&mut self, ui: &Ui) {
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        let count = self.offered.len();
        if count == 0 {
            return;
        }
        for _ in 0..down {
            self.state.chosen = Some(self.state.chosen.map_or(0, |chosen| (chosen + 1) % count));
        }
        for _ in 0..up {
            self.state.chosen =
                Some(self.state.chosen.map_or(count, |chosen| if chosen == 0 { count } else { chosen }) - 1);
        }
        self.state.chosen = self.state.chosen.map(|chosen| chosen.min(count - 1));
    }

    /// Shows the list below the field. Returns the completed search text once the user accepts a suggestion.
    pub(super) fn show(mut self, ui: &Ui, text: &str, field: Rect) -> Option<String> {
        let tab = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab));
        let enter = self.state.chosen.is_some() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let mut taken = if tab { Some(self.state.chosen.unwrap_or(0)) } else { None };
        taken = taken.or(self.state.chosen.filter(|_| enter));
        let area = Area::new(self.id.with("list")).order(Order::Foreground);
        let response = area.fixed_pos(field.left_bottom() + vec2(0.0, 4.0)).show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_width(WIDTH);
                taken = taken.or(self.entries(ui));
            });
        });
        let rect = response.response.rect;
        self.state.rect = Some([rect.min.x, rect.min.y, rect.width(), rect.height()]);
        let taken = taken.and_then(|number| self.offered.get(number));
        let completed = taken.map(|(resource, _)| format!("{}{} ", &text[..self.begin], resource_query(resource)));
        if let Some(completed) = &completed {
            self.state = State { taken: completed.clone(), ..State::default() };
        }
        let (id, state) = (self.id, self.state);
        ui.data_mut(|data| data.insert_temp(id, state));
        completed
    }

    /// Shows the resources; returns the one that was clicked.
    fn entries(&self, ui: &mut Ui) -> Option<usize> {
        let mut clicked = None;
        for (number, (resource, count)) in self.offered.iter().enumerate() {
            ui.horizontal(|ui| {
                let about = RichText::new(grouped(*count as usize)).small().weak();
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(about);
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        let is_selected_row = self.state.chosen == Some(number);
                        let entry = ui.add(egui::Button::selectable(is_selected_row, resource.as_str()).truncate());
                        let name = format!("{resource}, {}", counted(*count as usize, "marker"));
                        entry.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_selected_row, &name));
                        if entry.clicked() {
                            clicked = Some(number);
                        }
                    });
                });
            });
        }
        let text = match self.total - self.offered.len() {
            _ if self.is_collecting => "Collecting resources…".to_owned(),
            0 if self.total == 0 => "No matching resources.".to_owned(),
            0 => String::new(),
            more => format!("and {} more", grouped(more)),
        };
        if !text.is_empty() {
            ui.label(RichText::new(text).small().weak());
        }
        clicked
    }
}
