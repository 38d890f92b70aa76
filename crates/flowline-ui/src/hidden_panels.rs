//! Panels that the user can hide.

use serde::{Deserialize, Serialize};

/// A panel that can be hidden by a key, a command, or a double click on its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanelKind {
    /// The activity overview of the whole recording above the chart.
    Overview,
    /// The lane of milestones and notes.
    Milestones,
    /// The label column.
    Labels,
    /// The details panel.
    Details,
    /// The drawer with the tables.
    Drawer,
    /// The rows of the flow panel; its header stays visible.
    Flows,
}

/// Hidden panels. The drawer has no flag here: it is open while it shows a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HiddenPanels {
    /// The details panel.
    #[serde(skip_serializing_if = "is_off")]
    pub details: bool,
    /// The label column.
    #[serde(skip_serializing_if = "is_off")]
    pub labels: bool,
    /// The overview.
    #[serde(skip_serializing_if = "is_off")]
    pub overview: bool,
    /// The lane of milestones and notes, and the lines of milestones.
    #[serde(skip_serializing_if = "is_off")]
    pub milestones: bool,
    /// The rows of the flow panel.
    #[serde(skip_serializing_if = "is_off")]
    pub flows: bool,
}

const fn is_off(flag: &bool) -> bool {
    !*flag
}

impl HiddenPanels {
    /// Toggles a panel. Ignores the drawer.
    pub(crate) const fn toggle(&mut self, panel: PanelKind) {
        let hidden = match panel {
            PanelKind::Overview => &mut self.overview,
            PanelKind::Milestones => &mut self.milestones,
            PanelKind::Labels => &mut self.labels,
            PanelKind::Details => &mut self.details,
            PanelKind::Flows => &mut self.flows,
            PanelKind::Drawer => return,
        };
        *hidden = !*hidden;
    }
}
