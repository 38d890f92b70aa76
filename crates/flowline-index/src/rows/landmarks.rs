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

/// True if rows of a name are always listed.
pub(super) fn is_landmark(name: &str) -> bool {
    LANDMARKS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{LANDMARKS, is_landmark};

    #[test]
    fn the_names_are_sorted() {
        assert!(LANDMARKS.is_sorted());
        assert!(is_landmark("LongTask") && is_landmark("RefreshDriverTick") && !is_landmark("Counter::add"));
    }
}
