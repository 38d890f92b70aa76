//! References between packets, compression, and format detection.

use std::io::Write as _;

use super::*;

/// An instant with an interned name.
fn numbered(ts: u64, name: u64) -> Message {
    at(ts).number(13, 2).message(11, &message().number(9, INSTANT).number(11, 2).number(10, name))
}

/// Interned names, in a separate packet.
fn names(names: &[(u64, &str)]) -> Message {
    let interned = names
        .iter()
        .fold(message(), |interned, (number, name)| interned.message(2, &message().number(1, *number).text(2, name)));
    message().number(10, 1).message(12, &interned)
}

#[test]
fn interned_names_are_valid_until_they_are_cleared() {
    let cleared = || message().number(10, 1).number(13, 1);
    let packets = [
        thread(2, 7, 8, "main"),
        numbered(5, 1),
        cleared(),
        names(&[(1, "one"), (2, "two"), (1, "no longer")]),
        numbered(10, 1),
        numbered(20, 2),
        cleared(),
        names(&[(1, "another")]),
        numbered(30, 1),
        // Packets were lost, so the following references are unknown.
        numbered(40, 1).number(42, 1),
        numbered(50, 1),
        event(60, INSTANT, 2, "needs nothing"),
        cleared(),
        names(&[(1, "again \"\\\n")]),
        numbered(70, 1),
    ];
    let expected = ["one 10 0", "two 20 0", "another 30 0", "needs nothing 60 0", "again \"\\\n 70 0"];
    assert_eq!(slices(&packets), expected.map(|slice| format!("Process 7/main {slice}")));
    assert_eq!(warned(&read(&packets), "not_drawn"), 3);
}

#[test]
fn compressed_packets_and_files_are_read() {
    let inner = trace(&[event(20, INSTANT, 2, "packed"), event(30, INSTANT, 2, "too")]);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&inner).expect("in memory");
    let zlib = encoder.finish().expect("in memory");
    let expected = ["plain 10 0", "packed 20 0", "too 30 0"].map(|slice| format!("Process 7/main {slice}"));
    for packed in [&zlib, &crate::gzip(&inner)] {
        let packets =
            [thread(2, 7, 8, "main"), event(10, INSTANT, 2, "plain"), message().number(10, 3).bytes(50, packed)];
        assert_eq!(slices(&packets), expected);
        assert_eq!(slices_of(&crate::gzip(&trace(&packets))), expected);
    }
}

#[test]
fn extensions_of_other_programs_are_skipped() {
    let packets = [
        message().text(5000, "unknown"),
        thread(2, 7, 8, "main").bytes(5001, b"beside what is known"),
        event(10, INSTANT, 2, "a").bytes(4000, b"a").number(4001, 5).word(4002, 6),
        message(),
    ];
    let mut bytes = trace(&packets);
    bytes.extend(message().text(700, "beside packets").0);
    bytes.extend([0; 100]);
    assert_eq!(slices_of(&bytes), ["Process 7/main a 10 0"]);
    // Only a packet without any known field is reported.
    let read = Importer::read(&bytes);
    assert_eq!((warned(&read, "not_drawn"), read.warnings.len()), (1, 1));
}

#[test]
fn unsupported_packet_types_are_counted() {
    let packets = [
        thread(2, 7, 8, "main"),
        event(10, INSTANT, 2, "a"),
        at(20).message(53, &message()),
        at(21).message(66, &message()),
        // The trace configuration contains no events.
        at(22).message(33, &message()),
    ];
    assert_eq!(warned(&read(&packets), "not_drawn"), 2);
}

#[test]
fn the_format_is_detected() {
    let bytes = trace(&[thread(2, 7, 8, "main"), event(10, INSTANT, 2, "a")]);
    let imported = flowline::import::read(bytes.clone(), &flowline::import::Progress::default()).expect("a trace");
    assert_eq!(imported.profile.meta.kind, flowline::profile::SourceKind::PerfettoTrace);
    // A line feed before JSON is not a packet.
    let json = "\n{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"a\"}]}";
    for length in 100..140 {
        let padded = format!("{json:<length$}");
        assert_eq!(Importer::read(padded.as_bytes()).tracks.len(), 1, "{length}");
    }
}

/// A zstd frame with one block that is not compressed, of less than 256 bytes.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let length = u8::try_from(bytes.len()).expect("short");
    // One segment with a size of one byte; the last block, with its length from the fourth bit on.
    let block = (u32::from(length) << 3 | 1).to_le_bytes();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, length][..], &block[..3], bytes].concat()
}

#[test]
fn packets_and_files_may_be_compressed_with_zstd() {
    let events = [thread(2, 7, 8, "main"), event(10, INSTANT, 2, "a"), event(20, INSTANT, 2, "b")];
    let expected = slices(&events);
    assert_eq!(expected.len(), 2);
    let inner = trace(&events[1..]);
    let packets = [events[0].clone(), message().bytes(133, &zstd(&inner))];
    assert_eq!(slices(&packets), expected);
    assert_eq!(slices_of(&zstd(&trace(&events))), expected);
    // Damage is reported.
    let frame = zstd(&inner);
    let packets = [events[0].clone(), event(5, INSTANT, 2, "c"), message().bytes(133, &frame[..frame.len() - 3])];
    let imported = flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace");
    assert_eq!(imported.profile.warnings.count(flowline::profile::WarningKind::Truncated), 1);
}

#[test]
fn warnings_name_offsets_of_packets() {
    let packets = [thread(1, 7, 8, "main"), event(10, BEGIN, 1, "slice"), event(20, END, 1, ""), event(30, END, 1, "")];
    let at = trace(&packets[..3]).len();
    let imported = flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace");
    let warnings = imported.profile.warnings.list();
    let place = warnings.iter().find(|warning| warning.kind == flowline::profile::WarningKind::UnmatchedEnd);
    assert!(place.is_some_and(|warning| warning.first.ends_with(&format!("at byte {at}"))), "{warnings:?}");
}
