//! Statistics of the scope in the drawer: groups of markers with counts, sums and percentiles, the distribution of a group,
//! and the comparison with a scope that was kept, or with the second recording; and counters and flows of the scope.

mod answer;
mod choices;
mod columns;
mod compared;
mod comparison;
mod comparison_rows;
mod distribution;
mod group_table;
mod lists;
mod rows;
mod side;
mod tools;

use std::sync::Arc;

use egui::{Id, Ui};

use crate::widgets::table::{Scroll, Widths};
use answer::{Answer, Question};
use columns::{Number, SortBy};
use compared::Compared;
use distribution::Distributed;
use flowline_index::statistics::{Grouping, Key, KeyValue, RangeRule};
use flowline_scene::Palette;
use flowline_session::{Session, Task, Wake};
use flowline_view::Command;
use lists::Lists;

/// What statistics are of.
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
    /// Whether digits in names are replaced.
    normalize: bool,
    rule: RangeRule,
    shown: Vec<Number>,
    sort: (SortBy, bool),
    task: Task<Question, Answer>,
    answer: Option<Answer>,
    /// Groups in the order shown; empty until they are sorted.
    order: Option<Arc<Vec<u32>>>,
    /// The key of the cursor's group.
    cursor: Option<Vec<KeyValue>>,
    /// The marker whose name the cursor went to.
    revealed: Option<flowline_profile::MarkerId>,
    /// Whether the cursor's row is to be scrolled into view.
    reveal_cursor: bool,
    widths: Widths,
    scroll: Scroll,
    distributed: Distributed,
    compared: Compared,
    lists: Lists,
    /// The kind of flow whose flows are to be listed.
    wanted_kind: Option<String>,
}

impl StatisticsTable {
    /// `wake` is called when statistics are ready.
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
            distributed: Distributed::new(Arc::clone(&wake)),
            compared: Compared::new(Arc::clone(&wake)),
            lists: Lists::new(wake),
            wanted_kind: None,
        }
    }

    /// The chosen widths of columns.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// The chosen widths of columns, to change them.
    pub const fn widths_mut(&mut self) -> &mut Widths {
        &mut self.widths
    }

    /// Whether something is being computed.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.task.is_running() || self.distributed.is_busy() || self.compared.is_busy() || self.lists.is_busy()
    }

    /// Waits until everything is ready; for pictures and tests.
    pub fn wait(&mut self) {
        let mut newest = None;
        self.task.wait(|_, answer| newest = Some(answer));
        newest.into_iter().for_each(|answer| self.set(answer));
        self.distributed.wait();
        self.compared.wait();
        self.lists.wait();
    }

    /// The kind of flow whose flows somebody wants to see; it is handed over once.
    pub(crate) const fn take_wanted_kind(&mut self) -> Option<String> {
        self.wanted_kind.take()
    }

    fn grouping(&self) -> Grouping {
        let keys: Vec<Key> = self.keys.iter().flatten().cloned().collect();
        // Threads of two recordings are told apart by their names.
        Grouping { normalize: self.normalize, as_texts: self.compared.is_of_recordings(), ..Grouping::by(keys) }
    }

    /// Compares with the second recording from now on.
    pub(crate) fn compare_recordings(&mut self) {
        self.compared.compare_recordings();
    }

    /// Whether it compares with the second recording.
    pub(crate) const fn compares_recordings(&self) -> bool {
        self.compared.is_of_recordings()
    }

    /// Ends a comparison with the second recording.
    pub(crate) fn end_comparison_of_recordings(&mut self) {
        if self.compares_recordings() {
            self.compared.end();
        }
    }

    /// Keeps the statistics up to date with what is shown.
    fn follow(&mut self, session: &Session, other: Option<&Session>) {
        self.distributed.poll();
        self.compared.poll();
        let cpu = self.shown.contains(&Number::Cpu);
        let question = |session: &Session| {
            let scope = session.scope().key();
            Question { scope, grouping: self.grouping(), rule: self.rule, cpu }
        };
        let (question, second) = (question(session), other.map(|other| (other, question(other))));
        if let Some(answer) = answer::follow(&mut self.task, self.answer.as_ref(), session, question) {
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

    /// The group of the cursor.
    fn current(&self) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        self.answer.as_ref()?.groups.iter().position(|group| group.key == *cursor)
    }

    /// The name of the selected marker is what somebody wants to know about.
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

/// Why nothing is counted.
const fn nothing(question: &Question) -> &'static str {
    match question.rule {
        RangeRule::StartsInside if question.scope.has_range() => {
            "No marker in the scope starts in the range. “Overlaps” counts those that reach into it, too."
        }
        _ => "No marker is in the scope.",
    }
}

/// Id of the table's widget.
pub(crate) fn statistics_id() -> Id {
    Id::unique("statistics")
}

/// Shows the statistics of a recording, beside those of the other if they are compared; returns the user's commands.
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
