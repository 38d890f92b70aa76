//! Keeps a critical path that the user asks for in view.

use super::open_recording::{Session, with_margin};
use flowline_profile::TimeRange;
use flowline_view::{Command, PathTarget};

impl Session {
    /// Shows the time of the marker that a critical path leads to, if it is outside the visible range.
    pub(super) fn bring_path_into_view(&mut self, target: PathTarget) {
        let profile = self.index.profile();
        let Some((thread, local)) = profile.locate(target.marker) else { return };
        let times = profile.thread(thread).markers.range(local);
        let end = target.time.unwrap_or(times.end);
        let range = TimeRange { start: times.start.min(end), end };
        let visible = self.view.axis.visible();
        if range.start <= visible.end && range.end >= visible.start {
            return;
        }
        self.keep_range();
        if range.is_empty() {
            self.view.bring_into_view(range);
        } else {
            self.view.apply(Command::ZoomTo(with_margin(range)));
        }
    }
}
