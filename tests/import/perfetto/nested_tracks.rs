//! The hierarchy of tracks: parents, merging, and order.

use super::*;
use flowline::profile::Profile;

fn profile_of(packets: &[Message]) -> Profile {
    // This also compares the result with that of other chunks and of the same events as text.
    let _checked = read(packets);
    flowline::import::read(trace(packets), &flowline::import::Progress::default()).expect("a trace").profile
}

/// The threads and tracks in their order: process, names from the outermost parent, and number of markers.
fn tree(packets: &[Message]) -> Vec<String> {
    let profile = profile_of(packets);
    let line = |id| {
        let mut names: Vec<&str> = profile.track_parents(id).map(|id| profile.thread(id).name.as_str()).collect();
        names.reverse();
        names.push(&profile.thread(id).name);
        format!("{} > {} {}", profile.process_of(id).name, names.join(" > "), profile.thread(id).markers.len())
    };
    profile.threads_with_ids().map(|(id, _)| line(id)).collect()
}

/// The descriptor of a track with more fields.
fn described_by(uuid: u64, parent: u64, name: &str, more: &[(u64, u64)]) -> Message {
    let track = more.iter().fold(described(uuid, parent, name), |track, (field, value)| track.number(*field, *value));
    message().number(10, 1).message(60, &track)
}

/// Fields of the descriptor.
const CHILD_ORDER: u64 = 11;
const RANK: u64 = 12;
const MERGE: u64 = 15;
const MERGE_KEY: u64 = 17;
/// Values of the fields.
const CHRONOLOGICAL: u64 = 2;
const EXPLICIT: u64 = 3;
const NEVER: u64 = 2;
const BY_KEY: u64 = 3;

#[test]
fn tracks_are_below_their_threads_processes_and_parents() {
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        thread(3, 7, 9, "silent"),
        track(4, 2, "Lane"),
        track(5, 4, "Part"),
        track(6, 3, "Lane"),
        track(7, 1, "Requests"),
        track(8, 7, "Phases"),
        track(9, 0, "Power"),
        track(10, 1, "without events"),
        track(11, 10, "without events either"),
        event(10, INSTANT, 2, "a"),
        event(11, INSTANT, 5, "b"),
        event(12, INSTANT, 6, "c"),
        event(13, INSTANT, 7, "d"),
        event(14, INSTANT, 8, "e"),
        event(15, INSTANT, 9, "f"),
    ];
    let expected = [
        "Global tracks > Power 1",
        "app > main 1",
        "app > main > Lane 0",
        "app > main > Lane > Part 1",
        "app > silent 0",
        "app > silent > Lane 1",
        "app > Requests 1",
        "app > Requests > Phases 1",
    ];
    let mut found = tree(&packets);
    let globals = found.iter().position(|line| line.starts_with("Global")).expect("global tracks");
    found.rotate_left(globals);
    assert_eq!(found, expected);
    let profile = profile_of(&packets);
    assert_eq!((profile.thread_count(), profile.threads.len()), (2, 8));
    let mut names: Vec<_> = profile.threads_with_ids().map(|(id, _)| profile.long_name(id).into_owned()).collect();
    names.rotate_left(globals);
    let long = ["Power", "main", "main: Lane", "main: Lane / Part", "silent", "silent: Lane", "Requests"];
    assert_eq!((&names[..7], names[7].as_str()), (&long.map(str::to_owned)[..], "Requests / Phases"));
}

#[test]
fn a_track_that_only_ended_a_state_is_not_listed() {
    let packets = [process(1, 7, "app"), track(3, 1, "mode"), event(5, STATE, 3, ""), event(6, INSTANT, 1, "now")];
    assert_eq!(tree(&packets), ["app > Process track 1"]);
}

#[test]
fn tracks_below_one_parent_are_merged_by_name_by_key_or_not_at_all() {
    let lanes = |first: &[(u64, u64)], second: &[(u64, u64)]| {
        let packets = [
            process(1, 7, "app"),
            described_by(2, 1, "Lane", first),
            described_by(3, 1, "Lane", second),
            event(10, INSTANT, 2, "a"),
            event(11, INSTANT, 3, "b"),
        ];
        tree(&packets)
    };
    let (merged, separate) = (["app > Lane 2"], ["app > Lane 1", "app > Lane 1"]);
    assert_eq!(lanes(&[], &[]), merged);
    assert_eq!(lanes(&[(MERGE, NEVER)], &[(MERGE, NEVER)]), separate);
    assert_eq!(lanes(&[(MERGE, BY_KEY), (MERGE_KEY, 5)], &[(MERGE, BY_KEY), (MERGE_KEY, 5)]), merged);
    assert_eq!(lanes(&[(MERGE, BY_KEY), (MERGE_KEY, 5)], &[(MERGE, BY_KEY), (MERGE_KEY, 6)]), separate);
    // A key counts only if it is asked for.
    assert_eq!(lanes(&[(MERGE_KEY, 5)], &[(MERGE_KEY, 6)]), merged);
    // Tracks below different parents are different.
    let packets = [
        process(1, 7, "app"),
        track(2, 1, "A"),
        track(3, 1, "B"),
        track(4, 2, "Lane"),
        track(5, 3, "Lane"),
        event(10, INSTANT, 4, "a"),
        event(11, INSTANT, 5, "b"),
    ];
    assert_eq!(tree(&packets), ["app > A 0", "app > A > Lane 1", "app > B 0", "app > B > Lane 1"]);
}

#[test]
fn tracks_are_ordered_as_their_parent_states() {
    let ordered = |order: u64| {
        let packets = [
            process(1, 7, "app"),
            described_by(2, 1, "Group", &[(CHILD_ORDER, order)]),
            described_by(3, 2, "apple", &[(RANK, 10)]),
            described_by(4, 2, "middle", &[(RANK, 5)]),
            described_by(5, 2, "zebra", &[(RANK, 1)]),
            track(6, 4, "inside"),
            event(30, INSTANT, 3, "a"),
            event(40, INSTANT, 4, "b"),
            event(10, INSTANT, 6, "c"),
            event(20, INSTANT, 5, "d"),
        ];
        let names =
            tree(&packets).into_iter().filter_map(|line| line.strip_prefix("app > Group > ").map(str::to_owned));
        names.collect::<Vec<_>>()
    };
    assert_eq!(ordered(EXPLICIT), ["zebra 1", "middle 1", "middle > inside 1", "apple 1"]);
    assert_eq!(ordered(CHRONOLOGICAL), ["middle 1", "middle > inside 1", "zebra 1", "apple 1"]);
    assert_eq!(ordered(1), ["apple 1", "middle 1", "middle > inside 1", "zebra 1"]);
    assert_eq!(ordered(0), ordered(1));
}

#[test]
fn parents_in_a_circle_and_very_deep_tracks_are_harmless() {
    let circle = [
        track(2, 4, "A"),
        track(3, 2, "B"),
        track(4, 3, "C"),
        track(5, 5, "own parent"),
        event(1, INSTANT, 2, "a"),
        event(2, INSTANT, 3, "b"),
        event(3, INSTANT, 4, "c"),
        event(4, INSTANT, 5, "d"),
    ];
    let markers = |packets: &[Message]| profile_of(packets).marker_count();
    assert_eq!(markers(&circle), 4);
    // Beyond 32 levels, a track is listed without those above it.
    let mut deep: Vec<Message> = (2..300).map(|uuid| track(uuid, uuid - 1, &format!("level {uuid}"))).collect();
    deep.extend((2..300).map(|uuid| event(uuid, INSTANT, uuid, "event")));
    assert_eq!(markers(&deep), 298);
    assert_eq!(profile_of(&deep).threads.len(), 298);
}
