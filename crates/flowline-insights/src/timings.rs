//! How long each part takes to derive, for measurements.

use std::time::{Duration, Instant};

use crate::first_part::FirstParts;
use crate::frames::{FrameThreads, Frames};
use crate::harm::{Harm, HarmSums, TaskNames};
use crate::insights::Insights;
use crate::interactions::Interactions;
use crate::layout_shifts::{LayoutShifts, ShiftCulprits};
use crate::page::Page;
use crate::page_load::{MainLoad, Milestones, Screenshots};
use crate::page_work::{
    DocumentEvents, DocumentSizes, EntityTimes, FontLoads, ImagePaints, PageEntries, SelectorsByNavigation,
};
use crate::report::Sections;
use crate::requests::RequestFacts;
use crate::warnings::PageWarnings;
use flowline_index::{Derived, Index, Network};

/// A part with its name.
type Step = (&'static str, fn(&Index));

/// The time of a part.
type Timed = (&'static str, Duration);

/// Derives everything that is not derived yet, and returns the time of each part and that of all. As in the window, parts that
/// do not need each other are derived at once.
#[must_use]
pub fn derive_timed(index: &Index) -> (Vec<Timed>, Duration) {
    let first: [Step; 2] = [("network", derive::<Network>), ("page", derive::<Page>)];
    let of_entries: [Step; 5] = [
        ("page_entries", derive::<PageEntries>),
        ("entity_times", derive::<EntityTimes>),
        ("harm", derive::<Harm>),
        ("harm_sums", derive::<HarmSums>),
        ("task_names", derive::<TaskNames>),
    ];
    let of_events: [Step; 14] = [
        ("milestones", derive::<Milestones>),
        ("main_load", derive::<MainLoad>),
        ("interactions", derive::<Interactions>),
        ("frames", derive::<Frames>),
        ("frame_threads", derive::<FrameThreads>),
        ("layout_shifts", derive::<LayoutShifts>),
        ("shift_culprits", derive::<ShiftCulprits>),
        ("screenshots", derive::<Screenshots>),
        ("request_facts", derive::<RequestFacts>),
        ("document_sizes", derive::<DocumentSizes>),
        ("selectors", derive::<SelectorsByNavigation>),
        ("fonts", derive::<FontLoads>),
        ("image_paints", derive::<ImagePaints>),
        ("document_events", derive::<DocumentEvents>),
    ];
    let last: [Step; 4] = [
        ("insights", derive::<Insights>),
        ("sections", derive::<Sections>),
        ("first_part", derive::<FirstParts>),
        ("warnings", derive::<PageWarnings>),
    ];
    let timed = |steps: &[Step]| -> Vec<Timed> {
        let timed = |(name, step): &Step| {
            let began = Instant::now();
            step(index);
            (*name, began.elapsed())
        };
        steps.iter().map(timed).collect()
    };
    let began = Instant::now();
    let mut parts = timed(&first);
    let (of_entries, of_events) = rayon::join(|| timed(&of_entries), || timed(&of_events));
    parts.extend(of_events.into_iter().chain(of_entries).chain(timed(&last)));
    (parts, began.elapsed())
}

fn derive<T: Derived>(index: &Index) {
    T::of(index);
}
