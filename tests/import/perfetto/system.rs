//! Counters and instants of the system, of processes, of power and of GPUs.

use super::*;

/// All counters: process, name, unit and values.
fn counters(packets: &[Message]) -> Vec<String> {
    // Compares chunks and text.
    let _checked = read(packets);
    let imported = flowline::import::read(trace(packets), &flowline::import::Progress::default()).expect("a trace");
    let one = |counter: &flowline::profile::Counter| {
        let values: Vec<String> =
            counter.series[0].samples.iter().map(|sample| format!("{}:{}", sample.time.0, sample.value)).collect();
        format!("{} {} {} {}", counter.pid, counter.name, counter.unit, values.join(" "))
    };
    imported.profile.counters.iter().map(one).collect()
}

#[test]
fn statistics_of_the_system_are_counters() {
    let key = |key: u64, value: u64| message().number(1, key).number(2, value);
    let stats = message()
        .message(1, &key(2, 100))
        .message(2, &key(1, 7))
        .message(3, &message().number(1, 1).number(2, 5).number(9, 12))
        .number(4, 3)
        .message(6, &key(7, 9))
        .message(10, &message().text(1, "ddr").number(2, 500))
        .number(11, 1000)
        .number(11, 2000)
        .message(12, &message().text(1, "0").text(2, "Normal").numbers(3, &[4, 5]))
        .message(13, &message().text(1, "sda").number(2, 2).number(3, 8))
        .message(14, &message().number(1, 3).number(2, 100))
        .message(15, &message().text(1, "tz0").number(2, 45).text(3, "cpu"))
        .message(16, &message().number(1, 0).message(2, &message().text(1, "C1").number(2, 6)))
        .number(17, 300)
        .message(18, &message().text(1, "dentry").number(2, 2).number(3, 4));
    let expected = [
        "system MemFree bytes 10:102400",
        "system nr_free_pages  10:7",
        "cpus cpu.times.user_ns [CPU 1] ns 10:5",
        "cpus cpu.times.steal_ns [CPU 1] ns 10:12",
        "system num_forks  10:3",
        "system num_irq (id: 7)  10:9",
        "system ddr Frequency kHz 10:500",
        "cpus CPU 0 frequency kHz 10:1000",
        "cpus CPU 1 frequency kHz 10:2000",
        "system mem.buddyinfo[0][Normal][2^0 pages]  10:4",
        "system mem.buddyinfo[0][Normal][2^1 pages]  10:5",
        "system diskstat.[sda].read bytes 10:1024",
        "system diskstat.[sda].read_time ms 10:8",
        "system psi.io.some ns 10:100",
        "system cpu [tz0] °C 10:45",
        "cpus cpuidle.C1 [CPU 0] µs 10:6",
        "gpu gpufreq [GPU 0] MHz 10:300",
        "system slab.dentry pages 10:8",
    ];
    assert_eq!(counters(&[at(10).message(7, &stats)]), expected);
}

#[test]
fn memory_and_cpu_times_of_processes_are_counters() {
    let stats = message().message(1, &message().number(1, 7).number(17, 4).number(21, 5).number(22, 6));
    let mapping = |size: u64, swap: u64| message().text(1, "/lib").number(2, size).number(4, swap);
    let mappings = message().number(1, 7).message(2, &mapping(3, 1)).message(2, &mapping(4, 0));
    let gpu = |pid: u64| message().number(1, 0).number(2, pid).number(3, 900);
    let packets = [
        at(10).message(9, &stats),
        at(20).message(68, &mappings),
        at(30).message(71, &gpu(0)),
        at(30).message(71, &gpu(7)),
        // Open files are not imported.
        at(40).message(9, &message().message(1, &message().number(1, 7).message(15, &message()))),
    ];
    let expected = [
        "7 mem.smaps.pss bytes 10:4096",
        "7 runtime.user_ns ns 10:5",
        "7 runtime.kernel_ns ns 10:6",
        "7 smaps.size bytes 20:7168",
        "7 smaps.swap bytes 20:1024",
        "gpu GPU Memory bytes 30:900",
        "7 GPU Memory bytes 30:900",
    ];
    assert_eq!(counters(&packets), expected);
    assert_eq!(warned(&read(&packets), "not_drawn"), 1);
}

#[test]
fn power_and_gpu_counters_have_the_names_of_their_sequence() {
    let rails = message().message(1, &message().number(1, 3).text(2, "S1M"));
    let energy = |index: u64, value: u64| message().message(2, &message().number(1, index).number(3, value));
    let consumers = message().message(1, &message().number(1, 1).text(3, "CPU_CLUSTER").text(4, "CPUCL0"));
    let estimate = message()
        .message(1, &consumers)
        .number(2, 1)
        .number(3, 500)
        .message(4, &message().number(1, 10_001).number(2, 200));
    let state = message()
        .message(1, &message().number(1, 0).number(2, 1).text(3, "Bluetooth").text(4, "Idle"))
        .message(2, &message().number(1, 0).number(2, 1).number(3, 9));
    let battery = message().number(1, 3000).signed(3, -50).text(5, "main");
    let spec = |id: u64, name: &str| message().number(1, id).text(2, name);
    let listed = message().message(1, &spec(1, "Utilization").number(7, 37));
    let listed = listed.message(1, &spec(2, "Read").number(7, 7).number(8, 22));
    let value = |id: u64| message().number(1, id);
    let packets = [
        at(10).message(40, &energy(3, 1)),
        // The description may come later, and other sequences have their own.
        at(20).message(40, &Message([rails.0, energy(3, 2).0].concat())),
        message().number(8, 30).number(10, 2).message(40, &energy(3, 5)),
        at(40).message(77, &estimate),
        at(50).message(91, &state),
        at(60).message(38, &battery),
        at(70).message(52, &message().message(1, &listed).message(2, &value(1).number(2, 50))),
        at(80).message(52, &message().message(2, &value(2).double(3, 1.5)).message(2, &value(9).number(2, 4))),
    ];
    let expected = [
        "power power.S1M_uws µWs 10:1 20:2",
        "power power.rail 3_uws µWs 30:5",
        "power energy.CPUCL0_uws µWs 40:500",
        "power energy.CPUCL0_uws [uid 10001] µWs 40:200",
        "power Entity residency: Bluetooth is Idle ms 50:9",
        "power batt.main.charge_uah µAh 60:3000",
        "power batt.main.current_ua µA 60:-50",
        "gpu Utilization % 70:50",
        "gpu Read bytes/s 80:1.5",
        "gpu GPU counter 9  80:4",
    ];
    assert_eq!(counters(&packets), expected);
}

#[test]
fn nothing_about_the_recorded_time_is_silent() {
    let property = |name: &str, value: &str| message().message(1, &message().text(1, name).text(2, value));
    let packets = [
        at(10).message(86, &property("debug.tracing.screen_state", "2")),
        at(20).message(86, &property("debug.tracing.device", "docked")),
        at(30).message(46, &message().text(1, "boom").text(2, "probes")),
        at(40).message(109, &message().text(1, "jank")),
        at(50).message(70, &message().number(1, 1)),
    ];
    assert_eq!(counters(&packets), ["system ScreenState  10:2 50:1"]);
    let expected =
        ["System/System properties device 20 0", "System/Trace Triggers boom 30 0", "System/Trace Triggers jank 40 0"];
    assert_eq!(slices(&packets), expected);
    assert_eq!(slice_named(&read(&packets), "boom").args, serde_json::json!({"producer": "probes"}));
    // Data that is not imported is counted.
    let kinds = [49, 53, 56, 64, 73, 74, 75, 84, 88, 92, 95, 99, 110, 115, 116, 117, 119, 135, 139];
    let mut packets: Vec<Message> = kinds.iter().map(|kind| at(10).message(*kind, &message())).collect();
    packets.push(event(20, INSTANT, 1, "now"));
    assert_eq!(warned(&read(&packets), "not_drawn"), kinds.len() as u64);
}
