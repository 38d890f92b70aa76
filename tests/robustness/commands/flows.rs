//! Random commands for the flow panel and for the layout by flow.

use flowline::profile::Direction;
use flowline::view::{FlowCommand, FlowLaneCommand, FlowLaneOrder};

use super::Fuzzer;

impl Fuzzer {
    pub(super) fn flow_command(&mut self) -> FlowCommand {
        if self.index.flows().is_empty() {
            // Without flows, the widgets offer only these commands.
            return self
                .random
                .choice([FlowCommand::Leave, FlowCommand::Back, FlowCommand::UnpinAll])
                .expect("commands");
        }
        let forward = self.random.bool();
        let direction = if forward { Direction::Forward } else { Direction::Back };
        match self.random.u8(..16) {
            0 => FlowCommand::Leave,
            1 => FlowCommand::Back,
            2 => FlowCommand::Forward,
            3 | 4 => FlowCommand::TogglePin(self.flow()),
            5 => FlowCommand::UnpinAll,
            6 => FlowCommand::Choose(self.flow()),
            7 => FlowCommand::AllConnections(forward),
            8 => FlowCommand::Path(forward),
            9 => FlowCommand::ChainStep(direction),
            10 => FlowCommand::ChainAll(direction),
            11 => FlowCommand::ChainReset,
            12 => FlowCommand::Scroll(self.random.f64() * 2000.0 - 1000.0),
            13 => FlowCommand::ScrollPinned(self.random.f64() * 2000.0 - 1000.0),
            14 => FlowCommand::ViewAll(self.flow()),
            _ => FlowCommand::Enter((0..self.random.usize(1..4)).map(|_| self.flow()).collect()),
        }
    }

    /// Usually shows lanes, changes their order or switches types; sometimes selects a marker that may be in another
    /// flow.
    pub(super) fn lane_command(&mut self) -> FlowLaneCommand {
        let facts = self.window.session().flow_lanes.facts().cloned();
        let path = facts.map_or_else(Vec::new, |facts| {
            let mut path = facts.types.path(self.random.usize(..facts.types.nodes().len().max(1)));
            path.truncate(self.random.usize(..=path.len()));
            path
        });
        match self.random.u8(..9) {
            8 => FlowLaneCommand::Collapse(self.random.u32(..12)),
            0 | 1 => FlowLaneCommand::Show(self.random.u8(..4) > 0),
            2 | 3 => FlowLaneCommand::Order(FlowLaneOrder::ALL[self.random.usize(..FlowLaneOrder::ALL.len())]),
            4 | 5 => FlowLaneCommand::Switch { path, on: self.random.bool() },
            _ if self.index.flows().is_empty() => FlowLaneCommand::Order(FlowLaneOrder::Run),
            _ => FlowLaneCommand::Select(self.flow(), self.marker()),
        }
    }
}
