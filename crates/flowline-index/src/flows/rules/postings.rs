//! Postings: markers that post something and therefore begin a flow.
//!
//! Many ids are addresses of a runnable, a task or a message. After it is freed, another object may reuse the address
//! without any trace in the recording. But each object is posted only once, so a flow contains at most one marker of
//! each posting; the next one begins another flow. Queues may forward a posted object to other queues: the *stages* of
//! a posting are ordered, and a marker of a stage that the flow has reached or passed begins another flow.

use super::rule::Pattern;
use super::rule_set::FlowRules;
use flowline_profile::{Profile, StringId};

/// The postings of a recording's markers, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Postings {
    /// By name: 0, or the index of its stage plus 1. Trailing names without postings have no entry.
    by_name: Vec<u8>,
    /// By index of a stage: its posting and its position in the posting.
    stages: Vec<(u8, u8)>,
}

/// A stage of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting(u8);

impl Posting {
    /// Maximum number of stages; markers of further stages are not treated as postings.
    pub(crate) const LIMIT: u8 = 127;

    /// Inverse of [`Postings::number`].
    #[inline]
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        u8::try_from(number).ok()?.checked_sub(1).map(Self)
    }
}

impl Postings {
    /// Resolves the postings of the rules against the names of a recording.
    pub(crate) fn new(profile: &Profile, rules: &FlowRules) -> Self {
        let mut found = Self::default();
        let mut open: Vec<(u8, &Pattern)> = Vec::new();
        for (posting, stages) in (0_u8..=u8::MAX).zip(rules.once()) {
            for (position, stage) in (0_u8..=u8::MAX).zip(stages) {
                if found.stages.len() == usize::from(Posting::LIMIT) {
                    break;
                }
                found.stages.push((posting, position));
                let number = u8::try_from(found.stages.len()).unwrap_or(Posting::LIMIT);
                for pattern in stage {
                    match pattern.only_name() {
                        Some(name) => profile.strings.find(name).into_iter().for_each(|id| found.set(id, number)),
                        None => open.push((number, pattern)),
                    }
                }
            }
        }
        if !open.is_empty() {
            for (id, name) in profile.strings.iter() {
                let number = open.iter().find(|(_, pattern)| pattern.matches(name));
                number.into_iter().for_each(|(number, _)| found.set(id, *number));
            }
        }
        found
    }

    /// Assigns a stage to a name, unless the name has an earlier one.
    fn set(&mut self, name: StringId, number: u8) {
        if name.index() >= self.by_name.len() {
            self.by_name.resize(name.index() + 1, 0);
        }
        let slot = &mut self.by_name[name.index()];
        *slot = if *slot == 0 { number } else { number.min(*slot) };
    }

    /// Stage number of markers with a name: 0 if they post nothing, else at most [`Posting::LIMIT`].
    #[inline]
    pub(crate) fn number(&self, name: StringId) -> u32 {
        self.by_name.get(name.index()).copied().unwrap_or(0).into()
    }
}

/// The stages that a flow has reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages {
    /// Postings, each with its latest stage.
    reached: Vec<(u8, u8)>,
}

impl Stages {
    /// Resets to the state of a new flow.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.reached.clear();
    }

    /// Adds a posting; returns false if it begins another flow.
    pub(crate) fn add(&mut self, Posting(number): Posting, postings: &Postings) -> bool {
        let Some(&(posting, stage)) = postings.stages.get(usize::from(number)) else { return true };
        match self.reached.iter_mut().find(|(known, _)| *known == posting) {
            Some((_, reached)) if *reached >= stage => return false,
            Some((_, reached)) => *reached = stage,
            None => self.reached.push((posting, stage)),
        }
        true
    }
}
