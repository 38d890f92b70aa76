//! Firefox profiles: fields, schemas, flows, messages, requests, stacks.

use crate::{Shape, shapes};

pub(crate) const SHAPES: [Shape; 10] = shapes![
    fields 20_000
    string_fields 20_000
    schemas 5_000
    separate_starts_and_ends 20_000
    messages_of_one_number 20_000
    requests_of_one_id 20_000
    flow_ids 20_000
    flow_of_all_markers 20_000
    stacks_of_one_chain 10_000
    labels_of_many_fields 20_000
];

/// A profile of one thread.
fn profile(schemas: &[String], names: &[String], markers: &[String], tables: Option<&str>) -> Vec<u8> {
    let tables = tables.unwrap_or(
        r#""samples":{"schema":{"stack":0,"time":1,"eventDelay":2},"data":[]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":[]},"frameTable":{"schema":{"location":0},"data":[]}"#,
    );
    let names: Vec<String> = names.iter().map(|name| format!(r#""{name}""#)).collect();
    format!(
        r#"{{"meta":{{"version":34,"startTime":1,"interval":1,"stackwalk":0,"processType":0,"product":"Firefox","categories":[{{"name":"Other","color":"grey","subcategories":["Other"]}}],"markerSchema":[{}]}},"libs":[],"threads":[{{"name":"GeckoMain","processType":"default","pid":1,"tid":1,"registerTime":0,"unregisterTime":null,"markers":{{"schema":{{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5}},"data":[{}]}},{tables},"stringTable":[{}]}}],"processes":[]}}"#,
        schemas.join(","),
        markers.join(",\n"),
        names.join(",")
    )
    .into_bytes()
}

/// A schema with fields of one format named `k` and their numbers.
fn schema(name: &str, fields: usize, format: &str, more: &str) -> String {
    let field = |at: usize| format!(r#"{{"key":"k{at}","label":"K{at}","format":"{format}"}}"#);
    let fields: Vec<String> = (0..fields).map(field).collect();
    format!(r#"{{"name":"{name}","display":["marker-chart"],"data":[{}]{more}}}"#, fields.join(","))
}

/// An interval of a millisecond with a payload.
fn marker(name: usize, at: usize, payload: &str) -> String {
    format!("[{name},{at},{at}.5,1,0,{{{payload}}}]")
}

fn one_name() -> Vec<String> {
    vec!["a".to_owned()]
}

fn of_fields(n: usize, format: &str, value: &str, more: &str) -> Vec<u8> {
    let fields = (n / 10).max(1);
    let markers: Vec<String> =
        (0..n).map(|at| marker(0, at, &format!(r#""type":"T","k{}":{value}"#, at % fields))).collect();
    profile(&[schema("T", fields, format, more)], &one_name(), &markers, None)
}

fn fields(n: usize) -> Vec<u8> {
    of_fields(n, "string", r#""v""#, "")
}

fn string_fields(n: usize) -> Vec<u8> {
    of_fields(n, "unique-string", "0", "")
}

fn labels_of_many_fields(n: usize) -> Vec<u8> {
    of_fields(
        n,
        "string",
        r#""v""#,
        r#","chartLabel":"{marker.data.k3} {marker.data.k4}","tableLabel":"{marker.data.k1}""#,
    )
}

fn schemas(n: usize) -> Vec<u8> {
    let schemas: Vec<String> = (0..n).map(|at| schema(&format!("T{at}"), 1, "string", "")).collect();
    let markers: Vec<String> = (0..n).map(|at| marker(0, at, &format!(r#""type":"T{at}","k0":"v""#))).collect();
    profile(&schemas, &one_name(), &markers, None)
}

fn separate_starts_and_ends(n: usize) -> Vec<u8> {
    let starts = (0..n).map(|at| format!("[0,{at},0,2,0]"));
    let markers: Vec<String> = starts.chain((0..n).map(|at| format!("[0,0,{},3,0]", n + at))).collect();
    profile(&[], &one_name(), &markers, None)
}

fn messages_of_one_number(n: usize) -> Vec<u8> {
    let payload = |at: usize| {
        format!(
            r#""type":"IPC","startTime":{at},"endTime":{at}.1,"otherPid":2,"messageType":"m","side":"parent","direction":"sending","phase":"endpoint","sync":false,"messageSeqno":5"#
        )
    };
    let markers: Vec<String> = (0..n).map(|at| marker(0, at, &payload(at))).collect();
    profile(&[], &["IPCOut".to_owned()], &markers, None)
}

fn requests_of_one_id(n: usize) -> Vec<u8> {
    let names: Vec<String> = (0..n).map(|at| format!("Load {at}")).collect();
    let request = |at: usize| {
        let status = if at.is_multiple_of(2) { "STATUS_STOP" } else { "STATUS_START" };
        let payload = format!(
            r#""type":"Network","id":5,"status":"{status}","URI":"https://a/{at}","pri":0,"startTime":{at},"endTime":{}"#,
            at + n
        );
        format!("[{at},{at},{},1,0,{{{payload}}}]", at + n)
    };
    profile(&[], &names, &(0..n).map(request).collect::<Vec<_>>(), None)
}

fn of_flows(n: usize, flow: impl Fn(usize) -> usize) -> Vec<u8> {
    let id = |at: usize| marker(0, at, &format!(r#""type":"T","k0":"{:x}""#, flow(at)));
    profile(&[schema("T", 1, "flow-id", "")], &one_name(), &(0..n).map(id).collect::<Vec<_>>(), None)
}

fn flow_ids(n: usize) -> Vec<u8> {
    of_flows(n, |at| at / 2)
}

fn flow_of_all_markers(n: usize) -> Vec<u8> {
    of_flows(n, |_| 1)
}

/// Samples of stacks that are prefixes of each other.
fn stacks_of_one_chain(n: usize) -> Vec<u8> {
    let names: Vec<String> = (0..n).map(|at| format!("f{at}")).collect();
    let rows = |row: &dyn Fn(usize) -> String| (0..n).map(row).collect::<Vec<_>>().join(",");
    let prefix = |at: usize| at.checked_sub(1).map_or_else(|| "null".to_owned(), |parent| parent.to_string());
    let tables = format!(
        r#""samples":{{"schema":{{"stack":0,"time":1,"eventDelay":2}},"data":[{}]}},"stackTable":{{"schema":{{"prefix":0,"frame":1}},"data":[{}]}},"frameTable":{{"schema":{{"location":0}},"data":[{}]}}"#,
        rows(&|at| format!("[{at},{at},0]")),
        rows(&|at| format!("[{},{at}]", prefix(at))),
        rows(&|at| format!("[{at}]"))
    );
    profile(&[], &names, &[], Some(&tables))
}
