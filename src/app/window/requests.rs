//! What the window's widgets ask the application for.

use std::path::PathBuf;
use std::sync::Arc;

use super::super::load::Origin;
use super::super::native_window::AppEvent;
use super::super::save_stacks::save_stacks;
use super::App;
use crate::profile::text::format_counted;
use crate::ui::{Message, Request, StackFormat, TreeStacks};

impl App {
    /// Does what was asked for.
    pub(super) fn answer(&mut self, request: Request) {
        match request {
            Request::Open(path) => self.start_loading(Origin::File(path)),
            Request::OpenAnyway => self.open_anyway(),
            Request::CancelLoading => self.cancel_loading(),
            Request::OpenPlace(place) => {
                if let Err(text) = self.options.settings.open(&place) {
                    self.tell(Message { title: "The place could not be opened".into(), text });
                }
            }
            Request::SaveStacks { path, format, stacks } => self.save(path, format, stacks),
        }
    }

    /// Shows a message.
    pub(super) fn tell(&mut self, message: Message) {
        self.shell.message = Some(message);
        self.frame_runner.context.request_repaint();
    }

    /// Writes stacks to a file on a thread of its own.
    fn save(&mut self, path: PathBuf, format: StackFormat, stacks: TreeStacks) {
        let Some(session) = &self.shell.session else { return };
        let (index, proxy) = (Arc::clone(&session.index), self.proxy.clone());
        let work = move || {
            let written = save_stacks(index.profile(), &stacks, &path, format);
            let (title, text) = match written {
                Ok(count) => ("Saved", format!("{} in {}", format_counted(count as u64, "stack"), path.display())),
                Err(error) => ("The stacks could not be saved", format!("{}: {error}", path.display())),
            };
            // After the event loop has ended, nobody can be told.
            let _ended = proxy.send_event(AppEvent::Told(Message { title: title.into(), text }));
        };
        if let Err(error) = std::thread::Builder::new().name("flowline-save".into()).spawn(work) {
            self.tell(Message { title: "The stacks could not be saved".into(), text: error.to_string() });
        }
    }
}
