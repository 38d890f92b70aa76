//! Random searches of random recordings: neither the payload filter nor results cached between searches change the
//! hits. The reference checks the payload of each marker ([`hits`]).

use serde_json::{Value, json};

use crate::recording::{Recording, Row, Track, closing, instant, interval, opening, read_bytes};
use crate::search::hits;

/// Texts of names and fields. Some contain others, some contain escapes or capitals with an ASCII lowercase form.
const WORDS: [&str; 14] = [
    "apple",
    "Apple pie",
    "pie",
    "e\np",
    "say \"pie\"",
    "\u{212a}elvin",
    "kelvin",
    "İ",
    "0x12",
    "12",
    "url",
    "é",
    "T",
    "a",
];
const KEYS: [&str; 8] = ["text", "unique", "flow", "list", "num", "deep", "free", "name"];

fn word(random: &mut fastrand::Rng) -> &'static str {
    WORDS[random.usize(..WORDS.len())]
}

fn schemas() -> Value {
    let field = |key: &str, format: &str| json!({"key": key, "format": format});
    json!([
        {"name": "T", "display": [], "fields": [
            field("text", "string"), field("unique", "unique-string"), field("flow", "flow-id"), field("num", "integer"),
        ]},
        {"name": "U", "display": [], "fields": [field("list", "list"), field("unique", "unique-string"), field("deep", "string")]},
        {"name": "V", "display": [], "fields": [field("text", "string")]},
    ])
}

/// A payload value that may contradict its schema.
fn value(random: &mut fastrand::Rng, key: &str) -> Value {
    let text = word(random);
    match (key, random.u8(..12)) {
        (_, 0) => Value::Null,
        (_, 1) => json!(random.i32(-2..400)),
        (_, 2) => json!([text, 1]),
        (_, 3) => json!({ "name": text, "deep": [{"text": word(random)}] }),
        (_, 4) => json!(1.5),
        ("unique" | "flow", 5..) => json!(format!("@{text}")),
        ("num", 5..) => json!(random.u32(..20)),
        _ => json!(text),
    }
}

fn payload(random: &mut fastrand::Rng) -> Value {
    let mut data = json!({});
    if random.u8(..8) > 0 {
        data["type"] = json!(["T", "U", "V", "W"][random.usize(..4)]);
    }
    for key in KEYS {
        if random.u8(..3) == 0 {
            data[key] = value(random, key);
        }
    }
    data
}

fn row(random: &mut fastrand::Rng) -> Row {
    let (name, at) = (word(random), f64::from(random.u32(0..50)));
    let row = match random.u8(..5) {
        0 => opening(name, at),
        1 => closing(name, at),
        2 => instant(name, at),
        _ => interval(name, at, at + f64::from(random.u32(0..9))),
    };
    if random.u8(..6) == 0 { row } else { row.with(payload(random)) }
}

fn firefox(random: &mut fastrand::Rng, rows: usize) -> Recording {
    let track = |random: &mut fastrand::Rng, number: usize| Track {
        name: word(random).into(),
        process: number % 2,
        samples: vec![0.0, 60.0],
        rows: (0..random.usize(..=rows)).map(|_| row(random)).collect(),
    };
    let mut recording = Recording::of(Vec::new()).schemas(schemas());
    recording.starts.push(1010.0);
    recording.tracks = (0..random.usize(1..4)).map(|number| track(random, number)).collect();
    recording
}

fn chrome(random: &mut fastrand::Rng, rows: usize) -> String {
    let event = |random: &mut fastrand::Rng| {
        let phase = ["B", "E", "X", "i", "b", "e"][random.usize(..6)];
        let mut args = payload(random);
        args["unique"] = json!(word(random));
        json!({
            "ph": phase, "name": word(random), "cat": word(random), "pid": 1, "tid": random.u8(1..4), "id": random.u8(..3),
            "ts": random.u32(..90), "dur": random.u32(..9), "args": args,
        })
    };
    let events: Vec<Value> = (0..random.usize(..=rows)).map(|_| event(random)).collect();
    Value::Array(events).to_string()
}

fn query(random: &mut fastrand::Rng) -> String {
    let term = |random: &mut fastrand::Rng| {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let key = KEYS[random.usize(..KEYS.len())];
        let sign = if random.u8(..4) == 0 { "-" } else { "" };
        let test = match random.u8(..9) {
            0 => format!("{key}:={}", quoted(word(random))),
            1..4 => format!("{key}:{}", quoted(word(random))),
            4 => format!("num:>{}", random.u32(..20)),
            5 => format!("dur:>{}ms", random.u32(..9)),
            _ => quoted(word(random)),
        };
        format!("{sign}{test}")
    };
    let words =
        |random: &mut fastrand::Rng| (0..random.usize(1..4)).map(|_| term(random)).collect::<Vec<_>>().join(" ");
    (0..random.usize(1..3)).map(|_| words(random)).collect::<Vec<_>>().join(",")
}

/// Random numbers; the seed can be set for other runs.
fn random() -> fastrand::Rng {
    let seed = std::env::var("FLOWLINE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok());
    fastrand::Rng::with_seed(seed.unwrap_or(23))
}

#[test]
fn searches_of_profiles_match_a_check_of_each_payload() {
    let (mut random, mut found) = (random(), 0);
    // The last rounds are long enough for several batches. Payloads are ruled out only in the later batches.
    for round in 0..120 {
        let recording = firefox(&mut random, if round < 117 { 30 } else { 9_000 });
        for (_, profile) in recording.read_both() {
            for _ in 0..12 {
                found += u32::from(hits(&profile, &query(&mut random)).total() > 0);
            }
        }
    }
    assert!(found > 1_000, "{found} searches have hits");
}

#[test]
fn searches_of_traces_match_a_check_of_each_payload() {
    let (mut random, mut found) = (random(), 0);
    for round in 0..120 {
        let trace = chrome(&mut random, if round < 117 { 60 } else { 9_000 });
        let Ok(profile) = read_bytes(trace.into_bytes()) else { continue };
        for _ in 0..16 {
            found += u32::from(hits(&profile, &query(&mut random)).total() > 0);
        }
    }
    assert!(found > 700, "{found} searches have hits");
}
