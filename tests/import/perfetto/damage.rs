//! Damaged traces: intact packets are read, and nothing panics, hangs or grows without bound.

use super::*;

/// A trace with one example of everything.
fn rich() -> Vec<Message> {
    let bundle = message()
        .number(1, 0)
        .message(2, &message().number(1, 30).number(2, 70).message(3, &message().text(2, "B|7|printed")));
    let deep = message().text(10, "deep").message(12, &message().message(11, &message().text(10, "x").number(3, 1)));
    let mut packets = vec![
        message().message(6, &snapshot(&[clock(6, 10), clock(3, 5)])),
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        track(3, 1, "requests"),
        message().number(10, 1).number(13, 1).message(12, &message().message(2, &message().number(1, 1).text(2, "n"))),
        message().message(1, &bundle),
    ];
    for (step, kind) in (0_u64..20).zip([BEGIN, END, INSTANT].into_iter().cycle()) {
        let event = track_event(kind, 2 + step % 2, "event").word(47, step / 4);
        packets.push(at(100 + step).number(13, 2).message(11, &event.message(4, &deep).number(10, 1)));
    }
    packets
}

#[test]
fn a_cut_trace_keeps_the_part_before_the_cut() {
    let packets = rich();
    let (bytes, whole) = (trace(&packets), read(&packets));
    let count = |read: &Reference| read.tracks.iter().map(|track| track.slices.len()).sum::<usize>();
    let mut least = 0;
    for length in (0..bytes.len()).step_by(3) {
        let read = Importer::read(&bytes[..length]);
        assert!(count(&read) <= count(&whole));
        // A longer part never contains less, unless it is too short to be recognized.
        assert!(length < 60 || count(&read) >= least, "{length}");
        least = count(&read);
    }
    assert!(least > 10);
}

#[test]
fn packets_after_damage_are_read() {
    let packets = rich();
    let (first, second) = packets.split_at(12);
    let mut bytes = trace(first);
    let damage = bytes.len();
    bytes.extend(b"not a packet at all: \x0a\x7f\xff\xff");
    bytes.extend(trace(second));
    assert_eq!(slices_of(&bytes), slices(&packets));
    let imported = flowline::import::read(bytes, &flowline::import::Progress::default()).expect("a trace");
    let told = imported.profile.warnings.list();
    let first = told.iter().find(|warning| warning.kind.name() == "truncated").expect("a warning");
    assert!(first.first.contains(&format!("byte {damage}")), "{}", first.first);
}

#[test]
fn damage_in_the_first_packets_does_not_refuse_the_trace() {
    let packets = rich();
    let (bytes, length) = (trace(&packets), trace(&packets[..2]).len());
    let whole = slices(&packets).len();
    for at in 0..length {
        for byte in [0, 0x0a, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x40] {
            let mut damaged = bytes.clone();
            damaged[at] = byte;
            // A wrong length may hide the packet after it.
            let found = slices_of(&damaged).len();
            assert!(found + 3 >= whole, "{byte:#x} at {at}: {found} of {whole}");
        }
    }
    // A lost start, and packets without any field.
    assert!(slices_of(&bytes[5..]).len() + 1 >= whole);
    let empty = [message(), message(), track(1, 0, "t"), event(1000, INSTANT, 1, "a")];
    assert_eq!(slices(&empty), ["Global tracks/t a 1000 0"]);
}

#[test]
fn random_damage_does_not_panic() {
    let seed = std::env::var("FLOWLINE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(3);
    let mut random = fastrand::Rng::with_seed(seed);
    let bytes = trace(&rich());
    for _ in 0..3000 {
        let mut damaged = bytes.clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(0..damaged.len());
            match random.u8(0..4) {
                0 => damaged[at] = random.u8(..),
                1 => damaged[at] ^= 1 << random.u8(0..8),
                2 => drop(damaged.drain(at..(at + random.usize(1..9)).min(damaged.len()))),
                _ => damaged.insert(at, random.u8(..)),
            }
            if damaged.is_empty() {
                break;
            }
        }
        let _whatever = slices_of(&damaged);
    }
}

#[test]
fn packets_hidden_by_a_damaged_length_are_found() {
    let packets: Vec<Message> = std::iter::once(thread(2, 7, 8, "main"))
        .chain((0..200).map(|ts| event(100 + ts, INSTANT, 2, "instant")))
        .collect();
    let bytes = trace(&packets);
    let whole = slices(&packets).len();
    // The length of the tenth packet: the packets before it determine its position.
    let at = trace(&packets[..10]).len() + 1;
    for length in [bytes[at] ^ 0x20, bytes[at] ^ 0x40, 0x7f] {
        let mut damaged = bytes.clone();
        damaged[at] = length;
        assert!(slices_of(&damaged).len() >= whole - 5, "{length}: {}", slices_of(&damaged).len());
    }
}

#[test]
fn a_few_bytes_do_not_expand_to_much_text() {
    // A long name, and a packet whose annotations reference it many times.
    let long = "x".repeat(1 << 20);
    let interned = message().message(29, &message().number(1, 1).text(2, &long));
    let annotation = message().text(10, "a").number(17, 1);
    let event = (0..100_000).fold(track_event(INSTANT, 2, "a"), |event, _| event.message(4, &annotation));
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1).message(12, &interned),
        at(10).message(11, &event),
    ];
    assert_eq!(slices(&packets), ["Process 7/main a 10 0"]);
}

#[test]
fn compressed_packets_that_grow_without_bound_are_refused() {
    // Packets nested in compressed packets.
    let mut bytes = trace(&[event(10, INSTANT, 2, "deep")]);
    for _ in 0..12 {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, &bytes).expect("in memory");
        bytes = trace(&[message().bytes(50, &encoder.finish().expect("in memory"))]);
    }
    let read = Importer::read(&[trace(&[thread(2, 7, 8, "main"), event(1, INSTANT, 2, "a")]), bytes].concat());
    assert_eq!(read.tracks[0].slices.len(), 1);
}
