//! Writes the packets of a cut.

use std::io::{self, Write};

use super::bundle::{CutBundle, cut_bundle};
use super::deltas::{PacketChanges, States};
use super::kernel::ItemUse;
use super::message::{MessageBytes, raw_fields};
use super::selection::{CutSelection, PacketUse};
use super::statements;
use super::twin::Twin;
use crate::cut::{CutError, CutScope};
use crate::options::Options;
use crate::perfetto::as_text::read_text;
use crate::perfetto::first_pass::Facts;
use crate::perfetto::packet::{self, Packet, kind};
use crate::perfetto::quiet_output::NoOutput;
use crate::perfetto::sequence::Sequence;
use crate::perfetto::targets::Targets;
use crate::perfetto::wire::varint_bytes;
use crate::perfetto::writer::Writer;
use crate::progress::{Phase, Progress};
use crate::trace_events;

/// Fields of a packet that change the state of its sequence: interned data, flags, and defaults.
const STATE_FIELDS: [u64; 5] = [12, 13, 41, 42, 59];
const TIMESTAMP: u64 = 8;
const SEQUENCE: u64 = 10;
/// Fields of a track event with its name.
const NAMES: [u64; 2] = [10, 23];

/// Writes a part of a trace as a trace.
///
/// # Errors
/// If memory is insufficient, when canceled, or if the output cannot be written.
pub(crate) fn cut(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    // A profile of a trace that was read as text has no packets.
    let Some(events) = scope.profile.source.events() else { return trace_events::cut(scope, out, progress) };
    let trace = events.recording().bytes();
    let options = Options::default();
    progress.begin(Phase::Parse, trace.len() as u64);
    let mut twin = Twin::read(trace, &options, progress)?;
    let text = read_text(std::mem::take(&mut twin.text), &options, progress)?;
    let selection = CutSelection::new(scope, &text, &twin, progress)?;
    drop(text);
    progress.begin(Phase::Write, trace.len() as u64);
    write_statements(&twin, &selection, out)?;
    write_packets(trace, &twin, &selection, out, progress)
}

/// Writes a packet with its frame.
fn write_packet(packet: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut frame = vec![1 << 3 | 2];
    varint_bytes(packet.len() as u64, &mut frame);
    out.write_all(&frame)?;
    out.write_all(packet)
}

fn write_statements(twin: &Twin, selection: &CutSelection, out: &mut dyn Write) -> io::Result<()> {
    if let Some(clock) = selection.clock {
        write_packet(&statements::clock(clock), out)?;
    }
    if !selection.threads.is_empty() {
        write_packet(&statements::thread_list(&selection.threads), out)?;
    }
    for track in &selection.unnamed_tracks {
        let (track, name) = &twin.unnamed_tracks[*track];
        write_packet(&statements::track_name(*track, name), out)?;
    }
    Ok(())
}

fn write_packets(
    trace: &[u8],
    twin: &Twin,
    selection: &CutSelection,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), CutError> {
    let (whole_targets, cut_targets) = (Targets::default(), Targets::default());
    let mut whole = Writer::new((&twin.facts, &whole_targets), trace.len(), NoOutput);
    let mut part = Writer::new((&twin.facts, &cut_targets), trace.len(), NoOutput);
    let (mut number, mut next_item) = (0, 0);
    let mut failed = None;
    let ended = packet::each(trace, &mut |packet, at| {
        let (packet, message) = (*packet, packet.message);
        let used = selection.packets.get(number).copied().unwrap_or(PacketUse::Nothing);
        let items = &twin.kernel.items[next_item..];
        let count = items.iter().take_while(|item| item.packet as usize == number).count();
        let uses = selection.kernel[next_item..].iter().take(count).enumerate();
        let uses: Vec<(ItemUse, i64)> =
            uses.map(|(at, used)| (*used, twin.kernel.other_thread(next_item + at))).collect();
        let (empty, facts) = (Sequence::default(), twin.facts.of_machine(packet.machine));
        let states = States {
            whole: whole.state.sequences.known(packet.sequence).unwrap_or(&empty),
            cut: part.state.sequences.known(packet.sequence).unwrap_or(&empty),
        };
        let written = match used {
            PacketUse::Nothing => None,
            PacketUse::State => state_of(message),
            PacketUse::Description => {
                Some(description(message, &packet, &states, (facts, twin.packets[number].is_readable)))
            }
            PacketUse::StateEnd | PacketUse::Whole => {
                let is_last = selection.last_bundle.is_some_and(|last| last as usize == number);
                let names = if is_last { &*selection.thread_names } else { &[] };
                whole_packet(message, &packet, states.changes(&packet, facts), &Kept { used, uses: &uses, names })
            }
        };
        whole.packet(&packet, at as u64);
        if let Some(written) = written {
            part.packet(&Packet::read(&written), at as u64);
            failed = write_packet(&written, out).err();
        }
        (number, next_item) = (number + 1, next_item + count);
        if number.is_multiple_of(1 << 12) {
            progress.set(at as u64);
        }
        failed.is_none() && !progress.is_cancelled()
    });
    match failed {
        Some(error) => Err(error.into()),
        None if ended.is_stopped => Err(crate::error::ImportError::Cancelled.into()),
        None => Ok(()),
    }
}

/// Returns the part of a packet that changes the state of its sequence; `None` if there is none.
fn state_of(message: &[u8]) -> Option<Vec<u8>> {
    let mut out = MessageBytes::default();
    let mut changes = false;
    for (field, raw) in raw_fields(message) {
        if field.number == SEQUENCE || STATE_FIELDS.contains(&field.number) {
            // Flags that only refer to the state do not change it.
            changes |= field.number != SEQUENCE && (field.number != 13 || field.number() & 1 != 0);
            out.raw(raw);
        }
    }
    changes.then_some(out.0)
}

/// Returns a packet without the state of its sequence. A description that refers to lost data is read only for facts,
/// which belong to no sequence.
fn description(
    message: &[u8],
    packet: &Packet<'_>,
    states: &States<'_>,
    (facts, is_readable): (&Facts, bool),
) -> Vec<u8> {
    let has_state = raw_fields(message).any(|(field, _)| STATE_FIELDS.contains(&field.number));
    let has_clock = packet.clock.is_some() || states.whole.defaults.clock == states.cut.defaults.clock;
    if !has_state && has_clock {
        let changes = states.changes(packet, facts);
        return whole_packet(message, packet, changes, &Kept { used: PacketUse::Whole, uses: &[], names: &[] })
            .unwrap_or_default();
    }
    let is_snapshot = matches!(packet.data, Some((kind::CLOCK_SNAPSHOT, _)));
    let mut out = MessageBytes::default();
    for (field, raw) in raw_fields(message) {
        let is_dropped = STATE_FIELDS.contains(&field.number)
            || field.number == TIMESTAMP
            || (field.number == SEQUENCE && !is_readable && !is_snapshot);
        if !is_dropped {
            out.raw(raw);
        }
    }
    out.0
}

/// The kept part of a packet.
struct Kept<'a> {
    used: PacketUse,
    /// For each kernel event, how it is kept, and the thread before a switch or the waker.
    uses: &'a [(ItemUse, i64)],
    /// Names of threads that the packet must state, too.
    names: &'a [(i64, Box<[u8]>)],
}

/// Returns a kept packet with its changes; `None` if nothing of it is kept and its sequence does not need it.
fn whole_packet(message: &[u8], packet: &Packet<'_>, changes: PacketChanges, kept: &Kept<'_>) -> Option<Vec<u8>> {
    let mut payload = changes.payload;
    if let Some((kind::FTRACE, bundle)) = packet.data.filter(|_| packet.machine == 0) {
        match cut_bundle(bundle, kept.uses, kept.names) {
            CutBundle::Whole => {}
            CutBundle::Nothing => return state_of(message),
            CutBundle::Part(part) => payload = Some(part),
        }
    }
    if let (Some((kind::TRACK_EVENT, event)), PacketUse::StateEnd) = (packet.data, kept.used) {
        let mut unnamed = MessageBytes::default();
        let event = payload.as_deref().unwrap_or(event);
        raw_fields(event).filter(|(field, _)| !NAMES.contains(&field.number)).for_each(|(_, raw)| unnamed.raw(raw));
        payload = Some(unnamed.0);
    }
    if payload.is_none() && changes.timestamp.is_none() {
        return Some(message.to_vec());
    }
    let is_payload = |bytes: &[u8]| packet.data.is_some_and(|(_, data)| std::ptr::eq(data, bytes));
    let mut out = MessageBytes::default();
    for (field, raw) in raw_fields(message) {
        match (field.number, &payload, changes.timestamp) {
            (TIMESTAMP, _, Some(timestamp)) => out.number(TIMESTAMP, timestamp),
            (number, Some(payload), _) if is_payload(field.bytes()) => out.bytes(number, payload),
            _ => out.raw(raw),
        }
    }
    Some(out.0)
}
