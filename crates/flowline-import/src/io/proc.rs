//! Reads `/proc` and the control group. All values are `None` on systems other than Linux.

/// Returns the content of a system file; `None` if it does not exist.
fn read(path: &str) -> Option<String> {
    if cfg!(target_os = "linux") { std::fs::read_to_string(path).ok() } else { None }
}

/// Returns the value of a line `Name:   12 kB` in bytes.
fn bytes_of(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kilobytes: u64 = rest.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Returns an entry of `/proc/self/status` in bytes, for example `VmHWM`.
pub(super) fn status_bytes(name: &str) -> Option<u64> {
    bytes_of(&read("/proc/self/status")?, name)
}

/// Available memory of the machine in bytes.
pub(super) fn available_memory() -> Option<u64> {
    bytes_of(&read("/proc/meminfo")?, "MemAvailable")
}

/// Memory left to the program's control group, in bytes. The group's cached files count as free.
pub(super) fn available_group_memory() -> Option<u64> {
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max")?;
    let used = number("/sys/fs/cgroup/memory.current")?;
    let cached = || {
        let stat = read("/sys/fs/cgroup/memory.stat")?;
        stat.lines().find_map(|line| line.strip_prefix("file "))?.trim().parse::<u64>().ok()
    };
    Some(limit.saturating_sub(used.saturating_sub(cached().unwrap_or(0))))
}

/// Address space left to the program, in bytes; `None` without a limit.
pub(super) fn available_address_space() -> Option<u64> {
    let limits = read("/proc/self/limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(status_bytes("VmSize").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_proc_are_parsed() {
        let text = "MemTotal:       100 kB\nMemAvailable:    7 kB\n";
        assert_eq!(bytes_of(text, "MemAvailable"), Some(7 * 1024));
        assert_eq!(bytes_of(text, "Nothing"), None);
    }
}
