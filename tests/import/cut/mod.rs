//! Parts of recordings: a part, read again, matches the same part of the whole.

mod chrome;
mod firefox;
mod perfetto;
mod random_perfetto;
mod real;
mod removal;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use flowline::import::cut::{CutScope, Removal};
use flowline::import::{self, Progress};
use flowline::profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange};

/// All times.
const ALL: TimeRange = TimeRange { start: Ns(i64::MIN + 1), end: Ns(i64::MAX) };

/// A part: a range, and filters for threads and markers by name.
#[derive(Clone, Copy, Debug)]
struct CutOptions<'a> {
    range: TimeRange,
    /// Restricts the part to threads with this name.
    thread: Option<&'a str>,
    /// Restricts the part to markers with this name.
    name: Option<&'a str>,
    removal: Removal,
}

impl<'a> CutOptions<'a> {
    const EVERYTHING: CutOptions<'static> =
        CutOptions { range: ALL, thread: None, name: None, removal: Removal { urls: false, screenshots: false } };

    fn range(start: i64, end: i64) -> Self {
        Self { range: TimeRange { start: Ns(start), end: Ns(end) }, ..CutOptions::EVERYTHING }
    }

    fn has_thread(&self, profile: &Profile, thread: ThreadId) -> bool {
        self.thread.is_none_or(|name| profile.thread(thread).name == name)
    }

    /// Markers of a thread in the part.
    fn markers(&self, profile: &Profile, thread: ThreadId) -> Vec<LocalMarker> {
        if !self.has_thread(profile, thread) {
            return Vec::new();
        }
        let markers = &profile.thread(thread).markers;
        let is_named =
            |marker: &LocalMarker| self.name.is_none_or(|name| profile.strings.get(markers.name(*marker)) == name);
        markers.in_range(self.range).filter(is_named).collect()
    }

    /// The part of a recording as text.
    fn cut(&self, profile: &Profile) -> Vec<u8> {
        let ids: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
        let scope = CutScope {
            profile,
            range: self.range,
            threads: ids.iter().map(|id| self.has_thread(profile, *id)).collect(),
            markers: ids.iter().map(|id| self.markers(profile, *id)).collect(),
            is_searched: self.name.is_some(),
            removal: self.removal,
        };
        let mut out = Vec::new();
        import::write_part(&scope, &mut out, &Progress::default()).expect("writing to memory succeeds");
        out
    }
}

fn read(text: &[u8]) -> Profile {
    import::read(text.to_vec(), &Progress::default()).expect("a recording").profile
}

/// A thread by its recorded properties, and its number among threads with the same properties.
type ThreadKey = (String, String, String, &'static str, usize);

fn keys(profile: &Profile) -> Vec<ThreadKey> {
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    let key = |(id, thread): (ThreadId, &flowline::profile::Thread)| {
        let pid = profile.process_of(id).pid.to_string();
        // Tracks of Perfetto traces are numbered in the order of their first events.
        let tid = if thread.tid.starts_with("track ") { "track".into() } else { thread.tid.to_string() };
        let key = (pid, tid, thread.name.to_string(), thread.kind.name());
        let number = seen.entry(key.clone()).or_default();
        *number += 1;
        (key.0, key.1, key.2, key.3, *number)
    };
    profile.threads_with_ids().map(key).collect()
}

/// All properties of a marker.
fn describe(profile: &Profile, id: ThreadId, marker: LocalMarker) -> String {
    let thread = profile.thread(id);
    let markers = &thread.markers;
    let mut text = format!(
        "{} [{}] {}..{} {:b} ",
        profile.strings.get(markers.name(marker)),
        profile.category_name(markers.category(marker)),
        markers.start(marker).0,
        markers.end(marker).0,
        markers.flags(marker).bits(),
    );
    profile.payload_resolved(id, marker).to_json(&mut text);
    let stack = thread.samples.as_ref().and_then(|samples| samples.marker_stacks.get(marker));
    if let Some((stack, time)) = stack {
        let frames = profile.stacks.walk(stack).map(|stack| profile.stacks.name(profile.stacks.frame(stack).func));
        let _infallible = write!(text, " {time:?} {:?}", frames.collect::<Vec<_>>());
    }
    text
}

/// Markers of a part by thread; threads without markers are omitted.
fn markers(profile: &Profile, part: &CutOptions<'_>) -> BTreeMap<ThreadKey, Vec<String>> {
    let threads = keys(profile).into_iter().zip(profile.threads_with_ids());
    let described = threads.map(|(key, (id, _))| {
        (key, part.markers(profile, id).into_iter().map(|marker| describe(profile, id, marker)).collect::<Vec<_>>())
    });
    described.filter(|(_, markers)| !markers.is_empty()).collect()
}

/// Flows of a trace with several members in the part: thread, and number among its markers.
fn flows(profile: &Profile, part: &CutOptions<'_>) -> Vec<Vec<(ThreadKey, usize)>> {
    let keys = keys(profile);
    let scope: Vec<Vec<LocalMarker>> = profile.threads_with_ids().map(|(id, _)| part.markers(profile, id)).collect();
    let member = |marker: MarkerId| {
        let (thread, local) = profile.locate(marker)?;
        let at = scope[thread.index()].binary_search(&local).ok()?;
        Some((keys[thread.index()].clone(), at))
    };
    let members = |flow: usize| {
        let steps = profile.explicit_flows.get().steps(flow);
        let mut members: Vec<_> = steps.iter().filter_map(|step| member(step.marker)).collect();
        members.sort();
        members.dedup();
        members
    };
    let mut flows: Vec<_> =
        (0..profile.explicit_flows.get().flows.len()).map(members).filter(|flow| flow.len() > 1).collect();
    flows.sort();
    flows
}

/// Process, counter and series, with values.
type CounterValues = ((String, String, String), Vec<(i64, String)>);

/// Values of counters in the part, and the last value before it.
fn counters(profile: &Profile, part: &CutOptions<'_>) -> Vec<CounterValues> {
    let mut found = Vec::new();
    for counter in &profile.counters {
        for series in &counter.series {
            let key = (counter.pid.clone(), counter.name.clone(), series.name.clone());
            let before = series.samples.iter().rposition(|sample| sample.time < part.range.start);
            let first = before.map_or(0, |before| before);
            let inside = series.samples.iter().skip(first).filter(|sample| sample.time < part.range.end);
            let values: Vec<_> = inside.map(|sample| (sample.time.0, sample.value.to_string())).collect();
            if !values.is_empty() {
                found.push((key, values));
            }
        }
    }
    // Several counters may have the same name.
    found.sort();
    found
}

/// Cuts a recording and compares the part with the whole. Returns the text of the part.
#[track_caller]
fn check(whole: &Profile, part: &CutOptions<'_>) -> Vec<u8> {
    let text = part.cut(whole);
    let again = read(&text);
    let shown = || String::from_utf8_lossy(&text[..text.len().min(4000)]).into_owned();
    assert_eq!(markers(&again, part), markers(whole, part), "{part:?} of {}", shown());
    assert_eq!(again.meta.range, whole.meta.range, "the clock is unchanged: {part:?} of {}", shown());
    assert_eq!(again.time_zero(), whole.time_zero(), "the clock is unchanged: {part:?} of {}", shown());
    if part.thread.is_none() {
        assert_eq!(counters(&again, part), counters(whole, part), "{part:?} of {}", shown());
    }
    let twice = part.cut(&again);
    assert_eq!(
        String::from_utf8_lossy(&twice[..twice.len().min(4000)]),
        shown(),
        "cutting twice equals cutting once: {part:?}"
    );
    assert!(twice == text, "cutting twice equals cutting once: {part:?}");
    text
}

/// Number of incomplete markers of a part.
fn incomplete(profile: &Profile, part: &CutOptions<'_>) -> usize {
    let of_thread = |id: ThreadId| {
        let all = &profile.thread(id).markers;
        let markers = part.markers(profile, id);
        markers.iter().filter(|marker| all.flags(**marker).has(MarkerFlags::INCOMPLETE)).count()
    };
    profile.threads_with_ids().map(|(id, _)| of_thread(id)).sum()
}
