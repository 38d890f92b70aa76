//! State of the tables and trees. Opening another recording resets all of it except the columns of tables.

use crate::canvas::screen_textures::ScreenTextures;
use crate::details::arguments::Arguments;
use crate::details::context_tree::ContextSection;
use crate::details::stack_tree::StackSection;
use crate::table_state::{self, Members};
use crate::tables::TableKind;
use crate::tables::critical_path::PathTable;
use crate::tables::flow_table::FlowTable;
use crate::tables::flow_tree::FlowTree;
use crate::tables::insights::InsightTable;
use crate::tables::marker_table::MarkerTable;
use crate::tables::network::NetworkTable;
use crate::tables::notes::NotesTable;
use crate::tables::query::QueryTable;
use crate::tables::samples::SampleTrees;
use crate::tables::selection::SelectionTable;
use crate::tables::statistics::StatisticsTable;
use crate::widgets::table::Widths;
use flowline_profile::{FlowId, Value};
use flowline_session::{Job, Session, Wake};

/// The members of a table's state that describe its columns.
const LAYOUT: [&str; 2] = ["columns", "widths"];

/// State of the panels.
pub struct Panels {
    /// The marker table.
    pub marker_table: MarkerTable,
    /// The flow tree.
    pub flow_tree: FlowTree,
    /// The table of all flows.
    pub flow_table: FlowTable,
    /// The table of the critical path.
    pub critical_path: PathTable,
    /// Sums of the selection.
    pub selection: SelectionTable,
    /// Statistics of the scope.
    pub statistics: StatisticsTable,
    /// Insights into page loads.
    pub insights: InsightTable,
    /// Network requests.
    pub network: NetworkTable,
    /// Notes on the recording.
    pub notes: NotesTable,
    /// SQL over the recording.
    pub query: QueryTable,
    /// Sample trees.
    pub samples: SampleTrees,
    /// The payload of the selected marker.
    pub arguments: Arguments,
    /// The surroundings of the selected marker.
    pub context: ContextSection,
    /// The stack of the selected marker or call.
    pub stack: StackSection,
    /// The screenshots that are shown.
    pub(crate) screens: ScreenTextures,
    /// A table requested by a widget; the window shows it next.
    pub wanted_table: Option<TableKind>,
    /// The flow whose label in the flow panel has the keyboard focus.
    pub focused_flow: Option<FlowId>,
}

/// The background jobs of the tables.
macro_rules! jobs {
    ($panels:expr $(, $mutable:tt)?) => {{
        let panels = $panels;
        let jobs: [&$($mutable)? dyn Job; 8] = [
            &$($mutable)? panels.marker_table,
            &$($mutable)? panels.flow_tree,
            &$($mutable)? panels.flow_table,
            &$($mutable)? panels.samples,
            &$($mutable)? panels.selection,
            &$($mutable)? panels.statistics,
            &$($mutable)? panels.network,
            &$($mutable)? panels.query,
        ];
        jobs
    }};
}

impl Panels {
    /// Panels of a newly opened recording. `wake` is called when there is something new to show.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self {
            marker_table: MarkerTable::new(wake.clone()),
            flow_tree: FlowTree::new(wake.clone()),
            flow_table: FlowTable::new(wake.clone()),
            critical_path: PathTable::default(),
            selection: SelectionTable::new(wake.clone()),
            statistics: StatisticsTable::new(wake.clone()),
            insights: InsightTable::default(),
            network: NetworkTable::new(wake.clone()),
            notes: NotesTable::default(),
            query: QueryTable::new(wake.clone()),
            samples: SampleTrees::new(wake.clone()),
            arguments: Arguments::default(),
            context: ContextSection::default(),
            stack: StackSection::default(),
            screens: ScreenTextures::default(),
            wanted_table: None,
            focused_flow: None,
        }
    }

    /// The state of all tables: an object keyed by table name.
    #[must_use]
    pub fn choices(&self) -> Value {
        let mut members = Members::default();
        members.add("markers", self.marker_table.choices());
        members.add("flows", self.flow_table.choices());
        members.add("statistics", self.statistics.choices());
        members.add("flow_tree", widths_alone(self.flow_tree.widths()));
        members.add("samples", self.samples.choices());
        members.add("network", self.network.choices());
        members.add("insights", self.insights.choices());
        members.add("query", self.query.choices());
        members.object()
    }

    /// Restores the state of tables. Tables without an entry stay unchanged.
    pub fn set_choices(&mut self, choices: &Value) {
        let of = |table: &str| choices.get(table);
        of("markers").into_iter().for_each(|value| self.marker_table.set_choices(value));
        of("flows").into_iter().for_each(|value| self.flow_table.set_choices(value));
        of("statistics").into_iter().for_each(|value| self.statistics.set_choices(value));
        of("flow_tree").into_iter().for_each(|value| *self.flow_tree.widths_mut() = table_state::read_widths(value));
        of("samples").into_iter().for_each(|value| self.samples.set_choices(value));
        of("network").into_iter().for_each(|value| self.network.set_choices(value));
        of("insights").into_iter().for_each(|value| self.insights.set_choices(value));
        of("query").into_iter().for_each(|value| self.query.set_choices(value));
    }

    /// The columns of the tables with their widths: the part of the state that applies to every recording.
    #[must_use]
    pub fn layouts(&self) -> Value {
        let Value::Object(tables) = self.choices() else { return Value::Null };
        let of_columns = |(name, choices): (String, Value)| {
            let Value::Object(mut members) = choices else { return None };
            members.retain(|(key, _)| LAYOUT.contains(&key.as_str()));
            Some((name, Value::Object(members)))
        };
        Value::Object(tables.into_iter().filter_map(of_columns).collect())
    }

    /// True while a table is still sorting its rows.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        jobs!(self).iter().any(|job| job.is_busy())
    }

    /// Takes the results that have arrived, also for tables and parts of them that are not shown.
    pub(crate) fn poll(&mut self, session: &Session) {
        for job in jobs!(self, mut) {
            job.poll(&session.index);
        }
    }

    /// Waits until all tables are ready; for rendering and tests.
    pub fn wait(&mut self, session: &Session) {
        for job in jobs!(self, mut) {
            job.wait(&session.index);
        }
    }
}

/// The state of a table that has no settings except its widths.
fn widths_alone(widths: &Widths) -> Value {
    let mut members = Members::default();
    members.add("widths", table_state::widths(widths));
    members.object()
}
