//! Everything above the panels of a frame: dialogs, the command palette, toasts, progress; and the page without a
//! recording.

use std::sync::Arc;

use egui::{Context, Rect, ScrollArea, Ui, pos2};

use super::{AppRequest, Message, Shell};
use crate::canvas::layout::CanvasWidget;
use crate::commands::{CommandContext, WindowAction};
use crate::tables::TableKind;
use crate::toast::ToastAction;
use crate::widget_requests::{self, WidgetRequest};
use crate::widgets::table::focus_shown_table;
use crate::widgets::{Dialog, body_height, dialog_buttons, main_button};
use crate::window::dialogs::file_chooser::Purpose;
use crate::window::dialogs::finder::{Choice, Offered};
use crate::window::dialogs::save_dialog::{NotesFormat, Savable, Save, StackFormat};
use crate::window::dialogs::{changed_file, copied, loading, opening_part, question, save_progress, warnings};
use crate::window::welcome::{self, Recent, Wanted};
use crate::window::window_command::WindowCommand;
use flowline_index::Derived;
use flowline_index::search::whole_value;
use flowline_insights::insights::Insights;
use flowline_scene::Palette;
use flowline_session::{Destination, Session, TableFormat, insight_focus};
use flowline_view::{Command, FlowCommand, Pane, Preset, TrackRef};

impl Shell {
    /// Shows the welcome page, unless a recording is being loaded.
    pub(super) fn welcome(&mut self, ui: &mut Ui, requests: &mut Vec<AppRequest>, palette: &Palette) {
        if self.loading.is_some() {
            return;
        }
        let recent = Recent { files: &self.recent, utc_offset: self.utc_offset };
        let Some(wanted) = welcome::show(ui, self.error.as_deref(), &self.formats, recent, palette) else {
            return;
        };
        requests.push(match wanted {
            Wanted::Choose => return self.pending.push(WindowAction::Open.into()),
            Wanted::Example => AppRequest::OpenExample,
            Wanted::Open(path) => AppRequest::OpenFile(path),
            Wanted::Beside(path) => AppRequest::OpenInNewWindow(path),
            Wanted::Forget(path) => AppRequest::RemoveFromRecent(path),
        });
    }

    pub(super) fn overlays(&mut self, ui: &mut Ui, requests: &mut Vec<AppRequest>, palette: &Palette) {
        let context = ui.ctx().clone();
        if !self.state.show_help {
            self.help.close();
        } else if self.help.show(&context, self.keys) {
            self.state.show_help = false;
        }
        self.show_settings(&context, requests);
        self.show_presets_dialog(&context);
        requests.extend(self.chooser.show(&context).map(|(path, purpose)| match purpose {
            Purpose::Open => AppRequest::OpenFile(path),
            Purpose::Compare => AppRequest::OpenSecondFile(path),
        }));
        requests.extend(self.show_finder(ui, palette));
        if let Some(answer) = self.question.as_ref().and_then(|question| question::show(&context, question)) {
            self.question = None;
            requests.extend((answer == question::Answer::Open).then_some(AppRequest::OpenWithoutLimit));
        }
        self.dialogs(&context, requests);
        if self.state.show_warnings {
            let session = self.session_of(self.active());
            self.state.show_warnings = session.is_some_and(|session| !warnings::show(&context, session));
        }
        if let Some(loading) = &self.loading {
            requests.extend(loading::show(&context, loading).then_some(AppRequest::CancelLoading));
        } else if let Some(error) = self.error.clone().filter(|_| !self.panes.is_empty())
            && text_dialog(&context, "Cannot open this file", &error)
        {
            self.error = None;
        }
    }
}

impl Shell {
    /// Shows the finder, and goes to the user's choice.
    fn show_finder(&mut self, ui: &Ui, palette: &Palette) -> Option<AppRequest> {
        let pane = self.active();
        // The finder changes while it reads the recordings.
        let session = self.panes.get(pane as usize).map(|contents| &contents.session);
        let context = CommandContext { session, has_second: self.compares() };
        let presets =
            session.map(|session| self.presets.of_format(session.index.profile().meta.kind).cloned().collect());
        let presets: Vec<Arc<Preset>> = presets.unwrap_or_default();
        let offered = Offered { recent: &self.recent, presets: &presets };
        let commands = match self.finder.show(ui.ctx(), context, offered, palette)? {
            Choice::Open(path) => return Some(AppRequest::OpenFile(path)),
            Choice::Preset(preset) => vec![WindowCommand::ShowPreset(preset)],
            Choice::Command(command) => vec![WindowCommand::Run(command)],
            Choice::Pin(destination) => {
                let pin = session.and_then(|session| pin(session, destination));
                pin.into_iter().map(|command| WindowCommand::In(pane, command)).collect()
            }
            Choice::Destination(destination, name) => {
                let go_to = session.map(|session| go_to(session, destination, &name)).unwrap_or_default();
                let table = matches!(destination, Destination::Insight(_)).then(|| {
                    focus_shown_table(ui.ctx());
                    WindowCommand::ShowTable(Some(TableKind::Insights))
                });
                go_to.into_iter().map(|command| WindowCommand::In(pane, command)).chain(table).collect()
            }
        };
        focus_chart(ui, pane);
        self.pending.extend(commands);
        None
    }

    /// The code search address for a name of the open recording.
    pub(super) fn look_up(&self, name: &str) -> Option<String> {
        let product = &self.session()?.index.profile().meta.product;
        self.preferences.source_search.url(product, name)
    }

    /// Shows the toasts: changes of the recordings' files, the reports of actions, and failures.
    fn show_toasts(&mut self, context: &Context, requests: &mut Vec<AppRequest>) {
        self.toasts.extend(copied::report(context));
        let (chart, has_two) = (self.chart_rect(context), self.compares());
        let mut taken = 0;
        for pane in Pane::ALL {
            let Some(session) = self.session_of(pane).filter(|session| session.file_changed) else { continue };
            let choice = changed_file::show(context, pane, has_two.then(|| session.name()).as_deref(), (chart, taken));
            taken += 1;
            let Some(choice) = choice else { continue };
            if choice == changed_file::Choice::Reload {
                requests.extend(self.reload(pane));
            }
            if let Some(parts) = self.pane_mut(pane) {
                parts.session.file_changed = false;
            }
        }
        if let Some(session) = self.session().filter(|session| opening_part::is_due(context, session)) {
            let choice = opening_part::show(context, session, (chart, taken));
            taken += 1;
            self.answer_opening_part(choice);
        }
        match self.toasts.show(context, chart, taken) {
            Some(ToastAction::Run(command)) => self.pending.push(WindowCommand::Run(command)),
            Some(ToastAction::Copy(text)) => context.copy_text(text),
            Some(ToastAction::Open(path)) => requests.push(AppRequest::OpenFile(path)),
            Some(ToastAction::Explain { title, text }) => self.message = Some(Message { title, text }),
            None => return,
        }
        context.request_repaint();
    }

    fn answer_opening_part(&mut self, choice: Option<opening_part::Choice>) {
        match choice {
            Some(opening_part::Choice::ShowAll) => {
                self.pending.push(WindowCommand::In(Pane::A, Command::ZoomToAll));
            }
            Some(opening_part::Choice::Dismiss) => self.session_mut().into_iter().for_each(Session::keep_range),
            None => {}
        }
    }

    /// The chart of the first recording in points; without a recording, the window above the status bar.
    fn chart_rect(&self, context: &Context) -> Rect {
        let Some(session) = self.session() else { return context.content_rect() };
        let (chart, scale) = (session.canvas.regions.chart, session.canvas.scale);
        Rect::from_min_size(pos2(chart.x, chart.y) / scale, egui::vec2(chart.width, chart.height) / scale)
    }

    /// Handles the requests of widgets, and shows the dialogs and messages that result.
    fn dialogs(&mut self, context: &egui::Context, requests: &mut Vec<AppRequest>) {
        for ask in widget_requests::take_requests(context) {
            match (ask, &self.opener_advice) {
                (WidgetRequest::OpenInEditor(_), Some(advice)) => {
                    self.message = Some(Message { title: "No editor configured".into(), text: advice.clone() });
                }
                (WidgetRequest::OpenInEditor(place), None) => requests.push(AppRequest::OpenInEditor(place)),
                (WidgetRequest::SearchSource(name), _) => {
                    requests.extend(self.look_up(&name).map(AppRequest::OpenInBrowser))
                }
                (WidgetRequest::ShowToast(toast), _) => self.toasts.push(toast),
                (WidgetRequest::Query(pane, request), _) => self.query(pane, request),
                (WidgetRequest::ShowTable(table), _) => self.pending.push(WindowCommand::ShowTable(Some(table))),
                (WidgetRequest::RunCommand(command), _) => self.pending.push(WindowCommand::Run(command)),
                (WidgetRequest::ShowStacksDialog(stacks), _) => {
                    self.ask_where_to_save(Savable::Stacks(stacks, StackFormat::default()));
                }
                (WidgetRequest::ShowNotesDialog(notes), _) => {
                    self.ask_where_to_save_notes(notes, NotesFormat::File);
                }
                (WidgetRequest::ShowTraceDialog(notes), _) => {
                    self.ask_where_to_save_notes(notes, NotesFormat::Trace);
                }
                (WidgetRequest::ShowTableDialog(table), _) => {
                    self.ask_where_to_save(Savable::Table(table, TableFormat::default()));
                }
            }
        }
        let saved = self.save.show(context);
        requests.extend(saved.map(|Save { path, what }| match what {
            Savable::Stacks(stacks, format) => AppRequest::WriteStacks { path, format, stacks },
            Savable::Table(table, format) => AppRequest::WriteTable { path, format, table },
            Savable::Part(part) => AppRequest::WritePart { path, part },
            Savable::Picture(format) => AppRequest::WriteImage { path, format },
            Savable::Notes(notes, format) => AppRequest::WriteNotes { path, format, notes },
        }));
        save_progress::show(context, &mut self.saving);
        self.show_toasts(context, requests);
        if let Some(message) = &self.message
            && text_dialog(context, &message.title, &message.text)
        {
            self.message = None;
        }
    }
}

/// Shows a text in a dialog; returns true if the user closes it.
fn text_dialog(context: &Context, title: &str, text: &str) -> bool {
    let shown = Dialog::new(title, 560.0).show(context, |ui| {
        let height = body_height(context) - 48.0;
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| ui.label(text));
        dialog_buttons(ui, |ui| ui.add(main_button(context, "Close")).clicked())
    });
    shown.inner || shown.is_closed
}

/// Moves the keyboard focus to the chart.
fn focus_chart(ui: &Ui, pane: Pane) {
    ui.memory_mut(|memory| memory.request_focus(CanvasWidget::Chart.of(pane).id()));
}

/// The command that pins a named item: a thread, the thread of the first marker with a name, or a flow.
fn pin(session: &Session, destination: Destination) -> Option<Command> {
    match destination {
        Destination::Thread(thread) => Some(Command::TogglePinnedThread(thread)),
        Destination::Name { first: marker, .. } | Destination::Calls { longest: marker, .. } => {
            let (thread, _) = session.index.profile().locate(marker)?;
            Some(Command::TogglePinnedThread(thread))
        }
        Destination::Flow(flow) => Some(Command::Flow(FlowCommand::TogglePin(flow))),
        Destination::Process(_) | Destination::Insight(_) => None,
    }
}

/// The commands that go to a named item. A search that hides the item's thread is cleared.
fn go_to(session: &Session, destination: Destination, name: &str) -> Vec<Command> {
    let clear = |hides: bool| hides.then(|| Command::Search(String::new()));
    let finds = |thread| session.hits().is_none_or(|hits| !hits.thread(thread).is_empty());
    match destination {
        Destination::Thread(thread) => {
            clear(!finds(thread)).into_iter().chain([Command::RevealTrack(TrackRef::Thread(thread))]).collect()
        }
        Destination::Process(process) => {
            let threads = session.index.profile().threads_with_ids();
            let is_found = threads.filter(|(_, thread)| thread.process == process).any(|(id, _)| finds(id));
            clear(!is_found).into_iter().chain([Command::RevealTrack(TrackRef::Process(process))]).collect()
        }
        Destination::Name { first, .. } => vec![Command::Search(whole_value("name", name)), Command::Reveal(first)],
        Destination::Calls { longest, .. } => {
            clear(session.hits().is_some()).into_iter().chain([Command::Reveal(longest)]).collect()
        }
        Destination::Flow(flow) => vec![Command::Flow(FlowCommand::Enter(vec![flow]))],
        Destination::Insight(position) => {
            let insight = Insights::if_built(&session.index).and_then(|all| all.list().get(position));
            let focus = insight.map(|insight| Arc::new(insight_focus(&session.index, insight)));
            focus.map(|focus| Command::FocusInsight(Some(focus))).into_iter().collect()
        }
    }
}
