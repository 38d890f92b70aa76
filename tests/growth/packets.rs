//! Perfetto traces: tracks, sequences, interned names, clocks, counters, the scheduler.

use crate::support::protobuf::{Message, message, trace};
use crate::{Shape, shapes};

pub(crate) const SHAPES: [Shape; 18] = shapes![
    tracks 20_000
    tracks_in_a_chain 20_000
    tracks_of_one_parent 20_000
    descriptions_of_one_track 20_000
    sequences 20_000
    interned_names 20_000
    cleared_names 20_000
    flow_of_all_slices 20_000
    open_slices 20_000
    clock_snapshots 20_000
    scheduling 20_000
    counter_tracks 20_000
    counters_of_events 20_000
    annotations 20_000
    annotation_depth 3_000
    names_in_reverse 20_000
    threads_that_wake 10_000
    sequence_defaults 20_000
];

fn n(number: usize) -> u64 {
    number as u64
}

/// A packet of sequence 1 at a time.
fn packet(time: usize) -> Message {
    message().number(8, n(time * 10)).number(10, 1)
}

/// A track event of a type: 1 begins a slice, 2 ends it, 3 is an instant, 4 a counter.
fn on_track(kind: u64, track: u64) -> Message {
    message().number(9, kind).number(11, track)
}

/// An instant on a track.
fn instant(time: usize, track: u64) -> Message {
    packet(time).message(11, &on_track(3, track).text(23, "n"))
}

/// The description of a track.
fn described(track: u64, name: &str, parent: Option<u64>) -> Message {
    let track = message().number(1, track).text(2, name);
    message().number(10, 1).message(60, &parent.iter().fold(track, |track, parent| track.number(5, *parent)))
}

fn all(packets: impl Iterator<Item = Message>) -> Vec<u8> {
    trace(&packets.collect::<Vec<_>>())
}

fn each(count: usize, packets: impl Fn(usize) -> Vec<Message>) -> Vec<u8> {
    all((0..count).flat_map(packets))
}

fn tracks(count: usize) -> Vec<u8> {
    each(count, |at| vec![described(n(at + 1), &format!("t{at}"), None), instant(at, n(at + 1))])
}

fn tracks_in_a_chain(count: usize) -> Vec<u8> {
    let parent = |at: usize| (at > 0).then(|| n(at));
    each(count, |at| vec![described(n(at + 1), &format!("t{at}"), parent(at)), instant(at, n(at + 1))])
}

fn tracks_of_one_parent(count: usize) -> Vec<u8> {
    let root = std::iter::once(described(1, "root", None));
    all(root.chain((0..count).flat_map(|at| [described(n(at + 2), "t", Some(1)), instant(at, n(at + 2))])))
}

fn descriptions_of_one_track(count: usize) -> Vec<u8> {
    each(count, |at| vec![described(1, &format!("t{at}"), None).number(8, n(at * 10)), instant(at, 1)])
}

/// Interned data with one name of an event.
fn name(id: u64, at: usize) -> Message {
    message().message(2, &message().number(1, id).text(2, &format!("name{at}")))
}

fn named(time: usize, id: u64) -> Message {
    packet(time).message(11, &on_track(3, 1).number(10, id))
}

fn sequences(count: usize) -> Vec<u8> {
    each(count, |at| {
        let packet = message().number(8, n(at * 10)).number(10, n(at + 1)).number(13, 1).message(12, &name(1, at));
        vec![packet.message(11, &on_track(3, 1).number(10, 1))]
    })
}

fn interned_names(count: usize) -> Vec<u8> {
    each(count, |at| vec![named(at, n(at + 1)).number(13, 2).message(12, &name(n(at + 1), at))])
}

fn cleared_names(count: usize) -> Vec<u8> {
    each(count, |at| vec![named(at, 1).number(13, 1).message(12, &name(1, at))])
}

fn flow_of_all_slices(count: usize) -> Vec<u8> {
    each(count, |at| {
        let track = n(1 + at % 3);
        let begin = packet(at).message(11, &on_track(1, track).text(23, "n").word(47, 7));
        vec![begin, packet(at).message(11, &on_track(2, track))]
    })
}

fn open_slices(count: usize) -> Vec<u8> {
    each(count, |at| vec![packet(at).message(11, &on_track(1, 1).text(23, "n"))])
}

fn clock_snapshots(count: usize) -> Vec<u8> {
    each(count, |at| {
        let clock = |id: usize, time: usize| message().number(1, n(id)).number(2, n(time));
        let clocks = (0..3).map(|own| clock(64 + own, at * 100 + own)).chain([clock(6, at * 100)]);
        let snapshot = clocks.fold(message(), |snapshot, clock| snapshot.message(1, &clock));
        vec![message().number(10, 1).message(6, &snapshot), instant(at * 10, 1).number(58, n(64 + at % 3))]
    })
}

/// A switch of a CPU from one thread to another.
fn switch(time: usize, cpu: usize, from: usize, to: usize) -> Message {
    let switch = message().text(1, "a").number(2, n(from)).number(3, 120).number(4, 1);
    let switch = switch.text(5, &format!("b{to}")).number(6, n(to)).number(7, 120);
    let event = message().number(1, n(time * 100)).number(2, n(from)).message(4, &switch);
    message().message(1, &message().number(1, n(cpu)).message(2, &event))
}

fn scheduling(count: usize) -> Vec<u8> {
    each(count, |at| (0..2).map(|step| switch(at * 10 + step, 0, at % 1000 + 1, (at + 1) % 1000 + 1)).collect())
}

fn threads_that_wake(count: usize) -> Vec<u8> {
    each(count, |at| vec![switch(at * 10, at % 4, at + 1, at + 2)])
}

fn counter_track(track: u64, name: &str) -> Message {
    let track = message().number(1, track).text(2, name).message(8, &message().number(3, 1));
    message().number(10, 1).message(60, &track)
}

fn counter_tracks(count: usize) -> Vec<u8> {
    each(count, |at| {
        let value = packet(at).message(11, &on_track(4, n(at + 1)).number(30, n(at)));
        vec![counter_track(n(at + 1), &format!("t{at}")), value]
    })
}

fn counters_of_events(count: usize) -> Vec<u8> {
    let tracks = (0..count / 20).map(|at| counter_track(n(at + 2), &format!("t{at}")));
    let event = |at: usize| {
        let event = on_track(3, 1).text(23, "n");
        let event = (0..5).fold(event, |event, own| event.number(31, 2 + own));
        packet(at).message(11, &(0..5).fold(event, |event, own| event.number(12, n(at) + own)))
    };
    all(tracks.chain((0..count).map(event)))
}

fn annotations(count: usize) -> Vec<u8> {
    each(count, |at| {
        let annotation = message().text(10, &format!("k{at}")).number(4, n(at));
        vec![packet(at).message(11, &on_track(3, 1).text(23, "n").message(4, &annotation))]
    })
}

fn annotation_depth(count: usize) -> Vec<u8> {
    let inner = message().text(10, "z").number(4, 1);
    let nested = (0..count).fold(inner, |inner, _| message().text(10, "d").message(11, &inner));
    all(std::iter::once(packet(1).message(11, &on_track(3, 1).text(23, "n").message(4, &nested))))
}

fn names_in_reverse(count: usize) -> Vec<u8> {
    each(count, |at| vec![packet(count - at).message(11, &on_track(3, 1).text(23, &format!("n{at}")))])
}

fn sequence_defaults(count: usize) -> Vec<u8> {
    each(count, |at| {
        let defaults = message().message(11, &message().number(11, n(1 + at % 50)));
        vec![packet(at).number(13, 2).message(59, &defaults).message(11, &message().number(9, 3).text(23, "n"))]
    })
}
