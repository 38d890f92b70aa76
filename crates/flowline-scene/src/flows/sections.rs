//! Which flows the panel lists for the entered ones, section by section: each flow once, under the first class that holds it
//! (entered, direct, incoming, outgoing), in start order; grouped by name where there are too many to read. What else a flow
//! is to the entered ones is noted with it. The sections stand in the order incoming (the cause first), entered, direct,
//! outgoing.

use std::collections::{BTreeMap, HashMap, HashSet};

use flowline_index::Index;
use flowline_index::flows::group_name;
use flowline_profile::{Direction, FlowId, StringId};
use flowline_view::{ALL_STEPS, FlowSection};

/// Sections with more flows than this show one row for each name.
pub const GROUP_ABOVE: usize = 20;
/// A chain is followed to at most this many flows in each direction.
pub const CHAIN_LIMIT: usize = 10_000;

/// The rows of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionRows {
    /// One row for each flow.
    Flows(Vec<FlowId>),
    /// One row for each name, with its flows; the name with most flows first.
    Groups(Vec<(StringId, Vec<FlowId>)>),
}

/// A section with its flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionContent {
    /// Which section.
    pub section: FlowSection,
    /// Number of flows.
    pub count: usize,
    /// Its rows.
    pub rows: SectionRows,
}

/// What a listed flow is to the entered ones besides what its section says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlsoConnected {
    /// A cause.
    pub cause: bool,
    /// Incoming, but no cause.
    pub incoming: bool,
    /// Outgoing.
    pub outgoing: bool,
}

/// What the panel lists, apart from pinned flows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowSections {
    /// From top to bottom; sections without flows are left out.
    pub sections: Vec<SectionContent>,
    /// Flows that are connected in more ways than one.
    pub also: HashMap<FlowId, AlsoConnected>,
    /// Whether there may be incoming flows beyond those listed.
    pub more_back: bool,
    /// Whether there may be outgoing flows beyond those listed.
    pub more_forward: bool,
    /// Whether a chain was cut at [`CHAIN_LIMIT`].
    pub limited: bool,
}

/// Steps of a chain to follow, the first one included.
fn steps(beyond_first: u16) -> usize {
    if beyond_first == ALL_STEPS { usize::MAX } else { usize::from(beyond_first) + 1 }
}

impl FlowSections {
    /// Whether [`FlowSections::build`] is quick enough for the drawing thread: there are few members with few children.
    #[must_use]
    pub fn is_quick(index: &Index, entered: &[FlowId], back: u16, forward: u16) -> bool {
        let graph = index.flows();
        if back > 0 || forward > 0 {
            return false;
        }
        let mut budget: usize = 4_000;
        for marker in entered.iter().flat_map(|flow| graph.members(*flow)) {
            let parents = graph.parent(*marker).map_or(0, |parent| graph.flows_of(parent).len());
            let cost = 16 + graph.children(*marker).len() * 4 + parents + graph.flows_of(*marker).len();
            match budget.checked_sub(cost) {
                Some(left) => budget = left,
                None => return false,
            }
        }
        true
    }

    /// Only the entered flows, shown until the rest has been found.
    #[must_use]
    pub fn entered_only(index: &Index, entered: &[FlowId]) -> Self {
        let mut sections = Self::default();
        sections.push(index, FlowSection::Entered, entered.to_vec());
        sections
    }

    /// Lists everything connected to the entered flows; `back` and `forward` are the steps beyond the first.
    #[must_use]
    pub fn build(index: &Index, entered: &[FlowId], back: u16, forward: u16) -> Self {
        let graph = index.flows();
        let chain = |direction, beyond: u16| {
            // The flows one step away are all listed; only what lies beyond is limited.
            let limit = if beyond == 0 { usize::MAX } else { CHAIN_LIMIT };
            graph.chain(entered, direction, steps(beyond), limit)
        };
        let (incoming, outgoing) = (chain(Direction::Back, back), chain(Direction::Forward, forward));
        let mut sections = Self {
            more_back: !incoming.complete,
            more_forward: !outgoing.complete,
            limited: incoming.limited || outgoing.limited,
            ..Self::default()
        };
        let direct = graph.direct(entered);
        let mut listed: HashSet<FlowId> = direct.iter().copied().collect();
        let mut causes = entered.to_vec();
        let mut steps = Vec::new();
        for (step, flows) in (1_u16..).zip(incoming.steps) {
            let around: HashSet<FlowId> = flows.iter().copied().collect();
            causes = graph.causes(&causes);
            causes.retain(|flow| around.contains(flow));
            let is_cause: HashSet<FlowId> = causes.iter().copied().collect();
            let (mut caused, mut had_part) = (Vec::new(), Vec::new());
            for flow in flows {
                let cause = is_cause.contains(&flow);
                if listed.insert(flow) {
                    if cause { caused.push(flow) } else { had_part.push(flow) }
                } else {
                    let also = sections.also.entry(flow).or_default();
                    (also.cause, also.incoming) = (cause, !cause);
                }
            }
            steps.push([(FlowSection::Cause(step), caused), (FlowSection::Incoming(step), had_part)]);
        }
        for (section, flows) in steps.into_iter().rev().flatten() {
            sections.push(index, section, flows);
        }
        sections.push(index, FlowSection::Entered, entered.to_vec());
        sections.push(index, FlowSection::Direct, direct);
        for (step, mut flows) in (1_u16..).zip(outgoing.steps) {
            flows.retain(|flow| {
                let is_new = listed.insert(*flow);
                if !is_new {
                    sections.also.entry(*flow).or_default().outgoing = true;
                }
                is_new
            });
            sections.push(index, FlowSection::Outgoing(step), flows);
        }
        sections
    }

    fn push(&mut self, index: &Index, section: FlowSection, flows: Vec<FlowId>) {
        if flows.is_empty() {
            return;
        }
        let count = flows.len();
        let rows = if count > GROUP_ABOVE { grouped(index, flows) } else { SectionRows::Flows(flows) };
        self.sections.push(SectionContent { section, count, rows });
    }

    /// The flows of a group.
    #[must_use]
    pub fn group(&self, section: FlowSection, name: StringId) -> &[FlowId] {
        let content = self.sections.iter().find(|content| content.section == section);
        match content.map(|content| &content.rows) {
            Some(SectionRows::Groups(groups)) => {
                groups.iter().find(|group| group.0 == name).map_or(&[], |group| group.1.as_slice())
            }
            _ => &[],
        }
    }
}

/// Groups flows by name; a single name needs no group.
fn grouped(index: &Index, flows: Vec<FlowId>) -> SectionRows {
    let mut by_name: BTreeMap<StringId, Vec<FlowId>> = BTreeMap::new();
    for flow in &flows {
        by_name.entry(group_name(index, *flow)).or_default().push(*flow);
    }
    let mut groups: Vec<_> = by_name.into_iter().collect();
    groups.sort_by_key(|(_, flows)| std::cmp::Reverse(flows.len()));
    SectionRows::Groups(groups)
}
