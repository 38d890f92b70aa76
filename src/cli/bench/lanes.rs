//! The part of `flowline bench` for the layout "By object": analyzing all flows, sorting them, and frames while the flow
//! lanes scroll.

use std::time::Instant;

use crate::app::Headless;
use flowline_index::flows::LaneData;
use flowline_scene::Scope;
use flowline_session::ordered_lanes;
use flowline_view::{Command, FlowLaneCommand, FlowLaneOrder, FlowLaneView, TypeFilter};

/// Number of measured frames.
const FRAMES: usize = 240;
/// Points scrolled per frame: about three flow lanes, like a fast wheel.
const STEP: f64 = 60.0;
/// Number of times that flows are sorted.
const ORDERS: usize = 3;

/// Milliseconds of each step.
#[derive(Debug, Default)]
pub(super) struct LaneTimes {
    /// Computing the run time, wait time and type of every flow.
    pub(super) facts: Vec<f64>,
    /// Sorting by longest wait.
    pub(super) order: Vec<f64>,
    /// CPU time of a frame while flow lanes scroll.
    pub(super) frame: Vec<f64>,
}

impl LaneTimes {
    /// Returns the label, the JSON key and the times of each step.
    pub(super) fn named(&self) -> [(&'static str, &'static str, &[f64]); 3] {
        [
            ("lanes, facts", "facts", &self.facts),
            ("lanes, order", "order", &self.order),
            ("lanes, frame", "frame", &self.frame),
        ]
    }
}

fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Measures all steps; empty for a recording without flows.
pub(super) fn measure(window: &mut Headless) -> anyhow::Result<LaneTimes> {
    let mut times = LaneTimes::default();
    let Some(session) = window.shell.session() else { return Ok(times) };
    let (index, rules) = (session.index.clone(), session.flows.rules.clone());
    if index.flows().is_empty() {
        return Ok(times);
    }
    let began = Instant::now();
    let facts = LaneData::build(index.profile(), index.flows(), &rules, &|| true);
    times.facts.push(since(began));
    for _ in 0..ORDERS {
        let (scope, view) =
            (Scope::default(), FlowLaneView::ordered(FlowLaneOrder::LongestWait, TypeFilter::default()));
        let began = Instant::now();
        let flow_lanes = ordered_lanes(&index, Some(&facts), &scope, &view, &|| true);
        times.order.push(since(began));
        anyhow::ensure!(flow_lanes.flows().len() == index.flows().len(), "flow lanes are missing");
    }
    window.apply(Command::ZoomToAll);
    window.apply(Command::FlowLane(FlowLaneCommand::Order(FlowLaneOrder::LongestWait)));
    window.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
    window.settle();
    window.shell.wait();
    window.settle();
    for frame in 0..FRAMES {
        window.apply(Command::Scroll(if frame < FRAMES / 2 { STEP } else { -STEP }));
        times.frame.push(window.frame().total_ms());
        window.wait()?;
    }
    window.apply(Command::FlowLane(FlowLaneCommand::Show(false)));
    window.settle();
    Ok(times)
}
