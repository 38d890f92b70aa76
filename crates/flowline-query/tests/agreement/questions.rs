//! Queries, each with a loop over the lines of `dump` that answers it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::contents::{Contents, duration, flattened, id_number, integer, text};

type Rows = Vec<Vec<Value>>;
type Answer = fn(&Contents) -> Rows;

/// Sums by key.
fn sums(pairs: impl Iterator<Item = (String, i64)>) -> BTreeMap<String, (i64, i64)> {
    let mut found: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for (key, value) in pairs {
        let sum = found.entry(key).or_default();
        *sum = (sum.0 + 1, sum.1 + value);
    }
    found
}

fn known(marker: &Value) -> i64 {
    duration(marker).as_i64().unwrap_or(0)
}

/// Position by nearest rank.
#[expect(clippy::cast_possible_truncation, reason = "from 0 to the count")]
fn rank(count: usize, share: f64) -> usize {
    ((share * count as f64).ceil() as usize).clamp(1, count) - 1
}

/// The middle of the recording, between the first and the last start.
fn starts(contents: &Contents) -> (i64, i64) {
    let all = contents.markers.iter().map(|marker| integer(&marker["start_ns"]));
    let (low, high) = all.fold((i64::MAX, i64::MIN), |(low, high), start| (low.min(start), high.max(start)));
    (low, high)
}

fn flow_rows(contents: &Contents, row: fn(&Value) -> Vec<Value>) -> Rows {
    contents.flows.iter().map(row).collect()
}

/// Arrows of a flow: as recorded, else from each marker to the next one.
fn arrows(flow: &Value) -> Vec<(Value, Value)> {
    if let Some(arrows) = flow["arrows"].as_array() {
        return arrows.iter().map(|arrow| (arrow[0].clone(), arrow[1].clone())).collect();
    }
    let markers = flow["markers"].as_array().expect("markers");
    markers.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

fn or_null(value: &Value) -> Value {
    match value.as_str() {
        Some("") => Value::Null,
        _ => value.clone(),
    }
}

/// All questions.
pub(crate) const QUESTIONS: &[(&str, Answer)] = &[
    ("SELECT count(*) FROM slice", |own| vec![vec![json!(own.markers.len())]]),
    ("SELECT id, ts, dur, name, category, track_id FROM slice", |own| {
        let row = |marker: &Value| {
            let keys = ["name", "category", "thread"].map(|key| marker[key].clone());
            let mut row = vec![marker["marker"].clone(), marker["start_ns"].clone(), duration(marker)];
            row.extend(keys);
            row
        };
        own.markers.iter().map(row).collect()
    }),
    ("SELECT name, count(*), sum(coalesce(dur, 0)) FROM slice GROUP BY name", |own| {
        let sums = sums(own.markers.iter().map(|marker| (text(&marker["name"]), known(marker))));
        sums.into_iter().map(|(name, (count, sum))| vec![json!(name), json!(count), json!(sum)]).collect()
    }),
    ("SELECT category, count(*) FROM slice GROUP BY 1", |own| {
        let sums = sums(own.markers.iter().map(|marker| (text(&marker["category"]), 0)));
        sums.into_iter().map(|(name, (count, _))| vec![json!(name), json!(count)]).collect()
    }),
    ("SELECT name, max(dur) FROM slice WHERE dur > 0 GROUP BY name", |own| {
        let mut longest: BTreeMap<String, i64> = BTreeMap::new();
        for marker in own.markers.iter().filter(|marker| known(marker) > 0) {
            let longest = longest.entry(text(&marker["name"])).or_default();
            *longest = known(marker).max(*longest);
        }
        longest.into_iter().map(|(name, longest)| vec![json!(name), json!(longest)]).collect()
    }),
    (
        "SELECT name, percentile_exact(dur, 0.5), percentile_exact(dur, 0.99) FROM slice WHERE dur > 0 GROUP BY name",
        |own| {
            let mut lengths: BTreeMap<String, Vec<i64>> = BTreeMap::new();
            for marker in own.markers.iter().filter(|marker| known(marker) > 0) {
                lengths.entry(text(&marker["name"])).or_default().push(known(marker));
            }
            let row = |(name, mut lengths): (String, Vec<i64>)| {
                lengths.sort_unstable();
                let at = |share| json!(lengths[rank(lengths.len(), share)]);
                vec![json!(name), at(0.5), at(0.99)]
            };
            lengths.into_iter().map(row).collect()
        },
    ),
    ("SELECT percentile_exact(dur, 0.9) FROM slice WHERE dur > 0", |own| {
        let mut lengths: Vec<i64> = own.markers.iter().map(known).filter(|length| *length > 0).collect();
        lengths.sort_unstable();
        vec![vec![if lengths.is_empty() { Value::Null } else { json!(lengths[rank(lengths.len(), 0.9)]) }]]
    }),
    ("SELECT count(*) FROM slice WHERE ts >= (SELECT min(ts) + (max(ts) - min(ts)) / 2 FROM slice)", |own| {
        let (low, high) = starts(own);
        let middle = low + (high - low) / 2;
        vec![vec![json!(own.markers.iter().filter(|marker| integer(&marker["start_ns"]) >= middle).count())]]
    }),
    ("SELECT id FROM slice WHERE id BETWEEN 10 AND 20", |own| {
        let ids = own.markers.iter().filter(|marker| (10..=20).contains(&integer(&marker["marker"])));
        ids.map(|marker| vec![marker["marker"].clone()]).collect()
    }),
    ("SELECT id FROM slice WHERE id IN (3, 1, 4, 1, 5) AND name <> ''", |own| {
        let is_wanted = |marker: &&Value| [1, 3, 4, 5].contains(&integer(&marker["marker"])) && marker["name"] != "";
        own.markers.iter().filter(is_wanted).map(|marker| vec![marker["marker"].clone()]).collect()
    }),
    ("SELECT id FROM slice WHERE name LIKE '%e%' AND category NOT LIKE 'L%' AND track_id = 0", |own| {
        let is_wanted = |marker: &&Value| {
            let (name, category) = (text(&marker["name"]), text(&marker["category"]));
            name.contains('e') && !category.starts_with('L') && marker["thread"] == 0
        };
        own.markers.iter().filter(is_wanted).map(|marker| vec![marker["marker"].clone()]).collect()
    }),
    (
        "SELECT t.track_id, t.name, count(s.id) FROM track t LEFT JOIN slice s ON s.track_id = t.track_id WHERE t.kind <> 'counter' GROUP BY 1, 2",
        |own| {
            own.threads
                .iter()
                .map(|thread| vec![thread["thread"].clone(), thread["name"].clone(), thread["markers"].clone()])
                .collect()
        },
    ),
    ("SELECT track_id, parent_id FROM track WHERE kind <> 'counter'", |own| {
        own.threads.iter().map(|thread| vec![thread["thread"].clone(), thread["parent"].clone()]).collect()
    }),
    ("SELECT DISTINCT p.pid, p.name FROM process p JOIN track t ON t.upid = p.upid", |own| {
        let rows: BTreeSet<(String, String)> = own
            .threads
            .iter()
            .map(|thread| (id_number(&thread["pid"]).to_string(), text(&thread["process"])))
            .collect();
        rows.into_iter()
            .map(|(pid, name)| vec![serde_json::from_str(&pid).expect("a number or null"), json!(name)])
            .collect()
    }),
    ("SELECT flow_id, ts, dur, run_ns, wait_ns, longest_wait_ns, kind, posted_from FROM flow_timeline", |own| {
        flow_rows(own, |flow| {
            let dur = integer(&flow["end_ns"]) - integer(&flow["start_ns"]);
            let mut row = vec![flow["flow"].clone(), flow["start_ns"].clone(), json!(dur)];
            row.extend(["run_ns", "wait_ns", "longest_wait_ns", "type", "posted_from"].map(|key| flow[key].clone()));
            row
        })
    }),
    ("SELECT flow_id, name, resource FROM flow_timeline", |own| {
        flow_rows(own, |flow| ["flow", "id", "resource"].map(|key| flow[key].clone()).to_vec())
    }),
    ("SELECT flow_id, slice_id, step FROM flow_member", |own| {
        let of_flow = |flow: &Value| -> Rows {
            let markers = flow["markers"].as_array().expect("markers").iter().enumerate();
            markers.map(|(step, marker)| vec![flow["flow"].clone(), marker.clone(), json!(step)]).collect()
        };
        own.flows.iter().flat_map(of_flow).collect()
    }),
    ("SELECT flow_id, slice_out, slice_in FROM flow", |own| {
        let of_flow = |flow: &Value| -> Rows {
            arrows(flow).into_iter().map(|(from, to)| vec![flow["flow"].clone(), from, to]).collect()
        };
        own.flows.iter().flat_map(of_flow).collect()
    }),
    ("SELECT s.name, count(*) FROM flow_member m JOIN slice s ON s.id = m.slice_id GROUP BY s.name", |own| {
        let members = own.flows.iter().flat_map(|flow| flow["markers"].as_array().expect("markers"));
        let sums = sums(members.map(|marker| (text(&own.marker(marker)["name"]), 0)));
        sums.into_iter().map(|(name, (count, _))| vec![json!(name), json!(count)]).collect()
    }),
    ("SELECT max(dur) FROM flow_timeline", |own| {
        let lengths = own.flows.iter().map(|flow| integer(&flow["end_ns"]) - integer(&flow["start_ns"]));
        vec![vec![lengths.max().map_or(Value::Null, Value::from)]]
    }),
    ("SELECT arg_set_id, key FROM args", |own| {
        let of_marker = |marker: &Value| -> Rows {
            flattened(&marker["data"]).into_iter().map(|(key, _)| vec![marker["marker"].clone(), json!(key)]).collect()
        };
        own.markers.iter().flat_map(of_marker).collect()
    }),
    (
        "SELECT arg_set_id, key, string_value FROM args WHERE type = 'string' AND string_value NOT IN ('[]', '{}')",
        |own| {
            let of_marker = |marker: &Value| -> Rows {
                let texts = flattened(&marker["data"]).into_iter().filter(|(_, value)| value.is_string());
                texts.map(|(key, value)| vec![marker["marker"].clone(), json!(key), value]).collect()
            };
            own.markers.iter().flat_map(of_marker).filter(|row| row[2] != "[]" && row[2] != "{}").collect()
        },
    ),
    ("SELECT key, count(*) FROM args WHERE arg_set_id < 50 GROUP BY key", |own| {
        let first = own.markers.iter().filter(|marker| integer(&marker["marker"]) < 50);
        let sums = sums(first.flat_map(|marker| flattened(&marker["data"])).map(|(key, _)| (key, 0)));
        sums.into_iter().map(|(key, (count, _))| vec![json!(key), json!(count)]).collect()
    }),
    (
        "SELECT s.id, a.key FROM slice s JOIN args a ON a.arg_set_id = s.arg_set_id WHERE s.dur > 0 AND s.id < 200",
        |own| {
            let wanted = own.markers.iter().filter(|marker| known(marker) > 0 && integer(&marker["marker"]) < 200);
            let of_marker = |marker: &Value| -> Rows {
                flattened(&marker["data"])
                    .into_iter()
                    .map(|(key, _)| vec![marker["marker"].clone(), json!(key)])
                    .collect()
            };
            wanted.flat_map(of_marker).collect()
        },
    ),
    ("SELECT count(*), min(ts), max(ts) FROM counter", |own| {
        let times: Vec<i64> = own
            .counters
            .iter()
            .flat_map(|series| series["samples"].as_array().expect("samples"))
            .map(|sample| integer(&sample[0]))
            .collect();
        let end = |value: Option<&i64>| value.map_or(Value::Null, |value| json!(value));
        vec![vec![json!(times.len()), end(times.iter().min()), end(times.iter().max())]]
    }),
    ("SELECT count(*) FROM track WHERE kind = 'counter'", |own| vec![vec![json!(own.counters.len())]]),
    ("SELECT utid, ts, weight FROM stack_sample", |own| {
        let row = |sample: &Value| {
            vec![sample["thread"].clone(), sample["t_ns"].clone(), json!(sample["weight"].as_f64().expect("a weight"))]
        };
        own.samples.iter().map(row).collect()
    }),
    (
        "SELECT f.function, count(*) FROM stack_sample s JOIN stack_frame f ON f.stack_id = s.stack_id AND f.depth = 0 WHERE f.function <> '' GROUP BY 1",
        |own| {
            let leaves = own.samples.iter().filter_map(|sample| sample["stack"].as_array()?.first());
            let names = leaves.map(|frame| text(&frame["name"])).filter(|name| name != "(anonymous)");
            let sums = sums(names.map(|name| (name, 0)));
            sums.into_iter().map(|(name, (count, _))| vec![json!(name), json!(count)]).collect()
        },
    ),
    ("SELECT sum(cpu_delta_ns) FROM stack_sample", |own| {
        let known: Vec<i64> = own.samples.iter().filter_map(|sample| sample["cpu_ns"].as_i64()).collect();
        vec![vec![if known.is_empty() { Value::Null } else { json!(known.iter().sum::<i64>()) }]]
    }),
    ("SELECT slice_id, url, status, ts, dur, outcome FROM network_request", |own| {
        let row = |request: &Value| {
            let dur = integer(&request["end_ns"]) - integer(&request["start_ns"]);
            let mut row = ["marker", "url", "status", "start_ns"].map(|key| request[key].clone()).to_vec();
            row.extend([json!(dur), request["outcome"].clone()]);
            row
        };
        own.network.iter().map(row).collect()
    }),
    ("SELECT method, priority, mime, protocol FROM network_request", |own| {
        own.network
            .iter()
            .map(|request| ["method", "priority", "mime", "protocol"].map(|key| or_null(&request[key])).to_vec())
            .collect()
    }),
    ("SELECT name, ts, since_ns, rating, slice_id FROM milestone", |own| {
        own.milestones
            .iter()
            .map(|own| ["milestone", "t_ns", "since_ns", "rating", "marker"].map(|key| own[key].clone()).to_vec())
            .collect()
    }),
    ("SELECT name, navigation, state, summary FROM insight", |own| {
        own.insights
            .iter()
            .map(|own| ["insight", "navigation", "state", "summary"].map(|key| own[key].clone()).to_vec())
            .collect()
    }),
    (
        "SELECT id, depth FROM slice WHERE depth IS NOT NULL AND (SELECT format FROM recording) NOT LIKE 'firefox%'",
        |own| {
            let nested = own.markers.iter().filter(|marker| !marker["depth"].is_null());
            nested.map(|marker| vec![marker["marker"].clone(), marker["depth"].clone()]).collect()
        },
    ),
];
