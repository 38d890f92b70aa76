//! The part of a saved view about the window: open panels and their sizes.

use serde::{Deserialize, Serialize};

use super::lenient::{is_default, members, points};
use super::word;
use crate::hidden_panels::HiddenPanels;
use crate::tables::TableKind;

/// Sizes of panels in points; `None` means the default size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedPanelSizes {
    /// Width of the details.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "points")]
    pub details: Option<f32>,
    /// Height of the table.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "points")]
    pub table: Option<f32>,
    /// Width of the label column.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "points")]
    pub labels: Option<f32>,
    /// Height of the flow panel.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "points")]
    pub flows: Option<f32>,
    /// The share of the canvas given to a second recording, 0 to 1.
    #[serde(rename = "second", skip_serializing_if = "Option::is_none", deserialize_with = "points")]
    pub other: Option<f32>,
}

/// The panels of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SavedWindow {
    /// The open table.
    #[serde(with = "word", skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<TableKind>,
    /// Hidden panels.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "members")]
    pub(crate) hidden: HiddenPanels,
    /// Sizes.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "members")]
    pub(crate) sizes: SavedPanelSizes,
}
