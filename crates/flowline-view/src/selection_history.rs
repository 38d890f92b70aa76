//! The history of selected markers and calls, for going back to an earlier one.

use flowline_profile::{Direction, MarkerId, SelectedCall};

/// Maximum number of entries.
const MAX_ENTRIES: usize = 200;

/// A selected marker or call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectedEntry {
    /// A marker.
    Marker(MarkerId),
    /// A call of a stack chart.
    Call(SelectedCall),
}

/// The selected entries in the order of their selection, and the position of the current one.
#[derive(Clone, Debug, Default)]
pub struct SelectionHistory {
    entries: Vec<SelectedEntry>,
    at: usize,
    /// True if nothing is selected, so that going back leads to the entry selected last.
    is_cleared: bool,
}

impl SelectionHistory {
    /// Records the selection after a command. Entries after the current one are dropped if it is new.
    pub(crate) fn note(&mut self, selected: Option<SelectedEntry>) {
        self.is_cleared = selected.is_none();
        let Some(selected) = selected.filter(|selected| self.entries.get(self.at) != Some(selected)) else { return };
        self.entries.truncate(self.at + 1);
        self.entries.push(selected);
        if self.entries.len() > MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.at = self.entries.len() - 1;
    }

    fn target(&self, direction: Direction) -> Option<usize> {
        match direction {
            Direction::Back if self.is_cleared => Some(self.at).filter(|at| *at < self.entries.len()),
            Direction::Back => self.at.checked_sub(1),
            Direction::Forward => Some(self.at + 1).filter(|at| *at < self.entries.len()),
        }
    }

    /// True if there is an entry in this direction.
    #[must_use]
    pub fn can_go(&self, direction: Direction) -> bool {
        self.target(direction).is_some()
    }

    /// Moves to the next entry in a direction and returns it.
    pub(crate) fn step(&mut self, direction: Direction) -> Option<SelectedEntry> {
        self.at = self.target(direction)?;
        self.is_cleared = false;
        self.entries.get(self.at).copied()
    }

    /// Drops all calls, because calls of other functions are shown.
    pub(crate) fn drop_calls(&mut self) {
        let before = self.entries.iter().take(self.at + 1);
        let kept = before.filter(|entry| matches!(entry, SelectedEntry::Marker(_))).count();
        self.entries.retain(|entry| matches!(entry, SelectedEntry::Marker(_)));
        self.at = kept.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(number: u32) -> SelectedEntry {
        SelectedEntry::Marker(MarkerId(number))
    }

    #[test]
    fn it_goes_back_and_forward_and_branches() {
        let mut history = SelectionHistory::default();
        assert!(!history.can_go(Direction::Back) && !history.can_go(Direction::Forward));
        for number in [1, 2, 2, 3] {
            history.note(Some(marker(number)));
        }
        assert_eq!(history.step(Direction::Back), Some(marker(2)));
        assert_eq!(history.step(Direction::Back), Some(marker(1)));
        assert_eq!(history.step(Direction::Back), None);
        assert_eq!(history.step(Direction::Forward), Some(marker(2)));
        history.note(Some(marker(2)));
        assert!(history.can_go(Direction::Forward), "the entry that was stepped to is not new");
        history.note(Some(marker(9)));
        assert!(!history.can_go(Direction::Forward));
        assert_eq!(history.step(Direction::Back), Some(marker(2)));
    }

    #[test]
    fn after_clearing_it_leads_to_the_last_selection() {
        let mut history = SelectionHistory::default();
        history.note(Some(marker(1)));
        history.note(Some(marker(2)));
        history.note(None);
        assert_eq!(history.step(Direction::Back), Some(marker(2)));
        assert_eq!(history.step(Direction::Back), Some(marker(1)));
    }

    #[test]
    fn it_is_bounded() {
        let mut history = SelectionHistory::default();
        (0..3 * MAX_ENTRIES).for_each(|number| history.note(Some(marker(u32::try_from(number).expect("small")))));
        assert_eq!(history.entries.len(), MAX_ENTRIES);
        let steps = std::iter::from_fn(|| history.step(Direction::Back)).count();
        assert_eq!(steps, MAX_ENTRIES - 1);
    }
}
