//! Frames, and the insights of Firefox, of real recordings, compared with facts of other programs (the engine of Chrome
//! DevTools, and a plain reader of Firefox profiles), if available.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::frames::{FrameState, Frames, PageFrame};
use flowline::insights::insights::{Fact, Facts, Insight, Insights, fact};
use serde_json::Value;

use crate::interaction_facts::{NAMES, recording};
use crate::recording::real::{list, open, shared};

/// Times in traces are whole microseconds, and DevTools rounds them.
const NEAR: i64 = 1_000;

fn is_near(expected: &Value, found: i64) -> bool {
    expected.as_i64().is_none_or(|expected| (expected - found).abs() <= NEAR)
}

/// Compares the frames; returns the number of facts.
fn frames(name: &str, index: &Index, expected: &Value) -> usize {
    let own = Frames::of(index);
    let count = |state: FrameState| own.list().iter().filter(|frame| frame.state == state).count() as u64;
    let states = [FrameState::Shown, FrameState::Dropped, FrameState::Partial, FrameState::Missed];
    for state in states {
        let wanted = expected[state.name()].as_u64();
        assert!(wanted.is_none_or(|wanted| wanted == count(state)), "{name}: {}: {wanted:?}", state.name());
    }
    let late = own.list().iter().filter(|frame| frame.is_late).count() as u64;
    assert!(expected["late"].as_u64().is_none_or(|wanted| wanted == late), "{name}: {late} late");
    let budget = expected["budget_ns"].as_i64().filter(|_| !own.list().is_empty());
    assert!(budget.is_none_or(|budget| (budget - own.budget().0).abs() <= 100_000), "{name}: {:?}", own.budget());
    for fact in list(expected, "list") {
        let is_it = |frame: &&PageFrame| {
            fact["state"] == frame.state.name()
                && is_near(&fact["start_ns"], frame.times.start.0)
                && is_near(&fact["end_ns"], frame.times.end.0)
        };
        let frame = own.list().iter().find(is_it).unwrap_or_else(|| panic!("{name}: {fact} is missing"));
        assert!(fact["seq"].as_i64().is_none_or(|number| frame.sequence == Some(number)), "{name}: {fact}");
        let reason = frame.reason.map(|reason| reason.name());
        assert!(fact["reason"].as_str().is_none_or(|wanted| reason == Some(wanted)), "{name}: {fact}");
    }
    list(expected, "list").len() + 5
}

fn number(facts: &Facts, name: &str) -> Option<i64> {
    match fact(facts, name)? {
        Fact::Count(number) => Some(*number),
        Fact::Duration(time) | Fact::Moment(time) => Some(time.0),
        _ => None,
    }
}

/// Compares the numbers of the insights of a profile, and those of their periods and tasks; returns how many.
fn insights(name: &str, index: &Index, expected: &Value) -> usize {
    let mut compared = 0;
    for own in list(expected, "insights") {
        let pid = own["pid"].as_u64().expect("a process").to_string();
        let process =
            |insight: &Insight| insight.process.map(|id| index.profile().processes[id.index()].pid.to_string());
        let is_it =
            |insight: &&Insight| own["insight"] == insight.name.name() && process(insight).as_ref() == Some(&pid);
        let found = Insights::of(index).list().iter().find(is_it);
        let found = found.unwrap_or_else(|| panic!("{name}: {} of {pid} is missing", own["insight"]));
        let data = &found.finding.data;
        for (key, value) in own["data"].as_object().into_iter().flatten() {
            if let Some(wanted) = value.as_i64() {
                let near = number(data, key).is_some_and(|found| (found - wanted).abs() <= 10 * NEAR);
                assert!(near, "{name}: {} of {pid}: {key} {wanted}: {:?}", own["insight"], number(data, key));
                compared += 1;
            }
            for key in ["periods", "tasks"].into_iter().filter(|own| own == key) {
                let Some(Fact::List(parts)) = fact(data, key) else { panic!("{name}: {key}") };
                let wanted = value.as_array().expect("a list");
                assert_eq!(parts.len(), wanted.len(), "{name}: {key} of {pid}");
                for (part, wanted) in parts.iter().zip(wanted) {
                    let Fact::Group(part) = part else { panic!("{name}: {key}") };
                    for key in ["start_ns", "end_ns", "gc_ns", "samples"] {
                        let near = wanted[key].as_i64().is_none_or(|wanted| {
                            number(part, key)
                                .is_some_and(|found| (found - wanted).abs() <= if key == "samples" { 2 } else { NEAR })
                        });
                        assert!(near, "{name}: {key} of {wanted}");
                        compared += 1;
                    }
                }
            }
        }
    }
    compared
}

#[test]
fn frames_of_real_recordings_agree_with_other_programs() {
    let mut compared = 0;
    for name in NAMES {
        let facts = shared(&format!("cases/insights/{name}.insights.expected.json"));
        let Some((facts, file)) = facts.zip(recording(name)) else { continue };
        let expected: Value = serde_json::from_slice(&std::fs::read(facts).expect("readable")).expect("JSON");
        let index = Index::build(Arc::new(open(&file).expect("a recording")), Arrangement::Stack);
        if expected["frames"].is_object() {
            compared += frames(name, &index, &expected["frames"]);
        }
        if expected["about"]["reader"] == "firefox_facts.py" {
            compared += insights(name, &index, &expected);
        }
    }
    if shared("cases/insights").is_some() {
        assert!(compared > 1_500, "{compared}");
    }
}
