//! Packets that are not imported.

/// Describes a packet type that is not imported; `None` if it contains nothing about the recorded time.
pub(super) const fn skipped(number: u64) -> Option<&'static str> {
    Some(match number {
        // Information about the recording itself.
        4
        | 33
        | 34
        | 35
        | 46..=49
        | 51
        | 61
        | 64
        | 67
        | 69
        | 72
        | 75
        | 78
        | 79
        | 82
        | 83
        | 84
        | 86
        | 89
        | 90
        | 107
        | 109
        | 111
        | 113
        | 122..=128
        | 131
        | 134
        | 138
        | 900 => return None,
        7 => "system statistics packets",
        37 | 68 | 71 | 73 | 74 => "memory profile packets",
        38 | 40 | 77 | 91 | 115 | 119 => "power and battery counter packets",
        52 | 53 | 57 | 62 | 65 | 129 => "GPU event packets",
        135 => "CPU sample packets in the new format",
        95 => "Windows event packets",
        99..=103 => "V8 code packets",
        133 => "zstd-compressed packets",
        _ => "unsupported packets",
    })
}
