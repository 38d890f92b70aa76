//! Names of kernel events by the number of their field in `FtraceEvent` (`ftrace_event.proto` of Perfetto), to count those
//! that are not imported by kind.

use std::sync::LazyLock;

use foldhash::HashMap;

/// One line per kind: the number of the field, then the text for its count.
const KINDS: &str = include_str!("kernel_events.txt");

static BY_NUMBER: LazyLock<HashMap<u64, &'static str>> = LazyLock::new(|| {
    let kinds = KINDS.lines().filter_map(|line| line.split_once(' '));
    kinds.filter_map(|(number, name)| Some((number.parse().ok()?, name))).collect()
});

/// Describes the events of a kind.
pub(in crate::perfetto) fn kernel_kind(number: u64) -> &'static str {
    BY_NUMBER.get(&number).copied().unwrap_or("kernel events of newer kinds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_kind() {
        assert_eq!(BY_NUMBER.len(), KINDS.lines().count());
        assert_eq!(
            (kernel_kind(26), kernel_kind(9999)),
            ("kernel events softirq_raise", "kernel events of newer kinds")
        );
    }
}
