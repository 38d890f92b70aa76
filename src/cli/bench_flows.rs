//! The part of `flowline bench` about flows: which are open while frames are measured, and how long interactions take
//! until the next frame can show their result.

use std::time::{Duration, Instant};

use crate::app::Headless;
use flowline_index::Index;
use flowline_profile::{Direction, FlowId};
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// Flows entered one after the other.
const ENTERED: usize = 2_000;

/// Milliseconds of each interaction.
#[derive(Debug, Default)]
pub(super) struct Interactions {
    /// From entering a flow until the panel's rows are ready to draw (long lists come later).
    pub(super) enter: Vec<f64>,
    /// The same until nothing is missing: what had to be read from the disk, and everything connected to it.
    pub(super) enter_all: Vec<f64>,
    /// To the next or previous marker of a flow, its row in the chart found and scrolled to.
    pub(super) step: Vec<f64>,
    /// The same until the details are there.
    pub(super) step_all: Vec<f64>,
    /// Entering the flow with most members until everything connected is listed.
    pub(super) largest: Vec<f64>,
}

/// The flows with most members, the largest first.
fn largest(index: &Index, count: usize) -> Vec<FlowId> {
    let graph = index.flows();
    let mut flows: Vec<FlowId> = graph.iter().collect();
    let size = |flow: &FlowId| std::cmp::Reverse(graph.members(*flow).len());
    let count = count.min(flows.len());
    if count > 0 && count < flows.len() {
        flows.select_nth_unstable_by_key(count, size);
    }
    flows.truncate(count);
    flows.sort_by_key(size);
    flows
}

/// Opens the flow panel as a heavy user has it: the largest flow entered, four more pinned.
pub(super) fn open_panel(window: &mut Headless, index: &Index) {
    let flows = largest(index, 5);
    let Some((first, others)) = flows.split_first() else { return };
    for flow in others {
        window.apply(Command::Flow(FlowCommand::TogglePin(*flow)));
    }
    window.apply(Command::Flow(FlowCommand::Enter(vec![*first])));
    if let Some(session) = &mut window.shell.session {
        session.refresh_and_wait();
    }
    window.settle();
}

/// Enters flows spread over the recording and walks along them.
pub(super) fn measure(session: &mut Session) -> Interactions {
    let mut found = Interactions::default();
    let index = session.index.clone();
    let graph = index.flows();
    if graph.is_empty() {
        return found;
    }
    let stride = (graph.len() / ENTERED).max(1);
    for flow in graph.iter().step_by(stride) {
        let began = Instant::now();
        session.apply(Command::Flow(FlowCommand::Enter(vec![flow])));
        session.refresh();
        found.enter.push(since(began));
        found.enter_all.push(until_read(session, began));
        let Some(first) = graph.members(flow).first() else { continue };
        let began = Instant::now();
        session.apply(Command::Reveal(*first));
        session.refresh();
        until_read(session, began);
        for direction in [Direction::Forward, Direction::Forward, Direction::Back] {
            let began = Instant::now();
            let Some(marker) = session.along_flow(direction) else { continue };
            session.apply(Command::Reveal(marker));
            session.refresh();
            found.step.push(since(began));
            found.step_all.push(until_read(session, began));
        }
    }
    for flow in largest(&index, 3) {
        let began = Instant::now();
        session.apply(Command::Flow(FlowCommand::Enter(vec![flow])));
        session.refresh_and_wait();
        found.largest.push(since(began));
    }
    found
}

/// Refreshes as frames do until flows and details are complete; the milliseconds since a moment.
fn until_read(session: &mut Session, began: Instant) -> f64 {
    while session.is_reading() {
        std::thread::sleep(Duration::from_micros(50));
        session.refresh();
    }
    since(began)
}

/// Milliseconds since a moment.
fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}
