//! Selects the events of a cut. The trace is read again, because markers do not reference all of their events.

use std::cmp::Reverse;

use foldhash::{HashMap, HashSet};

use super::flow_starts::FlowStarts;
use super::{clock, enclosing};
use crate::cut::CutScope;
use crate::error::ImportError;
use crate::io::text::Text;
use crate::options::CHUNK;
use crate::progress::{Phase, Progress};
use crate::trace_events::asyncs::async_bindings::FlowEventKeys;
use crate::trace_events::asyncs::async_groups::AsyncGroups;
use crate::trace_events::asyncs::async_tracks::AsyncTracks;
use crate::trace_events::flows::binding;
use crate::trace_events::flows::flow_steps::Step;
use crate::trace_events::text::clock::{CutClock, NAME};
use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{IdIdentity, NO_TIME, NONE, TextId};
use crate::trace_events::text::metadata::event_args;
use crate::trace_events::text::top_level;
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::event_links::EventLinks;
use crate::trace_events::tracks::event_tracks::{EventTracks, HEAD};
use crate::trace_events::tracks::marker_tracks::MarkerTrack;
use crate::trace_events::tracks::slices;
use flowline_profile::{LocalMarker, Ns, PayloadRef, SourceKind, TrackKind, Value, Warnings};

/// Number of rounds that search for missing flow starts. After that, every step gets its start.
const ROUNDS: usize = 8;
/// Name of events with a picture of the page.
const SCREENSHOT: &str = "Screenshot";

/// The kept part of a trace.
#[derive(Debug)]
pub(crate) struct CutSelection {
    /// Byte offsets of events, ascending.
    pub(crate) events: Vec<u64>,
    /// The clock to write into the cut.
    pub(crate) clock: Option<CutClock>,
}

/// Selects the events of a cut. `needs` are pairs of the offset of an event and that of another that it also needs.
///
/// # Errors
/// When canceled.
pub(crate) fn kept_events(
    scope: &CutScope<'_>,
    needs: Vec<(u64, u64)>,
    progress: &Progress,
) -> Result<CutSelection, ImportError> {
    let text = Text::Complete(scope.profile.source.clone());
    progress.begin(Phase::Parse, scope.profile.source.bytes().len() as u64);
    let (mut trace, mut tracks, mut others) = (Trace::default(), EventTracks::default(), Vec::new());
    let mut screenshots = Vec::new();
    // The import has already reported these warnings.
    let mut known = Warnings::default();
    top_level::read(&text, CHUNK, progress, &mut Warnings::default(), |batch| {
        trace.merge_batch(batch);
        let is_kept = |event: &&Event| match event.ph() {
            b'M' | b'P' | b'B' | b'E' | b'X' | b'i' | b'I' | b'R' | b's' | b't' | b'f' | b'b' | b'e' | b'n' | b'S'
            | b'T' | b'p' | b'F' | b'C' | b'N' | b'O' | b'D' | b'v' | b'V' => false,
            _ => event.ts == NO_TIME || scope.contains(event.ts),
        };
        others.extend(batch.events.iter().filter(is_kept).map(Event::offset));
        if scope.removal.screenshots {
            let is_screenshot = |event: &&Event| trace.texts.get(trace.name(event.label)) == SCREENSHOT;
            screenshots.extend(batch.events.iter().filter(is_screenshot).map(Event::offset));
        }
        tracks.add(&trace, batch, &mut known);
        !progress.is_cancelled()
    });
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    trace.ends_have_categories = scope.profile.meta.kind == SourceKind::PerfettoTrace;
    let mut selection = Selection::new(scope, &trace);
    selection.keep(others);
    selection.keep(tracks.metadata.iter().map(Event::offset));
    selection.keep_markers();
    selection.keep_counters(&tracks.counters);
    selection.keep_samples(&tracks);
    let is_stated = tracks.metadata.iter().any(|event| trace.texts.get(trace.name(event.label)) == NAME);
    let all = tracks.count;
    let (built, mut links, flows) = selection.links(tracks);
    links.extend(needs);
    selection.close(links, &flows);
    selection.remove(screenshots);
    let is_whole = selection.events().count() as u64 == all;
    let clock = if is_stated || is_whole { None } else { clock::of_part(scope.profile, &built, &selection.kept) };
    Ok(CutSelection { events: selection.finish(), clock })
}

/// The first start and the last end with their events; at equal times, the first event in the file.
#[derive(Default)]
struct Bounds {
    first: Option<(Ns, u64)>,
    last: Option<(Reverse<Ns>, u64)>,
}

impl Bounds {
    fn include(&mut self, start: Ns, end: Ns, event: u64) {
        self.first = self.first.into_iter().chain([(start, event)]).min();
        self.last = self.last.into_iter().chain([(Reverse(end), event)]).min();
    }

    fn events(&self) -> impl Iterator<Item = u64> + use<> {
        [self.first.map(|(_, event)| event), self.last.map(|(_, event)| event)].into_iter().flatten()
    }
}

/// A series of a counter: process, name and id of the counter, name of the series.
type SeriesKey = (TextId, TextId, IdIdentity, String);

/// The events selected so far.
struct Selection<'a> {
    scope: &'a CutScope<'a>,
    trace: &'a Trace,
    /// The process and thread pairs in the cut.
    pairs: HashSet<(TextId, TextId)>,
    /// Processes with a thread in the cut.
    processes: HashSet<TextId>,
    kept: HashSet<u64>,
    /// The first and the last events, which define the clock.
    bounds: Vec<u64>,
}

impl<'a> Selection<'a> {
    fn new(scope: &'a CutScope<'a>, trace: &'a Trace) -> Self {
        let profile = scope.profile;
        let in_scope = || profile.threads_with_ids().filter(|(id, _)| scope.has_thread(id.index()));
        let named: HashSet<(&str, &str)> = in_scope()
            .filter(|(_, thread)| thread.kind == TrackKind::Thread)
            .map(|(id, thread)| (profile.process_of(id).pid.as_str(), thread.tid.as_str()))
            .collect();
        let pids: HashSet<&str> = in_scope().map(|(id, _)| profile.process_of(id).pid.as_str()).collect();
        let (all, texts) = (scope.has_all_threads(), &trace.texts);
        let is_kept = |&(pid, tid): &(TextId, TextId)| all || named.contains(&(texts.get(pid), texts.get(tid)));
        let processes = trace.pairs.list.iter().map(|pair| pair.0).filter(|pid| all || pids.contains(texts.get(*pid)));
        Self {
            scope,
            trace,
            pairs: trace.pairs.list.iter().copied().filter(is_kept).collect(),
            processes: processes.collect(),
            kept: HashSet::default(),
            bounds: Vec::new(),
        }
    }

    fn keep(&mut self, events: impl IntoIterator<Item = u64>) {
        self.kept.extend(events);
    }

    /// Keeps the events that define the clock.
    fn keep_bounds(&mut self, bounds: &Bounds) {
        self.bounds.extend(bounds.events());
        self.keep(bounds.events());
    }

    /// Removes events, except those that define the clock.
    fn remove(&mut self, events: Vec<u64>) {
        for event in events {
            if !self.bounds.contains(&event) {
                self.kept.remove(&event);
            }
        }
    }

    fn has_pair(&self, event: &Event) -> bool {
        self.pairs.contains(&self.trace.pairs.get(event.pair))
    }

    /// Keeps the events that the markers in scope reference.
    fn keep_markers(&mut self) {
        for (id, thread) in self.scope.profile.threads_with_ids() {
            let markers = self.scope.markers(id.index());
            let own = markers.iter().map(|marker| thread.markers.payload(*marker));
            let begins = markers.iter().filter_map(|marker| thread.markers.begin(*marker));
            let known = own.chain(begins).filter(|event| *event != PayloadRef::NONE);
            self.kept.extend(known.map(|event| event.0));
        }
    }

    /// Keeps the counter values in the range and the last ones before it, and the first and the last value of the
    /// trace.
    fn keep_counters(&mut self, events: &[Event]) {
        let (source, range) = (&self.scope.profile.source, self.scope.range);
        let mut before: HashMap<SeriesKey, &Event> = HashMap::default();
        let mut bounds = Bounds::default();
        for event in events {
            let is_known = self.processes.contains(&self.trace.pid(event));
            if is_known && self.scope.contains(event.ts) {
                self.kept.insert(event.offset());
            }
            let Value::Object(members) = event_args(source, event) else { continue };
            let is_number = |value: &Value| {
                value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).is_some_and(f64::is_finite)
            };
            for (name, _) in members.into_iter().filter(|(_, value)| is_number(value)) {
                bounds.include(event.ts, event.ts, event.offset());
                if is_known && event.ts < range.start {
                    let (pid, id) = (self.trace.pid(event), self.trace.extra(event).id.identity());
                    let last = before.entry((pid, self.trace.name(event.label), id, name)).or_insert(event);
                    if event.ts >= last.ts {
                        *last = event;
                    }
                }
            }
        }
        self.kept.extend(before.values().map(|event| event.offset()));
        self.keep_bounds(&bounds);
    }

    /// Keeps the samples in the range, and whole CPU profiles of threads in the cut.
    fn keep_samples(&mut self, tracks: &EventTracks) {
        let is_sample = |event: &&Event| self.scope.contains(event.ts) && self.has_pair(event);
        let mut bounds = Bounds::default();
        tracks.samples.iter().for_each(|event| bounds.include(event.ts, event.ts, event.offset()));
        let samples = tracks.samples.iter().filter(is_sample).map(Event::offset).chain(bounds.events());
        let samples: Vec<u64> = samples.collect();
        let id = |event: &Event| (self.trace.pid(event), self.trace.extra(event).id.identity());
        let is_head = |event: &&Event| self.trace.texts.get(self.trace.name(event.label)) == HEAD;
        let heads = tracks.profiles.iter().filter(is_head).filter(|event| self.has_pair(event));
        let heads: HashSet<_> = heads.map(id).collect();
        let all = self.scope.has_all_threads();
        let chunks = tracks.profiles.iter().filter(|event| all || heads.contains(&id(event)));
        let chunks: Vec<u64> = chunks.map(Event::offset).collect();
        self.keep(samples.into_iter().chain(chunks));
    }

    /// Builds all tracks again. Returns the tracks, the dependencies of events, and the flows. Keeps the first and the
    /// last marker.
    fn links(&mut self, tracks: EventTracks) -> (Vec<MarkerTrack>, Vec<(u64, u64)>, FlowStarts) {
        let trace = self.trace;
        let EventTracks { list, asyncs: async_events, counters, .. } = tracks;
        let mut links = EventLinks::new(true);
        let flow_events = FlowEventKeys::new(trace, &list, &async_events);
        let mut warnings = Warnings::default();
        let (mut built, mut steps): (Vec<MarkerTrack>, Vec<Step>) = (Vec::new(), Vec::new());
        // Async slices without an end last until the last of these events.
        let mut events = Bounds::default();
        for event in list.iter().flat_map(|track| track.events.list()).chain(&async_events).chain(&counters) {
            events.include(event.ts, trace.end(event).max(event.ts), event.offset());
        }
        self.keep_bounds(&events);
        for (number, track) in (0_u32..).zip(list) {
            let owner = (track.kind, track.pid, track.tid);
            let first_loose = links.loose_ends.len();
            let slices = slices::build_linked(trace, track.events, &mut links, &mut warnings);
            let is_kept = track.kind != TrackKind::Thread || self.pairs.contains(&(track.pid, track.tid));
            if !is_kept || self.scope.is_searched {
                links.loose_ends.truncate(first_loose);
            }
            let found: Vec<Step> = binding::bind(trace, number, &track.flows, &slices).collect();
            if is_kept && !self.scope.is_searched {
                let unbound = found.iter().filter(|step| step.slice == NONE && self.scope.contains(step.ts));
                self.kept.extend(unbound.map(|step| step.offset()));
            }
            steps.extend(found);
            steps.extend(binding::bound_slices(trace, number, &slices));
            built.push(MarkerTrack::from_slices(trace, owner, &slices));
        }
        let first_async = u32::try_from(built.len()).unwrap_or(NONE);
        let mut groups = AsyncGroups::build(trace, &async_events, &HashMap::default(), &flow_events, true);
        links.merge(std::mem::take(&mut groups.links));
        let asyncs = AsyncTracks::build(trace, first_async, groups);
        asyncs.async_steps.rebind(trace, &built, &mut steps);
        enclosing::link(&built, &steps, &mut links);
        built.extend(asyncs.tracks);
        steps.extend(asyncs.steps.list);
        let mut bounds = Bounds::default();
        for markers in built.iter().map(|track| &track.markers) {
            for (range, event) in markers.times().ranges().zip(markers.payloads()) {
                bounds.include(range.start, range.end, event.0);
            }
        }
        self.keep_bounds(&bounds);
        for step in steps.iter().filter(|step| step.slice != NONE) {
            let track = built.get(step.track());
            let markers = track.map(|track| &track.markers);
            if let Some(markers) = markers.filter(|markers| (step.slice as usize) < markers.len()) {
                let own = markers.payload(LocalMarker(step.slice));
                links.pair(own.0, step.offset());
            }
        }
        let loose = links.loose_ends.iter().filter(|(time, _)| self.scope.contains(*time)).map(|(_, event)| *event);
        self.kept.extend(loose);
        (built, links.needs, FlowStarts::new(&steps))
    }

    /// Keeps the dependencies of kept events until nothing is missing.
    fn close(&mut self, mut needs: Vec<(u64, u64)>, flows: &FlowStarts) {
        needs.sort_unstable();
        let mut queue: Vec<u64> = self.kept.iter().copied().collect();
        for round in 0.. {
            self.follow(&needs, queue);
            queue = flows.missing(&self.kept);
            queue.retain(|event| self.kept.insert(*event));
            if queue.is_empty() {
                return;
            }
            if round == ROUNDS {
                needs.extend(flows.needs());
                needs.sort_unstable();
                queue = self.kept.iter().copied().collect();
            }
        }
    }

    /// Keeps the direct and indirect dependencies of the events in a queue.
    fn follow(&mut self, needs: &[(u64, u64)], mut queue: Vec<u64>) {
        while let Some(event) = queue.pop() {
            let first = needs.partition_point(|(from, _)| *from < event);
            for (_, needed) in needs[first..].iter().take_while(|(from, _)| *from == event) {
                if self.kept.insert(*needed) {
                    queue.push(*needed);
                }
            }
        }
    }

    /// Iterates over the selected events, in any order.
    fn events(&self) -> impl Iterator<Item = u64> {
        self.kept.iter().copied().filter(|event| event & enclosing::ENCLOSING == 0)
    }

    fn finish(self) -> Vec<u64> {
        let mut events: Vec<u64> = self.events().collect();
        events.sort_unstable();
        events
    }
}
