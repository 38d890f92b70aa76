//! Names of calls that outlast the program: notes of Chrome's DevTools refer to calls by them.
//!
//! A call is named by its process and thread, the sample that began it and the node of V8's tree that it runs. The number of
//! the sample is that in the order of time. DevTools writes the name as `p-PID-TID-SAMPLE-NODE`.

use super::CallRef;
use crate::{Implementation, Profile, TrackKind};

/// The name of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallKey<'a> {
    /// Number of the process, as the recording writes it.
    pub pid: &'a str,
    /// Number of the thread, as the recording writes it.
    pub tid: &'a str,
    /// The sample that began the call, from 0; `None` if an event did. Several calls may have such a name.
    pub sample: Option<u32>,
    /// V8's number of the node.
    pub node: u32,
}

impl Profile {
    /// The first call of a name. Calls that an event began are not found by name; neither does DevTools find them.
    #[must_use]
    pub fn call_of_key(&self, key: CallKey<'_>) -> Option<CallRef> {
        let sample = key.sample?;
        let is_named = |thread: &crate::Thread| {
            thread.kind == TrackKind::Thread
                && thread.tid == key.tid
                && self.processes.get(thread.process.index()).is_some_and(|process| process.pid == key.pid)
        };
        self.threads_with_ids().filter(|(_, thread)| is_named(thread)).find_map(|(id, thread)| {
            let samples = thread.samples.as_ref()?;
            let (calls, time) = (samples.calls.as_ref()?, *samples.cpu.time.get(sample as usize)?);
            // The calls that a sample begins start with it.
            let first = calls.start.partition_point(|start| *start < time);
            let same = calls.start[first..].iter().take_while(|start| **start == time).count();
            let is_it = |call: &usize| {
                calls.sample[*call] == sample && self.stacks.node_id_of(calls.stack[*call]) == Some(key.node)
            };
            let call = (first..first + same).find(is_it)?;
            Some(CallRef { thread: id, functions: Implementation::All, call: u32::try_from(call).ok()? })
        })
    }

    /// The name of a call; `None` if the recording numbers no nodes, or has no such call.
    #[must_use]
    pub fn key_of_call(&self, call: CallRef) -> Option<CallKey<'_>> {
        let thread = self.threads.get(call.thread.index())?;
        let calls = thread.samples.as_ref()?.calls.as_ref()?;
        let node = self.stacks.node_id_of(*calls.stack.get(call.call as usize)?)?;
        let sample = Some(calls.sample[call.call as usize]).filter(|sample| *sample != super::NONE);
        let process = self.processes.get(thread.process.index())?;
        Some(CallKey { pid: &process.pid, tid: &thread.tid, sample, node })
    }
}
