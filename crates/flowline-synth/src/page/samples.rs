//! The profile of the page's scripts: one chunk per frame.

use std::io::Write;

use super::events::{CLOCK, Events};
use super::frames::{FUNCTIONS, Frame};
use crate::random::Random;

/// Samples per frame, one per millisecond.
const PER_FRAME: u64 = 16;
/// Nodes of the call tree: root, program, idle, then chains of functions.
const NODES: u64 = 3 + 24;

/// The samples that are still to be written.
#[derive(Debug)]
pub(super) struct Samples {
    left: u64,
    is_begun: bool,
}

impl Samples {
    pub(super) const fn new(samples: u64) -> Self {
        Self { left: samples, is_begun: false }
    }

    /// Writes the samples of a frame, or all that are left.
    pub(super) fn chunk<W: Write>(&mut self, events: &mut Events<W>, frame: Frame, is_last: bool, random: &mut Random) {
        let count = if is_last { self.left } else { self.left.min(PER_FRAME) };
        if count == 0 {
            return;
        }
        if !self.is_begun {
            events.profile("Profile", frame.start, &format!(r#"{{"data":{{"startTime":{}}}}}"#, CLOCK + frame.start));
        }
        let list = |of: &mut dyn FnMut() -> u64| (0..count).map(|_| of().to_string()).collect::<Vec<_>>().join(",");
        let samples = list(&mut || if random.chance(30) { 2 + random.below(2) } else { 4 + random.below(NODES - 3) });
        let deltas = list(&mut || 1_000 + random.below(40));
        let nodes = if self.is_begun { String::new() } else { format!(r#""nodes":[{}],"#, nodes()) };
        let args = format!(
            r#"{{"data":{{"cpuProfile":{{{nodes}"samples":[{samples}]}},"lines":[],"timeDeltas":[{deltas}]}}}}"#
        );
        events.profile("ProfileChunk", frame.start + 16_000, &args);
        self.left -= count;
        self.is_begun = true;
    }
}

/// The nodes of the call tree.
fn nodes() -> String {
    let named = [(1, "(root)"), (2, "(program)"), (3, "(idle)")].into_iter().map(|(id, name)| {
        let parent = if id == 1 { "" } else { r#","parent":1"# };
        format!(r#"{{"callFrame":{{"codeType":"other","functionName":"{name}","scriptId":0}},"id":{id}{parent}}}"#)
    });
    let functions = (4..=NODES).map(|id| {
        let (name, url, line) = FUNCTIONS[usize::try_from(id).unwrap_or(0) % FUNCTIONS.len()];
        // Every fourth function is called by the root, the others by the one before.
        let parent = if id.is_multiple_of(4) { 1 } else { id - 1 };
        let script = 4 + id % FUNCTIONS.len() as u64;
        format!(
            r#"{{"callFrame":{{"codeType":"JS","columnNumber":{id},"functionName":"{name}","lineNumber":{line},"scriptId":{script},"url":"{url}"}},"id":{id},"parent":{parent}}}"#
        )
    });
    named.chain(functions).collect::<Vec<_>>().join(",")
}
