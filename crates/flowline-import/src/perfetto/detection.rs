//! Tells traces from other protocol buffers, many of which also begin with a field 1 that contains a message.
//!
//! A trace whose first packets are damaged is recognized by the packets after the damage. Other binary formats contain
//! bytes that look like packets, too, so the requirements are higher then: several packets, hardly any foreign message,
//! and more bytes in packets than outside of them.

use super::packet::{self, LOOK, is_packet};
use super::wire::{Content, Field, Fields, varint};
use crate::text_start::is_text;

/// Returns true if the bytes start with a trace: nothing but packets of undamaged fields, most of them with known fields
/// of the right type, or enough such packets after damage.
pub(crate) fn is_trace(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let (mut known, mut foreign) = (0, 0);
    for _ in 0..LOOK {
        rest = after_empty_packets(rest);
        let Some(after) = is_packet(rest) else { break };
        let [_, packet @ ..] = rest else { break };
        if let Some((_, packet)) = varint(packet) {
            let packet = &packet[..packet.len() - after.len()];
            if is_foreign(packet) {
                foreign += 1;
            } else {
                known += usize::from(Fields::new(packet).any(is_known));
            }
        }
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    // Damage may follow, but a single packet may be a coincidence.
    let is_plain = known > foreign && (known > 1 || rest.is_empty() || rest.first() == Some(&0x0a));
    is_plain || is_damaged_trace(bytes)
}

/// Skips packets without any field, which are valid and mean nothing.
fn after_empty_packets(mut bytes: &[u8]) -> &[u8] {
    while let [0x0a, 0, rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}

/// Number of bytes at the start of a file that are searched for packets after damage.
const DAMAGE_LOOK: usize = 1 << 16;
/// Minimum number of known packets after damage.
const MIN_KNOWN: usize = 3;

/// Returns true if the bytes start with damage that is followed by the packets of a trace.
fn is_damaged_trace(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(DAMAGE_LOOK)];
    // Every packet contains control characters.
    if is_text(bytes) {
        return false;
    }
    let (mut known, mut foreign, mut framed) = (0, 0, 0);
    let ended = packet::each_whole(bytes, &mut |packet| {
        if is_foreign(packet) {
            foreign += 1;
        } else if Fields::new(packet).any(is_known) {
            known += 1;
            framed += packet.len();
        }
    });
    known >= MIN_KNOWN && foreign * 8 <= known && framed >= ended
}

/// Returns true for a sequence, a timestamp, or a payload that every program writes.
const fn is_known(field: Field<'_>) -> bool {
    match field.content {
        Content::Number(_) => matches!(field.number, 3 | 8 | 10 | 13 | 79 | 87),
        Content::Bytes(_) => matches!(field.number, 1 | 2 | 6 | 11 | 33 | 36 | 45 | 50 | 60),
    }
}

/// Returns true if a message cannot be a packet: a field that every version of the format defines has another type, or
/// content of another form. The last field of a truncated message is not examined.
pub(crate) fn is_foreign(packet: &[u8]) -> bool {
    Fields::new(packet).take(LOOK).any(|field| match field.content {
        Content::Number(_) => matches!(field.number, 1 | 2 | 4..=7 | 9 | 11 | 12 | 33..=40 | 43..=45 | 50 | 59 | 60),
        Content::Bytes(content) => match field.number {
            3 | 8 | 10 | 13 | 41 | 42 | 58 | 79 | 87 => true,
            // Kernel events of a processor, which has a number.
            1 => !is_message(content) || !has_types(content, &[1, 3, 5, 6, 7], &[2, 4, 8]),
            // A list of processes and threads. Each has a number.
            2 => {
                let numbered = |item: Field<'_>| match item.number {
                    1 => has_types(item.bytes(), &[1, 2], &[3]),
                    2 => has_types(item.bytes(), &[1, 3], &[2]),
                    _ => true,
                };
                !is_message(content) || !has_types(content, &[3], &[1, 2]) || !Fields::new(content).all(numbered)
            }
            5..=7 | 9 | 11 | 12 | 33 | 43..=45 | 59 | 60 => !is_message(content),
            _ => false,
        },
    })
}

/// Returns true if a message has only undamaged fields.
fn is_message(content: &[u8]) -> bool {
    let mut fields = Fields::new(content);
    fields.by_ref().for_each(drop);
    !fields.is_damaged()
}

/// Returns true if all fields with these numbers are numbers, or text, bytes and messages.
fn has_types(message: &[u8], numbers: &[u64], parts: &[u64]) -> bool {
    Fields::new(message).all(|field| match field.content {
        Content::Number(_) => !parts.contains(&field.number),
        Content::Bytes(_) => !numbers.contains(&field.number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(content.len()).expect("short")], content].concat()
    }

    #[test]
    fn lists_of_named_threads_are_packets() {
        let thread = [&[1 << 3, 7][..], &field(2, b"main"), &[3 << 3, 7]].concat();
        let process = [&[1 << 3, 7, 2 << 3, 1][..], &field(3, b"app")].concat();
        let list = [field(1, &process), field(2, &thread)].concat();
        assert!(!is_foreign(&field(2, &list)));
        assert!(is_foreign(&field(2, &field(2, &field(1, b"a name instead of a number")))));
    }

    #[test]
    fn other_protocol_buffers_are_not_traces() {
        let packet = field(1, &[8 << 3, 5, 10 << 3, 1]);
        let whole = [&packet[..], &packet, &packet].concat();
        assert!(is_trace(&whole) && is_trace(&whole[..whole.len() - 1]) && is_trace(&packet));
        assert!(!is_trace(b"") && !is_trace(b"\n{}"));
        // Kernel events, and a list with a process and a thread.
        let events = field(1, &field(1, &[8, 0, 18, 2, 8, 5]));
        let tree = field(1, &field(2, &[field(1, &[8, 7, 16, 1]), field(2, &[8, 7, 24, 7])].concat()));
        assert!(is_trace(&[&events[..], &tree].concat()));

        // A numbered part with a name and a list.
        let plane = |id: u8, name: &[u8]| field(1, &[&[8, id][..], &field(2, name), &field(3, &[8, 1])].concat());
        assert!(!is_trace(&[plane(1, b"/device:GPU:0"), plane(2, b"/host:CPU")].concat()));
        // Resource and spans with two ids.
        let span = [field(1, &[7; 16]), field(2, &[9; 8])].concat();
        let attribute = field(1, &field(1, b"service.name"));
        assert!(!is_trace(&field(1, &[field(1, &attribute), field(2, &field(2, &span))].concat())));
        assert!(!is_trace(&field(1, &field(2, &field(2, &span)))));
        // Named parts of a graph.
        let node = field(1, &[field(1, b"conv"), field(2, b"Conv2D"), field(3, b"in")].concat());
        assert!(!is_trace(&[&node[..], &node].concat()));
        // One damaged packet among others does not matter.
        assert!(is_trace(&[&packet[..], &plane(1, b"x"), &packet].concat()));
    }

    /// A packet with a time, a sequence and a track event.
    fn instant(time: u8) -> Vec<u8> {
        field(1, &[&[8 << 3, time, 10 << 3, 1][..], &field(11, &[9 << 3, 3, 11 << 3, 2])].concat())
    }

    #[test]
    fn damage_in_the_first_packets_does_not_hide_the_trace() {
        let whole: Vec<u8> = (1..9).flat_map(instant).collect();
        let length = instant(1).len();
        for at in 0..2 * length {
            for byte in [0, 0x0a, 0x55, 0x7f, 0xff, whole[at] ^ 1, whole[at] ^ 0x80] {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                assert!(is_trace(&damaged), "{byte:#x} at {at}");
            }
        }
        // Packets without fields, lost bytes, and bytes of something else.
        assert!(is_trace(&[&[0x0a, 0, 0x0a, 0], &instant(1)[..]].concat()) && is_trace(&whole[5..]));
        assert!(is_trace(&[&[0xfe; 40][..], &whole].concat()) && !is_trace(&[0x0a, 0].repeat(9)));
        // Something else that contains a few packets, or whose messages are others.
        assert!(
            !is_trace(&[&[0xfe; 400][..], &whole].concat()) && !is_trace(&[&[0xfe][..], &whole[..length]].concat())
        );
        let other = field(1, &[field(1, b"conv"), field(2, b"Conv2D"), vec![10 << 3, 1]].concat());
        assert!(!is_trace(&[&[0xfe][..], &other.repeat(9)].concat()));
        // Bytes without any structure.
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..random.usize(1..5000)).map(|_| random.u8(..)).collect();
            assert!(!is_trace(&bytes));
        }
    }
}
