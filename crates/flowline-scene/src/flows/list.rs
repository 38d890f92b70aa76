//! The flow panel's content from top to bottom: headings, flows, groups of flows; and the pinned rows below it. Like
//! [`crate::TrackList`], it is rebuilt only when something changes, and a frame finds its part by binary search.

use std::collections::HashMap;

use super::sections::{FlowSections, SectionRows};
use flowline_profile::{FlowId, StringId};
use flowline_view::{FlowSection, FlowView};

/// Height of a heading in points.
pub const FLOW_HEADING_HEIGHT: f64 = 17.0;
/// Height of a flow's row in points.
pub const FLOW_ROW_HEIGHT: f64 = 29.0;

/// Connections lead to the row of a folded group only if the group has at most this many flows.
const MAX_GROUP_LINKS: usize = 5_000;

/// What stands at a place of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowItemKind {
    /// Heading of a section and its number of flows.
    Heading {
        /// Which section.
        section: FlowSection,
        /// Number of flows.
        count: usize,
    },
    /// A flow.
    Flow {
        /// In which section.
        section: FlowSection,
        /// Which flow.
        flow: FlowId,
        /// Whether it belongs to the group above it.
        in_group: bool,
    },
    /// Flows of one name, shown as one row.
    Group {
        /// In which section.
        section: FlowSection,
        /// Their name.
        name: StringId,
        /// How many.
        count: usize,
        /// Whether they are listed below.
        open: bool,
    },
}

/// An item and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowItem {
    /// Distance from the top of its part in points.
    pub y: f64,
    /// Height in points.
    pub height: f64,
    /// What it is.
    pub kind: FlowItemKind,
}

impl FlowItem {
    /// The flow of a row.
    #[must_use]
    pub const fn flow(&self) -> Option<FlowId> {
        match self.kind {
            FlowItemKind::Flow { flow, .. } => Some(flow),
            _ => None,
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

    /// Makes the next item the row of these flows.
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

    /// The row of a flow, or of the folded group it is in.
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
    /// The entered flows and what is connected to them.
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
            list.main.push(FLOW_HEADING_HEIGHT, FlowItemKind::Heading { section, count: content.count });
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
        if !view.pinned.is_empty() {
            let section = FlowSection::Pinned;
            list.pinned.push(FLOW_HEADING_HEIGHT, FlowItemKind::Heading { section, count: view.pinned.len() });
            for &flow in &view.pinned {
                list.pinned.push(FLOW_ROW_HEIGHT, FlowItemKind::Flow { section, flow, in_group: false });
            }
        }
        list
    }

    /// Whether a flow has a row.
    #[must_use]
    pub fn shows(&self, flow: FlowId) -> bool {
        self.main.rows.contains_key(&flow) || self.pinned.rows.contains_key(&flow)
    }
}
