//! The part of `flowline bench` about the layout by object: looking at all flows, putting them in order, and frames while the
//! tapes scroll.

use std::time::Instant;

use crate::app::Headless;
use flowline_index::flows::TapeFacts;
use flowline_scene::Scope;
use flowline_session::ordered_tapes;
use flowline_view::{Command, TapeCommand, TapeOrder, TapeView, TypeTicks};

/// Frames measured.
const FRAMES: usize = 240;
/// Points scrolled a frame: about three tapes, as a fast wheel does.
const STEP: f64 = 60.0;
/// Times that flows are put in order.
const ORDERS: usize = 3;

/// Milliseconds of each step.
#[derive(Debug, Default)]
pub(super) struct TapeTimes {
    /// How long every flow ran and waited, and its type.
    pub(super) facts: Vec<f64>,
    /// The order by longest wait.
    pub(super) order: Vec<f64>,
    /// CPU time of a frame while tapes scroll by.
    pub(super) frame: Vec<f64>,
}

impl TapeTimes {
    /// Names for people and for JSON, with the times.
    pub(super) fn named(&self) -> [(&'static str, &'static str, &[f64]); 3] {
        [
            ("tapes, facts", "facts", &self.facts),
            ("tapes, order", "order", &self.order),
            ("tapes, frame", "frame", &self.frame),
        ]
    }
}

fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Measures all of it; nothing for a recording without flows.
pub(super) fn measure(window: &mut Headless) -> anyhow::Result<TapeTimes> {
    let mut times = TapeTimes::default();
    let Some(session) = &window.shell.session else { return Ok(times) };
    let (index, rules) = (session.index.clone(), session.flows.rules.clone());
    if index.flows().is_empty() {
        return Ok(times);
    }
    let began = Instant::now();
    let facts = TapeFacts::build(index.profile(), index.flows(), &rules, &|| true);
    times.facts.push(since(began));
    for _ in 0..ORDERS {
        let (scope, view) = (Scope::default(), TapeView::ordered(TapeOrder::LongestWait, TypeTicks::default()));
        let began = Instant::now();
        let tapes = ordered_tapes(&index, Some(&facts), &scope, &view, &|| true);
        times.order.push(since(began));
        anyhow::ensure!(tapes.flows().len() == index.flows().len(), "tapes are missing");
    }
    window.apply(Command::ZoomToAll);
    window.apply(Command::Tape(TapeCommand::Order(TapeOrder::LongestWait)));
    window.apply(Command::Tape(TapeCommand::Show(true)));
    window.settle();
    window.shell.wait();
    window.settle();
    for frame in 0..FRAMES {
        window.apply(Command::Scroll(if frame < FRAMES / 2 { STEP } else { -STEP }));
        times.frame.push(window.frame().total_ms());
        window.wait()?;
    }
    window.apply(Command::Tape(TapeCommand::Show(false)));
    window.settle();
    Ok(times)
}
