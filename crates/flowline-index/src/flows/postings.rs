//! Which markers post something, so that each begins a flow of its own.
//!
//! Many ids are addresses: of a runnable, a task, a message. When it is freed, another one gets its address, and nothing in
//! the recording says so. But what is posted is posted once. So a flow holds at most one marker of each posting; the next
//! one begins another flow. What is posted may be handed on from queue to queue: the *stages* of a posting have an order,
//! and a marker of a stage that the flow has reached or passed begins another flow.

use super::rules::{FlowRules, Pattern};
use flowline_profile::{Profile, StringId};

/// The postings of a recording's markers, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Postings {
    /// By name: 0, or the number of its stage plus 1; short if later names post nothing.
    by_name: Vec<u8>,
    /// By number of a stage: its posting and its position there.
    stages: Vec<(u8, u8)>,
}

/// A stage of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting(u8);

impl Posting {
    /// More stages than this are not told apart from other markers.
    pub(super) const LIMIT: u8 = 127;

    /// The opposite of [`Postings::number`].
    pub(super) fn from_number(number: u32) -> Option<Self> {
        u8::try_from(number).ok()?.checked_sub(1).map(Self)
    }
}

impl Postings {
    /// Resolves the postings that rules name against the names of a recording.
    pub(super) fn new(profile: &Profile, rules: &FlowRules) -> Self {
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

    /// Gives a name a stage, unless it has an earlier one.
    fn set(&mut self, name: StringId, number: u8) {
        if name.index() >= self.by_name.len() {
            self.by_name.resize(name.index() + 1, 0);
        }
        let slot = &mut self.by_name[name.index()];
        *slot = if *slot == 0 { number } else { number.min(*slot) };
    }

    /// The number of the stage that markers of a name are; 0 if they post nothing, else at most [`Posting::LIMIT`].
    pub(super) fn number(&self, name: StringId) -> u32 {
        self.by_name.get(name.index()).copied().unwrap_or(0).into()
    }
}

/// What a flow has been through.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    /// Postings, each with its last stage.
    reached: Vec<(u8, u8)>,
}

impl Stages {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.reached.clear();
    }

    /// Adds a posting; false if it is another flow's.
    pub(super) fn add(&mut self, Posting(number): Posting, postings: &Postings) -> bool {
        let Some(&(posting, stage)) = postings.stages.get(usize::from(number)) else { return true };
        match self.reached.iter_mut().find(|(known, _)| *known == posting) {
            Some((_, reached)) if *reached >= stage => return false,
            Some((_, reached)) => *reached = stage,
            None => self.reached.push((posting, stage)),
        }
        true
    }
}
