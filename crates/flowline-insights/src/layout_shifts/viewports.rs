//! The sizes of the page's viewport: `PaintTimingVisualizer::Viewport` of Chrome. The event has the size in pixels of the
//! page, and how many pixels of the screen each of them takes (since Chrome 112).

use crate::markers_by_name::{Named, markers_named};
use crate::page::Page;
use crate::page_work::main_threads;
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile, Value};

/// Name of the events.
const NAME: &str = "PaintTimingVisualizer::Viewport";

/// The viewport from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Since when.
    pub time: Ns,
    /// Width and height in pixels of the screen, the unit of the rectangles of layout shifts.
    pub size: [f64; 2],
}

/// The viewports of the page, by time.
#[derive(Clone, Debug, Default)]
pub struct Viewports(Vec<Viewport>);

impl Viewports {
    /// The viewport at a time. The event follows the first paint, so the first one also holds before it.
    #[must_use]
    pub fn at(&self, time: Ns) -> Option<Viewport> {
        let after = self.0.partition_point(|own| own.time <= time);
        self.0.get(after.saturating_sub(1)).copied()
    }
}

impl Derived for Viewports {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !profile.source.holds_events() || profile.strings.find(NAME).is_none() {
            return Self::default();
        }
        let threads = main_threads(profile, Page::of(index));
        let named = markers_named(profile, &[NAME], |_| true).into_iter();
        let own = named.filter(|(_, thread, _)| threads.contains(thread));
        let mut found: Vec<Viewport> = own.filter_map(|named| viewport(profile, named)).collect();
        found.sort_by_key(|own| own.time);
        Self(found)
    }
}

/// The corners are x and y of the upper left, upper right, lower right and lower left one.
fn viewport(profile: &Profile, (_, id, marker): Named) -> Option<Viewport> {
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, marker);
    let data = payload.get("data")?;
    let pixels = data.get("dpr").and_then(Value::as_f64).filter(|pixels| pixels.is_finite() && *pixels > 0.0)?;
    let Some(Value::List(corners)) = data.get("viewport_rect") else { return None };
    let corners: Vec<f64> = corners.iter().filter_map(Value::as_f64).filter(|side| side.is_finite()).collect();
    let [left, top, _, _, right, bottom, _, _] = corners.try_into().ok()?;
    let size = [(right - left) * pixels, (bottom - top) * pixels];
    size.iter()
        .all(|side| side.is_finite() && *side > 0.0)
        .then_some(Viewport { time: thread.markers.start(marker), size })
}
