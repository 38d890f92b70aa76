//! The sample part of `flowline bench`: call trees of the thread with the most samples.

use std::sync::Arc;
use std::time::Instant;

use flowline_index::samples::flame::flame_boxes;
use flowline_index::samples::{FunctionList, InvertedTree, TreeRequest};
use flowline_profile::{Ns, Profile, ThreadId, TimeRange};

/// Number of measurements of each step.
const TIMES: usize = 5;

/// Milliseconds of each step.
#[derive(Debug, Default)]
pub(super) struct SampleSteps {
    /// Number of samples of the thread.
    pub(super) samples: usize,
    /// Call tree of all samples, up to its first rows.
    pub(super) tree: Vec<f64>,
    /// Call tree of a tenth of the range, with the same nodes.
    pub(super) range: Vec<f64>,
    /// Bottom-up tree of all samples, up to its first rows, with the same nodes.
    pub(super) inverted: Vec<f64>,
    /// List of functions of all samples, with the same nodes.
    pub(super) functions: Vec<f64>,
    /// Boxes of a flame graph 1,920 pixels wide.
    pub(super) flame: Vec<f64>,
}

impl SampleSteps {
    /// Returns the label, the JSON key and the times of each step.
    pub(super) fn named(&self) -> [(&'static str, &'static str, &[f64]); 5] {
        [
            ("call tree", "call_tree", &self.tree),
            ("of a range", "call_tree_of_range", &self.range),
            ("bottom-up", "bottom_up_tree", &self.inverted),
            ("functions", "functions", &self.functions),
            ("flame graph", "flame_graph", &self.flame),
        ]
    }
}

fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Measures all steps; empty for recordings without samples.
pub(super) fn measure(profile: &Profile) -> SampleSteps {
    let mut steps = SampleSteps::default();
    let count = |thread: ThreadId| profile.samples(thread).map_or(0, |samples| samples.cpu.len());
    let threads = (0..profile.threads.len()).map(ThreadId::new);
    let Some(thread) = threads.max_by_key(|thread| count(*thread)).filter(|thread| count(*thread) > 0) else {
        return steps;
    };
    steps.samples = count(thread);
    let request = TreeRequest { threads: vec![thread], ..TreeRequest::default() };
    let range = profile.meta.range;
    let from = Ns(range.start.0 + range.len() / 2);
    let part = TreeRequest { range: Some(TimeRange::new(from, from + Ns(range.len() / 10))), ..request.clone() };
    for _ in 0..TIMES {
        let began = Instant::now();
        let nodes = Arc::new(request.nodes(profile));
        let tree = Arc::new(request.tree(profile, Arc::clone(&nodes)));
        let _rows = tree.children(None).len();
        steps.tree.push(since(began));
        let began = Instant::now();
        let _rows = part.tree(profile, Arc::clone(&nodes)).children(None).len();
        steps.range.push(since(began));
        let began = Instant::now();
        let mut inverted = InvertedTree::new(Arc::new(request.tree(profile, Arc::clone(&nodes))));
        let _rows = inverted.children(None).len();
        steps.inverted.push(since(began));
        let began = Instant::now();
        let _rows = FunctionList::new(&tree).rows.len();
        steps.functions.push(since(began));
        let began = Instant::now();
        let _boxes = flame_boxes(&profile.stacks, &tree, [0.0, 1.0], 1920.0).len();
        steps.flame.push(since(began));
    }
    steps
}
