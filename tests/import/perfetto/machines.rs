//! Packets of other machines: their processes, threads and CPUs are other ones, also with the same ids.

use flowline::import::{Options, Progress, read_with};
use flowline::profile::{LocalMarker, Profile};

use super::kernel::{bundle, print, switch};
use super::*;

/// A packet of a machine.
fn of(machine: u64, packet: Message) -> Message {
    packet.number(98, machine)
}

fn profile_of(packets: &[Message]) -> Profile {
    // Checks that the result does not depend on chunks and equals that of the same trace as text.
    let _checked = read(packets);
    read_with(trace(packets), &Options::default(), &Progress::default()).expect("a trace").profile
}

/// Process and thread, with names and ids, and then name and times of each of its markers.
fn lines(profile: &Profile) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        let process = profile.process_of(id);
        let main = if thread.is_main { " main" } else { "" };
        lines.push(format!("{} {} / {} {}{main}", process.name, process.pid, profile.long_name(id), thread.tid));
        for at in 0..thread.markers.len() {
            let local = LocalMarker::new(at);
            let range = thread.markers.range(local);
            let name = profile.strings.get(thread.markers.name(local));
            lines.push(format!("  {name} {}..{}", range.start.0, range.end.0));
        }
    }
    lines
}

/// A list of process 7 with the threads 7 and 8.
fn tree(command: &str) -> Message {
    let process = message().number(1, 7).text(3, command);
    message().message(2, &message().message(1, &process).message(2, &message().number(1, 8).text(2, "w").number(3, 7)))
}

#[test]
fn threads_and_tracks_of_machines_with_the_same_ids_are_different() {
    let packets = [
        process(10, 7, "app"),
        thread(1, 7, 7, "Main"),
        track(20, 10, "Jobs"),
        of(2, process(10, 7, "guest")),
        of(2, thread(1, 7, 7, "Main")),
        of(2, track(20, 10, "Jobs")),
        // The slices overlap: on one thread, they would truncate each other.
        event(10, BEGIN, 1, "here"),
        of(2, event(12, BEGIN, 1, "there")),
        event(20, END, 1, ""),
        of(2, event(30, END, 1, "")),
        event(11, BEGIN, 20, "job"),
        of(2, event(13, BEGIN, 20, "far job")),
        event(21, END, 20, ""),
        of(2, event(31, END, 20, "")),
    ];
    let profile = profile_of(&packets);
    assert_eq!(
        lines(&profile),
        [
            "app 7 / Main 7 main",
            "  here 10..20",
            "app 7 / Jobs track 1",
            "  job 11..21",
            "machine 2: guest 2:7 / Main 7 main",
            "  there 12..30",
            "machine 2: guest 2:7 / Jobs track 1",
            "  far job 13..31",
        ]
    );
}

#[test]
fn machines_may_be_stated_by_events_alone() {
    let packets = [event(40, INSTANT, 0, "here"), of(3, event(41, INSTANT, 0, "there")), event(42, INSTANT, 0, "here")];
    let expected = [
        "Global tracks global / here track 1",
        "  here 40..40",
        "  here 42..42",
        "machine 3: Global tracks 3:global / there track 1",
        "  there 41..41",
    ];
    assert_eq!(lines(&profile_of(&packets)), expected);
}

#[test]
fn each_machine_has_its_own_cpus_and_thread_states() {
    let packets = [
        thread(1, 7, 7, "Main"),
        tree("/bin/app"),
        of(2, tree("/bin/guest")),
        bundle(0, &[(50, 0, switch(0, 0, 8, "comm")), (80, 8, switch(8, 1, 0, ""))]),
        of(
            2,
            bundle(
                0,
                &[
                    (55, 0, switch(0, 0, 8, "comm")),
                    (60, 8, print("B|7|drawn")),
                    (70, 8, print("E|7")),
                    (75, 8, print("C|7|count|4")),
                    (85, 8, switch(8, 1, 0, "")),
                ],
            ),
        ),
    ];
    let profile = profile_of(&packets);
    let expected = [
        "CPUs cpus / CPU 0 0",
        "  w 50..80",
        "machine 2: CPUs 2:cpus / CPU 0 0",
        "  w 55..85",
        "app 7 / w: state 8 state",
        "  Running 50..80",
        "machine 2: guest 2:7 / w 8",
        "  drawn 60..70",
        "machine 2: guest 2:7 / w: state 8 state",
        "  Running 55..85",
    ];
    assert_eq!(lines(&profile), expected);
    let owners: Vec<_> = profile.counters.iter().map(|counter| counter.process).collect();
    let guest = profile.threads_with_ids().find(|(id, _)| profile.process_of(*id).pid == "2:7").expect("a guest").1;
    assert_eq!(owners, [Some(guest.process)]);
}

#[test]
fn each_machine_has_its_own_clocks() {
    let related = |time: u64| message().message(6, &snapshot(&[clock(6, time), clock(3, 1000)]));
    let own = |ts: u64, name: &str| {
        message().number(8, ts).number(58, 3).number(10, 1).message(11, &track_event(INSTANT, 1, name))
    };
    let packets = [
        related(5000),
        of(2, related(9000)),
        thread(1, 7, 7, "Main"),
        of(2, thread(1, 7, 7, "Main")),
        own(1010, "here"),
        of(2, own(1010, "there")),
        // The difference of the clocks of both machines.
        of(2, message().message(107, &message().number(9, 1))),
    ];
    let expected = [
        "machine 2: Process 7 2:7 / Main 7 main",
        "  there 9010..9010",
        "Process 7 7 / Main 7 main",
        "  here 5010..5010",
    ];
    assert_eq!(lines(&profile_of(&packets)), expected);
    assert_eq!(warned(&read(&packets), "not_drawn"), 1);
}

#[test]
fn machines_beyond_the_limit_are_counted() {
    let packets: Vec<Message> = (1..=40).map(|machine| of(machine, event(machine, INSTANT, 0, "a"))).collect();
    let profile = profile_of(&packets);
    assert_eq!(profile.threads_with_ids().count(), 32);
    assert_eq!(warned(&read(&packets), "not_drawn"), 8);
}
