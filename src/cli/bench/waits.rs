//! The wait part of `flowline bench`: flow timelines, critical paths and blockers.

use std::time::Instant;

use rayon::prelude::*;

use flowline_index::Index;
use flowline_index::flows::{RuleMatcher, TimelineTotals};
use flowline_index::waits::{CriticalPath, PathKind, PathOptions, blocking};
use flowline_profile::{FlowId, MarkerId};
use flowline_session::Resources;

/// Number of critical paths to compute.
const PATHS: usize = 500;
/// Number of resources that completion searches, without their hosts.
const RESOURCES: usize = 100_000;
/// Number of suggestions shown at once.
const SUGGESTIONS: usize = 12;
/// Number of segments to which the cost of a path is scaled.
const SEGMENTS: f64 = 1_000.0;

/// Milliseconds of each query.
#[derive(Debug, Default)]
pub(super) struct WaitTimes {
    /// Run time, wait time and longest wait of every flow.
    timelines: Vec<f64>,
    /// Critical path to a marker, per thousand segments, for paths with at least a hundred segments.
    thousand: Vec<f64>,
    /// Critical path to a marker, of any length.
    paths: Vec<f64>,
    /// Blockers of a wait.
    blocking: Vec<f64>,
    /// Completing typed text among a hundred thousand resources.
    completion: Vec<f64>,
}

impl WaitTimes {
    /// Returns the label, the JSON key and the times of each query.
    pub(super) fn named(&self) -> [(&'static str, &'static str, &[f64]); 5] {
        [
            ("flow timelines", "lives_of_all_flows", &self.timelines),
            ("critical path", "critical_path", &self.paths),
            ("per 1,000 segs", "critical_path_per_1000_segments", &self.thousand),
            ("blockers", "held_up", &self.blocking),
            ("completion", "completion_of_100000_resources", &self.completion),
        ]
    }
}

fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Runs all queries. The rows of threads are built before paths are measured.
pub(super) fn measure(index: &Index, rules: &RuleMatcher) -> WaitTimes {
    let mut times = WaitTimes::default();
    let (profile, graph) = (index.profile(), index.flows());
    for _ in 0..3 {
        let began = Instant::now();
        let flows = (0..graph.len()).into_par_iter().map(FlowId::new);
        let all: Vec<TimelineTotals> = flows.map(|flow| rules.timeline_totals(profile, graph, flow)).collect();
        times.timelines.push(since(began));
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
            let found = blocking(index, segment.thread, segment.range);
            times.blocking.push(since(began));
            drop(found);
        }
    }
    times.completion = completion();
    times
}

/// Measures completion while text is typed letter by letter. The resources are synthetic so that every recording has
/// enough.
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
