//! What is looked at in the flow panel: flows entered and pinned, the way there and back, what is unfolded.

use std::collections::BTreeSet;

use crate::profile::{FlowId, StringId};

/// A section of the panel, from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowSection {
    /// Flows that caused the entered ones, this many steps away (1: directly); those farthest away come first.
    Incoming(u16),
    /// The entered flows.
    Entered,
    /// Flows that share a marker with them.
    Direct,
    /// Flows that they caused, this many steps away.
    Outgoing(u16),
    /// Pinned flows.
    Pinned,
}

/// How far a chain is followed; `u16::MAX` steps mean all of it.
pub const ALL_STEPS: u16 = u16::MAX;

/// A wish to change the flow panel.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowCommand {
    /// Enter flows (a marker's flows are entered together).
    Enter(Vec<FlowId>),
    /// Enter none: the panel goes, unless flows are pinned.
    Leave,
    /// To the flows entered before.
    Back,
    /// To the flows entered after.
    Forward,
    /// Keep a flow at the bottom, or no longer.
    TogglePin(FlowId),
    /// Keep no flow.
    UnpinAll,
    /// Which of the selected marker's flows the keys mean.
    Choose(FlowId),
    /// Draw all connections of the entered flows, or only those of the marker pointed at.
    AllConnections(bool),
    /// Draw the entered flows as paths over the chart.
    Path(bool),
    /// Follow causes (or effects, if `forward`) one step farther.
    ChainStep {
        /// To effects.
        forward: bool,
    },
    /// Follow them to the end.
    ChainAll {
        /// To effects.
        forward: bool,
    },
    /// Back to one step either way.
    ChainReset,
    /// Unfold or fold a group of flows with the same name.
    ToggleGroup(FlowSection, StringId),
    /// Scroll the panel by points.
    Scroll(f64),
    /// Scroll the pinned rows by points.
    ScrollPinned(f64),
    /// The pointer is over this flow's row.
    Hover(Option<FlowId>),
    /// Search for the flow's markers and show every thread that has one. What a flow is called and where it goes is not
    /// known here: the document does it.
    ViewAll(FlowId),
}

/// State of the flow panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowView {
    /// The flows entered now, ascending.
    pub entered: Vec<FlowId>,
    /// Flows kept at the bottom, in the order pinned.
    pub pinned: Vec<FlowId>,
    /// What was entered, oldest first.
    pub history: Vec<Vec<FlowId>>,
    /// The entry of the history shown now.
    pub at: usize,
    /// The flow that keys mean, among those of the selected marker.
    pub chosen: Option<FlowId>,
    /// Whether all connections are drawn.
    pub all_connections: bool,
    /// Whether the path over the chart is drawn.
    pub path: bool,
    /// Steps followed to causes beyond the first.
    pub chain_back: u16,
    /// Steps followed to effects beyond the first.
    pub chain_forward: u16,
    /// Groups that are unfolded.
    pub open_groups: BTreeSet<(FlowSection, StringId)>,
    /// Scroll of the panel in points.
    pub scroll: f64,
    /// Scroll of the pinned rows in points.
    pub pinned_scroll: f64,
    /// The flow whose row the pointer is over.
    pub hovered: Option<FlowId>,
}

/// Entries of the history that are kept.
const HISTORY: usize = 200;

impl FlowView {
    /// Whether there is anything for the panel to show.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.entered.is_empty() || !self.pinned.is_empty()
    }

    /// Whether a flow is pinned.
    #[must_use]
    pub fn is_pinned(&self, flow: FlowId) -> bool {
        self.pinned.contains(&flow)
    }

    /// Whether there are flows to go back (or forward) to.
    #[must_use]
    pub fn can_go(&self, forward: bool) -> bool {
        if self.entered.is_empty() {
            return !forward && !self.history.is_empty();
        }
        if forward { self.at + 1 < self.history.len() } else { self.at > 0 }
    }

    /// Takes up what was looked at before; `at` is where the entered flows stand in the history.
    pub fn restore(&mut self, entered: Vec<FlowId>, pinned: Vec<FlowId>, history: Vec<Vec<FlowId>>, at: usize) {
        self.at = at.min(history.len().saturating_sub(1));
        (self.entered, self.pinned, self.history) = (entered, pinned, history);
    }

    /// Applies a command.
    pub fn apply(&mut self, command: FlowCommand) {
        match command {
            FlowCommand::Enter(flows) => self.enter(flows),
            FlowCommand::Leave => self.show(Vec::new()),
            FlowCommand::Back if self.can_go(false) => {
                // After leaving, back means the flows that were left.
                let at = if self.entered.is_empty() { self.at } else { self.at - 1 };
                self.go(at);
            }
            FlowCommand::Forward if self.can_go(true) => self.go(self.at + 1),
            FlowCommand::Back | FlowCommand::Forward => {}
            FlowCommand::TogglePin(flow) => match self.pinned.iter().position(|pinned| *pinned == flow) {
                Some(position) => drop(self.pinned.remove(position)),
                None => self.pinned.push(flow),
            },
            FlowCommand::UnpinAll => self.pinned.clear(),
            FlowCommand::Choose(flow) => self.chosen = Some(flow),
            FlowCommand::AllConnections(on) => self.all_connections = on,
            FlowCommand::Path(on) => self.path = on,
            FlowCommand::ChainStep { forward } => {
                let steps = if forward { &mut self.chain_forward } else { &mut self.chain_back };
                *steps = steps.saturating_add(1);
            }
            FlowCommand::ChainAll { forward: true } => self.chain_forward = ALL_STEPS,
            FlowCommand::ChainAll { forward: false } => self.chain_back = ALL_STEPS,
            FlowCommand::ChainReset => (self.chain_back, self.chain_forward) = (0, 0),
            FlowCommand::ToggleGroup(section, name) => {
                if !self.open_groups.remove(&(section, name)) {
                    self.open_groups.insert((section, name));
                }
            }
            FlowCommand::Scroll(points) => self.scroll = (self.scroll + points).max(0.0),
            FlowCommand::ScrollPinned(points) => self.pinned_scroll = (self.pinned_scroll + points).max(0.0),
            FlowCommand::Hover(flow) => self.hovered = flow,
            FlowCommand::ViewAll(_) => {}
        }
    }

    fn enter(&mut self, mut flows: Vec<FlowId>) {
        flows.sort_unstable();
        flows.dedup();
        if flows.is_empty() || flows == self.entered {
            return;
        }
        if !self.history.is_empty() {
            self.history.truncate(self.at + 1);
        }
        if self.history.last() != Some(&flows) {
            self.history.push(flows.clone());
        }
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
        self.at = self.history.len() - 1;
        self.show(flows);
    }

    fn go(&mut self, at: usize) {
        if let Some(flows) = self.history.get(at).cloned() {
            self.at = at;
            self.show(flows);
        }
    }

    /// Other flows begin at the top of the panel with nothing unfolded.
    fn show(&mut self, flows: Vec<FlowId>) {
        self.entered = flows;
        (self.chain_back, self.chain_forward) = (0, 0);
        self.open_groups.clear();
        self.scroll = 0.0;
        self.hovered = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(view: &mut FlowView, flow: u32) {
        view.apply(FlowCommand::Enter(vec![FlowId(flow)]));
    }

    #[test]
    fn history_goes_back_and_forward_and_branches() {
        let mut view = FlowView::default();
        (1..=3).for_each(|flow| enter(&mut view, flow));
        view.apply(FlowCommand::Back);
        view.apply(FlowCommand::Back);
        assert_eq!(view.entered, [FlowId(1)]);
        assert!(!view.can_go(false) && view.can_go(true));
        view.apply(FlowCommand::Back);
        assert_eq!(view.entered, [FlowId(1)]);
        view.apply(FlowCommand::Forward);
        assert_eq!(view.entered, [FlowId(2)]);
        enter(&mut view, 9);
        assert!(!view.can_go(true));
        view.apply(FlowCommand::Leave);
        assert!(view.entered.is_empty());
        view.apply(FlowCommand::Back);
        assert_eq!(view.entered, [FlowId(9)]);
        view.apply(FlowCommand::Back);
        assert_eq!(view.entered, [FlowId(2)]);
    }

    #[test]
    fn pins_keep_their_order_and_outlive_entering() {
        let mut view = FlowView::default();
        for flow in [5, 2, 8] {
            view.apply(FlowCommand::TogglePin(FlowId(flow)));
        }
        enter(&mut view, 1);
        view.apply(FlowCommand::TogglePin(FlowId(2)));
        assert_eq!(view.pinned, [FlowId(5), FlowId(8)]);
        assert!(view.is_open());
    }

    #[test]
    fn entering_starts_afresh() {
        let mut view = FlowView::default();
        enter(&mut view, 1);
        view.apply(FlowCommand::ChainAll { forward: true });
        view.apply(FlowCommand::Scroll(50.0));
        view.apply(FlowCommand::ToggleGroup(FlowSection::Direct, StringId(3)));
        enter(&mut view, 2);
        assert_eq!((view.chain_forward, view.scroll, view.open_groups.len()), (0, 0.0, 0));
    }
}
