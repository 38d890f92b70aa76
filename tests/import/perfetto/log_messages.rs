//! Log messages.

use super::*;

/// A message of Android's log.
fn logged(pid: u64, tid: u64, ts: u64, tag: &str, priority: u64, text: &str) -> Message {
    let message = message().number(1, 3).number(2, pid).number(3, tid).number(5, ts);
    message.text(6, tag).number(7, priority).text(8, text)
}

#[test]
fn messages_of_android_are_instants_of_their_process_and_thread() {
    let value = message().text(1, "count").signed(2, -3);
    let logs = message()
        .message(1, &logged(7, 8, 5_000_100, "Zygote", 4, "ready"))
        .message(1, &logged(7, 9, 5_000_200, "Looper", 6, "failed").message(9, &value))
        .message(2, &message().number(1, 5).number(2, 1));
    let packets = [
        thread(1, 7, 8, "main"),
        message().number(10, 1).message(6, &snapshot(&[clock(6, 1000), clock(1, 5_000_000)])),
        at(2000).message(39, &logs),
    ];
    assert_eq!(slices(&packets), ["Process 7/Android log Looper 1200 0", "Process 7/main: Android log Zygote 1100 0"]);
    let read = read(&packets);
    let (ready, failed) = (slice_named(&read, "Zygote"), slice_named(&read, "Looper"));
    assert_eq!((ready.cat.as_str(), failed.cat.as_str()), ("Info", "Error"));
    let expected = serde_json::json!(
        {"tag": "Looper", "priority": "Error", "message": "failed", "log": "system", "tid": 9, "values": {"count": -3}}
    );
    assert_eq!(failed.args, expected);
    // Lost messages.
    assert_eq!(warned(&read, "not_drawn"), 1);
    // A clock that no snapshot contains.
    let packets = [
        message().number(10, 1).message(6, &snapshot(&[clock(6, 1000), clock(3, 10)])),
        event(5, INSTANT, 1, "now"),
        at(2000).message(39, &message().message(1, &logged(7, 8, 5, "Zygote", 4, "ready"))),
    ];
    assert_eq!(warned(&super::read(&packets), "not_drawn"), 1);
}

#[test]
fn drivers_and_the_journal_log_messages() {
    let driver = message().number(1, 4).text(2, "mali").text(3, "slow");
    let journal = message().number(1, 7).number(2, 7).number(5, 3).text(7, "unit failed").text(8, "systemd");
    let packets = [at(10).message(63, &driver), at(20).message(132, &journal)];
    assert_eq!(slices(&packets), ["GPU/GPU log mali 10 0", "Process 7/Journal systemd 20 0"]);
    let read = read(&packets);
    assert_eq!(
        (slice_named(&read, "mali").cat.as_str(), slice_named(&read, "systemd").cat.as_str()),
        ("Warn", "Error")
    );
}
