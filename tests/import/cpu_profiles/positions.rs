//! Positions of samples inside their innermost function.

use flowline::profile::Profile;
use flowline::profile::samples::NONE;

use super::{NODES, call_texts, head, sampled, samples, slice, trace};

/// A chunk whose samples have positions.
fn chunk(nodes: &str, samples: &str, deltas: &str, places: &str) -> String {
    format!(
        r#"{{"name":"ProfileChunk","ph":"P","pid":10,"tid":99,"ts":5000,"id":"0x1","args":{{"data":{{
            "cpuProfile":{{"nodes":[{nodes}],"samples":[{samples}]}},"timeDeltas":[{deltas}]{places}}}}}}}"#
    )
}

/// Name, line and column of each sample's innermost frame, counted from 0 like functions in the format.
fn told(profile: &Profile) -> Vec<String> {
    let (stacks, table) = (&profile.stacks, &samples(sampled(profile)).cpu);
    let told = |at: usize| {
        let Some(stack) = table.stack(at) else { return "?".to_owned() };
        let frame = stacks.frame(stack);
        let number = |number: u32| if number == NONE { "-".to_owned() } else { number.to_string() };
        format!("{} {}:{}", stacks.name(frame.func), number(frame.line), number(frame.column))
    };
    (0..table.len()).map(told).collect()
}

#[test]
fn positions_of_samples_do_not_change_calls() {
    let events = [slice("RunTask", 0, 100), slice("FunctionCall", 5, 90)];
    let build = |places: &str| {
        let chunk = chunk(NODES, "5,6,6,5,5,3", "10,10,10,10,10,10", places);
        trace(&[&[head(0), chunk][..], &events].concat())
    };
    let plain = build("");
    let profile = build(r#","lines":[1,7,8,0,2,9],"columns":[20,3,3,0,0,9]"#);
    assert_eq!(told(&profile), ["a 0:19", "b 6:2", "b 7:2", "a -:-", "a 1:-", "(idle) -:-"]);
    assert_eq!(call_texts(&profile, sampled(&profile)), call_texts(&plain, sampled(&plain)));
    assert_eq!(told(&plain)[0], "a -:-");
    // Four of them are new: the callers are the same.
    assert_eq!(profile.stacks.len(), plain.stacks.len() + 4);
    let lines = build(r#","lines":[1,1,1,1,1,1]"#);
    assert_eq!(lines.stacks.len(), plain.stacks.len() + 2, "equal positions share a stack");
}

#[test]
fn positions_stay_with_their_samples() {
    // The first chunk has none, the second is out of order, the third has too few.
    let profile = trace(&[
        head(0),
        chunk(NODES, "5,5", "10,10", ""),
        chunk("", "6,7", "20,-10", r#","lines":[40,50],"columns":[4,5]"#),
        chunk("", "6,5", "20,10", r#","lines":[60]"#),
    ]);
    assert_eq!(told(&profile), ["a -:-", "a -:-", "c 49:4", "b 39:3", "b 59:-", "a -:-"]);
}

#[test]
fn invalid_positions_are_unknown() {
    let profile = trace(&[
        head(0),
        chunk(NODES, "5,5,99", "10,10,10", r#","lines":[-1,"x",3,4,5,6],"columns":{"a":1}"#),
        chunk("", "5", "10", r#","lines":[9]"#),
    ]);
    assert_eq!(told(&profile), ["a -:-", "a -:-", "?", "a 8:-"]);
}
