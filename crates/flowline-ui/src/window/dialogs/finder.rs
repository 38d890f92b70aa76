//! The finder: one field that finds threads, processes, marker names, flows, commands and recent recordings. Ctrl+P
//! opens it. It fuzzy-matches the typed text ([`FuzzyQuery`]). Up and Down select an entry, Enter goes there, and
//! Escape closes the finder.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{
    Align2, Area, Context, Frame, Id, Key, Modifiers, Order, Rect, Response, Role, Sense, TextEdit, TextStyle, Ui,
};
use egui::{UiBuilder, WidgetInfo, pos2, vec2};

use crate::commands::{CommandContext, CommandRow, Requirement, UiCommand, command_rows, shortcut};
use crate::widgets::style::color;
use crate::widgets::virtual_list::ListScroll;
use crate::widgets::{counted, elide, grouped};
use crate::window::recent_file::RecentFile;
use flowline_format::format_counted;
use flowline_scene::Palette;
use flowline_session::{Candidates, Destination, FinderSearch, FuzzyQuery, MAX_NAMED_FLOWS, Session, time_text};

/// Width of the field in points; narrow windows get less.
const WIDTH: f32 = 620.0;
/// Distance from the top of the window in points.
const TOP: f32 = 56.0;
/// Height of an entry in points.
const ROW: f32 = 24.0;
/// Maximum number of visible entries.
const ROWS: usize = 14;

/// The user's choice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    /// Go to a named item; the string is its name.
    Destination(Destination, String),
    /// Run a command.
    Command(UiCommand),
    /// Open another recording.
    Open(PathBuf),
}

/// An entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Command(usize),
    Destination(usize, u32),
    Recent(usize),
}

/// The field and its list; closed unless [`Finder::toggle`] opened it.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    is_open: bool,
    text: String,
    search: FinderSearch,
    commands: Vec<&'static CommandRow>,
    entries: Vec<Entry>,
    chosen: usize,
    scroll: ListScroll,
    /// True if it was opened in this frame.
    fresh: bool,
    /// The widget that had the keyboard focus before.
    focused_before: Option<Id>,
    /// True if it was closed in this frame without a choice, so that the focus must be returned.
    gives_back: bool,
}

fn field_id() -> Id {
    Id::unique("finder")
}

impl Finder {
    /// Opens or closes the finder.
    pub(crate) fn toggle(&mut self, context: &Context) {
        if self.is_open {
            return self.close();
        }
        let focused_before = context.memory(egui::Memory::focused);
        *self = Self { is_open: true, fresh: true, focused_before, ..Self::default() };
    }

    /// Closes the finder and returns the keyboard focus to the widget that had it before.
    pub(crate) fn close(&mut self) {
        (self.is_open, self.gives_back) = (false, true);
    }

    /// True if the finder is open.
    pub(crate) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Shows the finder if it is open. Returns the user's choice once.
    pub(crate) fn show(
        &mut self,
        context: &Context,
        commands: CommandContext<'_>,
        recent: &[RecentFile],
        palette: &Palette,
    ) -> Option<Choice> {
        let session = commands.session;
        if std::mem::take(&mut self.gives_back) {
            match self.focused_before.take() {
                Some(focused) => context.memory_mut(|memory| memory.request_focus(focused)),
                None => context.memory_mut(|memory| memory.surrender_focus(field_id())),
            }
        }
        if !self.is_open {
            return None;
        }
        let parts = session.map(|session| session.names.get(&session.index, &session.flows)).unwrap_or_default();
        let enter = self.take_keys(context);
        let width = WIDTH.min(context.content_rect().width() - 32.0);
        let area = Area::new(Id::unique("finder area")).order(Order::Foreground);
        let mut clicked = None;
        let shown = area.anchor(Align2::CENTER_TOP, vec2(0.0, TOP)).show(context, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_width(width);
                self.field(ui);
                self.follow(session.is_some(), recent, &parts);
                clicked = self.list(ui, commands, (&parts, recent), palette);
                self.footer(ui, session, &parts);
            });
        });
        let pressed =
            context.input(|input| input.pointer.any_pressed().then(|| input.pointer.interact_pos()).flatten());
        let is_fresh = std::mem::take(&mut self.fresh);
        if !is_fresh && pressed.is_some_and(|place| !shown.response.rect.contains(place)) {
            self.close();
        }
        let entry = clicked.or(enter.then_some(self.chosen)).and_then(|number| self.entries.get(number))?;
        let choice = match *entry {
            Entry::Command(number) => Choice::Command(self.commands[number].command),
            Entry::Destination(part, number) => {
                let (part, number) = (&parts[part], number as usize);
                Choice::Destination(part.destination(number), part.text(number).to_owned())
            }
            Entry::Recent(number) => Choice::Open(recent.get(number)?.path.clone()),
        };
        self.close();
        Some(choice)
    }

    /// Handles the keys of the list; returns true if Enter was pressed.
    fn take_keys(&mut self, context: &Context) -> bool {
        let pressed = |key| context.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        let (page_down, page_up) = (pressed(Key::PageDown), pressed(Key::PageUp));
        pressed(Key::Tab);
        let last = self.entries.len().saturating_sub(1);
        self.chosen = (self.chosen + down + page_down * ROWS).min(last).saturating_sub(up + page_up * ROWS);
        pressed(Key::Enter) > 0
    }

    fn field(&mut self, ui: &mut Ui) {
        let edit = TextEdit::singleline(&mut self.text)
            .id(field_id())
            .hint_text("Find a thread, process, marker, flow, command or recording")
            .desired_width(f32::INFINITY)
            .margin(vec2(8.0, 5.0))
            .lock_focus(true);
        let response = ui.add(edit);
        response.widget_info(|| WidgetInfo::labeled(Role::SearchInput, true, "Find anything by name"));
        if !response.has_focus() {
            response.request_focus();
        }
    }

    /// Updates the entries for the typed text.
    fn follow(&mut self, has_recording: bool, recent: &[RecentFile], parts: &[Arc<Candidates>]) {
        let before = (self.commands.is_empty(), self.search.found().clone());
        if self.commands.is_empty() {
            let is_listed = |row: &&CommandRow| has_recording || row.requirement == Requirement::Nothing;
            self.commands = command_rows().filter(is_listed).collect();
        }
        let is_new = self.search.follow(&self.text, parts);
        if !is_new && !before.0 {
            return;
        }
        let query = FuzzyQuery::new(&self.text);
        let commands = self.commands.iter().enumerate();
        let commands =
            commands.filter_map(|(number, command)| Some((query.score(command.title)?, Entry::Command(number))));
        let mut scored: Vec<(i32, Entry)> = commands.collect();
        if query.is_empty() {
            // Keep the order of the list; by score, short names would come first.
            scored.iter_mut().for_each(|(score, _)| *score = 0);
        }
        let recent = recent.iter().enumerate();
        // Without a text, recent recordings follow the commands.
        let score = |file: &RecentFile| if query.is_empty() { Some(-1) } else { query.score(&file.name()) };
        scored.extend(recent.filter_map(|(number, file)| Some((score(file)?, Entry::Recent(number)))));
        let found = self.search.found().best.iter();
        scored.extend(found.map(|(part, number, score)| (*score, Entry::Destination(*part, *number))));
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let here = self.entries.get(self.chosen).copied();
        self.entries = scored.into_iter().map(|(_, entry)| entry).collect();
        // The selected entry stays selected when more names arrive, unless it is the first.
        let kept =
            here.filter(|_| self.chosen > 0).and_then(|here| self.entries.iter().position(|entry| *entry == here));
        self.chosen = kept.unwrap_or(0);
        self.scroll = ListScroll::default();
    }

    /// Shows the entries; returns the one that was clicked.
    fn list(
        &mut self,
        ui: &mut Ui,
        context: CommandContext<'_>,
        (parts, recent): (&[Arc<Candidates>], &[RecentFile]),
        palette: &Palette,
    ) -> Option<usize> {
        let room = ui.ctx().content_rect().height() - TOP - 96.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows on screen")]
        let fits = ((room / ROW).max(1.0) as usize).min(ROWS);
        let rows = self.entries.len().min(fits);
        #[expect(clippy::cast_precision_loss, reason = "rows on screen")]
        let size = vec2(ui.available_width(), rows as f32 * ROW);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        #[expect(clippy::cast_precision_loss, reason = "rows on screen")]
        self.scroll.reveal(self.chosen, rows as f64);
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("finder list"));
        let (entries, chosen, commands) = (&self.entries, self.chosen, &self.commands);
        let session = context.session;
        let mut clicked = None;
        self.scroll.show(&mut child, entries.len(), ROW, |ui, number, rect| {
            let text = match entries[number] {
                Entry::Command(number) => {
                    let row = commands[number];
                    [row.title.to_owned(), "command".to_owned(), shortcut(ui.ctx(), row.command)]
                }
                Entry::Destination(part, number) => place_texts(session, &parts[part], number as usize),
                Entry::Recent(number) => recent
                    .get(number)
                    .map_or_else(Default::default, |file| [file.name(), "recording".to_owned(), file.folder()]),
            };
            let command = match entries[number] {
                Entry::Command(number) => Some(commands[number]),
                Entry::Destination(..) | Entry::Recent(_) => None,
            };
            let is_enabled = command.is_none_or(|row| row.requirement.is_met(context));
            let response = entry(ui, number, rect, (number == chosen, is_enabled, &text), palette);
            if let Some(row) = command {
                ui.ctx().accesskit_node_builder(response.id, |node| node.set_author_id(row.id));
            }
            if response.clicked() {
                clicked = Some(number);
            }
        });
        clicked
    }

    fn footer(&self, ui: &mut Ui, session: Option<&Session>, parts: &[Arc<Candidates>]) {
        let shown = self.search.found();
        let more = shown.total - shown.best.len();
        let many_flows = session.is_some_and(|session| session.index.flows().len() > MAX_NAMED_FLOWS);
        let mut texts = Vec::new();
        if session.is_some() && parts.len() < 2 {
            texts.push("Collecting names…".to_owned());
        }
        if self.entries.is_empty() && !self.text.trim().is_empty() {
            texts.push("No matching names.".to_owned());
        }
        if more > 0 {
            texts.push(format!("and {} more", grouped(more)));
        }
        if many_flows {
            texts.push(format!("Flows: only the {} with the most markers.", grouped(MAX_NAMED_FLOWS)));
        }
        if !texts.is_empty() {
            ui.weak(texts.join("  "));
        }
    }
}

/// Name, kind and details of an entry.
fn place_texts(session: Option<&Session>, part: &Candidates, number: usize) -> [String; 3] {
    let name = part.text(number).to_owned();
    let Some(session) = session else { return [name, String::new(), String::new()] };
    let profile = session.index.profile();
    let (kind, facts) = match part.destination(number) {
        Destination::Thread(id) => {
            let thread = profile.thread(id);
            let process = &profile.processes[thread.process.index()].name;
            ("thread", format!("{process} · tid {} · {}", thread.tid, counted(thread.markers.len(), "marker")))
        }
        Destination::Process(id) => ("process", format!("pid {}", profile.processes[id.index()].pid)),
        Destination::Name { count, .. } => ("name", format_counted(count, "marker")),
        Destination::Flow(flow) => {
            let range = session.index.flows().range(profile, flow);
            let start = time_text(session.view.clock().show(range.start));
            ("flow", format!("{} · {start}", session.index.flows().id_text(profile, flow)))
        }
    };
    [name, kind.to_owned(), facts]
}

/// Shows an entry; commands without an effect are faint.
fn entry(
    ui: &Ui,
    number: usize,
    rect: Rect,
    (is_selected_row, is_enabled, texts): (bool, bool, &[String; 3]),
    palette: &Palette,
) -> Response {
    let [name, kind, facts] = texts;
    let response = ui.interact(rect, ui.scope_id().with(("entry", number)), Sense::click());
    let spoken = if facts.is_empty() { format!("{name}, {kind}") } else { format!("{name}, {kind}, {facts}") };
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, is_enabled, is_selected_row, &spoken));
    if is_selected_row {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let (font, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
    let faint = color(palette.text2);
    let text = if is_enabled { color(palette.text) } else { faint };
    let centered = |height: f32| rect.center().y - height / 2.0;
    let right = elide(ui, facts, rect.width() * 0.45, small.clone(), faint);
    let (right_size, mut left) = (right.size(), rect.min.x + 8.0);
    ui.painter().galley(pos2(rect.max.x - right_size.x - 8.0, centered(right_size.y)), right, faint);
    let label = elide(ui, kind, 70.0, small, faint);
    let height = label.size().y;
    ui.painter().galley(pos2(left, centered(height)), label, faint);
    left += 62.0;
    let shown = elide(ui, name, rect.max.x - right_size.x - 24.0 - left, font, text);
    let height = shown.size().y;
    ui.painter().galley(pos2(left, centered(height)), shown, text);
    response
}
