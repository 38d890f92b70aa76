//! State of the tables and trees. It is reset when another recording is opened, but for the columns of tables.

use crate::profile::FlowId;
use crate::session::{MarkerColumn, Session, Wake};
use crate::ui::details::payload_tree::PayloadTree;
use crate::ui::details::slice_tree::SliceTree;
use crate::ui::tables::TableKind;
use crate::ui::tables::critical_path::PathTable;
use crate::ui::tables::flow_table::{FlowColumn, FlowTable};
use crate::ui::tables::flow_tree::FlowTree;
use crate::ui::tables::marker_table::MarkerTable;
use crate::ui::tables::network::NetworkTable;
use crate::ui::tables::notes::NotesTable;
use crate::ui::tables::samples::SampleTrees;
use crate::ui::tables::statistics::StatisticsTable;
use crate::ui::widgets::table::Widths;

/// The columns of the tables, as the user arranged them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableLayouts {
    /// The columns of the marker table; the usual ones if there are none.
    pub marker_columns: Vec<MarkerColumn>,
    /// Chosen widths in the tables of markers, of flows and of statistics, in the flow tree, in those of samples, and in that
    /// of network requests.
    pub widths: [Widths; 6],
    /// The columns of the table of all flows; the usual ones if there are none.
    pub flow_columns: Vec<FlowColumn>,
}

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
    /// Statistics of the scope.
    pub statistics: StatisticsTable,
    /// Network requests.
    pub network: NetworkTable,
    /// Notes on the recording.
    pub notes: NotesTable,
    /// Trees of samples.
    pub samples: SampleTrees,
    /// The payload of the selected marker.
    pub payload: PayloadTree,
    /// The selected marker among other slices.
    pub slice_tree: SliceTree,
    /// A table that a widget asks for; the window shows it next.
    pub wanted_table: Option<TableKind>,
    /// The flow whose label in the flow panel has the keyboard focus.
    pub focused_flow: Option<FlowId>,
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
            statistics: StatisticsTable::new(wake.clone()),
            network: NetworkTable::new(wake.clone()),
            notes: NotesTable::default(),
            samples: SampleTrees::new(wake.clone()),
            payload: PayloadTree::default(),
            slice_tree: SliceTree::default(),
            wanted_table: None,
            focused_flow: None,
        }
    }

    /// The columns of the tables, as the user arranged them.
    #[must_use]
    pub fn layouts(&self) -> TableLayouts {
        TableLayouts {
            marker_columns: self.marker_table.columns().to_vec(),
            widths: [
                self.marker_table.widths(),
                self.flow_table.widths(),
                self.statistics.widths(),
                self.flow_tree.widths(),
                self.samples.widths(),
                self.network.widths(),
            ]
            .map(Widths::clone),
            flow_columns: self.flow_table.columns().to_vec(),
        }
    }

    /// Arranges the columns of the tables.
    pub fn set_layouts(&mut self, layouts: TableLayouts) {
        self.marker_table.set_columns(&layouts.marker_columns);
        let [markers, flows, statistics, flow_tree, samples, network] = layouts.widths;
        self.flow_table.set_columns(&layouts.flow_columns);
        *self.marker_table.widths_mut() = markers;
        *self.flow_table.widths_mut() = flows;
        *self.statistics.widths_mut() = statistics;
        *self.flow_tree.widths_mut() = flow_tree;
        *self.samples.widths_mut() = samples;
        *self.network.widths_mut() = network;
    }

    /// Whether a table is still sorting its rows.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.marker_table.is_busy()
            || self.flow_tree.is_busy()
            || self.flow_table.is_busy()
            || self.samples.is_busy()
            || self.statistics.is_busy()
            || self.network.is_busy()
    }

    /// Waits until all tables are ready; for pictures and tests.
    pub fn wait(&mut self, session: &Session) {
        self.marker_table.wait();
        self.flow_tree.wait(session);
        self.flow_table.wait();
        self.samples.wait();
        self.statistics.wait();
        self.network.wait();
    }
}
