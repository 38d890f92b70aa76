//! What is kept of a recording's view from one run to the next.

use super::super::saved_view::SavedViewFile;
use super::App;

impl App {
    /// Shows what was saved when the recording was last open.
    pub(super) fn restore(&mut self) {
        let Some(session) = &mut self.shell.session else { return };
        self.saved_view = SavedViewFile::for_recording(&session.path);
        let Some(saved) = self.saved_view.as_mut().and_then(|file| file.read(&session.index)) else { return };
        session.view.flows = saved.flows;
        if !saved.hidden.is_empty() || !saved.order.is_default() {
            session.view.edit_tracks(|tracks| (tracks.hidden, tracks.order) = (saved.hidden, saved.order));
        }
        self.shell.flow_height = saved.height.unwrap_or(self.shell.flow_height);
        if let Some((panels, tables)) = self.shell.panels.as_mut().zip(saved.tables) {
            panels.set_layouts(tables);
        }
    }

    /// Saves entered and pinned flows and the columns of tables at once, because the program may be killed.
    pub(super) fn remember(&mut self) {
        let open = self.shell.session.as_ref().zip(self.shell.panels.as_ref());
        if let Some((file, (session, panels))) = self.saved_view.as_mut().zip(open) {
            file.write(
                &session.index,
                (&session.view.flows, &session.view.tracks),
                self.shell.flow_height,
                &panels.layouts(),
            );
        }
    }
}
