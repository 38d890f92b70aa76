//! The part of `flowline bench` about waits: lives of all flows, critical paths, what held waits up.

use std::time::Instant;

use rayon::prelude::*;

use flowline_index::Index;
use flowline_index::flows::{LifeTotals, RuleMatcher};
use flowline_index::waits::{CriticalPath, PathKind, PathOptions, held_up};
use flowline_profile::{FlowId, MarkerId};
use flowline_session::Resources;

/// Paths that are looked for.
const PATHS: usize = 500;
/// Resources among which is completed, without their hosts.
const RESOURCES: usize = 100_000;
/// Resources that are offered at once.
const SUGGESTIONS: usize = 12;
/// Segments to which the cost of a path is scaled.
const SEGMENTS: f64 = 1_000.0;

/// Milliseconds of each question.
#[derive(Debug, Default)]
pub(super) struct WaitTimes {
    /// Run, wait and longest wait of every flow.
    lives: Vec<f64>,
    /// The path to a marker, per thousand segments of paths of at least a hundred.
    thousand: Vec<f64>,
    /// The path to a marker, whatever its length.
    paths: Vec<f64>,
    /// What held a wait up.
    held_up: Vec<f64>,
    /// Completing what is typed among a hundred thousand resources.
    completion: Vec<f64>,
}

impl WaitTimes {
    /// Names for people and for scripts, and the times.
    pub(super) fn named(&self) -> [(&'static str, &'static str, &[f64]); 5] {
        [
            ("lives of flows", "lives_of_all_flows", &self.lives),
            ("critical path", "critical_path", &self.paths),
            ("of 1,000 parts", "critical_path_per_1000_segments", &self.thousand),
            ("held up", "held_up", &self.held_up),
            ("completion", "completion_of_100000_resources", &self.completion),
        ]
    }
}

fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Asks all questions. Rows of threads are built before paths are measured.
pub(super) fn measure(index: &Index, rules: &RuleMatcher) -> WaitTimes {
    let mut times = WaitTimes::default();
    let (profile, graph) = (index.profile(), index.flows());
    for _ in 0..3 {
        let began = Instant::now();
        let flows = (0..graph.len()).into_par_iter().map(FlowId::new);
        let all: Vec<LifeTotals> = flows.map(|flow| rules.life_totals(profile, graph, flow)).collect();
        times.lives.push(since(began));
        drop(all);
    }
    let stride = (graph.len() / PATHS).max(1);
    let ends: Vec<MarkerId> = graph.iter().step_by(stride).filter_map(|flow| graph.last_to_end(flow)).collect();
    for marker in &ends {
        let _built = CriticalPath::to_marker(index, *marker, PathOptions::default());
    }
    for marker in ends {
        let began = Instant::now();
        let path = CriticalPath::to_marker(index, marker, PathOptions::default());
        let ms = since(began);
        times.paths.push(ms);
        if path.segments.len() >= 100 {
            #[expect(clippy::cast_precision_loss, reason = "a number of segments")]
            times.thousand.push(ms * SEGMENTS / path.segments.len() as f64);
        }
        for segment in path.segments.iter().filter(|segment| segment.kind == PathKind::Wait).take(4) {
            let began = Instant::now();
            let found = held_up(index, segment.thread, segment.range);
            times.held_up.push(since(began));
            drop(found);
        }
    }
    times.completion = completion();
    times
}

/// Completes what somebody types letter by letter. The resources are made up, so that there are enough in any recording.
fn completion() -> Vec<f64> {
    let address = |number: usize| format!("https://cdn{}.example/assets/{number}/script-{number}.js", number % 499);
    let resources = Resources::of((0..RESOURCES).map(|number| (address(number), 1)).collect());
    let typed = "cdn7.example/assets/7000/script";
    let measure = |length: usize| {
        let began = Instant::now();
        let found = resources.containing(&typed[..length], SUGGESTIONS);
        let ms = since(began);
        drop(found);
        ms
    };
    (1..=typed.len()).map(measure).collect()
}
