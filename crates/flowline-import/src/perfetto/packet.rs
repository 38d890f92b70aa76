//! Finds the packets of a trace and parses their common fields.

use std::io::Read as _;
use std::ops::Range;

use super::sources::packet_kinds;
use super::wire::{Content, Field, Fields, varint};
use crate::io::zstd::ZstdDecoder;
use crate::options::DEFAULT_MAX_WINDOW;

/// Field numbers of a packet.
pub(super) mod kind {
    pub(in crate::perfetto) const FTRACE: u64 = 1;
    pub(in crate::perfetto) const PROCESS_TREE: u64 = 2;
    pub(in crate::perfetto) const CHROME_EVENTS: u64 = 5;
    pub(in crate::perfetto) const CLOCK_SNAPSHOT: u64 = 6;
    pub(in crate::perfetto) const PROCESS_STATS: u64 = 9;
    pub(in crate::perfetto) const TRACK_EVENT: u64 = 11;
    pub(in crate::perfetto) const PROCESS_DESCRIPTOR: u64 = 43;
    pub(in crate::perfetto) const THREAD_DESCRIPTOR: u64 = 44;
    pub(in crate::perfetto) const SYSTEM_INFO: u64 = 45;
    pub(in crate::perfetto) const COMPRESSED: u64 = 50;
    pub(in crate::perfetto) const STREAMING_PROFILE: u64 = 54;
    pub(in crate::perfetto) const TRACK_DESCRIPTOR: u64 = 60;
    pub(in crate::perfetto) const PERF_SAMPLE: u64 = 66;
    pub(in crate::perfetto) const EXTENSION_DESCRIPTOR: u64 = 72;
    pub(in crate::perfetto) const ZSTD_COMPRESSED: u64 = 133;

    /// Returns true if packets with this data may depend on more than the state of their sequence.
    pub(in crate::perfetto) const fn may_be_derived(number: u64) -> bool {
        !matches!(
            number,
            PROCESS_TREE
                | CLOCK_SNAPSHOT
                | TRACK_EVENT
                | PROCESS_DESCRIPTOR
                | THREAD_DESCRIPTOR
                | SYSTEM_INFO
                | TRACK_DESCRIPTOR
                | EXTENSION_DESCRIPTOR
        )
    }

    /// Field numbers that are imported.
    pub(super) const ALL: [u64; 15] = [
        FTRACE,
        PROCESS_TREE,
        CHROME_EVENTS,
        CLOCK_SNAPSHOT,
        PROCESS_STATS,
        TRACK_EVENT,
        PROCESS_DESCRIPTOR,
        THREAD_DESCRIPTOR,
        SYSTEM_INFO,
        COMPRESSED,
        STREAMING_PROFILE,
        TRACK_DESCRIPTOR,
        PERF_SAMPLE,
        EXTENSION_DESCRIPTOR,
        ZSTD_COMPRESSED,
    ];
}

/// A packet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet<'a> {
    pub(super) timestamp: Option<u64>,
    /// The clock of the timestamp; `None` for the clock of the sequence.
    pub(super) clock: Option<u32>,
    /// The packet sequence of its writer; 0 without a sequence.
    pub(super) sequence: u32,
    /// The machine of its writer; 0 for the machine that recorded the trace.
    pub(super) machine: u32,
    /// True if the packet clears interned data and defaults.
    pub(super) is_cleared: bool,
    /// True if the packet refers to interned data.
    pub(super) needs_state: bool,
    /// True if previous packets of its sequence were lost.
    pub(super) follows_loss: bool,
    pub(super) defaults: Option<&'a [u8]>,
    pub(super) interned: Option<&'a [u8]>,
    /// The payload: field number and message.
    pub(super) data: Option<(u64, &'a [u8])>,
    /// All bytes of the packet.
    pub(super) message: &'a [u8],
}

const CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;

impl<'a> Packet<'a> {
    /// Returns true if the packet has no payload and does not change the state of its sequence.
    pub(super) const fn has_no_effect(&self) -> bool {
        self.data.is_none()
            && self.defaults.is_none()
            && self.interned.is_none()
            && self.timestamp.is_none()
            && !self.is_cleared
            && !self.follows_loss
    }

    /// Returns true if the packet changes the state of its sequence by more than its time and values.
    pub(super) const fn changes_state(&self) -> bool {
        self.defaults.is_some() || self.interned.is_some() || self.is_cleared || self.follows_loss
    }

    /// Returns the distance of a part from the start of the packet, in bytes.
    pub(super) fn offset_of(&self, part: &[u8]) -> u64 {
        distance(self.message, part)
    }

    /// Parses a packet up to the first damage.
    pub(super) fn read(message: &'a [u8]) -> Self {
        let mut packet = Self { message, ..Self::default() };
        for field in Fields::new(message) {
            match field.content {
                Content::Number(value) => match field.number {
                    8 => packet.timestamp = Some(value),
                    10 => packet.sequence = id(&field),
                    13 => {
                        packet.is_cleared |= value & CLEARED != 0;
                        packet.needs_state |= value & NEEDS_STATE != 0;
                    }
                    41 => packet.is_cleared |= field.is_true(),
                    42 => packet.follows_loss |= field.is_true(),
                    58 => packet.clock = Some(id(&field)),
                    98 => packet.machine = id(&field),
                    // Numbers about the writer are not payload.
                    _ => {}
                },
                Content::Bytes(bytes) => match field.number {
                    12 => packet.interned = Some(bytes),
                    59 => packet.defaults = Some(bytes),
                    // The synchronization marker.
                    36 => {}
                    // Unknown fields of newer programs do not replace a known payload.
                    number => {
                        if packet.data.is_none() || kind::ALL.contains(&number) || packet_kinds::ALL.contains(&number) {
                            packet.data = Some((number, bytes));
                        }
                    }
                },
            }
        }
        packet
    }
}

/// Returns the distance of a part of some bytes from their start.
pub(super) fn distance(whole: &[u8], part: &[u8]) -> u64 {
    part.as_ptr().addr().saturating_sub(whole.as_ptr().addr()) as u64
}

/// Returns a 32-bit id.
pub(super) fn id(field: &Field<'_>) -> u32 {
    u32::try_from(field.number() & u64::from(u32::MAX)).unwrap_or_default()
}

/// Result of reading the packets of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReadOutcome {
    /// Offset of the first damage in the trace.
    pub(super) damage: Option<usize>,
    /// Number of bytes outside packets.
    pub(super) skipped: usize,
    /// True if the visitor stopped reading.
    pub(super) is_stopped: bool,
    /// Number of compressed packets.
    pub(super) unpacked: usize,
}

/// Limit of decompressed bytes per compressed packet.
const MAX_INFLATED: u64 = 1 << 28;
/// Limit of growth for all compressed packets together; growth to [`MAX_INFLATED`] bytes is always allowed.
const MAX_GROWTH: u64 = 200;

/// Passes the packets of a trace to `visit` in file order, with their offsets, until `visit` returns `false`.
pub(super) fn each(trace: &[u8], visit: &mut dyn FnMut(&Packet<'_>, usize) -> bool) -> ReadOutcome {
    each_in(trace, 0..trace.len(), visit)
}

/// Like [`each`], for the packets that begin in a part of the trace. The part begins with a packet.
pub(super) fn each_in(
    trace: &[u8],
    part: Range<usize>,
    visit: &mut dyn FnMut(&Packet<'_>, usize) -> bool,
) -> ReadOutcome {
    let mut inflated = 0;
    frames(trace, part, &mut |message, at, ended| one(message, at, (trace, &mut inflated), ended, visit))
}

/// Passes the bytes of the packets that begin in a part of the trace to `visit`, with their offsets. Compressed packets
/// are not unpacked.
pub(super) fn frames(
    trace: &[u8],
    part: Range<usize>,
    visit: &mut dyn FnMut(&[u8], usize, &mut ReadOutcome) -> bool,
) -> ReadOutcome {
    let mut ended = ReadOutcome::default();
    let mut rest = trace.get(part.start..).unwrap_or_default();
    while !rest.is_empty() {
        let at = trace.len() - rest.len();
        if at >= part.end {
            break;
        }
        // A damaged length may span several packets, so reading resumes inside it.
        let found = next(rest).filter(|(packet, after)| may_follow(after) || packet.is_none_or(is_whole));
        let Some((packet, after)) = found else {
            // Some programs write to files of fixed size, which end with zeros.
            if rest.iter().all(|byte| *byte == 0) {
                break;
            }
            ended.damage.get_or_insert(at);
            let found = resume(&rest[1..]).map_or(rest.len(), |skipped| skipped + 1);
            ended.skipped += found;
            rest = &rest[found..];
            continue;
        };
        rest = after;
        if let Some(packet) = packet
            && !visit(packet, at, &mut ended)
        {
            ended.is_stopped = true;
            return ended;
        }
    }
    ended
}

/// Returns the packet at the start of the bytes.
pub(super) fn first(bytes: &[u8]) -> Option<&[u8]> {
    next(bytes)?.0
}

/// Returns the packet at the start of the bytes, and the bytes after it; no packet if another field is there.
fn next(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    const PACKET: u8 = 1 << 3 | 2;
    if let [PACKET, rest @ ..] = bytes {
        let (length, rest) = varint(rest)?;
        let (packet, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        return Some((Some(packet), rest));
    }
    // Newer programs may write other fields between packets.
    let mut fields = Fields::new(bytes);
    let field = fields.next()?;
    (field.number > 1 && next_is_packet(fields.rest())).then(|| (None, fields.rest()))
}

/// Returns true if the bytes may start with a packet, padding, or the end of the trace.
const fn may_follow(bytes: &[u8]) -> bool {
    matches!(bytes, [] | [0 | 0x0a, ..])
}

/// Returns true if a packet consists of undamaged fields.
fn is_whole(packet: &[u8]) -> bool {
    let mut fields = Fields::new(packet);
    fields.by_ref().for_each(drop);
    !fields.is_damaged()
}

fn next_is_packet(bytes: &[u8]) -> bool {
    matches!(bytes, [] | [0, ..]) || is_packet(bytes).is_some()
}

/// Number of fields or packets checked for detection.
pub(super) const LOOK: usize = 24;

/// Returns the bytes after the packet at the start of the bytes; `None` if the bytes do not look like a packet.
pub(super) fn is_packet(bytes: &[u8]) -> Option<&[u8]> {
    let [0x0a, rest @ ..] = bytes else { return None };
    let (length, rest) = varint(rest)?;
    let (packet, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let mut fields = Fields::new(packet);
    let count = fields.by_ref().take(LOOK).count();
    (count > 0 && !fields.is_damaged()).then_some(rest)
}

/// Passes the packets of undamaged fields to `visit`, and returns the number of bytes outside of them. A packet that the
/// end of the bytes truncates does not count.
pub(super) fn each_whole(bytes: &[u8], visit: &mut dyn FnMut(&[u8])) -> usize {
    let (mut rest, mut skipped) = (bytes, 0);
    while !rest.is_empty() {
        if let Some(after) = is_packet(rest)
            && let Some(packet) = first(rest)
        {
            visit(packet);
            rest = after;
            continue;
        }
        let Some(found) = resume(&rest[1..]) else {
            let is_cut = rest.strip_prefix(&[0x0a]).and_then(varint);
            let is_cut = is_cut.is_some_and(|(length, content)| length > content.len() as u64);
            return skipped + if is_cut { 0 } else { rest.len() };
        };
        skipped += found + 1;
        rest = &rest[found + 1..];
    }
    skipped
}

/// Finds the next packets after damage: two in a row, or one at the end.
fn resume(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(0x0a, bytes).find(|at| is_packet(&bytes[*at..]).is_some_and(next_is_packet))
}

/// True for packets that are compressed with deflate or zstd.
pub(super) const fn is_compressed(number: u64) -> bool {
    matches!(number, kind::COMPRESSED | kind::ZSTD_COMPRESSED)
}

/// Visits a packet, or the packets compressed in it. `so_far` counts the decompressed bytes of all packets.
fn one(
    packet: &[u8],
    at: usize,
    (trace, so_far): (&[u8], &mut u64),
    ended: &mut ReadOutcome,
    visit: &mut dyn FnMut(&Packet<'_>, usize) -> bool,
) -> bool {
    let packet = Packet::read(packet);
    let Some((number, packed)) = packet.data.filter(|data| is_compressed(data.0)) else { return visit(&packet, at) };
    ended.unpacked += 1;
    let most = (trace.len() as u64).saturating_mul(MAX_GROWTH).max(MAX_INFLATED).saturating_sub(*so_far);
    let most = most.min(MAX_INFLATED);
    let mut inflated = Vec::new();
    let result = if number == kind::ZSTD_COMPRESSED {
        ZstdDecoder::new(packed, DEFAULT_MAX_WINDOW).take(most).read_to_end(&mut inflated)
    } else if packed.starts_with(&[0x1f, 0x8b]) {
        flate2::read::GzDecoder::new(packed).take(most).read_to_end(&mut inflated)
    } else {
        flate2::read::ZlibDecoder::new(packed).take(most).read_to_end(&mut inflated)
    };
    *so_far += inflated.len() as u64;
    let mut rest = &inflated[..];
    while let Some((inner, after)) = next(rest) {
        rest = after;
        // Nested compression does not occur and is ignored.
        let Some(inner) = inner.map(Packet::read) else { continue };
        if !inner.data.is_some_and(|data| is_compressed(data.0)) && !visit(&inner, at) {
            return false;
        }
    }
    if result.is_err() || inflated.len() as u64 == most || !rest.is_empty() {
        ended.damage.get_or_insert(at);
        ended.skipped += packed.len();
    }
    true
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(content.len()).expect("short")], content].concat()
    }

    /// A packet with a timestamp.
    fn packet(time: u8) -> Vec<u8> {
        field(1, &[8 << 3, time, 10 << 3, 1])
    }

    fn times(trace: &[u8]) -> (Vec<u64>, ReadOutcome) {
        let mut times = Vec::new();
        let ended = each(trace, &mut |packet, _| {
            times.extend(packet.timestamp);
            true
        });
        (times, ended)
    }

    #[test]
    fn packets_are_found_again_after_damage() {
        let whole = [packet(1), packet(2), packet(3)].concat();
        assert_eq!(times(&whole), (vec![1, 2, 3], ReadOutcome::default()));
        let damaged = [&packet(1)[..], b"garbage \x0a\xff", &packet(2), &packet(3)].concat();
        let (found, ended) = times(&damaged);
        assert_eq!((found, ended.damage, ended.skipped), (vec![1, 2, 3], Some(6), 10));
        let cut = &whole[..whole.len() - 1];
        assert_eq!((times(cut).0, times(cut).1.damage), (vec![1, 2], Some(12)));
    }

    #[test]
    fn compressed_packets_are_read() {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&[packet(4), packet(5)].concat()).expect("in memory");
        let packed = encoder.finish().expect("in memory");
        let length = u8::try_from(packed.len()).expect("short");
        let inner = [&[0x92, 0x03, length], &packed[..]].concat();
        let whole = [packet(3), field(1, &inner), packet(6)].concat();
        let outcome = ReadOutcome { unpacked: 1, ..ReadOutcome::default() };
        assert_eq!(times(&whole), (vec![3, 4, 5, 6], outcome));
        let mut damaged = whole;
        damaged[14] ^= 0x55;
        let (found, ended) = times(&damaged);
        assert!(found.first() == Some(&3) && found.last() == Some(&6) && ended.damage.is_some());
    }
}
