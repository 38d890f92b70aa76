//! The statistics table: groups of markers of the scope with counts, totals and percentiles, the distribution of a
//! group, and a comparison with another scope or with the second recording; also statistics of counters and flows.

mod columns;
mod comparison;
mod comparison_rows;
mod comparison_state;
mod distribution;
mod group_table;
mod lists;
mod rows;
mod saved_state;
mod side;
mod statistics_result;
mod tools;

use std::sync::Arc;

use egui::{Id, Ui};

use crate::widgets::table::{Scroll, Widths};
use columns::{Number, SortBy};
use comparison_state::ComparisonState;
use distribution::DistributionPanel;
use flowline_index::statistics::{Grouping, Key, KeyValue, RangeRule};
use flowline_scene::Palette;
use flowline_session::{Session, Task, Wake};
use flowline_view::Command;
use lists::Lists;
use statistics_result::{Answer, Question};

/// Subject of the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Markers by group.
    Markers,
    /// Series of counters.
    Counters,
    /// Flows by kind.
    Flows,
}

/// State of the statistics.
pub struct StatisticsTable {
    what: What,
    keys: [Option<Key>; 2],
    /// True if numbers in names are replaced by `#`.
    normalize: bool,
    rule: RangeRule,
    shown: Vec<Number>,
    sort: (SortBy, bool),
    task: Task<Question, Answer>,
    answer: Option<Answer>,
    /// Groups in display order; `None` until they are sorted.
    order: Option<Arc<Vec<u32>>>,
    /// Key of the cursor's group.
    cursor: Option<Vec<KeyValue>>,
    /// Marker whose group the cursor last moved to.
    revealed: Option<flowline_profile::MarkerId>,
    /// True if the next frame scrolls the cursor's row into view.
    reveal_cursor: bool,
    widths: Widths,
    scroll: Scroll,
    distributed: DistributionPanel,
    compared: ComparisonState,
    lists: Lists,
    /// Requested flow kind, for the flow table.
    wanted_kind: Option<String>,
}

impl StatisticsTable {
    /// Creates a table; `wake` is called when statistics are ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            what: What::Markers,
            keys: [Some(Key::Name), None],
            normalize: false,
            rule: RangeRule::StartsInside,
            shown: Number::USUAL.to_vec(),
            sort: (SortBy::Number(Number::Total), true),
            task: Task::new(Arc::clone(&wake)),
            answer: None,
            order: None,
            cursor: None,
            revealed: None,
            reveal_cursor: false,
            widths: Widths::default(),
            scroll: Scroll::default(),
            distributed: DistributionPanel::new(Arc::clone(&wake)),
            compared: ComparisonState::new(Arc::clone(&wake)),
            lists: Lists::new(wake),
            wanted_kind: None,
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

    /// True while something is being computed.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.task.is_running() || self.distributed.is_busy() || self.compared.is_busy() || self.lists.is_busy()
    }

    /// Waits until everything is ready; for headless rendering and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.task.wait(|_, answer| newest = Some(answer));
        newest.into_iter().for_each(|answer| self.set(answer));
        self.distributed.wait();
        self.compared.wait();
        self.lists.wait();
    }

    /// Takes the flow kind that the user asked to list in the flow table, if any.
    pub(crate) const fn take_requested_kind(&mut self) -> Option<String> {
        self.wanted_kind.take()
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

    /// Updates the statistics to the scope.
    fn follow(&mut self, session: &Session, other: Option<&Session>) {
        self.distributed.poll();
        self.compared.poll();
        let cpu = self.shown.contains(&Number::Cpu);
        let question = |session: &Session| {
            let scope = session.scope().key();
            Question { scope, grouping: self.grouping(), rule: self.rule, cpu }
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
        self.answer = Some(answer);
    }

    /// Number of the cursor's group.
    fn current(&self) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        self.answer.as_ref()?.groups.iter().position(|group| group.key == *cursor)
    }

    /// Moves the cursor to the group of a newly selected marker, if groups are names.
    fn follow_selection(&mut self, session: &Session) {
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

/// Explains an empty result.
const fn nothing(question: &Question) -> &'static str {
    match question.rule {
        RangeRule::StartsInside if question.scope.has_range() => {
            "No matching markers start in the range. Select “Overlaps” to count all markers that overlap it."
        }
        _ => "No matching markers.",
    }
}

/// Id of the table's widget.
pub(crate) fn statistics_id() -> Id {
    Id::unique("statistics")
}

/// Shows the statistics of a recording, compared with `other` if a comparison is on; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    state: &mut StatisticsTable,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    if state.what == What::Markers {
        state.follow(session, other);
    } else {
        state.lists.follow(session, state.what, state.rule);
    }
    let copying = tools::show(ui, (session, other), state);
    if state.what != What::Markers {
        let asked = lists::show(ui, session, &mut state.lists, &mut state.widths, copying, palette);
        if asked.lists_flows {
            state.wanted_kind = state.lists.kind();
        }
        return asked.commands;
    }
    state.follow_selection(session);
    if state.compared.is_on() {
        return comparison::show(ui, (session, other), state, copying, palette);
    }
    let Some(answer) = &state.answer else {
        ui.weak("Counting…");
        return Vec::new();
    };
    if answer.groups.is_empty() {
        ui.add_space(4.0);
        ui.weak(if state.task.is_running() { "Counting…" } else { nothing(&answer.question) });
        return Vec::new();
    }
    let commands = distribution::show(ui, session, state, palette);
    group_table::show(ui, session, state, copying, palette);
    commands
}
