//! Divides a trace into parts that begin with a packet, and finds the packets that do more than state an event.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::machine_ids::MAX_MACHINES;
use super::packet::{self, Packet, ReadOutcome, frames, kind};

/// A part of a trace.
#[derive(Debug, Default)]
pub(super) struct TracePart {
    pub(super) bytes: Range<usize>,
    /// Offsets of the packets that change state, or state something about the whole trace.
    others: Vec<usize>,
    /// Other machines with packets in the part, in their order.
    pub(super) machines: Vec<u32>,
    /// True if the part has packets whose meaning depends on the whole trace before them, such as context switches.
    pub(super) has_derived: bool,
}

/// A trace in parts.
#[derive(Debug, Default)]
pub(super) struct DividedTrace {
    /// In file order; at least one.
    pub(super) parts: Vec<TracePart>,
    pub(super) ended: ReadOutcome,
}

/// Maximum number of parts, because the state at the start of each is copied.
const MAX_PARTS: usize = 1 << 12;

/// Divides a trace into parts of about `spacing` bytes; `None` if `goes_on` returned `false`.
pub(super) fn divide(trace: &[u8], spacing: usize, goes_on: &(dyn Fn() -> bool + Sync)) -> Option<DividedTrace> {
    let spacing = spacing.max(trace.len() / MAX_PARTS).max(1);
    let mut starts = vec![0];
    let mut ended = frames(trace, 0..trace.len(), &mut |_, at, _| {
        if starts.last().is_none_or(|last| at >= last + spacing) {
            starts.push(at);
            return goes_on();
        }
        true
    });
    let ends = starts.iter().skip(1).copied().chain([trace.len()]);
    let ranges: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    let wanted = AtomicBool::new(!ended.is_stopped);
    let scan = |bytes: Range<usize>| {
        if !wanted.load(Ordering::Relaxed) {
            return (TracePart::default(), 0);
        }
        let scanned = TracePart::scan(trace, bytes);
        wanted.fetch_and(goes_on(), Ordering::Relaxed);
        scanned
    };
    let (parts, packed): (Vec<TracePart>, Vec<usize>) = ranges.into_par_iter().map(scan).unzip();
    ended.unpacked = packed.iter().sum();
    wanted.into_inner().then_some(DividedTrace { parts, ended })
}

impl TracePart {
    /// Returns a part, and its number of compressed packets.
    fn scan(trace: &[u8], bytes: Range<usize>) -> (Self, usize) {
        let mut part = Self { bytes: bytes.clone(), ..Self::default() };
        let mut packed = 0;
        frames(trace, bytes, &mut |message, at, _| {
            let packet = Packet::read(message);
            let number = packet.data.map(|(number, _)| number);
            let machine = packet.machine;
            if machine > 0 && part.machines.len() < MAX_MACHINES && !part.machines.contains(&machine) {
                part.machines.push(machine);
            }
            packed += usize::from(number.is_some_and(packet::is_compressed));
            let is_event = number.is_none_or(|number| number == kind::TRACK_EVENT);
            if !is_event || packet.changes_state() {
                part.others.push(at);
            }
            part.has_derived |= !is_event && number.is_some_and(kind::may_be_derived);
            true
        });
        (part, packed)
    }

    /// The packets that change state, or state something about the whole trace, with their offsets.
    pub(super) fn others<'t>(&self, trace: &'t [u8]) -> impl Iterator<Item = (Packet<'t>, usize)> {
        let packet = |at: &usize| Some((Packet::read(packet::first(trace.get(*at..)?)?), *at));
        self.others.iter().filter_map(packet)
    }
}
