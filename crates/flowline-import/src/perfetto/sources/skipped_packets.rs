//! Packets that are not imported (`trace_packet.proto`). Everything about the recorded time is counted; only information
//! about the recording itself and the system is not.

/// Describes a packet type that is not imported; `None` if it contains nothing about the recorded time.
pub(in crate::perfetto) const fn skipped(number: u64) -> Option<&'static str> {
    Some(match number {
        // Files by inode, configuration, statistics and identity of the recording, and lists of packages, CPUs, GPUs,
        // interrupts, users, games and flags.
        4
        | 33..=35
        | 47
        | 48
        | 51
        | 67
        | 69
        | 78
        | 82
        | 83
        | 89
        | 90
        | 111
        | 122..=128
        | 130
        | 131
        | 134
        | 138
        | 900 => {
            return None;
        }
        107 => "clock offsets of other machines",
        73..=75 => "memory profile packets",
        49 => "events of the recording program",
        53 | 57 | 62 | 65 => "GPU event packets",
        56 => "heap graph packets",
        64 => "deobfuscation mappings",
        84 => "statsd packets",
        88 | 92 => "network packets",
        115 | 116 | 119 => "wakelock and CPU time packets of apps",
        135 => "CPU sample packets in the new format",
        95 => "Windows event packets",
        99..=103 => "V8 code packets",
        133 => "nested compressed packets",
        139 | 140 => "source code and disassembly",
        _ => "unsupported packets",
    })
}
