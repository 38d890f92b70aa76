//! Names of markers that orient the reader of a recording. Their rows are listed however many other rows a thread has.

/// The names, sorted: milestones of page loads, long tasks, garbage collection, frames.
const LANDMARKS: [&str; 27] = [
    "Composite",
    "ContentfulPaint",
    "DOMComplete",
    "DOMContentLoaded",
    "DocumentLoad",
    "FirstContentfulComposite",
    "FirstContentfulPaint",
    "FirstPaint",
    "GCMajor",
    "GCMinor",
    "GCSlice",
    "InteractionContentful",
    "Jank",
    "LargestContentfulPaint",
    "Load",
    "LongIdleTask",
    "LongTask",
    "NavigationStart",
    "Paint",
    "Reflow",
    "RefreshDriverTick",
    "RefreshObserver",
    "SpeedIndex",
    "Styles",
    "TimeToFirstInteractive",
    "TimeToInteractive",
    "VsyncTimestamp",
];

/// Names of the milestones of page loads, sorted. Their markers begin with the navigation.
const PAGE_MILESTONES: [&str; 10] = [
    "ContentfulPaint",
    "DOMComplete",
    "DocumentLoad",
    "FirstContentfulComposite",
    "FirstContentfulPaint",
    "FirstNonBlankPaint",
    "FirstPaint",
    "LargestContentfulPaint",
    "TimeToFirstInteractive",
    "TimeToInteractive",
];

/// True for markers that last from a navigation to a milestone.
pub(super) fn is_page_milestone(name: &str) -> bool {
    PAGE_MILESTONES.binary_search(&name).is_ok()
}

/// True if rows of a name are always listed.
pub(super) fn is_landmark(name: &str) -> bool {
    LANDMARKS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{LANDMARKS, PAGE_MILESTONES, is_landmark};

    #[test]
    fn the_names_are_sorted() {
        assert!(LANDMARKS.is_sorted() && PAGE_MILESTONES.is_sorted());
        assert!(is_landmark("LongTask") && is_landmark("RefreshDriverTick") && !is_landmark("Counter::add"));
    }
}
