//! Panels that the user can hide.

/// A panel that can be hidden by a key, a command, or a double click on its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanelKind {
    /// The activity overview of the whole recording above the chart.
    Overview,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HiddenPanels {
    /// The details panel.
    pub details: bool,
    /// The label column.
    pub labels: bool,
    /// The overview.
    pub overview: bool,
    /// The rows of the flow panel.
    pub flows: bool,
}

impl HiddenPanels {
    /// The panels with their keys in files.
    pub(crate) const fn fields(&mut self) -> [(&'static str, &mut bool); 4] {
        [
            ("details", &mut self.details),
            ("labels", &mut self.labels),
            ("overview", &mut self.overview),
            ("flows", &mut self.flows),
        ]
    }

    /// Toggles a panel. Ignores the drawer.
    pub(crate) const fn toggle(&mut self, panel: PanelKind) {
        let hidden = match panel {
            PanelKind::Overview => &mut self.overview,
            PanelKind::Labels => &mut self.labels,
            PanelKind::Details => &mut self.details,
            PanelKind::Flows => &mut self.flows,
            PanelKind::Drawer => return,
        };
        *hidden = !*hidden;
    }
}
