//! Entry keys as DevTools writes them: `r-N` is event N of the file, `s-N` the synthetic event created from event N,
//! `l-N` frame N, and `p-PID-TID-SAMPLE-NODE` a call.

use std::collections::BTreeSet;

use super::events::Events;
use super::frames;
use crate::Index;
use crate::network::short_name;
use flowline_profile::notes::{Entry, EntryLocation};
use flowline_profile::samples::CallKey;
use flowline_profile::{CallRef, MarkerId, Profile, TimeRange, Value};

/// A parsed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key<'a> {
    Raw(usize),
    Made(usize),
    Frame(usize),
    Call(CallKey<'a>),
}

impl<'a> Key<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (kind, rest) = text.split_once('-')?;
        let number = || rest.parse().ok();
        match kind {
            "r" => number().map(Self::Raw),
            "s" => number().map(Self::Made),
            "l" => number().map(Self::Frame),
            "p" => {
                let (pid, rest) = rest.split_once('-')?;
                let (tid, rest) = rest.split_once('-')?;
                let (sample, node) = rest.rsplit_once('-')?;
                let node = node.parse().ok()?;
                let sample = if sample == "-1" { None } else { Some(sample.parse().ok()?) };
                Some(Self::Call(CallKey { pid, tid, sample, node }))
            }
            _ => None,
        }
    }
}

/// Resolves keys to entries.
pub(super) struct Resolver<'a> {
    index: &'a Index,
    events: Events,
    frames: Vec<TimeRange>,
}

impl<'a> Resolver<'a> {
    /// Prepares to resolve all keys contained in a value, at any depth.
    pub(super) fn new(index: &'a Index, value: &Value) -> Self {
        let (mut events, mut has_frames) = (BTreeSet::new(), false);
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => match Key::parse(text) {
                    Some(Key::Raw(event) | Key::Made(event)) => _ = events.insert(event),
                    Some(Key::Frame(_)) => has_frames = true,
                    Some(Key::Call(_)) | None => {}
                },
                Value::List(items) => left.extend(items),
                Value::Object(members) => left.extend(members.iter().map(|(_, value)| value)),
                _ => {}
            }
        }
        let profile = index.profile();
        let frames = if has_frames { frames::frames(profile) } else { Vec::new() };
        Self { index, events: Events::find(profile, events.into_iter()), frames }
    }

    /// The entry of a key; `None` if the key is not a string.
    pub(super) fn entry(&self, key: Option<&Value>) -> Option<Entry> {
        let text = key?.as_str()?;
        let found = Key::parse(text).and_then(|key| self.find(key));
        Some(found.map_or_else(|| Entry::unknown(text), |entry| Entry { key: Some(text.to_owned()), ..entry }))
    }

    fn find(&self, key: Key<'_>) -> Option<Entry> {
        let profile = self.index.profile();
        match key {
            Key::Raw(event) => entry_of_marker(profile, self.events.marker(event)?),
            Key::Made(event) => {
                let marker = self.events.marker(event)?;
                request(self.index, marker).or_else(|| entry_of_marker(profile, marker))
            }
            Key::Frame(frame) => {
                let times = self.frames.get(frame).copied();
                times.map(|times| Entry {
                    place: EntryLocation::Times,
                    name: "Frame".into(),
                    times: Some(times),
                    key: None,
                })
            }
            Key::Call(key) => entry_of_call(profile, profile.call_of_key(key)?),
        }
    }
}

/// An entry for the network request that a marker belongs to.
fn request(index: &Index, marker: MarkerId) -> Option<Entry> {
    let network = index.network();
    let request = network.get(network.request_of(marker)?)?;
    let times = TimeRange::new(request.start, request.end);
    let name = short_name(&request.url).to_string();
    Some(Entry { place: EntryLocation::Marker(marker), name, times: Some(times), key: None })
}

/// The entry of a call in the chart of all functions. Calls in other charts have no stable key.
#[must_use]
pub fn entry_of_call(profile: &Profile, call: CallRef) -> Option<Entry> {
    let calls = profile.thread(call.thread).samples.as_ref()?.calls.as_ref()?;
    let at = call.call as usize;
    let times = TimeRange::new(*calls.start.get(at)?, *calls.end.get(at)?);
    let name = profile.func_name(profile.stacks.func(*calls.stack.get(at)?)).to_owned();
    Some(Entry { place: EntryLocation::Call(call), name, times: Some(times), key: None })
}

/// The key of a call, as DevTools writes it.
#[must_use]
#[inline]
pub fn key_of(profile: &Profile, call: CallRef) -> Option<String> {
    let key = profile.key_of_call(call)?;
    let sample = key.sample.map_or_else(|| "-1".to_owned(), |sample| sample.to_string());
    Some(format!("p-{}-{}-{sample}-{}", key.pid, key.tid, key.node))
}

/// The entry of a marker, with its times and name; `None` if the marker does not exist.
#[must_use]
pub fn entry_of_marker(profile: &Profile, marker: flowline_profile::MarkerId) -> Option<Entry> {
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    let times = TimeRange::new(markers.start(local), markers.end(local));
    let name = profile.marker_name(thread, local).to_owned();
    Some(Entry { place: EntryLocation::Marker(marker), name, times: Some(times), key: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_devtools_writes_them() {
        assert_eq!(Key::parse("r-5309"), Some(Key::Raw(5309)));
        assert_eq!(Key::parse("s-0"), Some(Key::Made(0)));
        assert_eq!(Key::parse("l-1"), Some(Key::Frame(1)));
        let call = |sample| Some(Key::Call(CallKey { pid: "7", tid: "8", sample, node: 9 }));
        assert_eq!(Key::parse("p-7-8-263-9"), call(Some(263)));
        assert_eq!(Key::parse("p-7-8--1-9"), call(None));
        for bad in ["", "r", "r-", "r--1", "r-1-2", "x-1", "p-1-2-3", "p-1-2-3-x", "s-99999999999999999999999"] {
            assert_eq!(Key::parse(bad), None, "{bad}");
        }
    }
}
