//! State of the statistics: their settings, the answer and the cursor.

use std::sync::Arc;

use super::columns::{Number, SortBy};
use super::comparison_state::ComparisonState;
use super::distribution_panel::DistributionPanel;
use super::field_choices::FieldChoices;
use super::lists::Lists;
use super::statistics_result::{self, Answer, Question};
use super::subject::Subject;
use crate::widgets::table::{Scroll, Widths};
use flowline_index::Index;
use flowline_index::statistics::{Grouping, Key, KeyValue, RangeRule};
use flowline_session::{Job, PoolTask, Session, Task, Wake};

/// State of the statistics.
pub struct StatisticsTable {
    pub(super) what: Subject,
    pub(super) keys: [Option<Key>; 2],
    /// True if numbers in names are replaced by `#`.
    pub(super) normalize: bool,
    /// The rule that the user chose; see [`StatisticsTable::rule`].
    pub(super) chosen_rule: Option<RangeRule>,
    pub(super) shown: Vec<Number>,
    /// True once CPU times have been added to the default columns.
    shows_cpu: bool,
    pub(super) sort: (SortBy, bool),
    pub(super) task: Task<Question, Answer>,
    pub(super) answer: Option<Answer>,
    /// Groups in display order; `None` until they are sorted.
    pub(super) order: Option<Arc<Vec<u32>>>,
    /// True if groups of instants are shown, which have no duration.
    pub(super) with_instants: bool,
    /// Key of the cursor's group.
    pub(super) cursor: Option<Vec<KeyValue>>,
    /// Marker whose group the cursor last moved to.
    pub(super) revealed: Option<flowline_profile::MarkerId>,
    /// True if the next frame scrolls the cursor's row into view.
    pub(super) reveal_cursor: bool,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
    pub(super) distributed: DistributionPanel,
    pub(super) compared: ComparisonState,
    pub(super) lists: Lists,
    pub(super) fields: FieldChoices,
    /// Requested flow kind, for the flow table.
    pub(super) wanted_kind: Option<String>,
    /// True if the statistics of the scope become A of a comparison as soon as they are known.
    pub(super) wants_to_keep: bool,
    /// True if the next frame opens the menu of groupings.
    pub(super) wants_grouping: bool,
}

impl StatisticsTable {
    /// Creates a table; `wake` is called when statistics are ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            what: Subject::Markers,
            keys: [Some(Key::Name), None],
            normalize: false,
            chosen_rule: None,
            shown: Number::USUAL.to_vec(),
            shows_cpu: false,
            sort: (SortBy::Number(Number::Total), true),
            task: Task::new(Arc::clone(&wake)),
            answer: None,
            order: None,
            with_instants: false,
            cursor: None,
            revealed: None,
            reveal_cursor: false,
            widths: Widths::default(),
            scroll: Scroll::default(),
            distributed: DistributionPanel::new(Arc::clone(&wake)),
            compared: ComparisonState::new(Arc::clone(&wake)),
            lists: Lists::new(Arc::clone(&wake)),
            fields: FieldChoices::new(wake),
            wanted_kind: None,
            wants_to_keep: false,
            wants_grouping: false,
        }
    }

    /// Custom column widths.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// Custom column widths, mutable.
    pub const fn widths_mut(&mut self) -> &mut Widths {
        &mut self.widths
    }

    /// Takes the flow kind that the user asked to list in the flow table, if any.
    pub(crate) const fn take_requested_kind(&mut self) -> Option<String> {
        self.wanted_kind.take()
    }

    /// The rule for the markers of the range: the chosen one, or the default. The default of selected rows is to count all
    /// markers that overlap the range, like the number beside a selection box.
    pub(super) fn rule(&self, session: &Session) -> RangeRule {
        let default = if session.scope().rows().is_some() { RangeRule::Overlaps } else { RangeRule::StartsInside };
        self.chosen_rule.unwrap_or(default)
    }

    fn grouping(&self) -> Grouping {
        let keys: Vec<Key> = self.keys.iter().flatten().cloned().collect();
        // Threads of two recordings match by name, because their ids differ.
        Grouping { normalize: self.normalize, as_texts: self.compared.is_of_recordings(), ..Grouping::by(keys) }
    }

    /// Starts a comparison with the second recording.
    pub(crate) fn compare_recordings(&mut self) {
        self.compared.compare_recordings();
    }

    /// True while it compares with the second recording.
    pub(crate) const fn compares_recordings(&self) -> bool {
        self.compared.is_of_recordings()
    }

    /// Ends a comparison with the second recording.
    pub(crate) fn end_comparison_of_recordings(&mut self) {
        if self.compares_recordings() {
            self.compared.end();
        }
    }

    /// Opens the menu of groupings in the next frame.
    pub(crate) const fn choose_grouping(&mut self) {
        (self.what, self.wants_grouping) = (Subject::Markers, true);
    }

    /// Stores the statistics of the scope as A of a comparison, once they are known.
    pub(crate) fn compare_scopes(&mut self) {
        self.end_comparison_of_recordings();
        (self.what, self.wants_to_keep) = (Subject::Markers, true);
    }

    /// True if the statistics of the scope are known and can be A of a comparison. Statistics of two recordings group
    /// threads by name, others by id, so they cannot be mixed.
    pub(super) fn can_keep(&self) -> bool {
        let is_known = self.answer.as_ref().is_some_and(|answer| answer.full.is_some());
        is_known && !self.compared.is_of_recordings() && !self.task.is_running()
    }

    /// Updates the statistics to the scope.
    pub(super) fn follow(&mut self, session: &Session, other: Option<&Session>) {
        self.distributed.poll(&session.index);
        self.compared.poll(&session.index);
        self.fields.poll(&session.index);
        // Both recordings of a comparison count by the same rule.
        let rule = self.rule(session);
        self.fields.follow(session, rule);
        let cpu = self.shown.contains(&Number::Cpu);
        let question = |session: &Session| {
            let scope = session.scope().key();
            Question { scope, grouping: self.grouping(), rule, cpu }
        };
        let (question, second) = (question(session), other.map(|other| (other, question(other))));
        if let Some(answer) = statistics_result::follow(&mut self.task, self.answer.as_ref(), session, question) {
            self.set(answer);
        }
        if let Some((other, question)) = second {
            self.compared.follow_second(other, question);
        }
    }

    fn set(&mut self, answer: Answer) {
        self.order = None;
        // The default columns contain CPU times if the recording does.
        if answer.has_cpu && !std::mem::replace(&mut self.shows_cpu, true) && self.shown == Number::USUAL {
            self.shown = Number::usual(true);
        }
        self.answer = Some(answer);
    }

    /// The default columns.
    pub(super) fn usual_columns(&self) -> Vec<Number> {
        Number::usual(self.shows_cpu)
    }

    /// Number of the cursor's group.
    pub(super) fn current(&self) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        self.answer.as_ref()?.groups.iter().position(|group| group.key == *cursor)
    }

    /// Moves the cursor to the group of a newly selected marker, if groups are names.
    pub(super) fn follow_selection(&mut self, session: &Session) {
        let selected = session.view.selected;
        if selected.is_none() || selected == self.revealed || self.grouping().keys != [Key::Name] {
            return;
        }
        let profile = session.index.profile();
        let name = selected.and_then(|marker| profile.locate(marker)).map(|(id, local)| profile.marker_name(id, local));
        let group = |name: &str| {
            let groups = self.answer.as_ref()?.groups.iter();
            groups.map(|group| &group.key).find(|key| matches!(&key[..], [KeyValue::Text(text)] if text == name))
        };
        if let Some(found) = name.and_then(group).cloned() {
            self.cursor = Some(found);
            self.revealed = selected;
            self.reveal_cursor = true;
        }
    }
}

impl Job for StatisticsTable {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        let children = [self.distributed.tasks(), self.compared.tasks(), self.lists.tasks(), self.fields.tasks()];
        std::iter::once(&self.task as &dyn PoolTask).chain(children.into_iter().flatten()).collect()
    }

    fn poll(&mut self, index: &Arc<Index>) {
        if let Some(answer) = self.task.poll_newest() {
            self.set(answer);
        }
        self.distributed.poll(index);
        self.compared.poll(index);
        self.lists.poll(index);
        self.fields.poll(index);
    }
}
