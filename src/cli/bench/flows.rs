//! The flow part of `flowline bench`: sets up the flow panel for frame measurements, and measures interactions until
//! the next frame can show their result.

use std::time::{Duration, Instant};

use crate::app::Headless;
use flowline_index::Index;
use flowline_profile::{Direction, FlowId};
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// Number of flows that are entered one after the other.
const ENTERED: usize = 2_000;

/// Milliseconds of each interaction.
#[derive(Debug, Default)]
pub(super) struct Interactions {
    /// From entering a flow until the panel's rows are ready to draw (long lists come later).
    pub(super) enter: Vec<f64>,
    /// The same, until data read from disk and all connected flows are complete.
    pub(super) enter_all: Vec<f64>,
    /// Going to the next or previous marker of a flow, including scrolling to its row.
    pub(super) step: Vec<f64>,
    /// The same, until the details are complete.
    pub(super) step_all: Vec<f64>,
    /// Entering the flow with the most markers, until all connected flows are listed.
    pub(super) largest: Vec<f64>,
}

/// Returns the flows with the most markers, largest first.
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

/// Opens the flow panel in a heavy configuration: the largest flow entered, four more pinned.
pub(super) fn open_panel(window: &mut Headless, index: &Index) {
    let flows = largest(index, 5);
    let Some((first, others)) = flows.split_first() else { return };
    for flow in others {
        window.apply(Command::Flow(FlowCommand::TogglePin(*flow)));
    }
    window.apply(Command::Flow(FlowCommand::Enter(vec![*first])));
    if let Some(session) = window.shell.session_mut() {
        session.refresh_and_wait();
    }
    window.settle();
}

/// Enters flows from all parts of the recording and steps along them.
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

/// Refreshes the session like a frame until flows and details are complete; returns the milliseconds since `began`.
fn until_read(session: &mut Session, began: Instant) -> f64 {
    while session.is_reading() {
        std::thread::sleep(Duration::from_micros(50));
        session.refresh();
    }
    since(began)
}

/// Returns the milliseconds since `began`.
fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}
