//! Persistent call keys: notes of Chrome's DevTools refer to calls by them.
//!
//! A key consists of process, thread, the sample that began the call, and the call's node in V8's tree. The number of
//! the sample is its position in time order. DevTools writes the key as `p-PID-TID-SAMPLE-NODE`.

use super::calls::{CallRef, Implementation};
use super::missing::NONE;
use crate::{Profile, Thread, TrackKind};

/// The key of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallKey<'a> {
    /// Process id as written in the recording.
    pub pid: &'a str,
    /// Thread id as written in the recording.
    pub tid: &'a str,
    /// The sample that began the call, from 0; `None` if an event began it. Several calls may then share a key.
    pub sample: Option<u32>,
    /// V8's id of the node.
    pub node: u32,
}

impl Profile {
    /// The first call with a key. Calls that began with an event cannot be found by key, as in DevTools.
    #[must_use]
    pub fn call_of_key(&self, key: CallKey<'_>) -> Option<CallRef> {
        let sample = key.sample?;
        let is_named = |thread: &Thread| {
            thread.kind == TrackKind::Thread
                && thread.tid == key.tid
                && self.processes.get(thread.process.index()).is_some_and(|process| process.pid == key.pid)
        };
        self.threads_with_ids().filter(|(_, thread)| is_named(thread)).find_map(|(id, thread)| {
            let samples = thread.samples.as_ref()?;
            let (calls, time) = (samples.calls.as_ref()?, *samples.cpu.time.get(sample as usize)?);
            // The calls that a sample begins have the same start as the sample.
            let first = calls.start.partition_point(|start| *start < time);
            let same = calls.start[first..].iter().take_while(|start| **start == time).count();
            let is_it = |call: &usize| {
                calls.sample[*call] == sample && self.stacks.node_id_of(calls.stack[*call]) == Some(key.node)
            };
            let call = (first..first + same).find(is_it)?;
            Some(CallRef { thread: id, functions: Implementation::All, call: u32::try_from(call).ok()? })
        })
    }

    /// The key of a call; `None` if the call does not exist or the recording has no node ids.
    #[must_use]
    pub fn key_of_call(&self, call: CallRef) -> Option<CallKey<'_>> {
        let thread = self.threads.get(call.thread.index())?;
        let calls = thread.samples.as_ref()?.calls.as_ref()?;
        let node = self.stacks.node_id_of(*calls.stack.get(call.call as usize)?)?;
        let sample = Some(calls.sample[call.call as usize]).filter(|sample| *sample != NONE);
        let process = self.processes.get(thread.process.index())?;
        Some(CallKey { pid: &process.pid, tid: &thread.tid, sample, node })
    }
}
