//! Outputs that take no events.

use super::event::TraceEvent;
use super::first_pass::Facts;
use super::output::Output;

/// For readers that follow the state, and the first uses of tracks, threads and processes.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsesOutput;

impl Output for UsesOutput {
    const NAMES: bool = false;
    const EVENTS: bool = false;
    const DERIVED: bool = false;
    const USES: bool = true;
    const STACKS: bool = false;

    fn metadata(&mut self, _text: &str) {}
    fn event(&mut self, _event: &TraceEvent<'_>, _facts: &Facts, _place: u64) {}
    fn advance(&mut self, _read: u64) {}
}

/// For readers that want only CPU times.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuTimesOutput;

impl Output for CpuTimesOutput {
    const NAMES: bool = false;
    const EVENTS: bool = false;
    const DERIVED: bool = false;
    const CPU_TIMES: bool = true;
    const STACKS: bool = false;

    fn metadata(&mut self, _text: &str) {}
    fn event(&mut self, _event: &TraceEvent<'_>, _facts: &Facts, _place: u64) {}
    fn advance(&mut self, _read: u64) {}
}

/// For readers that follow nothing but the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoOutput;

impl Output for NoOutput {
    const NAMES: bool = false;
    const EVENTS: bool = false;
    const DERIVED: bool = false;

    fn metadata(&mut self, _text: &str) {}
    fn event(&mut self, _event: &TraceEvent<'_>, _facts: &Facts, _place: u64) {}
    fn advance(&mut self, _read: u64) {}
}
