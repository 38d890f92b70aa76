//! The part of a saved view about the window: open panels and their sizes.

use crate::hidden_panels::HiddenPanels;
use crate::table_state::{Members, Words, choice, flag, is_on, points, word};
use crate::tables::TableKind;
use flowline_profile::Value;

/// Names of tables in files.
const TABLES: Words<TableKind> = &[
    (TableKind::Markers, "markers"),
    (TableKind::FlowTree, "flow"),
    (TableKind::AllFlows, "flows"),
    (TableKind::CallTree, "calltree"),
    (TableKind::BottomUp, "bottomup"),
    (TableKind::Functions, "functions"),
    (TableKind::Flame, "flame"),
    (TableKind::EventLog, "log"),
    (TableKind::Statistics, "statistics"),
    (TableKind::CriticalPath, "path"),
    (TableKind::Network, "network"),
    (TableKind::Notes, "notes"),
];

/// Sizes of panels in points; `None` means the default size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SavedPanelSizes {
    /// Width of the details.
    pub details: Option<f32>,
    /// Height of the table.
    pub table: Option<f32>,
    /// Width of the label column.
    pub labels: Option<f32>,
    /// Height of the flow panel.
    pub flows: Option<f32>,
    /// The share of the canvas given to a second recording, 0 to 1.
    pub other: Option<f32>,
}

impl SavedPanelSizes {
    const fn fields(&mut self) -> [(&'static str, &mut Option<f32>); 5] {
        [
            ("details", &mut self.details),
            ("table", &mut self.table),
            ("labels", &mut self.labels),
            ("flows", &mut self.flows),
            ("second", &mut self.other),
        ]
    }

    pub(super) fn members(mut self) -> Members {
        let mut members = Members::default();
        for (key, size) in self.fields() {
            members.add(key, size.map(|size| Value::Number(size.into())));
        }
        members
    }

    /// The sizes as a JSON object.
    #[must_use]
    pub fn to_value(self) -> Value {
        self.members().object()
    }

    /// Reads sizes from a JSON object.
    #[must_use]
    pub fn of_value(value: &Value) -> Self {
        let mut sizes = Self::default();
        for (key, size) in sizes.fields() {
            *size = points(value, key);
        }
        sizes
    }
}

/// The panels of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SavedWindow {
    /// The open table.
    pub(crate) table: Option<TableKind>,
    /// Hidden panels.
    pub(crate) hidden: HiddenPanels,
    /// True if clicks do not pin tooltips.
    pub(crate) no_tooltips: bool,
    /// Sizes.
    pub(crate) sizes: SavedPanelSizes,
}

impl SavedWindow {
    pub(super) fn write(mut self) -> Members {
        let mut members = Members::default();
        members.add("table", self.table.and_then(|table| word(TABLES, &table)));
        let mut hidden = Members::default();
        for (key, is_hidden) in self.hidden.fields() {
            hidden.flag(key, *is_hidden);
        }
        members.part("hidden", hidden);
        members.flag("no_tooltips", self.no_tooltips);
        members.part("sizes", self.sizes.members());
        members
    }

    pub(super) fn read(value: &Value) -> Self {
        let nothing = Value::Null;
        let part = |key: &str| value.get(key).unwrap_or(&nothing);
        let mut hidden = HiddenPanels::default();
        for (key, is_hidden) in hidden.fields() {
            *is_hidden = flag(part("hidden"), key).unwrap_or(false);
        }
        Self {
            table: choice(TABLES, value.get("table")),
            hidden,
            no_tooltips: is_on(value, "no_tooltips"),
            sizes: SavedPanelSizes::of_value(part("sizes")),
        }
    }
}
