//! Interrupts, work items, system calls and counters in Linux kernel events.

use super::kernel::bundle;
use super::*;

fn of_kind(kind: u64, fields: Message) -> Message {
    message().message(kind, &fields)
}

#[test]
fn cpus_have_rows_with_their_interrupts() {
    let irq = |number: u64| message().number(1, number);
    let packets = [
        bundle(
            1,
            &[
                (100, 0, of_kind(36, irq(7).text(2, "eth0"))),
                (110, 0, of_kind(36, irq(8))),
                (120, 0, of_kind(37, irq(8).number(2, 1))),
                (130, 0, of_kind(37, irq(7))),
                (140, 0, of_kind(24, message().number(1, 3))),
                (150, 0, of_kind(25, message().number(1, 3))),
                (160, 0, of_kind(24, message().number(1, 40))),
                (170, 0, of_kind(25, message().number(1, 40))),
            ],
        ),
        bundle(0, &[(105, 0, of_kind(24, message().number(1, 9))), (106, 0, of_kind(25, message().number(1, 9)))]),
    ];
    let expected = [
        "CPU 0: softirqs RCU 105..106 0",
        "CPU 1: interrupts eth0 100..130 0",
        "CPU 1: interrupts IRQ 8 110..120 1",
        "CPU 1: softirqs NET_RX 140..150 0",
        "CPU 1: softirqs softirq 40 160..170 0",
    ];
    assert_eq!(slices(&packets), expected.map(|slice| format!("CPUs/{slice}")));
    assert_eq!(slice_named(&read(&packets), "eth0").args, serde_json::json!({"irq": 7}));
}

#[test]
fn threads_have_work_items_and_system_calls() {
    let work = |kind: u64, function: u64| of_kind(kind, message().number(1, 1).number(2, function));
    let call = |kind: u64, id: u64| of_kind(kind, message().number(1, id));
    let tree = message()
        .message(1, &message().number(1, 7).text(3, "app"))
        .message(2, &message().number(1, 8).text(2, "worker").number(3, 7));
    let symbols = message().message(26, &message().number(1, 5).text(2, "flush_pages"));
    let start = message().number(10, 1).number(13, 1).message(12, &symbols);
    let events = bundle(
        0,
        &[
            (10, 8, work(58, 5)),
            (20, 8, work(57, 5)),
            (30, 8, work(58, 0xff)),
            (40, 8, work(57, 0xff)),
            (50, 8, call(329, 64)),
        ],
    );
    let packets = [
        message().message(2, &tree),
        Message([start.0, events.0].concat()),
        // The thread goes on at another CPU.
        bundle(1, &[(60, 8, call(330, 64)), (70, 8, call(329, 98))]),
        bundle(0, &[(80, 8, call(330, 98))]),
    ];
    let expected = [
        "worker flush_pages 10..20 0",
        "worker 0xff 30..40 0",
        "worker: system calls syscall 64 50..60 0",
        "worker: system calls syscall 98 70..80 0",
    ];
    assert_eq!(slices(&packets), expected.map(|slice| format!("app/{slice}")));
}

#[test]
fn frequencies_clocks_and_memory_events_are_counters() {
    let clock = |kind: u64, state: u64| of_kind(kind, message().text(1, "bus").number(2, state));
    let tree = message().message(1, &message().number(1, 7).text(3, "app"));
    let packets = [
        message().message(2, &tree),
        bundle(
            2,
            &[
                (10, 0, of_kind(12, message().number(1, 300).number(2, 900).number(3, 5))),
                (20, 0, clock(16, 1000)),
                (30, 0, clock(14, 1)),
                (40, 0, clock(15, 0)),
                (50, 0, of_kind(332, message().number(1, 1).number(2, 500))),
                (60, 7, of_kind(328, message().number(1, 3).number(2, 2).number(3, 4).number(4, 1))),
            ],
        ),
    ];
    let mut told: Vec<_> = read(&packets)
        .counters
        .into_iter()
        .map(|counter| format!("{} {} {:?}", counter.pid, counter.name, counter.series[0].1))
        .collect();
    told.sort();
    let expected = [
        "7 mem.mm.maj_flt.avg_lat [(60, 3.0)]",
        "7 mem.mm.maj_flt.count [(60, 2.0)]",
        "7 mem.mm.maj_flt.max_lat [(60, 4.0)]",
        "cpus CPU 5 max frequency limit [(10, 900.0)]",
        "cpus CPU 5 min frequency limit [(10, 300.0)]",
        "cpus GPU 1 frequency [(50, 500.0)]",
        "cpus bus frequency [(20, 1000.0)]",
        "cpus bus state [(30, 1.0), (40, 0.0)]",
    ];
    assert_eq!(told, expected);
}

#[test]
fn other_events_are_counted() {
    let packets = [bundle(0, &[(10, 0, of_kind(26, message())), (20, 0, of_kind(26, message()))])];
    let imported = flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace");
    let told: Vec<String> = imported.profile.warnings.list().iter().map(|warning| format!("{warning:?}")).collect();
    assert!(told.len() == 1 && told[0].contains("kernel events softirq_raise"), "{told:?}");
    assert_eq!(warned(&read(&packets), "not_drawn"), 2);
}
