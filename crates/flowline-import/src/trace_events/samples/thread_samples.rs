//! The samples of the threads of a trace: one CPU profile per thread, or samples in the formats of trace events.

use foldhash::HashMap;

use super::calls::{self, NameRoles};
use super::cpu_profiles;
use super::sample_trace_ids::{self, SampleTraceIds};
use super::trace_event_samples::TraceEventSamples;
use crate::trace_events::text::ids::TextId;
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::event_tracks::{EventTrack, EventTracks};
use crate::trace_events::tracks::slice::Slice;
use crate::v8::{CpuProfile, OTHER};
use flowline_json::Cursor;
use flowline_profile::samples::{CallTable, SampleTable};
use flowline_profile::{
    Ns, Source, StackTables, StackTablesBuilder, ThreadSamples, TimeRange, TrackKind, WarningKind, Warnings,
};

/// The samples of all threads, before their tracks are built.
pub(in crate::trace_events) struct TraceSamples {
    source: Source,
    profiles: HashMap<(TextId, TextId), CpuProfile>,
    plain: HashMap<(TextId, TextId), ThreadSamples>,
    /// Roles of slice names. Roles and `places` are only filled if there are CPU profiles.
    roles: NameRoles,
    /// Byte offsets at which events name stacks.
    places: Vec<u64>,
    /// The average time between samples of the profile with the most samples.
    pub(in crate::trace_events) interval: Ns,
}

impl TraceSamples {
    /// Reads samples and their stacks. `parts` are top-level members (name and byte offset); the list of samples is
    /// removed from them.
    pub(in crate::trace_events) fn read(
        source: &Source,
        trace: &mut Trace,
        tracks: &mut EventTracks,
        parts: &mut Vec<(String, u64)>,
        warnings: &mut Warnings,
    ) -> (Self, StackTables) {
        let mut tables = StackTablesBuilder::new(OTHER);
        let (events, sampled) = (std::mem::take(&mut tracks.profiles), std::mem::take(&mut tracks.samples));
        // Traces with profiles have profile events; only old traces contain whole profiles.
        let places = |is_wanted| if is_wanted { sample_trace_ids::places(source.bytes()) } else { Vec::new() };
        let (profiles, found_places) = rayon::join(
            || cpu_profiles::read(source, trace, &events, &tracks.list, &mut tables, warnings),
            || places(!events.is_empty()),
        );
        let offset = |name: &str| parts.iter().find(|(part, _)| part == name).map(|(_, place)| *place);
        let at = |place: u64| Cursor::at(source.bytes(), usize::try_from(place).unwrap_or(usize::MAX));
        let listed = offset("samples").map(at).filter(|list| super::trace_event_samples::is_list(*list));
        let frames = offset("stackFrames").map(at);
        let mut plain = HashMap::default();
        if !sampled.is_empty() || listed.is_some() {
            let mut samples = TraceEventSamples::new(source, frames, &mut tables, warnings);
            samples.add_events(trace, &sampled, warnings);
            if let Some(list) = listed {
                samples.add_list(list, trace, &mut tracks.list, warnings);
                parts.retain(|(name, _)| name != "samples");
            }
            plain = samples.finish();
        }
        let mut omitted = 0;
        plain.retain(|owner, samples: &mut ThreadSamples| {
            let is_kept = !profiles.contains_key(owner);
            omitted += if is_kept { 0 } else { samples.cpu.len() as u64 };
            is_kept
        });
        let what = || "samples of a thread that has a CPU profile".to_owned();
        warnings.add_many(WarningKind::CpuSamples, omitted, what);
        let has_profiles = !profiles.is_empty();
        let roles = if has_profiles { NameRoles::new(&trace.texts) } else { NameRoles::default() };
        let places = if events.is_empty() { places(has_profiles) } else { found_places };
        let interval = profiles.values().max_by_key(|profile| (profile.time.len(), profile.interval()));
        let interval = interval.map_or(Ns(0), CpuProfile::interval);
        (Self { source: source.clone(), profiles, plain, roles, places, interval }, tables.finish())
    }

    /// Removes and returns the samples of a track, which is built only once.
    pub(in crate::trace_events) fn take(&mut self, track: &EventTrack) -> TrackSampleData {
        if track.kind != TrackKind::Thread {
            return TrackSampleData::None;
        }
        let owner = (track.pid, track.tid);
        let plain = self
            .plain
            .remove(&owner)
            .map_or(TrackSampleData::None, |samples| TrackSampleData::Plain(Box::new(samples)));
        self.profiles.remove(&owner).map_or(plain, |profile| TrackSampleData::Profile(Box::new(profile)))
    }
}

/// The samples of one track.
pub(in crate::trace_events) enum TrackSampleData {
    /// No samples.
    None,
    /// A CPU profile.
    Profile(Box<CpuProfile>),
    /// Samples without calls.
    Plain(Box<ThreadSamples>),
}

/// The samples of one track, and the data for deriving calls.
pub(in crate::trace_events) struct TrackSamples<'a> {
    pub(in crate::trace_events) of_trace: &'a TraceSamples,
    pub(in crate::trace_events) own: TrackSampleData,
}

impl TrackSamples<'_> {
    /// Returns the stack ids of the track's events.
    pub(in crate::trace_events) fn trace_ids(&self, track: &EventTrack) -> SampleTraceIds {
        match self.own {
            TrackSampleData::Profile(_) => {
                sample_trace_ids::of_events(&self.of_trace.source, track.events.list(), &self.of_trace.places)
            }
            _ => SampleTraceIds::default(),
        }
    }

    /// Returns samples and calls, and the time range that they cover. `slices` are the sorted slices of the track.
    pub(in crate::trace_events) fn finish(
        self,
        slices: &[Slice],
        ids: &SampleTraceIds,
        warnings: &mut Warnings,
    ) -> Option<(Box<ThreadSamples>, Option<TimeRange>)> {
        let samples = match self.own {
            TrackSampleData::None => return None,
            TrackSampleData::Plain(samples) => samples,
            TrackSampleData::Profile(profile) => {
                let calls = Some(calls::build(&self.of_trace.roles, slices, ids, &profile, warnings));
                Box::new(ThreadSamples { cpu: profile.into_samples(), calls, ..ThreadSamples::default() })
            }
        };
        let allocated = covered(&samples.native_allocations, None);
        let ranges = covered(&samples.cpu, samples.calls.as_ref()).into_iter().chain(allocated);
        let range = ranges.reduce(TimeRange::union);
        Some((samples, range))
    }
}

/// Returns the time range that samples and calls cover.
fn covered(samples: &SampleTable, calls: Option<&CallTable>) -> Option<TimeRange> {
    let sampled = samples.time.first().zip(samples.time.last());
    let called = calls.and_then(|calls| calls.start.first().zip(calls.end.iter().max()));
    let ranges = sampled.into_iter().chain(called).map(|(start, end)| TimeRange { start: *start, end: *end });
    ranges.reduce(TimeRange::union)
}
