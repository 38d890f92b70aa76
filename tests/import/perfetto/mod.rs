//! Perfetto traces: the meaning of each packet type according to Perfetto's trace processor, and damage.
//!
//! Where the two differ, Flowline keeps more: overlapping slices, tracks without a descriptor, packets after damage.

mod args;
mod chrome_events;
mod clocks;
mod counters;
mod damage;
mod flows;
mod frame_timeline;
mod heap_profiles;
mod kernel;
mod kernel_events;
mod kernel_threads;
mod legacy;
mod log_messages;
mod machines;
mod nested_tracks;
mod packets;
mod property;
mod samples;
mod search;
mod synthetic;
mod system;
mod tracks;

use crate::chrome::{Importer, Read as _, Reference};
use crate::support::protobuf::{Message, message, trace};

/// Types of track events.
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
const STATE: u64 = 5;

/// A packet of sequence 1 at a time.
fn at(ts: u64) -> Message {
    message().number(8, ts).number(10, 1)
}

/// A track event with track, time and name.
fn event(ts: u64, kind: u64, track: u64, name: &str) -> Message {
    at(ts).message(11, &track_event(kind, track, name))
}

fn track_event(kind: u64, track: u64, name: &str) -> Message {
    let event = message().number(9, kind).number(11, track);
    if name.is_empty() { event } else { event.text(23, name) }
}

/// The descriptor of a thread track.
fn thread(uuid: u64, pid: u64, tid: u64, name: &str) -> Message {
    let thread = message().number(1, pid).number(2, tid).text(5, name);
    message().number(10, 1).message(60, &message().number(1, uuid).message(4, &thread))
}

/// The descriptor of a process track.
fn process(uuid: u64, pid: u64, name: &str) -> Message {
    let process = message().number(1, pid).text(6, name);
    message().number(10, 1).message(60, &message().number(1, uuid).message(3, &process))
}

/// The descriptor of another track.
fn track(uuid: u64, parent: u64, name: &str) -> Message {
    message().number(10, 1).message(60, &described(uuid, parent, name))
}

fn described(uuid: u64, parent: u64, name: &str) -> Message {
    let track = message().number(1, uuid).number(5, parent);
    if name.is_empty() { track } else { track.text(2, name) }
}

/// A clock in a snapshot.
fn clock(id: u64, time: u64) -> Message {
    message().number(1, id).number(2, time)
}

fn snapshot(clocks: &[Message]) -> Message {
    clocks.iter().fold(message(), |snapshot, clock| snapshot.message(1, clock))
}

/// The importer's result for packets.
fn read(packets: &[Message]) -> Reference {
    Importer::read(&trace(packets))
}

/// Slices of all tracks: track, name, start, end, `!` if it is incomplete, and depth. Tracks have their long names.
fn slices(packets: &[Message]) -> Vec<String> {
    slices_of(&trace(packets))
}

fn slices_of(bytes: &[u8]) -> Vec<String> {
    let Ok(imported) = flowline::import::read(bytes.to_vec(), &flowline::import::Progress::default()) else {
        return vec!["refused".into()];
    };
    let (profile, read) = (&imported.profile, Importer::read(bytes));
    let mut lines = Vec::new();
    for ((id, _), track) in profile.threads_with_ids().zip(&read.tracks) {
        let owner = format!("{}/{}", profile.process_of(id).name, profile.long_name(id));
        for slice in &track.slices {
            let end = slice.end_ns.map_or(String::new(), |end| format!("..{end}"));
            let open = if slice.incomplete { "!" } else { "" };
            let depth = slice.depth.map_or_else(|| "?".into(), |depth| depth.to_string());
            lines.push(format!("{owner} {} {}{end}{open} {depth}", slice.name, slice.start_ns));
        }
    }
    lines
}

/// The only slice with a name.
fn slice_named(read: &Reference, name: &str) -> crate::chrome::Slice {
    let found: Vec<_> = read.tracks.iter().flat_map(|track| &track.slices).filter(|slice| slice.name == name).collect();
    assert_eq!(found.len(), 1, "{name}");
    found[0].clone()
}

/// Names of the slices at both ends of connections.
fn connections(read: &Reference) -> Vec<String> {
    let name = |(_, track, at): &(i64, usize, usize)| read.tracks[*track].slices[*at].name.clone();
    let mut all: Vec<String> = Vec::new();
    for flow in &read.flows {
        all.extend(
            flow.arrows.iter().map(|(from, to)| format!("{}>{}", name(&flow.steps[*from]), name(&flow.steps[*to]))),
        );
    }
    all.sort();
    all
}

/// Number of occurrences of a kind of damage.
fn warned(read: &Reference, kind: &str) -> u64 {
    read.warnings.get(kind).copied().unwrap_or_default()
}
