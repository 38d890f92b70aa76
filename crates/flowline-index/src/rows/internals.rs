//! Markers about the bookkeeping of the recorded program: telemetry, preferences, messages and tasks that it hands to itself.
//! They are frequent, short, and seldom the reason why something was slow, so one group contains them.

/// Names, sorted.
const NAMES: [&str; 15] = [
    "Category observer notification",
    "GetService",
    "IPC Accumulator",
    "IdlePurgePeek",
    "JS::EnqueueJob",
    "NewThread",
    "NotifyObservers",
    "Preference Read",
    "Preference Write",
    "Process CPU Time",
    "Process Priority",
    "Profilers handover",
    "RunMicroTaskRunnable",
    "Runnable",
    "Thread Wake-ups",
];
/// Beginnings of names that state a class with its method.
const CLASSES: [&str; 8] = [
    "CycleCollectedJSContext::",
    "EventQueueInternal::",
    "SimpleTaskQueue::",
    "TaskController::",
    "TaskQueue::",
    "nsComponentManager",
    "nsContentUtils::",
    "nsDirectoryService::",
];
/// Names of telemetry end with one of its methods.
const TELEMETRY: [&str; 11] = [
    "Boolean",
    "ChildHistogram",
    "Counter",
    "CustomDistribution",
    "Event",
    "Histogram",
    "LabeledCounter",
    "MemoryDistribution",
    "Scalar",
    "String",
    "TimingDistribution",
];

/// True if a marker with this name is bookkeeping.
pub(super) fn is_internal(name: &str) -> bool {
    let is_telemetry = || {
        let class = name.split_once("::").map(|(class, _)| class);
        class.is_some_and(|class| TELEMETRY.binary_search(&class).is_ok())
    };
    NAMES.binary_search(&name).is_ok() || CLASSES.iter().any(|class| name.starts_with(class)) || is_telemetry()
}

#[cfg(test)]
mod tests {
    use super::{NAMES, TELEMETRY, is_internal};

    #[test]
    fn bookkeeping_is_known_by_name() {
        assert!(NAMES.is_sorted() && TELEMETRY.is_sorted());
        for name in ["Preference Read", "Counter::add", "TimingDistribution::accumulate", "TaskController::AddTask"] {
            assert!(is_internal(name), "{name}");
        }
        for name in ["DOMEvent", "Reflow (sync)", "Styles", "EventTiming", "Counter", "GCMajor", "UserTiming"] {
            assert!(!is_internal(name), "{name}");
        }
    }
}
