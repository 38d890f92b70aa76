//! Invariants of synthetic recordings, checked with a plain reader that is independent of the generator.

use super::{Format, Options, write};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

fn options(markers: u64, format: Format) -> Options {
    Options { markers, format, threads: None, flows: None, samples: 0, seed: 11 }
}

fn bytes(options: &Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(options, &mut bytes).unwrap();
    bytes
}

fn parse(options: &Options) -> Value {
    serde_json::from_slice(&bytes(options)).unwrap()
}

/// Returns a profile and its nested profiles.
pub(super) fn processes(profile: &Value) -> Vec<&Value> {
    let mut all = vec![profile];
    for child in profile["processes"].as_array().unwrap() {
        all.extend(processes(child));
    }
    all
}

/// Summary of a thread's raw markers.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) markers: usize,
    pub(super) halves: usize,
    pub(super) field_references: Vec<(String, bool, f64)>,
    pub(super) schemas: HashSet<String>,
}

/// Returns the flow fields of each schema: the key, and true if the field terminates the flow.
pub(super) fn flow_fields(profile: &Value) -> HashMap<String, Vec<(String, bool)>> {
    let mut fields: HashMap<String, Vec<(String, bool)>> = HashMap::new();
    for schema in processes(profile).iter().flat_map(|process| process["meta"]["markerSchema"].as_array().unwrap()) {
        let keys = schema["data"].as_array().unwrap().iter().filter_map(|field| {
            let format = field["format"].as_str()?;
            matches!(format, "flow-id" | "terminating-flow-id")
                .then(|| (field["key"].as_str().unwrap().to_owned(), format == "terminating-flow-id"))
        });
        fields.insert(schema["name"].as_str().unwrap().to_owned(), keys.collect());
    }
    fields
}

/// Counts the markers of a thread, pairing halves by name and requests by id, and checks every row.
pub(super) fn tally(thread: &Value, fields: &HashMap<String, Vec<(String, bool)>>, offset: f64) -> Tally {
    let strings: Vec<&str> =
        thread["stringTable"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(strings.iter().collect::<HashSet<_>>().len(), strings.len(), "strings are unique");
    let mut tally = Tally::default();
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut requests = HashSet::new();
    for row in thread["markers"]["data"].as_array().unwrap() {
        let row = row.as_array().unwrap();
        let name = strings[usize::try_from(row[0].as_u64().unwrap()).unwrap()];
        let phase = row[3].as_u64().unwrap();
        assert!((5..=6).contains(&row.len()) && row[4].as_u64().unwrap() < 14);
        let (start, end) = (row[1].as_f64().unwrap(), row[2].as_f64().unwrap());
        assert!(start >= 0.0 && end >= 0.0 && (phase != 1 || end >= start));
        let data = row.get(5);
        let schema = data.map_or("", |data| data["type"].as_str().unwrap());
        tally.schemas.insert(schema.to_owned());
        if phase != 3 {
            for (key, ends) in fields.get(schema).into_iter().flatten() {
                if let Some(index) = data.and_then(|data| data.get(key)) {
                    let id = strings[usize::try_from(index.as_u64().unwrap()).unwrap()];
                    assert!(id.len() == 17 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
                    tally.field_references.push((id.to_owned(), *ends, start + offset));
                }
            }
        }
        match phase {
            2 => *open.entry(name).or_default() += 1,
            3 => {
                tally.markers += 1;
                let waiting = open.entry(name).or_default();
                tally.halves += usize::from(*waiting == 0);
                *waiting = waiting.saturating_sub(1);
            }
            _ if schema == "Network" && data.unwrap()["status"] == "STATUS_START" => {
                assert!(requests.insert(data.unwrap()["id"].as_u64().unwrap()));
            }
            _ => {
                assert!(schema != "Network" || requests.remove(&data.unwrap()["id"].as_u64().unwrap()));
                tally.markers += 1;
            }
        }
    }
    let left = open.values().sum::<usize>() + requests.len();
    tally.markers += left;
    tally.halves += left;
    tally
}

/// Returns the tallies of all threads of a profile.
pub(super) fn tallies(profile: &Value) -> Vec<Tally> {
    let fields = flow_fields(profile);
    let base = profile["meta"]["startTime"].as_f64().unwrap();
    processes(profile)
        .into_iter()
        .flat_map(|process| {
            let offset = process["meta"]["startTime"].as_f64().unwrap() - base;
            let fields = &fields;
            process["threads"].as_array().unwrap().iter().map(move |thread| tally(thread, fields, offset))
        })
        .collect()
}

#[test]
fn firefox_counts_are_exact() {
    for (markers, threads, flows) in
        [(0, None, None), (1, Some(1), None), (500, Some(3), Some(83)), (20_000, Some(80), None), (60_000, None, None)]
    {
        let options = Options { threads, flows, ..options(markers, Format::Firefox) };
        let tallies = tallies(&parse(&options));
        assert_eq!(tallies.iter().map(|tally| tally.markers as u64).sum::<u64>(), markers);
        assert!(tallies.iter().map(|tally| tally.halves).sum::<usize>() <= 4, "only a few markers are incomplete");
        assert_eq!(tallies.len() as u64, threads.map_or(tallies.len() as u64, u64::from));
    }
}

#[test]
fn firefox_has_the_requested_number_of_flows() {
    let tallies = tallies(&parse(&Options { flows: Some(7_000), ..options(80_000, Format::Firefox) }));
    let mut field_references: Vec<_> = tallies.iter().flat_map(|tally| &tally.field_references).collect();
    field_references.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut active: HashMap<&str, usize> = HashMap::new();
    let mut sizes = Vec::new();
    let mut reused = HashSet::new();
    for (id, ends, _) in field_references {
        let size = active.remove(id.as_str()).unwrap_or(0) + 1;
        if *ends {
            sizes.push(size);
            reused.insert(id.as_str());
        } else {
            active.insert(id, size);
        }
    }
    let again = active.keys().filter(|id| reused.contains(*id)).count();
    sizes.extend(active.values());
    assert!((7_000..7_060).contains(&sizes.len()), "{} flows", sizes.len());
    assert!(sizes.iter().filter(|&&size| (2..=4).contains(&size)).count() > 5_000, "most are short");
    assert!(sizes.iter().any(|&size| size > 800), "one is long");
    assert!(again > 0, "ids are reused");
}

#[test]
fn firefox_without_flows_has_none() {
    let tallies = tallies(&parse(&Options { flows: Some(0), ..options(5_000, Format::Firefox) }));
    assert!(tallies.iter().all(|tally| tally.field_references.is_empty()));
}

#[test]
fn chrome_counts_are_exact_and_flows_bind() {
    for (markers, threads) in [(0, None), (7, Some(2)), (40_000, None)] {
        let trace = parse(&Options { threads, ..options(markers, Format::Chrome) });
        let events = trace["traceEvents"].as_array().unwrap();
        let key = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64(), event["ts"].to_string());
        let phase = |event: &Value| event["ph"].as_str().unwrap().to_owned();
        let slices: HashSet<_> = events.iter().filter(|event| phase(event) == "X").map(key).collect();
        let mut counted = 0;
        let mut halves = 0_i64;
        for event in events {
            match phase(event).as_str() {
                "X" | "I" => counted += 1,
                "B" | "b" => (counted, halves) = (counted + 1, halves + 1),
                "E" | "e" => halves -= 1,
                "s" | "t" | "f" => assert!(slices.contains(&key(event)), "a flow event starts with its slice"),
                other => assert!(matches!(other, "M" | "C"), "{other}"),
            }
        }
        assert_eq!(counted, markers);
        assert!((0..=4).contains(&halves));
    }
}

#[test]
fn the_same_options_give_the_same_bytes() {
    for format in [Format::Firefox, Format::Chrome] {
        let first = options(3_000, format);
        assert!(bytes(&first) == bytes(&first));
        let sampled = Options { samples: 500, ..first.clone() };
        assert!(bytes(&sampled) == bytes(&sampled) && bytes(&sampled) != bytes(&first));
        assert!(bytes(&first) != bytes(&Options { seed: 12, ..first }));
    }
}

#[test]
fn a_write_error_stops_the_generator() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(data.len()).ok_or_else(|| std::io::Error::other("full"))?;
            Ok(data.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in [Format::Firefox, Format::Chrome] {
        assert!(write(&options(1_000_000_000, format), Full(1_000_000)).is_err());
    }
}

#[test]
fn firefox_has_the_requested_number_of_samples_with_stacks() {
    let options = Options { samples: 30_001, ..options(4_000, Format::Firefox) };
    let profile = parse(&options);
    let mut counted = 0;
    let (mut nulls, mut deepest, mut kinds) = (0, 0, HashSet::new());
    for process in processes(&profile) {
        assert_eq!(process["meta"]["sampleUnits"]["threadCPUDelta"], "ns");
        for thread in process["threads"].as_array().unwrap() {
            let data = |table: &str| thread[table]["data"].as_array().unwrap();
            let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
            let (samples, stacks, frames) = (data("samples"), data("stackTable"), data("frameTable"));
            let mut depths: Vec<usize> = Vec::new();
            for (number_of, stack) in stacks.iter().enumerate() {
                assert!(number(&stack[1]) < frames.len());
                let prefix = stack[0].as_u64().map(|prefix| usize::try_from(prefix).unwrap());
                assert!(prefix.is_none_or(|prefix| prefix < number_of));
                depths.push(prefix.map_or(1, |prefix| depths[prefix] + 1));
            }
            for frame in frames {
                let location = thread["stringTable"][number(&frame[0])].as_str().unwrap();
                kinds.insert((location.contains(".js:"), location.starts_with("0x"), frame[6].is_null()));
            }
            counted += samples.len();
            let times: Vec<f64> = samples.iter().map(|sample| sample[1].as_f64().unwrap()).collect();
            assert!(times.is_sorted());
            for sample in samples {
                nulls += usize::from(sample[0].is_null());
                let stack = sample[0].as_u64().map(|stack| usize::try_from(stack).unwrap());
                deepest = deepest.max(stack.map_or(0, |stack| depths[stack]));
            }
            for marker in data("markers").iter().filter_map(|row| row.get(5)?.get("stack")) {
                assert!(number(&marker["samples"]["data"][0][0]) < stacks.len());
            }
        }
    }
    assert_eq!(counted, 30_001);
    assert!((100..1_000).contains(&nulls) && (50..=60).contains(&deepest), "{nulls} {deepest}");
    assert!(kinds.len() >= 4, "scripts, addresses, names in libraries and labels: {kinds:?}");
    assert_eq!(tallies(&profile).iter().map(|tally| tally.markers as u64).sum::<u64>(), 4_000);
}

#[test]
fn chrome_has_the_requested_number_of_samples_with_calls() {
    let trace = parse(&Options { samples: 20_001, ..options(30_000, Format::Chrome) });
    let events = trace["traceEvents"].as_array().unwrap();
    let named = |name: &'static str| events.iter().filter(move |event| event["name"] == name);
    let heads: HashSet<String> = named("Profile").map(|event| format!("{} {}", event["pid"], event["id"])).collect();
    let mut known: HashMap<String, HashSet<u64>> = HashMap::new();
    let (mut counted, mut in_scripts) = (0, 0);
    for chunk in named("ProfileChunk") {
        let key = format!("{} {}", chunk["pid"], chunk["id"]);
        assert!(heads.contains(&key));
        let known = known.entry(key).or_default();
        let data = &chunk["args"]["data"];
        for node in data["cpuProfile"]["nodes"].as_array().into_iter().flatten() {
            assert!(node.get("parent").is_none_or(|parent| known.contains(&parent.as_u64().unwrap())));
            assert!(known.insert(node["id"].as_u64().unwrap()));
        }
        let samples = data["cpuProfile"]["samples"].as_array().unwrap();
        assert_eq!(samples.len(), data["timeDeltas"].as_array().unwrap().len());
        assert!(samples.iter().all(|sample| known.contains(&sample.as_u64().unwrap())));
        counted += samples.len();
        in_scripts += samples.iter().filter(|sample| sample.as_u64().unwrap() > 4).count();
    }
    assert_eq!(counted, 20_001);
    assert!((1_000..15_000).contains(&in_scripts), "{in_scripts}");
}
