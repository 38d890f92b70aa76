//! The finder: one field that finds threads, processes, marker names, flows, commands, presets and recent recordings. Ctrl+P
//! opens it. It fuzzy-matches the typed text ([`FuzzyQuery`]). Up and Down select an entry, Enter goes there, and
//! Escape closes the finder.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Align2, Area, Context, Frame, Id, Key, Modifiers, Order, Rect, Role, Sense, TextEdit, TextStyle, Ui};
use egui::{UiBuilder, WidgetInfo, pos2, vec2};

use super::finder_row::{command_texts, entry, kind_color, place_texts};
use crate::commands::{CommandContext, CommandRow, UiCommand, command_rows};
use crate::widgets::icon::Icon;
use crate::widgets::style::{CAPTION, color};
use crate::widgets::virtual_list::ListScroll;
use crate::widgets::{grouped, suppress_tooltips, surface};
use crate::window::recent_file::RecentFile;
use flowline_scene::Palette;
use flowline_session::{Candidates, Destination, FinderSearch, FuzzyQuery, MAX_NAMED_FLOWS, Session};
use flowline_view::Preset;

/// Width of the field in points; narrow windows get less.
const WIDTH: f32 = 560.0;
/// Distance from the top of the window in points.
const TOP: f32 = 96.0;
/// Height of an entry in points.
const ROW: f32 = 28.0;
/// Maximum number of visible entries.
const ROWS: usize = 10;
/// Height of the field in points.
const FIELD: f32 = 40.0;
/// Maximum number of entries of a group if several groups match.
const GROUP_ROWS: usize = 8;

/// The user's choice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    /// Go to a named item; the string is its name.
    Destination(Destination, String),
    /// Pin a named item.
    Pin(Destination),
    /// Run a command.
    Command(UiCommand),
    /// Open another recording.
    Open(PathBuf),
    /// Show a preset.
    Preset(Arc<Preset>),
}

/// Entries of the finder that come from the user's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offered<'a> {
    /// The recently opened recordings.
    pub(crate) recent: &'a [RecentFile],
    /// The presets for the recording's format.
    pub(crate) presets: &'a [Arc<Preset>],
}

/// An entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Command(usize),
    Destination(usize, u32),
    Recent(usize),
    Preset(usize),
}

/// The groups of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Commands,
    Insights,
    Threads,
    Names,
    Flows,
    Presets,
    Recordings,
}

impl Group {
    const ALL: [Self; 7] =
        [Self::Commands, Self::Insights, Self::Threads, Self::Names, Self::Flows, Self::Presets, Self::Recordings];

    const fn title(self) -> &'static str {
        match self {
            Self::Commands => "Commands",
            Self::Insights => "Insights",
            Self::Threads => "Threads",
            Self::Names => "Names",
            Self::Flows => "Flows",
            Self::Presets => "Presets",
            Self::Recordings => "Recordings",
        }
    }

    fn of(entry: Entry, parts: &[Arc<Candidates>]) -> Self {
        match entry {
            Entry::Command(_) => Self::Commands,
            Entry::Recent(_) => Self::Recordings,
            Entry::Preset(_) => Self::Presets,
            Entry::Destination(part, number) => match parts[part].destination(number as usize) {
                Destination::Thread(_) | Destination::Process(_) => Self::Threads,
                Destination::Name { .. } | Destination::Calls { .. } => Self::Names,
                Destination::Flow(_) => Self::Flows,
                Destination::Insight(_) => Self::Insights,
            },
        }
    }
}

/// Puts scored entries in groups, the group with the best entry first. Without a typed text, groups are whole.
fn grouped_entries(scored: &[(i32, Entry)], parts: &[Arc<Candidates>], is_whole: bool) -> Vec<Entry> {
    let of = |group: Group| scored.iter().filter(move |(_, entry)| Group::of(*entry, parts) == group);
    let mut groups: Vec<(Group, i32)> =
        Group::ALL.into_iter().filter_map(|group| Some((group, of(group).next()?.0))).collect();
    groups.sort_by_key(|(_, best)| std::cmp::Reverse(*best));
    let rows = if is_whole || groups.len() < 2 { usize::MAX } else { GROUP_ROWS };
    groups.iter().flat_map(|(group, _)| of(*group).take(rows).map(|(_, entry)| *entry)).collect()
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
        offered: Offered<'_>,
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
        suppress_tooltips(context);
        let parts = session.map(|session| session.names.get(&session.index, &session.flows)).unwrap_or_default();
        let (enter, pins) = self.take_keys(context);
        let width = WIDTH.min(context.content_rect().width() - 32.0);
        let area = Area::new(Id::unique("finder area")).order(Order::Foreground);
        let mut clicked = None;
        let shown = area.anchor(Align2::CENTER_TOP, vec2(0.0, TOP)).show(context, |ui| {
            surface(context, palette.raised, 8).show(ui, |ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing.y = 0.0;
                self.field(ui, palette);
                self.follow(commands, offered, &parts);
                clicked = self.list(ui, commands, (&parts, offered), palette);
                self.footer(ui, session, &parts, palette);
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
                let destination = part.destination(number);
                if pins && !matches!(destination, Destination::Process(_) | Destination::Insight(_)) {
                    Choice::Pin(destination)
                } else {
                    Choice::Destination(destination, part.text(number).to_owned())
                }
            }
            Entry::Recent(number) => Choice::Open(offered.recent.get(number)?.path.clone()),
            Entry::Preset(number) => Choice::Preset(Arc::clone(offered.presets.get(number)?)),
        };
        self.close();
        Some(choice)
    }

    /// Handles the keys of the list; returns whether Enter was pressed, and whether it was pressed with Alt.
    fn take_keys(&mut self, context: &Context) -> (bool, bool) {
        let pressed = |key| context.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        let (page_down, page_up) = (pressed(Key::PageDown), pressed(Key::PageUp));
        pressed(Key::Tab);
        let last = self.entries.len().saturating_sub(1);
        self.chosen = (self.chosen + down + page_down * ROWS).min(last).saturating_sub(up + page_up * ROWS);
        let pins = context.input_mut(|input| input.count_and_consume_key(Modifiers::ALT, Key::Enter)) > 0;
        (pins || pressed(Key::Enter) > 0, pins)
    }

    fn field(&mut self, ui: &mut Ui, palette: &Palette) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), FIELD), Sense::hover());
        let icon = Rect::from_center_size(pos2(rect.min.x + 20.0, rect.center().y), vec2(16.0, 16.0));
        Icon::Search.paint(ui.painter(), icon, color(palette.text2));
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, (1.0, color(palette.line)));
        let edit = TextEdit::singleline(&mut self.text)
            .id(field_id())
            .hint_text("Find a command, thread, name, flow or recording")
            .frame(Frame::NONE)
            .font(TextStyle::Button)
            .align(egui::Align2::LEFT_CENTER)
            .lock_focus(true);
        let place = Rect::from_min_max(pos2(icon.max.x + 8.0, rect.min.y), pos2(rect.max.x - 12.0, rect.max.y - 1.0));
        let response = ui.put(place, edit);
        response.widget_info(|| WidgetInfo::labeled(Role::SearchInput, true, "Find anything by name"));
        if !response.has_focus() {
            response.request_focus();
        }
    }

    /// Updates the entries for the typed text.
    fn follow(&mut self, context: CommandContext<'_>, offered: Offered<'_>, parts: &[Arc<Candidates>]) {
        let before = (self.commands.is_empty(), self.search.found().clone());
        if self.commands.is_empty() {
            // A command without an effect is not offered.
            let is_listed = |row: &&CommandRow| row.requirement.is_met(context);
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
        let recent = offered.recent.iter().enumerate();
        // Without a text, recent recordings follow the commands.
        let score = |file: &RecentFile| if query.is_empty() { Some(-1) } else { query.score(&file.name()) };
        scored.extend(recent.filter_map(|(number, file)| Some((score(file)?, Entry::Recent(number)))));
        let presets = offered.presets.iter().enumerate();
        // Presets come before them.
        let score = |preset: &Preset| if query.is_empty() { Some(0) } else { query.score(&preset.name) };
        scored.extend(presets.filter_map(|(number, preset)| Some((score(preset)?, Entry::Preset(number)))));
        let found = self.search.found().best.iter();
        scored.extend(found.map(|(part, number, score)| (*score, Entry::Destination(*part, *number))));
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let here = self.entries.get(self.chosen).copied();
        self.entries = grouped_entries(&scored, parts, query.is_empty());
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
        (parts, offered): (&[Arc<Candidates>], Offered<'_>),
        palette: &Palette,
    ) -> Option<usize> {
        let room = ui.ctx().content_rect().height() - TOP - FIELD - 56.0;
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
            let (text, command) = match entries[number] {
                Entry::Command(number) => (command_texts(ui, commands[number]), Some(commands[number])),
                Entry::Destination(part, number) => (place_texts(session, &parts[part], number as usize), None),
                Entry::Recent(number) => {
                    let texts =
                        offered.recent.get(number).map(|file| [file.name(), "recording".to_owned(), file.folder()]);
                    (texts.unwrap_or_default(), None)
                }
                Entry::Preset(number) => {
                    let texts = offered.presets.get(number);
                    let texts = texts.map(|preset| [preset.name.clone(), "preset".to_owned(), preset.search.clone()]);
                    (texts.unwrap_or_default(), None)
                }
            };
            let group = Group::of(entries[number], parts);
            let before = number.checked_sub(1).map(|before| Group::of(entries[before], parts));
            let title = (before != Some(group)).then_some(group.title());
            let square = match entries[number] {
                Entry::Destination(part, number) => {
                    kind_color(session, parts[part].destination(number as usize), palette)
                }
                Entry::Command(_) | Entry::Recent(_) | Entry::Preset(_) => None,
            };
            let response = entry(ui, (number, rect), number == chosen, (title, square, &text), palette);
            if let Some(row) = command {
                ui.ctx().accesskit_node_builder(response.id, |node| node.set_author_id(row.id));
            }
            if response.clicked() {
                clicked = Some(number);
            }
        });
        clicked
    }

    fn footer(&self, ui: &mut Ui, session: Option<&Session>, parts: &[Arc<Candidates>], palette: &Palette) {
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
        if texts.is_empty() {
            texts.push("Enter opens, Alt+Enter pins, Esc closes".to_owned());
        }
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW + 4.0), Sense::hover());
        ui.painter().hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.line)));
        let place = Rect::from_min_max(rect.min + vec2(12.0, 1.0), rect.max - vec2(12.0, 0.0));
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let text = egui::RichText::new(texts.join("  ")).size(CAPTION).color(color(palette.text3));
        ui.new_child(UiBuilder::new().max_rect(place).layout(layout)).add(egui::Label::new(text).truncate());
    }
}
