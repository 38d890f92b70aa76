//! The parts of a wait as text.

use flowline_format::format_parts;
use flowline_index::waits::{Blocker, WaitActivity};
use flowline_profile::{MarkerId, Profile};

/// Maximum number of named blockers of a wait.
const MAX_BLOCKERS: usize = 3;

/// A blocker of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockerText {
    /// "31.00 ms behind Runnable nsRefreshDriver".
    pub text: String,
    /// Name of the blocker: "Runnable nsRefreshDriver".
    pub name: String,
    /// The blocker's longest interval.
    pub marker: MarkerId,
}

/// The parts of a wait. Their digits add up to those of the wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitParts {
    /// The blockers, longest first.
    pub blockers: Vec<BlockerText>,
    /// The remaining time: "9.00 ms idle", "3.00 ms unknown".
    pub rest: Vec<String>,
}

impl WaitParts {
    /// The parts of a wait for a thread or a CPU.
    #[must_use]
    pub fn new(activity: &WaitActivity, profile: &Profile) -> Self {
        let named = activity.blockers.len().min(MAX_BLOCKERS);
        let (named, others) = activity.blockers.split_at(named);
        let others = others.iter().map(|blocker| blocker.ns).fold(0, i64::saturating_add);
        let rest = [others, activity.idle, activity.unknown];
        let lengths: Vec<i64> = named.iter().map(|blocker| blocker.ns).chain(rest).collect();
        let mut texts = format_parts(&lengths).into_iter();
        let blocker = |(blocker, length): (&Blocker, Option<String>)| {
            let (length, name) = (length?, blocker.text(profile));
            Some(BlockerText { text: format!("{length} behind {name}"), name, marker: blocker.longest })
        };
        let blockers = named.iter().zip(texts.by_ref()).filter_map(blocker).collect();
        let rest = texts.zip(["behind others", "idle", "unknown"]);
        Self { blockers, rest: rest.filter_map(|(length, what)| Some(format!("{} {what}", length?))).collect() }
    }

    /// "31.00 ms behind Runnable nsRefreshDriver, 9.00 ms idle, 3.00 ms unknown".
    #[must_use]
    pub fn text(&self) -> String {
        let blockers = self.blockers.iter().map(|blocker| blocker.text.as_str());
        blockers.chain(self.rest.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
    }
}
