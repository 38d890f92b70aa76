//! Sections of the flow panel. Each flow is listed once, under the first class that contains it (entered, direct,
//! incoming, outgoing), in start order. Long sections are grouped by name. A flow's further connections to the entered
//! flows are recorded with it. Sections appear in the order incoming (causes first), entered, direct, outgoing, held up.

use std::collections::{BTreeMap, HashMap, HashSet};

use flowline_index::Index;
use flowline_index::flows::group_name;
use flowline_profile::{Direction, FlowId, StringId};
use flowline_view::{ALL_STEPS, FlowSection};

/// Sections with more flows than this show one row per name.
pub const GROUP_ABOVE: usize = 20;
/// A chain is followed to at most this many flows in each direction.
pub const CHAIN_LIMIT: usize = 10_000;

/// The rows of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionRows {
    /// One row for each flow.
    Flows(Vec<FlowId>),
    /// One row for each name, with its flows; the name with the most flows comes first.
    Groups(Vec<(StringId, Vec<FlowId>)>),
}

impl SectionRows {
    /// All flows, also those of groups.
    fn flows(&self) -> impl Iterator<Item = FlowId> + '_ {
        let (flows, groups): (&[FlowId], &[(StringId, Vec<FlowId>)]) = match self {
            Self::Flows(flows) => (flows, &[]),
            Self::Groups(groups) => (&[], groups),
        };
        flows.iter().chain(groups.iter().flat_map(|(_, flows)| flows)).copied()
    }
}

/// A section with its flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionContent {
    /// The section.
    pub section: FlowSection,
    /// Number of flows.
    pub count: usize,
    /// Rows of the section.
    pub rows: SectionRows,
}

/// Connections of a listed flow to the entered flows besides the one of its section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlsoConnected {
    /// The flow is a cause.
    pub cause: bool,
    /// The flow is incoming, but not a cause.
    pub incoming: bool,
    /// The flow is outgoing.
    pub outgoing: bool,
}

/// Flows listed in the panel, without the pinned flows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowSections {
    /// From top to bottom; empty sections are omitted.
    pub sections: Vec<SectionContent>,
    /// Flows that are connected in more than one way.
    pub also: HashMap<FlowId, AlsoConnected>,
    /// True if there may be more incoming flows than listed.
    pub more_back: bool,
    /// True if there may be more outgoing flows than listed.
    pub more_forward: bool,
    /// True if a chain was cut at [`CHAIN_LIMIT`].
    pub limited: bool,
}

/// Number of chain steps to follow, including the first.
fn steps(beyond_first: u16) -> usize {
    if beyond_first == ALL_STEPS { usize::MAX } else { usize::from(beyond_first) + 1 }
}

impl FlowSections {
    /// True if [`FlowSections::build`] is fast enough for the drawing thread: few members with few children.
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

    /// Only the entered flows; shown until the connected flows have been found.
    #[must_use]
    pub fn entered_only(index: &Index, entered: &[FlowId]) -> Self {
        let mut sections = Self::default();
        sections.push(index, FlowSection::Entered, entered.to_vec());
        sections
    }

    /// Finds all flows connected to the entered flows; `back` and `forward` are the steps beyond the first.
    #[must_use]
    pub fn build(index: &Index, entered: &[FlowId], back: u16, forward: u16) -> Self {
        let graph = index.flows();
        let chain = |direction, beyond: u16| {
            // All flows one step away are listed; the limit applies only to flows further away.
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

    /// Adds the flows that the entered ones held up, except those that are listed already.
    pub fn add_held_up(&mut self, index: &Index, mut flows: Vec<FlowId>) {
        let listed: HashSet<FlowId> = self.sections.iter().flat_map(|content| content.rows.flows()).collect();
        flows.retain(|flow| !listed.contains(flow));
        self.push(index, FlowSection::HeldUp, flows);
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
