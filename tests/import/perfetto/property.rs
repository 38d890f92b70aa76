//! The same events, as a trace of packets and as JSON text, are the same recording.

use std::fmt::Write as _;

use super::*;

/// Random threads with nested slices, instants and flows, in both forms.
struct Both {
    packets: Vec<Message>,
    json: String,
}

impl Both {
    fn new(random: &mut fastrand::Rng) -> Self {
        let mut both = Self { packets: Vec::new(), json: String::from("[") };
        let threads = random.u64(1..5);
        for thread_at in 1..=threads {
            both.packets.push(thread(thread_at, 7, 100 + thread_at, &format!("thread {thread_at}")));
            let _infallible = write!(
                both.json,
                r#"{{"ph":"M","pid":7,"tid":{},"name":"thread_name","args":{{"name":"thread {thread_at}"}}}},"#,
                100 + thread_at
            );
        }
        let mut open = vec![0_usize; usize::try_from(threads).expect("few") + 1];
        let mut ts = 1000;
        for number in 0..random.u64(1..120) {
            ts += random.u64(0..3);
            let on = random.u64(1..=threads);
            let depth = &mut open[usize::try_from(on).expect("few")];
            let kind = match random.u8(0..5) {
                0 => INSTANT,
                1 | 2 if *depth > 0 => END,
                _ => BEGIN,
            };
            match kind {
                BEGIN => *depth += 1,
                END => *depth -= 1,
                _ => {}
            }
            let name = format!("event {}", number % 7);
            both.add(ts, kind, on, if kind == END { "" } else { &name }, random);
        }
        both.json.push(']');
        both
    }

    fn add(&mut self, ts: u64, kind: u64, on: u64, name: &str, random: &mut fastrand::Rng) {
        let mut packet = track_event(kind, on, name);
        let phase = match kind {
            BEGIN => 'B',
            END => 'E',
            _ => 'i',
        };
        let _infallible =
            write!(self.json, r#"{{"ph":"{phase}","pid":7,"tid":{},"ts":{}.{:03}"#, 100 + on, ts / 1000, ts % 1000);
        if !name.is_empty() {
            let _infallible = write!(self.json, r#","name":"{name}","cat":"c","args":{{"n":{ts}}}"#);
            packet = packet.text(22, "c").message(4, &message().text(10, "n").number(3, ts));
        }
        if kind != END && random.bool() {
            let (flow, ends) = (random.u64(1..4), random.u8(0..3) == 0);
            packet = packet.word(if ends { 48 } else { 47 }, flow);
            let member = if ends { "terminating_flow_ids" } else { "flow_ids" };
            let _infallible = write!(self.json, r#","{member}":["{flow:#x}"]"#);
        }
        self.json.push_str("},");
        self.packets.push(at(ts).message(11, &packet));
    }
}

#[test]
fn both_forms_are_the_same_recording() {
    let seed = std::env::var("FLOWLINE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(11);
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut slices_found, mut connections_found) = (0, 0);
    for _ in 0..300 {
        let both = Both::new(&mut random);
        let (of_packets, of_json) = (read(&both.packets), Importer::read(both.json.as_bytes()));
        assert_eq!(slices(&both.packets), slices_of(both.json.as_bytes()), "{}", both.json);
        assert_eq!(connections(&of_packets), connections(&of_json), "{}", both.json);
        // JSON also names threads without slices.
        let others = of_json.tracks.iter().filter(|track| !track.slices.is_empty());
        for (track, other) in of_packets.tracks.iter().zip(others) {
            assert_eq!(track.slices, other.slices);
        }
        slices_found += of_packets.tracks.iter().map(|track| track.slices.len()).sum::<usize>();
        connections_found += connections(&of_packets).len();
        assert_eq!(connections(&of_packets), naive_connections(&both.packets), "{}", both.json);
    }
    assert!(slices_found > 5000 && connections_found > 1000, "{slices_found} {connections_found}");
}

/// Connected events, computed one packet after the other.
fn naive_connections(packets: &[Message]) -> Vec<String> {
    let mut last: std::collections::BTreeMap<u64, String> = std::collections::BTreeMap::new();
    let mut found = Vec::new();
    for packet in packets {
        let Some(event) = field_bytes(&packet.0, 11) else { continue };
        let name =
            field_bytes(event, 23).map(|name| String::from_utf8(name.to_vec()).expect("text")).unwrap_or_default();
        for (field, ends) in [(47, false), (48, true)] {
            let Some(flow) = word(event, field) else { continue };
            if let Some(before) = last.get(&flow) {
                found.push(format!("{before}>{name}"));
            }
            if ends {
                last.remove(&flow);
            } else {
                last.insert(flow, name.clone());
            }
        }
    }
    found.sort();
    found
}

/// Fields of a message: the field number, and its bytes or its value.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Result<&[u8], u64>)> {
    let mut found = Vec::new();
    let varint = |bytes: &mut &[u8]| {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (byte, rest) = bytes.split_first().expect("whole");
            *bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return value;
            }
        }
    };
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let content = match tag & 7 {
            0 => Err(varint(&mut bytes)),
            1 => {
                let (word, rest) = bytes.split_first_chunk::<8>().expect("whole");
                bytes = rest;
                Err(u64::from_le_bytes(*word))
            }
            _ => {
                let length = usize::try_from(varint(&mut bytes)).expect("short");
                let (content, rest) = bytes.split_at(length);
                bytes = rest;
                Ok(content)
            }
        };
        found.push((tag >> 3, content));
    }
    found
}

fn field_bytes(bytes: &[u8], number: u64) -> Option<&[u8]> {
    fields(bytes).into_iter().find(|field| field.0 == number)?.1.ok()
}

fn word(bytes: &[u8], number: u64) -> Option<u64> {
    fields(bytes).into_iter().find(|field| field.0 == number)?.1.err()
}
