//! How long each part takes to derive, for measurements.

use std::time::{Duration, Instant};

use crate::first_part::FirstParts;
use crate::frames::Frames;
use crate::harm::{Harm, HarmSums};
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

/// Derives everything that is not derived yet, one part after the other, and returns the time of each part.
#[must_use]
pub fn derive_timed(index: &Index) -> Vec<(&'static str, Duration)> {
    let steps: [Step; 23] = [
        ("network", derive::<Network>),
        ("page", derive::<Page>),
        ("milestones", derive::<Milestones>),
        ("main_load", derive::<MainLoad>),
        ("interactions", derive::<Interactions>),
        ("frames", derive::<Frames>),
        ("layout_shifts", derive::<LayoutShifts>),
        ("shift_culprits", derive::<ShiftCulprits>),
        ("harm", derive::<Harm>),
        ("harm_sums", derive::<HarmSums>),
        ("screenshots", derive::<Screenshots>),
        ("request_facts", derive::<RequestFacts>),
        ("page_entries", derive::<PageEntries>),
        ("entity_times", derive::<EntityTimes>),
        ("document_sizes", derive::<DocumentSizes>),
        ("selectors", derive::<SelectorsByNavigation>),
        ("fonts", derive::<FontLoads>),
        ("image_paints", derive::<ImagePaints>),
        ("document_events", derive::<DocumentEvents>),
        ("insights", derive::<Insights>),
        ("sections", derive::<Sections>),
        ("first_part", derive::<FirstParts>),
        ("warnings", derive::<PageWarnings>),
    ];
    let timed = |(name, step): (&'static str, fn(&Index))| {
        let began = Instant::now();
        step(index);
        (name, began.elapsed())
    };
    steps.into_iter().map(timed).collect()
}

fn derive<T: Derived>(index: &Index) {
    T::of(index);
}
