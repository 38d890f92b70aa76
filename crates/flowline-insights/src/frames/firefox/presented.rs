//! The page that a frame presents.

use super::events::Event;
use crate::frames::page_frame::PageFrame;
use flowline_index::Index;
use flowline_profile::text::WINDOW_KEY;
use flowline_profile::{ProcessId, TabId, Value};

/// A page, or the browser itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Presented {
    process: ProcessId,
    tab: Option<TabId>,
}

impl Presented {
    /// The page of which content was made in ticks; the browser itself if no page made any.
    pub(super) fn of_ticks<'a>(index: &Index, ticks: impl Iterator<Item = &'a Event>) -> Option<Self> {
        let mut of_browser = None;
        for tick in ticks {
            let presented = Self::of_tick(index, tick);
            if presented.tab.is_some() {
                return Some(presented);
            }
            of_browser = of_browser.or(Some(presented));
        }
        of_browser
    }

    /// The page of a tick: that of its window, else of its process.
    fn of_tick(index: &Index, tick: &Event) -> Self {
        let (profile, tabs) = (index.profile(), index.pages().tabs());
        let thread = profile.thread(tick.thread);
        let payload = profile.locate(tick.marker).map(|(_, local)| profile.payload_in(thread, local));
        let window = payload.and_then(|payload| payload.get(WINDOW_KEY).and_then(Value::as_i64));
        let tab = match window {
            Some(window) => tabs.of_window(window),
            None => tabs.of_process(thread.process),
        };
        Self { process: tab.map_or(thread.process, |tab| tab.process), tab: tab.map(|tab| tab.id) }
    }

    pub(super) const fn name(self, frame: &mut PageFrame) {
        (frame.page, frame.tab) = (Some(self.process), self.tab);
    }
}

/// Names the pages of frames without new content: the page that was presented before, else the next one.
pub(super) fn fill_in(index: &Index, frames: &mut [PageFrame]) {
    let of = |frame: &PageFrame| {
        let process = frame.page.filter(|_| frame.tab.is_some())?;
        Some(Presented { process, tab: frame.tab })
    };
    let first = frames.iter().find_map(of);
    let foreground = || index.pages().tabs().first().map(|tab| Presented { process: tab.process, tab: Some(tab.id) });
    let mut current = first.or_else(foreground);
    for frame in frames {
        if frame.page.is_none() {
            if let Some(presented) = current {
                presented.name(frame);
            }
        } else if let Some(presented) = of(frame) {
            current = Some(presented);
        }
    }
}
