//! State of the flow panel: entered and pinned flows, the history, and expanded groups.

use std::collections::{BTreeMap, BTreeSet};

use flowline_profile::{Direction, FlowId, StringId};

/// A section of the panel, from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowSection {
    /// The causes at this distance. Distance 1 contains the flows of the parents of the entered flows' first markers,
    /// distance 2 the causes of those, and so on. The greatest distance is listed first.
    Cause(u16),
    /// The other incoming flows at this distance. They contain markers of the entered flows, but not their first
    /// markers.
    Incoming(u16),
    /// The entered flows.
    Entered,
    /// Flows that share a marker with the entered flows.
    Direct,
    /// Flows of the markers inside the entered flows' markers, at this distance.
    Outgoing(u16),
    /// Flows that waited for a thread while a marker of the entered flows ran on it.
    HeldUp,
    /// Pinned flows.
    Pinned,
}

/// Follow a chain to its end.
pub const ALL_STEPS: u16 = u16::MAX;

/// A change of the flow panel.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowCommand {
    /// Enter flows. The flows of a marker are entered together.
    Enter(Vec<FlowId>),
    /// Leave the entered flows. The panel closes unless flows are pinned.
    Leave,
    /// Go back in the history of entered flows.
    Back,
    /// Go forward in the history.
    Forward,
    /// Pin a flow at the bottom, or unpin it.
    TogglePin(FlowId),
    /// Unpin all flows.
    UnpinAll,
    /// Name a pinned flow; an empty name removes the name.
    NamePin(FlowId, String),
    /// Make one of the selected marker's flows the target of keyboard commands.
    Choose(FlowId),
    /// Show all connections of the entered flows, or only those of the hovered marker.
    AllConnections(bool),
    /// Show or hide the paths of the entered flows over the chart.
    Path(bool),
    /// Follow incoming (back) or outgoing (forward) flows one more step.
    ChainStep(Direction),
    /// Follow incoming or outgoing flows to the end.
    ChainAll(Direction),
    /// Reset to one step in each direction.
    ChainReset,
    /// Expand or collapse a group of flows with the same name.
    ToggleGroup(FlowSection, StringId),
    /// Scroll the panel by points.
    Scroll(f64),
    /// Scroll the pinned rows by points.
    ScrollPinned(f64),
    /// Set the flow whose row is under the pointer.
    Hover(Option<FlowId>),
    /// Search for the flow's markers and show every thread that contains one. The session implements this command.
    ViewAll(FlowId),
}

/// State of the flow panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowView {
    /// The entered flows, ascending.
    pub entered: Vec<FlowId>,
    /// Pinned flows, in pin order.
    pub pinned: Vec<FlowId>,
    /// Custom names of pinned flows.
    pub pin_names: BTreeMap<FlowId, String>,
    /// History of entered flows, oldest first.
    pub history: Vec<Vec<FlowId>>,
    /// Position in the history.
    pub at: usize,
    /// The flow of the selected marker that keyboard commands act on.
    pub chosen: Option<FlowId>,
    /// True if all connections are shown.
    pub all_connections: bool,
    /// True if the path is shown over the chart.
    pub path: bool,
    /// Additional steps to incoming flows.
    pub chain_back: u16,
    /// Additional steps to outgoing flows.
    pub chain_forward: u16,
    /// Expanded groups.
    pub open_groups: BTreeSet<(FlowSection, StringId)>,
    /// Scroll of the panel in points.
    pub scroll: f64,
    /// Scroll of the pinned rows in points.
    pub pinned_scroll: f64,
    /// The flow whose row is under the pointer.
    pub hovered: Option<FlowId>,
}

/// Maximum number of history entries.
const MAX_HISTORY: usize = 200;

impl FlowView {
    /// True if the panel has anything to show.
    #[must_use]
    #[inline]
    pub fn is_open(&self) -> bool {
        !self.entered.is_empty() || !self.pinned.is_empty()
    }

    /// True if a flow is pinned.
    #[must_use]
    #[inline]
    pub fn is_pinned(&self, flow: FlowId) -> bool {
        self.pinned.contains(&flow)
    }

    /// True if the history has an entry in this direction.
    #[must_use]
    pub fn can_go(&self, direction: Direction) -> bool {
        match direction {
            // After leaving, going back returns to the flows that were left.
            Direction::Back if self.entered.is_empty() => !self.history.is_empty(),
            Direction::Back => self.at > 0,
            Direction::Forward => !self.entered.is_empty() && self.at + 1 < self.history.len(),
        }
    }

    /// Restores a saved state; `at` is the position in the history.
    #[inline]
    pub fn restore(&mut self, entered: Vec<FlowId>, pinned: Vec<FlowId>, history: Vec<Vec<FlowId>>, at: usize) {
        self.at = at.min(history.len().saturating_sub(1));
        (self.entered, self.pinned, self.history) = (entered, pinned, history);
    }

    /// Applies a command.
    pub fn apply(&mut self, command: FlowCommand) {
        match command {
            FlowCommand::Enter(flows) => self.enter(flows),
            FlowCommand::Leave => self.show(Vec::new()),
            FlowCommand::Back if self.can_go(Direction::Back) => {
                let at = if self.entered.is_empty() { self.at } else { self.at - 1 };
                self.go(at);
            }
            FlowCommand::Forward if self.can_go(Direction::Forward) => self.go(self.at + 1),
            FlowCommand::Back | FlowCommand::Forward => {}
            FlowCommand::TogglePin(flow) => match self.pinned.iter().position(|pinned| *pinned == flow) {
                Some(position) => {
                    self.pinned.remove(position);
                    self.pin_names.remove(&flow);
                }
                None => self.pinned.push(flow),
            },
            FlowCommand::UnpinAll => {
                self.pinned.clear();
                self.pin_names.clear();
            }
            FlowCommand::NamePin(flow, name) => {
                let name = name.trim();
                if name.is_empty() || !self.is_pinned(flow) {
                    self.pin_names.remove(&flow);
                } else {
                    self.pin_names.insert(flow, name.to_owned());
                }
            }
            FlowCommand::Choose(flow) => self.chosen = Some(flow),
            FlowCommand::AllConnections(on) => self.all_connections = on,
            FlowCommand::Path(on) => self.path = on,
            FlowCommand::ChainStep(direction) => {
                let steps = self.chain_steps(direction);
                *steps = steps.saturating_add(1);
            }
            FlowCommand::ChainAll(direction) => *self.chain_steps(direction) = ALL_STEPS,
            FlowCommand::ChainReset => (self.chain_back, self.chain_forward) = (0, 0),
            FlowCommand::ToggleGroup(section, name) => {
                if !self.open_groups.remove(&(section, name)) {
                    self.open_groups.insert((section, name));
                }
            }
            FlowCommand::Scroll(points) => self.scroll = (self.scroll + points).max(0.0),
            FlowCommand::ScrollPinned(points) => self.pinned_scroll = (self.pinned_scroll + points).max(0.0),
            FlowCommand::Hover(flow) => self.hovered = flow,
            // Searching needs the flow's name, which only the session knows.
            FlowCommand::ViewAll(_) => {}
        }
    }

    fn chain_steps(&mut self, direction: Direction) -> &mut u16 {
        match direction {
            Direction::Back => &mut self.chain_back,
            Direction::Forward => &mut self.chain_forward,
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
        if self.history.len() > MAX_HISTORY {
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

    /// Shows other flows, with the panel scrolled to its top and all groups collapsed.
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
        assert!(!view.can_go(Direction::Back) && view.can_go(Direction::Forward));
        view.apply(FlowCommand::Back);
        assert_eq!(view.entered, [FlowId(1)]);
        view.apply(FlowCommand::Forward);
        assert_eq!(view.entered, [FlowId(2)]);
        enter(&mut view, 9);
        assert!(!view.can_go(Direction::Forward));
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
        for flow in [2, 5] {
            view.apply(FlowCommand::NamePin(FlowId(flow), " mine ".into()));
        }
        view.apply(FlowCommand::NamePin(FlowId(1), "not pinned".into()));
        view.apply(FlowCommand::TogglePin(FlowId(2)));
        assert_eq!(view.pinned, [FlowId(5), FlowId(8)]);
        assert_eq!(view.pin_names, [(FlowId(5), "mine".to_owned())].into(), "a name is removed with its pin");
        view.apply(FlowCommand::NamePin(FlowId(5), String::new()));
        assert!(view.pin_names.is_empty());
        assert!(view.is_open());
    }

    #[test]
    fn entering_starts_afresh() {
        let mut view = FlowView::default();
        enter(&mut view, 1);
        view.apply(FlowCommand::ChainAll(Direction::Forward));
        view.apply(FlowCommand::Scroll(50.0));
        view.apply(FlowCommand::ToggleGroup(FlowSection::Direct, StringId(3)));
        enter(&mut view, 2);
        assert_eq!((view.chain_forward, view.scroll, view.open_groups.len()), (0, 0.0, 0));
    }
}
