//! V8 CPU profiles in a trace. A `Profile` event starts a profile on its thread. `ProfileChunk` events with the same
//! process and id contain the samples; they come from any thread and may even precede the `Profile` event. Old browsers
//! wrote a `CpuProfile` event with a whole profile.

use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use crate::trace_events::text::event::Event;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::text::ids::{Id, NO_TIME, TextId};
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::event_tracks::{EventTrack, HEAD};
use crate::v8::{CpuProfile, ProfilePart, Recorder};
use flowline_json::{Cursor, Kind};
use flowline_profile::{Ns, ObjectText, Source, StackTablesBuilder, WarningKind, Warnings, member_at};

/// Process and thread of a profile.
pub(in crate::trace_events) type Owner = (TextId, TextId);

/// Name of old events with a whole profile.
const WHOLE: &str = "CpuProfile";

/// Content of an event, and the damage in it.
type Read<'a> = (ProfilePart<'a>, Warnings);

/// The events of one profile.
struct FoundProfile {
    pid: TextId,
    id: Id,
    head: Option<Event>,
    /// Indexes of the valid events, in file order.
    events: Vec<usize>,
}

/// A candidate for the profile of a thread.
struct Candidate<'a> {
    recorder: Recorder,
    start: Option<Ns>,
    offset: u64,
    part: ProfilePart<'a>,
}

/// Reads one profile for each thread. `events` are profile events in file order; `tracks` are searched for old events.
/// Stacks are added to `tables`.
pub(in crate::trace_events) fn read(
    source: &Source,
    trace: &Trace,
    events: &[Event],
    tracks: &[EventTrack],
    tables: &mut StackTablesBuilder,
    warnings: &mut Warnings,
) -> HashMap<Owner, CpuProfile> {
    let objects: Vec<_> = events.par_iter().map(|event| source.object_at(event.offset())).collect();
    let mut by_owner: HashMap<Owner, Candidate<'_>> = HashMap::default();
    let mut offer = |owner: Owner, new, warnings: &mut Warnings| {
        // The tracing profile is preferred because it is complete; a profile without samples is ignored.
        let rank = |candidate: &Candidate<'_>| (candidate.part.is_empty(), candidate.recorder, candidate.offset);
        let known = by_owner.remove(&owner);
        let (kept, other) = match known {
            Some(known) if rank(&new) < rank(&known) => (new, Some(known)),
            Some(known) => (known, Some(new)),
            None => (new, None),
        };
        if let Some(other) = other.filter(|other| !other.part.is_empty()) {
            let what = || format!("additional profile of a thread at byte {}", file_offset(other.offset));
            warnings.add(WarningKind::CpuSamples, what);
        }
        by_owner.insert(owner, kept);
    };
    whole_profiles(source, trace, tracks, &mut |owner, candidate, found| {
        warnings.merge(found);
        offer(owner, candidate, warnings);
    });
    chunked_profiles(&objects, trace, events, warnings, &mut offer);
    let mut owners: Vec<(Owner, Candidate<'_>)> = by_owner.into_iter().collect();
    // The order makes stack numbers the same in every run.
    owners.sort_unstable_by_key(|(_, candidate)| candidate.offset);
    let build = |(owner, Candidate { start, offset, part, .. }): (Owner, Candidate<'_>)| {
        let place = || format!("the profile at byte {}", file_offset(offset));
        (owner, CpuProfile::new(part, start, tables, warnings, &place))
    };
    owners.into_iter().map(build).collect()
}

/// Joins `Profile` and `ProfileChunk` events by process and id.
fn chunked_profiles<'a>(
    objects: &'a [Option<ObjectText<'_>>],
    trace: &Trace,
    events: &[Event],
    warnings: &mut Warnings,
    offer: &mut impl FnMut(Owner, Candidate<'a>, &mut Warnings),
) {
    let with_text = events.par_iter().zip(objects);
    let args = |object: &'a ObjectText<'_>| object.member("args");
    let mut read: Vec<Option<Read<'a>>> =
        with_text.map(|(event, object)| Some(read_event(object.as_ref().and_then(args), event))).collect();
    for found in join(trace, events, warnings) {
        let Some(head) = found.head else {
            let first = events[found.events[0]].offset();
            let what = || format!("no Profile event for the chunks from byte {first}");
            warnings.add(WarningKind::MissingPart, what);
            continue;
        };
        let mut order = found.events;
        let time = |at: &usize| if events[*at].ts == NO_TIME { head.ts } else { events[*at].ts };
        order.sort_by_key(time);
        let mut part = ProfilePart::default();
        for (next, damage) in order.iter().filter_map(|at| read[*at].take()) {
            part.append(next);
            warnings.merge(damage);
        }
        let candidate = Candidate { recorder: part.recorder, start: Some(head.ts), offset: head.offset(), part };
        offer(trace.pairs.get(head.pair), candidate, warnings);
    }
}

/// Groups the events of each profile, in the order of their first events.
fn join(trace: &Trace, events: &[Event], warnings: &mut Warnings) -> Vec<FoundProfile> {
    let mut list: Vec<FoundProfile> = Vec::new();
    let mut by_key: HashMap<(TextId, u64), Vec<usize>> = HashMap::default();
    for (at, event) in events.iter().enumerate() {
        let (pid, id) = (trace.pid(event), trace.extra(event).id);
        // Without hash collisions there is only one.
        let known = by_key.entry((pid, id.hash)).or_default();
        let same = known.iter().copied().find(|known| list[*known].id.matches(&id));
        let number = same.unwrap_or_else(|| {
            known.push(list.len());
            list.push(FoundProfile { pid, id, head: None, events: Vec::new() });
            list.len() - 1
        });
        let found = &mut list[number];
        debug_assert_eq!(found.pid, pid);
        if trace.texts.get(trace.name(event.label)) == HEAD {
            if event.ts == NO_TIME {
                warnings.add(WarningKind::BadTime, || {
                    format!("no ts in the event at byte {}", file_offset(event.offset()))
                });
                continue;
            }
            if found.head.is_some() {
                let what = || format!("repeated start of a profile at byte {}", file_offset(event.offset()));
                warnings.add(WarningKind::CpuSamples, what);
                continue;
            }
            found.head = Some(*event);
        }
        found.events.push(at);
    }
    list.retain(|found| !found.events.is_empty());
    list
}

/// Passes on the whole profiles of single events.
fn whole_profiles<'a>(
    source: &'a Source,
    trace: &Trace,
    tracks: &[EventTrack],
    offer: &mut dyn FnMut(Owner, Candidate<'a>, Warnings),
) {
    let is_named = |label: &u32| trace.texts.get(trace.name(*label)) == WHOLE;
    let labels: HashSet<u32> = (0..).take(trace.labels.list.len()).filter(is_named).collect();
    if labels.is_empty() {
        return;
    }
    for track in tracks {
        for event in track.events.list().iter().filter(|event| labels.contains(&event.label) && event.ph() != b'E') {
            let args = source
                .cursor_at(event.offset())
                .and_then(|_| member_at(source.bytes(), usize::try_from(event.offset()).ok()?, "args"));
            let (part, damage) = read_event(args, event);
            if !part.is_empty() {
                // The profile uses the clock of the trace.
                let start = part.bounds()[0].map_or(Some(event.ts), |_| None);
                let candidate = Candidate { recorder: part.recorder, start, offset: event.offset(), part };
                offer((track.pid, track.tid), candidate, damage);
            }
        }
    }
}

/// Reads `data` of the arguments of an event, both of which may be missing.
fn read_event<'a>(args: Option<Cursor<'a>>, event: &Event) -> Read<'a> {
    let (mut part, mut warnings) = (ProfilePart::default(), Warnings::default());
    let mut read = || {
        let Some(mut args) = args else { return Ok(()) };
        if args.peek()? != Kind::Object {
            return Ok(());
        }
        args.enter_object()?;
        while let Some(key) = args.next_key()? {
            if key.bytes == b"data" && args.peek()? == Kind::Object {
                part.read(&mut args, &mut warnings)?;
            } else {
                args.skip_value()?;
            }
        }
        Ok::<(), flowline_json::JsonError>(())
    };
    if let Err(error) = read() {
        warnings
            .add(WarningKind::BrokenJson, || format!("in the event at byte {}: {error}", file_offset(event.offset())));
    }
    (part, warnings)
}
