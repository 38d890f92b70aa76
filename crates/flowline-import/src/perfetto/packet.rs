//! The packets of a trace, and what stands in one.

use std::io::Read as _;

use super::wire::{Content, Field, Fields, varint};

/// Numbers of fields of a packet.
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

    /// Those that are read.
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
    /// The clock of its time; that of its sequence if it states none.
    pub(super) clock: Option<u32>,
    /// The sequence of packets of one writer that it belongs to; 0 is none.
    pub(super) sequence: u32,
    /// What was interned before, and the defaults, no longer hold.
    pub(super) is_cleared: bool,
    /// It refers to what was interned.
    pub(super) needs_state: bool,
    /// Packets of its sequence before it were lost.
    pub(super) follows_loss: bool,
    pub(super) defaults: Option<&'a [u8]>,
    pub(super) interned: Option<&'a [u8]>,
    /// What it is about: the number of its field, and the message.
    pub(super) data: Option<(u64, &'a [u8])>,
}

const CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;

impl<'a> Packet<'a> {
    /// Whether it says nothing and changes nothing.
    pub(super) const fn is_about_nothing(&self) -> bool {
        self.data.is_none()
            && self.defaults.is_none()
            && self.interned.is_none()
            && self.timestamp.is_none()
            && !self.is_cleared
            && !self.follows_loss
    }

    /// Reads what a packet says, as far as it is whole.
    pub(super) fn read(message: &'a [u8]) -> Self {
        let mut packet = Self::default();
        for field in Fields::new(message) {
            match (field.number, field.content) {
                (8, Content::Number(time)) => packet.timestamp = Some(time),
                (10, Content::Number(_)) => packet.sequence = id(&field),
                (12, Content::Bytes(bytes)) => packet.interned = Some(bytes),
                (13, Content::Number(flags)) => {
                    packet.is_cleared |= flags & CLEARED != 0;
                    packet.needs_state |= flags & NEEDS_STATE != 0;
                }
                (41, Content::Number(_)) => packet.is_cleared |= field.is_true(),
                (42, Content::Number(_)) => packet.follows_loss |= field.is_true(),
                (58, Content::Number(_)) => packet.clock = Some(id(&field)),
                (59, Content::Bytes(bytes)) => packet.defaults = Some(bytes),
                // A mark to find packets by, and what wrote them, are about nothing.
                (36, _) | (_, Content::Number(_)) => {}
                // What newer programs add does not take the place of what is known.
                (number, Content::Bytes(bytes)) if packet.data.is_none() || kind::ALL.contains(&number) => {
                    packet.data = Some((number, bytes));
                }
                _ => {}
            }
        }
        packet
    }
}

/// An id of 32 bits.
pub(super) fn id(field: &Field<'_>) -> u32 {
    u32::try_from(field.number() & u64::from(u32::MAX)).unwrap_or_default()
}

/// How reading the packets of a trace ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ended {
    /// The first place in the file at which there was no packet.
    pub(super) damage: Option<usize>,
    /// Bytes that belong to no packet.
    pub(super) skipped: usize,
    /// Whether reading was stopped.
    pub(super) is_stopped: bool,
}

/// Packed packets grow to at most so many bytes each.
const MAX_INFLATED: u64 = 1 << 28;
/// All of them together may grow by this factor, or to [`MAX_INFLATED`].
const MAX_GROWTH: u64 = 200;

/// Passes the packets of a trace to `visit`, in the order of the file, with their places; until `visit` returns `false`.
pub(super) fn each<'a>(trace: &'a [u8], visit: &mut dyn FnMut(&[u8], usize) -> bool) -> Ended {
    let (mut ended, mut inflated) = (Ended::default(), 0);
    let mut rest = trace;
    while !rest.is_empty() {
        let at = trace.len() - rest.len();
        // What a damaged length swallows is looked for inside.
        let found = next(rest).filter(|(packet, after)| may_follow(after) || packet.is_none_or(is_whole));
        let Some((packet, after)) = found else {
            // Some programs write into files of a fixed size.
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
            && !one(packet, at, (trace, &mut inflated), &mut ended, visit)
        {
            ended.is_stopped = true;
            return ended;
        }
    }
    ended
}

/// The packet at the beginning of bytes, and the bytes after it; no packet if another field stands there.
fn next(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    const PACKET: u8 = 1 << 3 | 2;
    if let [PACKET, rest @ ..] = bytes {
        let (length, rest) = varint(rest)?;
        let (packet, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        return Some((Some(packet), rest));
    }
    // Newer programs may put something else beside packets.
    let mut fields = Fields::new(bytes);
    let field = fields.next()?;
    (field.number > 1 && next_is_packet(fields.rest())).then(|| (None, fields.rest()))
}

/// Whether a packet, the end, or padding may begin with these bytes.
const fn may_follow(bytes: &[u8]) -> bool {
    matches!(bytes, [] | [0 | 0x0a, ..])
}

/// Whether a packet is made of fields.
fn is_whole(packet: &[u8]) -> bool {
    let mut fields = Fields::new(packet);
    fields.by_ref().for_each(drop);
    !fields.is_damaged()
}

fn next_is_packet(bytes: &[u8]) -> bool {
    matches!(bytes, [] | [0, ..]) || is_packet(bytes).is_some()
}

/// Fields that are looked at to tell a packet from other bytes.
const LOOK: usize = 24;

/// Whether a packet that looks like one stands at the beginning of bytes: the bytes after it.
fn is_packet(bytes: &[u8]) -> Option<&[u8]> {
    let [0x0a, rest @ ..] = bytes else { return None };
    let (length, rest) = varint(rest)?;
    let (packet, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let mut fields = Fields::new(packet);
    let count = fields.by_ref().take(LOOK).count();
    (count > 0 && !fields.is_damaged()).then_some(rest)
}

/// Where packets go on after damage: two of them, or one at the end.
fn resume(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(0x0a, bytes).find(|at| is_packet(&bytes[*at..]).is_some_and(next_is_packet))
}

/// Visits a packet, or those that are packed in it. `so_far` is how much all packed packets have grown to.
fn one(
    packet: &[u8],
    at: usize,
    (trace, so_far): (&[u8], &mut u64),
    ended: &mut Ended,
    visit: &mut dyn FnMut(&[u8], usize) -> bool,
) -> bool {
    // Packed packets are the only field, or stand beside who wrote them.
    let packed = Fields::new(packet).take(4).find(|field| field.number == kind::COMPRESSED).map(|field| field.bytes());
    let Some(packed) = packed else { return visit(packet, at) };
    let most = (trace.len() as u64).saturating_mul(MAX_GROWTH).max(MAX_INFLATED).saturating_sub(*so_far);
    let most = most.min(MAX_INFLATED);
    let mut inflated = Vec::new();
    let result = if packed.starts_with(&[0x1f, 0x8b]) {
        flate2::read::GzDecoder::new(packed).take(most).read_to_end(&mut inflated)
    } else {
        flate2::read::ZlibDecoder::new(packed).take(most).read_to_end(&mut inflated)
    };
    *so_far += inflated.len() as u64;
    let mut rest = &inflated[..];
    while let Some((inner, after)) = next(rest) {
        rest = after;
        // Nobody packs what is packed.
        let is_packed = |field: &Field<'_>| field.number == kind::COMPRESSED;
        if let Some(inner) = inner
            && !Fields::new(inner).take(4).any(|field| is_packed(&field))
            && !visit(inner, at)
        {
            return false;
        }
    }
    if result.is_err() || inflated.len() as u64 == most || !rest.is_empty() {
        ended.damage.get_or_insert(at);
        ended.skipped += packed.len();
    }
    true
}

/// Whether bytes begin like a trace: with packets of which each holds fields, and nothing else.
pub(crate) fn is_trace(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let mut known = 0;
    for _ in 0..LOOK {
        let Some(after) = is_packet(rest) else { break };
        let [_, packet @ ..] = rest else { break };
        let fields = varint(packet).map(|(_, packet)| Fields::new(&packet[..packet.len() - after.len()]));
        // Which sequence wrote it, a time, or a kind of content that every program writes.
        let is_known = |field: Field<'_>| match field.content {
            Content::Number(_) => matches!(field.number, 3 | 8 | 10 | 13 | 79 | 87),
            Content::Bytes(_) => matches!(field.number, 1 | 2 | 6 | 11 | 33 | 36 | 45 | 50 | 60),
        };
        known += usize::from(fields.is_some_and(|mut fields| fields.any(is_known)));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    // Damage may follow, but one packet alone may be chance.
    known > 1 || (known == 1 && (rest.is_empty() || rest.first() == Some(&0x0a)))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(content.len()).expect("short")], content].concat()
    }

    /// A packet with a time.
    fn packet(time: u8) -> Vec<u8> {
        field(1, &[8 << 3, time, 10 << 3, 1])
    }

    fn times(trace: &[u8]) -> (Vec<u64>, Ended) {
        let mut times = Vec::new();
        let ended = each(trace, &mut |packet, _| {
            times.extend(Packet::read(packet).timestamp);
            true
        });
        (times, ended)
    }

    #[test]
    fn packets_are_found_again_after_damage() {
        let whole = [packet(1), packet(2), packet(3)].concat();
        assert_eq!(times(&whole), (vec![1, 2, 3], Ended::default()));
        let damaged = [&packet(1)[..], b"garbage \x0a\xff", &packet(2), &packet(3)].concat();
        let (found, ended) = times(&damaged);
        assert_eq!((found, ended.damage, ended.skipped), (vec![1, 2, 3], Some(6), 10));
        let cut = &whole[..whole.len() - 1];
        assert_eq!((times(cut).0, times(cut).1.damage), (vec![1, 2], Some(12)));
        assert!(is_trace(&whole) && is_trace(cut) && !is_trace(&damaged[6..]) && !is_trace(b"") && !is_trace(b"\n{}"));
    }

    #[test]
    fn packed_packets_are_packets() {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&[packet(4), packet(5)].concat()).expect("in memory");
        let packed = encoder.finish().expect("in memory");
        let length = u8::try_from(packed.len()).expect("short");
        let inner = [&[0x92, 0x03, length], &packed[..]].concat();
        let whole = [packet(3), field(1, &inner), packet(6)].concat();
        assert_eq!(times(&whole), (vec![3, 4, 5, 6], Ended::default()));
        let mut damaged = whole;
        damaged[14] ^= 0x55;
        let (found, ended) = times(&damaged);
        assert!(found.first() == Some(&3) && found.last() == Some(&6) && ended.damage.is_some());
    }
}
