//! Damage in CPU profiles: intact parts are read, nothing panics, and nothing takes quadratic time.

use std::fmt::Write as _;

use flowline::import::{self, Progress};
use flowline::profile::{Ns, WarningKind};

use super::{NODES, call_texts, chunk, head, read, sample_texts, sampled, samples, slice, trace};

#[test]
fn cycles_and_unreachable_nodes_are_dropped() {
    let node =
        |id: u32, parent: u32| format!(r#"{{"id":{id},"parent":{parent},"callFrame":{{"functionName":"n{id}"}}}}"#);
    let nodes =
        [NODES.to_owned(), node(8, 9), node(9, 8), node(10, 8), node(11, 11), node(12, 77), node(5, 6)].join(",");
    let profile = trace(&[head(0), chunk(&nodes, "8,10,11,12,5", "1,1,1,1,1")]);
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["1 ?", "2 ?", "3 ?", "4 ?", "5 a"]);
    assert_eq!(profile.warnings.count(WarningKind::IndexOutOfRange), 4);
    // Dropped: 8 to 12, and the second node with id 5, which is counted once more for that.
    assert_eq!(profile.warnings.count(WarningKind::CpuSamples), 6);
}

#[test]
fn huge_differences_do_not_overflow() {
    let profile =
        trace(&[head(1), chunk(NODES, "5,6,7,5", "4e12,4600000000000000,4600000000000000,-9e15"), slice("x", 0, 1)]);
    let times = &samples(sampled(&profile)).cpu.time;
    assert!(times.is_sorted() && times.iter().all(|time| time.0.abs() <= Ns::LIMIT));
    assert!(profile.meta.range.start <= profile.meta.range.end);
}

#[test]
fn stacks_may_be_very_deep() {
    const DEPTH: u32 = 200_000;
    let mut nodes = NODES.to_owned();
    for id in 8..DEPTH {
        let _infallible = write!(nodes, r#",{{"id":{id},"parent":{},"callFrame":{{"functionName":"f"}}}}"#, id - 1);
    }
    let leaf = DEPTH - 1;
    let list: Vec<String> = (0..20_000).map(|at| if at % 2 == 0 { leaf.to_string() } else { "3".into() }).collect();
    let deltas = vec!["1"; list.len()].join(",");
    let profile = trace(&[head(0), chunk(&nodes, &list.join(","), &deltas), slice("FunctionCall", 0, 9)]);
    assert_eq!(samples(sampled(&profile)).cpu.len(), list.len());
    let own = format!(
        r#"{{"nodes":[{nodes}],"startTime":0,"endTime":9,"samples":[{}],"timeDeltas":[{deltas}]}}"#,
        list.join(",")
    );
    let profile = read(own);
    assert!(profile.is_consistent());
    assert!(profile.warnings.count(WarningKind::CpuSamples) > 0, "the number of calls is limited");
    // Nested equally deep.
    let nested = format!(
        r#"{{"head":{}{}}}"#,
        r#"{"id":1,"functionName":"f","children":["#.repeat(DEPTH as usize),
        "]}".repeat(DEPTH as usize)
    );
    assert_eq!(read(nested).stacks.len(), DEPTH as usize - 1);
}

#[test]
fn every_prefix_of_a_profile_is_read() {
    let text = format!(
        r#"{{"nodes":[{NODES}],"startTime":0,"endTime":90,"samples":[5,6,3,4,6],"timeDeltas":[10,10,-5,10,10],"trace_ids":{{"5":6}}}}"#
    );
    for end in 0..text.len() {
        if let Ok(imported) = import::read(text.as_bytes()[..end].to_vec(), &Progress::default()) {
            assert!(imported.profile.is_consistent());
        }
    }
}

#[test]
fn a_changed_byte_in_a_trace_does_not_panic() {
    let members = format!(r#""nodes":[{NODES}],"samples":[5,6,3,4,6],"trace_ids":{{"5":6}}"#);
    let events = [head(0), super::chunk_with(&members, "10,10,-5,10,10"), slice("FunctionCall", 0, 80)];
    let text = format!("[{}]", events.join(","));
    for at in 0..text.len() {
        for byte in [b'{', b'"', b'9', b' '] {
            let mut changed = text.clone().into_bytes();
            changed[at] = byte;
            if let Ok(imported) = import::read(changed, &Progress::default()) {
                assert!(imported.profile.is_consistent(), "{at}");
            }
        }
    }
}

#[test]
fn many_profiles_and_ids_are_joined_in_one_pass() {
    let mut events = Vec::new();
    for id in 0..20_000 {
        let own = format!("\"p{id}\"");
        events.push(head(id).replace("\"0x1\"", &own));
        events.push(chunk("", "1", "1").replace("\"0x1\"", &own));
    }
    events.push(chunk(NODES, "5", "1").replace("\"0x1\"", "\"p7\""));
    let profile = trace(&events);
    assert!(profile.is_consistent());
    let found = call_texts(&profile, sampled(&profile));
    assert!(found.len() <= 2, "{found:?}");
}
