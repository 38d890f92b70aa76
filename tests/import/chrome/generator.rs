//! Random recordings as text: few processes, threads, names and ids, small times, so that everything collides.
//!
//! `recordings` holds anything, in every form a file may have; `nested_threads` holds only slices that nest, with flows
//! and instants at their very ends, so that every depth and every binding is decided. Left out is what the rules leave
//! open: text that is not JSON but for bare NaN and Infinity, unpaired surrogates, an event with `id` and `id2`,
//! members that come twice, null where text or numbers are expected, sums of times that do not fit.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The members of an event: keys and the text of values. An empty text stands for a missing member.
type Members = Vec<(&'static str, String)>;

/// What a recording is mostly made of.
#[derive(Clone, Copy, Debug)]
enum Focus {
    Storm,
    Threads,
    Asyncs,
    Flows,
    Counters,
    Everything,
}

impl Focus {
    /// The phases to draw from; one that is named more often comes more often.
    fn phases(self) -> Vec<&'static str> {
        let list = match self {
            Self::Storm => "B B B E E E E",
            Self::Threads => "B B E E X X X X i I R",
            Self::Asyncs => "b b b e e e n n S S T T F F F p",
            Self::Flows => "X X X B E i s s t f f X b e n",
            Self::Counters => "C C C C M M M M M B E",
            Self::Everything => "B B E E X X X i I R b b e e n S T p F s t f f C C M M P N O D v V ( ) c ? BB",
        };
        list.split(' ').collect()
    }
}

/// Any recording: its text, whole or cut.
pub(crate) fn recordings() -> impl Strategy<Value = String> {
    let focus =
        select(vec![Focus::Storm, Focus::Threads, Focus::Asyncs, Focus::Flows, Focus::Counters, Focus::Everything]);
    focus.prop_flat_map(|focus| documents(vec(element(focus), 0..40)))
}

/// A recording whose threads' slices nest, made by walking in time: opening, closing, waiting and drawing flows.
pub(crate) fn nested_threads() -> impl Strategy<Value = String> {
    documents(vec((0..12_u8, 0..3_usize, any::<bool>(), any::<Index>()), 0..60).prop_map(|moves| walk(&moves)))
}

/// The text of an element of the event array, nearly always an event.
fn element(focus: Focus) -> impl Strategy<Value = String> {
    prop_oneof![
        60 => event(focus),
        1 => select(vec!["{}", "{ }", "{\n}", "7", "-1.5", "true", "null", "\"{}\"", "[]", "[{\"ph\":\"B\",\"ts\":1}]"])
            .prop_map(String::from),
    ]
}

fn event(focus: Focus) -> impl Strategy<Value = String> {
    let phase = prop_oneof![60 => select(focus.phases()).prop_map(quoted), 1 => texts(&["", "\"\"", "5"])];
    let place = (
        mostly("1", &["2", "\"1\"", "\"0x1\"", "-7", ""]),
        mostly("1", &["2", "\"2\"", "\"main\"", ""]),
        time(),
        prop_oneof![8 => duration(), 1 => bad_number()],
    );
    let text = (
        prop_oneof![8 => texts(&[r#""a""#, r#""b""#, r#""c""#]), 2 => name()],
        mostly(r#""x""#, &[r#""y""#, r#""input""#, r#""x,ipc.flow""#, r#""""#, ""]),
        mostly("", &[r#""t""#, r#""p""#, r#""g""#, r#""?""#]),
        mostly("", &[r#""s1""#]),
    );
    let links = (id(), texts(&["", r#""e""#, r#""z""#]), bind_id());
    (phase, place, text, links, args(), metadata(), space())
        .prop_flat_map(|(phase, (pid, tid, ts, dur), (name, cat, s, scope), (id, bp, bind), args, metadata, space)| {
            let (name, args) = if phase == "\"M\"" { metadata } else { (name, args) };
            let (bind_id, flow_in, flow_out) = bind;
            let mut members: Members = vec![("ph", phase), ("pid", pid), ("tid", tid), ("ts", ts), ("dur", dur)];
            members.extend([("name", name), ("cat", cat), ("s", s), ("scope", scope), ("bp", bp), id, ("args", args)]);
            members.extend([("bind_id", bind_id), ("flow_in", flow_in), ("flow_out", flow_out)]);
            Just(members).prop_shuffle().prop_map(move |members| written(&members, space))
        })
        .boxed()
}

/// One of the texts; one that comes twice in the list comes more often.
fn texts(list: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    select(list.to_vec()).prop_map(String::from)
}

/// The first text, or one time in four one of the others.
fn mostly(first: &'static str, others: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    prop_oneof![3 => Just(first.to_owned()), 1 => texts(others)]
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// A time in microseconds, nearly always one of few: equal times are the rule.
fn time() -> impl Strategy<Value = String> {
    prop_oneof![
        24 => (0..24_i32).prop_map(|us| us.to_string()),
        2 => (-4..24_i32).prop_map(|us| format!("\"{us}\"")),
        2 => (-4..0_i32).prop_map(|us| us.to_string()),
        4 => decimal(),
        1 => decimal().prop_map(|text| quoted(&text)),
        1 => texts(&["1.5e1", "12E0", "1500e-2", "-0", "0.0", "1.0e+1", "0.0000001e8"]),
        1 => texts(&["4007199254740993", "1922234740123.4567", "-4007199254740993.1", "\"4007199254740993.001\""]),
        1 => bad_number(),
    ]
}

/// A duration, more often than not one that makes slices touch or contain one another.
fn duration() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0..12_i32).prop_map(|us| us.to_string()),
        2 => texts(&["", "0", "0.0", "\"3\"", "\"2.5\"", "0.0004", "0.0005", "1e1"]),
        1 => (-6..0_i32).prop_map(|us| us.to_string()),
        2 => decimal(),
    ]
}

/// Up to six digits behind the point, often a half of a nanosecond.
fn decimal() -> impl Strategy<Value = String> {
    let fraction = texts(&["5", "25", "001", "0005", "0015", "4994", "4995", "499500", "999999", "000499", "1234567"]);
    (-3..20_i32, fraction).prop_map(|(us, fraction)| format!("{us}.{fraction}"))
}

fn bad_number() -> impl Strategy<Value = String> {
    texts(&[
        "",
        "\"\"",
        "\"soon\"",
        "true",
        "{}",
        "[1]",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e300",
        "9223372036854775.808",
    ])
}

/// Names with everything that confuses who looks for braces and quotes; empty, missing and not a string.
fn name() -> impl Strategy<Value = String> {
    texts(&[
        "",
        r#""""#,
        "5",
        r#""},{""#,
        r#""q\"uo\\te""#,
        r#""\\""#,
        r#""\u0061""#,
        r#""\u007b\"ph\":""#,
        r#""é😀\ud83d\ude00""#,
        r#""NaN""#,
        r#""[{\"ph\":\"E\"}]""#,
    ])
}

/// An id in one of its places, or none.
fn id() -> impl Strategy<Value = (&'static str, String)> {
    let text = || mostly("1", &["\"1\"", "2", "\"0x1\"", "0"]);
    prop_oneof![
        12 => text().prop_map(|id| ("id", id)),
        2 => text().prop_map(|id| ("id2", format!("{{\"local\":{id}}}"))),
        1 => text().prop_map(|id| ("id2", format!("{{ \"global\" : {id} }}"))),
        1 => Just(("id", String::new())),
    ]
}

/// `bind_id`, `flow_in` and `flow_out`, mostly none.
fn bind_id() -> impl Strategy<Value = (String, String, String)> {
    let side = || texts(&["", "true", "true", "false"]);
    prop_oneof![
        4 => Just((String::new(), String::new(), String::new())),
        1 => (texts(&["1", "\"1\"", "\"0x9\"", ""]), side(), side()),
    ]
}

/// Args: members that merge, counters' values, steps, and nested objects that look like events.
fn args() -> impl Strategy<Value = String> {
    texts(&[
        "",
        "{}",
        r#"{"x":1}"#,
        r#"{"x":"2","y":{"w":[1,{"z":"},{"}]}}"#,
        r#"{"y":{"w":2},"v":0.25}"#,
        r#"{"step":"s1","x":-3}"#,
        r#"{"step":5}"#,
        r#"{"ph":"B","ts":3,"pid":1,"name":"inside"}"#,
        r#"{"traceEvents":[{"ph":"X","ts":1,"dur":1},{}]}"#,
        r#"{"x":NaN,"v":[-Infinity,Infinity,"NaN , Infinity"]}"#,
        r#"{"x":"\\\"}","v":"1.5e2","w":true}"#,
        r#"{"q":"],\"ph\":\"E\"}"}"#,
        r#"[{"x":1}]"#,
    ])
}

/// Name and args of a metadata event.
fn metadata() -> impl Strategy<Value = (String, String)> {
    let names =
        ["process_name", "process_labels", "process_sort_index", "thread_name", "thread_sort_index", "num_cpus"];
    let args = texts(&[
        r#"{ "name" : "P\"1" , "labels" : "l" , "sort_index" : 3 }"#,
        r#"{"sort_index":-1,"name":"},{","labels":"m,n"}"#,
        r#"{"name":"last"}"#,
        r#"{"labels":"last"}"#,
        "{}",
        "",
    ]);
    (select(names.to_vec()).prop_map(quoted), args)
}

/// White space around members.
fn space() -> impl Strategy<Value = &'static str> {
    select(vec!["", "", " ", "\n  ", "\r\n\t"])
}

fn written(members: &Members, space: &str) -> String {
    let given = members.iter().filter(|(_, value)| !value.is_empty());
    let members: Vec<String> =
        given.map(|(key, value)| format!("{space}\"{key}\"{space}:{space}{value}{space}")).collect();
    format!("{{{}}}", members.join(","))
}

/// Elements as a session: an array or an object, with other members before and behind, commas too many, or cut.
fn documents(elements: impl Strategy<Value = Vec<String>> + 'static) -> impl Strategy<Value = String> {
    let other = || {
        texts(&[
            "",
            r#""displayTimeUnit":"ns","#,
            r#""otherData":{"traceEvents":[{"ph":"X","ts":1,"dur":2}]},"#,
            r#""metadata":{"a":"\"traceEvents\":["},"stackFrames":{"1":{"name":"main"}},"#,
        ])
    };
    let separator = select(vec![",", ",", " ,\n", ",\r\n"]);
    let cut = prop_oneof![4 => Just(None), 1 => any::<Index>().prop_map(Some)];
    (elements, separator, space(), any::<bool>(), (other(), other()), any::<bool>(), cut)
        .prop_map(|(elements, separator, space, is_array, (before, behind), trailing, cut)| {
            let trailing = if trailing { "," } else { "" };
            let head =
                if is_array { "[".to_owned() } else { format!("{space}{{{before}\"traceEvents\"{space}:{space}[") };
            let tail = if is_array { "]".to_owned() } else { format!("],{behind}\"end\":0}}\n") };
            let whole = format!("{head}{space}{}{trailing}{space}{tail}", elements.join(separator));
            // What is cut before the array begins is not a recording.
            let Some(cut) = cut else { return whole };
            let mut end = head.len() + cut.index(whole.len() - head.len());
            while !whole.is_char_boundary(end) {
                end -= 1;
            }
            whole[..end].to_owned()
        })
        .boxed()
}

/// An open slice of a walk: name, start, and whether it will be written as one complete event.
type Open = (String, u64, bool);

/// The events of a walk over two threads. Every slice ends before those around it.
fn walk(moves: &[(u8, usize, bool, Index)]) -> Vec<String> {
    let mut events = Vec::new();
    let mut open: [Vec<Open>; 2] = [Vec::new(), Vec::new()];
    let mut now = 0;
    for (kind, which, flag, place) in moves {
        let tid = which % 2;
        let name = ["a", "b", "c"][*which];
        let cat = ["x", "y", "toplevel,ipc.flow"][place.index(3)];
        let common = format!("\"pid\":1,\"tid\":{tid},\"cat\":\"{cat}\"");
        let at = place.index(events.len() + 1);
        match kind {
            0..=2 => {
                if !flag {
                    events.push(format!("{{\"ph\":\"B\",\"name\":\"{name}\",\"ts\":{now},{common}}}"));
                }
                open[tid].push((name.to_owned(), now, *flag));
            }
            3..=5 => {
                let Some((name, start, is_complete)) = open[tid].pop() else { continue };
                if is_complete {
                    let text =
                        format!("{{\"ph\":\"X\",\"name\":\"{name}\",\"ts\":{start},\"dur\":{},{common}}}", now - start);
                    events.insert(at, text);
                } else {
                    events.push(format!("{{\"ph\":\"E\",\"name\":\"{name}\",\"ts\":{now},{common}}}"));
                }
            }
            6..=7 => now += 1,
            8 => events.insert(at, format!("{{\"ph\":\"i\",\"name\":\"{name}\",\"ts\":{now},{common}}}")),
            _ => {
                let phase = ["s", "t", "f"][usize::from(*kind) - 9];
                let bp = if *flag { ",\"bp\":\"e\"" } else { "" };
                events.insert(at, format!("{{\"ph\":\"{phase}\",\"id\":{},\"ts\":{now},{common}{bp}}}", which % 2));
            }
        }
    }
    events
}
