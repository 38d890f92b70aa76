//! The entries of a table's row in the chart: exactly their boxes are drawn again with an outline.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::profile::{FuncId, Ns, Profile, ThreadId, TimeRange};
use flowline::scene::{Emphasis, Scene};
use flowline::session::Session;
use flowline::view::{Command, LitEntries};
use serde_json::json;

use crate::fixtures::session;
use crate::recording::samples::{INTERVAL, Sampled, profile};

fn show(profile: Profile) -> Session {
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let extent = index.extent();
    let mut session = session(&index, 1024, 1.0);
    // All rows are on screen.
    (session.canvas.size[1], session.canvas.regions.chart.height) = (1100, 1000.0);
    session.apply(Command::Show(extent));
    session.apply(Command::ExpandAll);
    session.refresh_and_wait();
    session.refresh_and_wait();
    session
}

/// The starts of the outlined boxes.
fn lit(session: &mut Session, entries: Option<LitEntries>) -> Vec<Ns> {
    session.apply(Command::Light(entries.map(Arc::new)));
    session.refresh_and_wait();
    let mut scene = Scene::default();
    let frame = scene.build(&session.scene_input());
    let lit = frame.instances.markers.iter().filter(|marker| marker.emphasis() == Emphasis::Linked as u32);
    let mut starts: Vec<Ns> = lit.map(|marker| session.index.clock().time(marker.packed().start())).collect();
    starts.sort_unstable();
    starts
}

#[test]
fn the_calls_of_a_function_are_outlined() {
    let sample =
        |(number, stack): (i64, [u8; 2])| Sampled { time: number * INTERVAL, stack: Some(stack.to_vec()), cpu: None };
    // Functions 1, 2 and 4 of the samples' functions.
    let samples: Vec<Sampled> = (0..).zip([[1, 2], [1, 4], [1, 2], [1, 4]]).map(sample).collect();
    let profile = profile(&[samples.clone(), samples], false);
    let mut functions = (0..profile.stacks.funcs.len()).map(|at| FuncId(u32::try_from(at).expect("few")));
    let drawn = functions.find(|func| profile.func_name(*func) == "drawFrame").expect("a function");
    let mut session = show(profile);
    let first = ThreadId(0);
    let entries = LitEntries { threads: vec![first], functions: BTreeSet::from([drawn]), ..LitEntries::default() };
    assert!(lit(&mut session, None).is_empty());
    assert_eq!(lit(&mut session, Some(entries.clone())), [Ns(0), Ns(2 * INTERVAL)], "of one thread");
    let range = Some(TimeRange::new(Ns(INTERVAL), Ns(3 * INTERVAL)));
    assert_eq!(lit(&mut session, Some(LitEntries { range, ..entries.clone() })), [Ns(2 * INTERVAL)], "in the range");
    let both = vec![first, ThreadId(1)];
    assert_eq!(lit(&mut session, Some(LitEntries { threads: both, ..entries })).len(), 4);
    assert!(lit(&mut session, None).is_empty());
}

#[test]
fn the_slices_with_a_name_are_outlined() {
    let slice = |tid: u32, name: &str, ts: u32, dur: u32| json!({"ph": "X", "pid": 1, "tid": tid, "name": name, "ts": ts, "dur": dur});
    let events = json!([
        slice(1, "Task", 0, 9),
        slice(1, "Parse", 1, 2),
        slice(1, "Parse", 4, 2),
        json!({"ph": "I", "s": "t", "pid": 1, "tid": 1, "name": "Parse", "ts": 8}),
        slice(2, "Parse", 0, 3),
    ]);
    let profile = crate::recording::read_bytes(serde_json::to_vec(&events).expect("JSON")).expect("a trace");
    let (thread, _) = profile.threads_with_ids().find(|(_, thread)| thread.tid == "1").expect("a thread");
    let parse = profile.strings.find("Parse").expect("a name");
    let mut session = show(profile);
    let entries = LitEntries { threads: vec![thread], names: BTreeSet::from([parse]), ..LitEntries::default() };
    let us = |time: i64| Ns(time * 1_000);
    assert_eq!(lit(&mut session, Some(entries.clone())), [us(1), us(4)], "slices of one thread, and no instant");
    let range = Some(TimeRange::new(us(3), us(9)));
    assert_eq!(lit(&mut session, Some(LitEntries { range, ..entries })), [us(4)], "a slice that touches is outside");
    assert!(lit(&mut session, None).is_empty());
}
