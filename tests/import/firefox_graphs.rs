//! Graphs of marker values: counters requested by schemas, in raw and in processed form.

use flowline::profile::{Counter, CounterGraph};
use serde_json::{Value, json};

use crate::recording::{Recording, Row, instant, interval};

fn schema(graphs: Value) -> Value {
    json!([{"name": "Load", "display": ["marker-chart", "marker-table"], "graphs": graphs, "fields": [
        {"key": "size", "label": "Size", "format": "bytes"},
        {"key": "share", "label": "Share", "format": "percentage"},
    ]}])
}

fn load(row: Row, size: Value) -> Row {
    row.with(json!({"type": "Load", "size": size, "share": 0.5}))
}

fn counters(rows: Vec<Row>, graphs: Value) -> Vec<Counter> {
    let [(_, raw), (_, processed)] = Recording::of(rows).schemas(schema(graphs)).read_both();
    assert_eq!(raw.counters, processed.counters);
    raw.counters
}

/// Samples of the only series: milliseconds and values.
fn samples(counter: &Counter) -> Vec<(f64, f64)> {
    counter.series[0].samples.iter().map(|sample| (sample.time.as_ms(), sample.value)).collect()
}

#[test]
fn bars_end_with_their_markers_and_lines_continue() {
    let rows = || {
        vec![
            load(interval("Load", 1.0, 2.0), json!(10)),
            load(interval("Load", 2.0, 3.0), json!(20)),
            load(interval("Load", 4.0, 5.0), json!("no number")),
            load(interval("Load", 5.0, 6.0), json!(30.5)),
            load(instant("Other", 3.0), json!(7)),
        ]
    };
    let graph = |kind: &str| json!([{"key": "size", "type": kind, "color": "green"}]);
    let bars = counters(rows(), graph("bar"));
    assert_eq!(bars.len(), 2, "one counter per name");
    let named =
        |counters: &[Counter], name: &str| counters.iter().find(|it| it.name == name).expect("a counter").clone();
    let bar = named(&bars, "Load: Size");
    let expected = [(1.0, 10.0), (2.0, 20.0), (3.0, 0.0), (5.0, 30.5), (6.0, 0.0)];
    assert_eq!(samples(&bar), expected);
    assert_eq!((bar.unit.as_str(), bar.color.as_str(), bar.graph), ("bytes", "green", CounterGraph::Level));
    assert_eq!(samples(&named(&bars, "Other: Size")), [(3.0, 7.0), (3.0, 0.0)]);
    let line = named(&counters(rows(), graph("line-filled")), "Load: Size");
    assert_eq!(samples(&line), [(1.0, 10.0), (2.0, 20.0), (5.0, 30.5)]);
}

#[test]
fn nested_bars_replace_the_outer_value_and_instants_end_immediately() {
    let rows = vec![
        load(interval("Load", 2.0, 10.0), json!(5)),
        load(interval("Load", 4.0, 6.0), json!(7)),
        load(instant("Load", 5.0), json!(9)),
        load(interval("Load", 8.0, 12.0), json!(8)),
        load(interval("Load", 12.0, 13.0), json!(1)),
        load(interval("Load", 15.0, 15.0), json!(3)),
    ];
    let bars = counters(rows, json!([{"key": "size", "type": "bar"}]));
    let expected = [
        (2.0, 5.0),
        (4.0, 7.0),
        (5.0, 9.0),
        (5.0, 7.0),
        (6.0, 5.0),
        (8.0, 8.0),
        (12.0, 1.0),
        (13.0, 0.0),
        (15.0, 3.0),
        (15.0, 0.0),
    ];
    assert_eq!(samples(&bars[0]), expected);
}

#[test]
fn each_field_has_its_own_counter_and_invalid_graphs_have_none() {
    let rows = || vec![load(interval("Load", 1.0, 2.0), json!(10))];
    let both = counters(rows(), json!([{"key": "size", "type": "line"}, {"key": "share", "type": "bar"}]));
    let described: Vec<(&str, &str)> = both.iter().map(|it| (it.name.as_str(), it.unit.as_str())).collect();
    assert_eq!(described, [("Load: Size", "bytes"), ("Load: Share", "percent")]);
    for graphs in [json!([]), json!(null), json!("size"), json!([{"type": "bar"}, 7]), json!([{"key": "nothing"}])] {
        assert_eq!(counters(rows(), graphs.clone()), [], "{graphs}");
    }
}
