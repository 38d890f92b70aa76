//! Items of the flow panel from top to bottom (flows and groups of flows), and the pinned rows below them. Like
//! [`crate::TrackList`], the list is rebuilt only on changes, and a frame finds its items by binary search.

use std::collections::HashMap;

use super::flow_sections::{FlowSections, SectionRows};
use flowline_profile::{FlowId, StringId};
use flowline_view::{FlowSection, FlowView};

/// Height of a flow's row in points.
pub const FLOW_ROW_HEIGHT: f64 = 26.0;

/// Connections lead to the row of a collapsed group only if the group has at most this many flows.
const MAX_GROUP_LINKS: usize = 5_000;

/// Kind of an item in the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowItemKind {
    /// A flow.
    Flow {
        /// Section of the flow.
        section: FlowSection,
        /// The flow.
        flow: FlowId,
        /// True if the flow belongs to the group above it.
        in_group: bool,
    },
    /// Flows with the same name, shown as one row.
    Group {
        /// Section of the group.
        section: FlowSection,
        /// Name of the flows.
        name: StringId,
        /// Number of flows.
        count: usize,
        /// True if the group is expanded.
        open: bool,
    },
}

/// An item and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowItem {
    /// Distance from the top of the part in points.
    pub y: f64,
    /// Height in points.
    pub height: f64,
    /// Kind of the item.
    pub kind: FlowItemKind,
}

impl FlowItem {
    /// The section of the row.
    #[must_use]
    pub const fn section(&self) -> FlowSection {
        match self.kind {
            FlowItemKind::Flow { section, .. } | FlowItemKind::Group { section, .. } => section,
        }
    }

    /// The flow of the row, if it belongs to a single flow.
    #[must_use]
    pub const fn flow(&self) -> Option<FlowId> {
        match self.kind {
            FlowItemKind::Flow { flow, .. } => Some(flow),
            FlowItemKind::Group { .. } => None,
        }
    }
}

/// One of the panel's two parts.
#[derive(Clone, Debug, Default)]
pub struct FlowPart {
    items: Vec<FlowItem>,
    height: f64,
    rows: HashMap<FlowId, usize>,
}

impl FlowPart {
    fn push(&mut self, height: f64, kind: FlowItemKind) {
        if let FlowItemKind::Flow { flow, .. } = kind {
            self.rows.entry(flow).or_insert(self.items.len());
        }
        self.items.push(FlowItem { y: self.height, height, kind });
        self.height += height;
    }

    /// Maps these flows to the next item, which becomes their row.
    fn stand_for(&mut self, flows: &[FlowId]) {
        for flow in flows {
            self.rows.entry(*flow).or_insert(self.items.len());
        }
    }

    /// All items from top to bottom.
    #[must_use]
    pub fn items(&self) -> &[FlowItem] {
        &self.items
    }

    /// Height of the content in points.
    #[must_use]
    pub const fn height(&self) -> f64 {
        self.height
    }

    /// The row of a flow, or the row of the collapsed group that contains it.
    #[must_use]
    pub fn row(&self, flow: FlowId) -> Option<&FlowItem> {
        self.rows.get(&flow).map(|row| &self.items[*row])
    }

    /// The items that touch a vertical range in points.
    #[must_use]
    pub fn visible(&self, top: f64, bottom: f64) -> &[FlowItem] {
        let first = self.items.partition_point(|item| item.y + item.height <= top);
        let end = self.items.partition_point(|item| item.y < bottom);
        &self.items[first.min(end)..end]
    }

    /// The item at a distance from the top.
    #[must_use]
    pub fn at(&self, y: f64) -> Option<&FlowItem> {
        let after = self.items.partition_point(|item| item.y <= y);
        self.items.get(after.checked_sub(1)?).filter(|item| y < item.y + item.height)
    }
}

/// The panel's content.
#[derive(Clone, Debug, Default)]
pub struct FlowList {
    /// The entered flows and their connected flows.
    pub main: FlowPart,
    /// The pinned flows.
    pub pinned: FlowPart,
}

impl FlowList {
    /// Lays out sections and pinned flows.
    #[must_use]
    pub fn build(sections: &FlowSections, view: &FlowView) -> Self {
        let mut list = Self::default();
        for content in &sections.sections {
            let section = content.section;
            match &content.rows {
                SectionRows::Flows(flows) => {
                    for &flow in flows {
                        list.main.push(FLOW_ROW_HEIGHT, FlowItemKind::Flow { section, flow, in_group: false });
                    }
                }
                SectionRows::Groups(groups) => {
                    for (name, flows) in groups {
                        let open = view.open_groups.contains(&(section, *name));
                        let group = FlowItemKind::Group { section, name: *name, count: flows.len(), open };
                        if !open && flows.len() <= MAX_GROUP_LINKS {
                            list.main.stand_for(flows);
                        }
                        list.main.push(FLOW_ROW_HEIGHT, group);
                        for &flow in flows.iter().filter(|_| open) {
                            list.main.push(FLOW_ROW_HEIGHT, FlowItemKind::Flow { section, flow, in_group: true });
                        }
                    }
                }
            }
        }
        let section = FlowSection::Pinned;
        for &flow in &view.pinned {
            list.pinned.push(FLOW_ROW_HEIGHT, FlowItemKind::Flow { section, flow, in_group: false });
        }
        list
    }

    /// True if a flow has a row.
    #[must_use]
    pub fn shows(&self, flow: FlowId) -> bool {
        self.main.rows.contains_key(&flow) || self.pinned.rows.contains_key(&flow)
    }
}
