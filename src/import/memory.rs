//! Memory: how much may still be taken, so that a recording too large for the machine is refused in words instead of
//! ending the program.

use super::error::ImportError;

/// What a load may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Bytes that the whole program may hold; without it, as much as the machine has left.
    pub limit: Option<u64>,
}

/// Left to others, and to what is not counted.
const RESERVE: u64 = 64 << 20;

impl Budget {
    /// Whether `bytes` more can be had.
    ///
    /// # Errors
    /// [`ImportError::OutOfMemory`] if not.
    pub fn check(self, bytes: u64) -> Result<(), ImportError> {
        let own = self.limit.map(|limit| limit.saturating_sub(held()));
        let Some(free) = own.or_else(|| free().map(|free| free.saturating_sub(RESERVE))) else { return Ok(()) };
        if bytes <= free { Ok(()) } else { Err(ImportError::OutOfMemory { needed: bytes, free }) }
    }
}

/// The number after a word, in lines as `/proc` writes them: `Name:   12 kB`.
#[cfg(any(test, target_os = "linux"))]
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.trim_start_matches(':').split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

/// Bytes of memory of its own that this program holds, mapped files left out; 0 where the system does not say.
#[cfg(target_os = "linux")]
fn held() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    kilobytes(&status, "RssAnon").unwrap_or(0)
}

/// Bytes that can still be had: of the machine, of the group that the program runs in, of its own address space.
#[cfg(target_os = "linux")]
fn free() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemAvailable"));
    let number = |path: &str| read(path).and_then(|text| text.trim().parse::<u64>().ok());
    // What the group has of cached files can be taken from it.
    let cached = || {
        let text = read("/sys/fs/cgroup/memory.stat").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("file "));
        line.and_then(|number| number.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    let group = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    let group = group.map(|(limit, used)| limit.saturating_sub(used.saturating_sub(cached())));
    let limits = read("/proc/self/limits").unwrap_or_default();
    let space = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    let space = space.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    let used = read("/proc/self/status").and_then(|text| kilobytes(&text, "VmSize")).unwrap_or(0);
    let space = space.map(|limit| limit.saturating_sub(used));
    [machine, group, space].into_iter().flatten().min()
}

#[cfg(not(target_os = "linux"))]
const fn held() -> u64 {
    0
}

#[cfg(not(target_os = "linux"))]
const fn free() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_proc_are_read() {
        let text = "MemTotal:       100 kB\nMemAvailable:    7 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable"), Some(7 * 1024));
        assert_eq!(kilobytes(text, "Nothing"), None);
    }

    #[test]
    fn a_limit_is_kept() {
        let budget = Budget { limit: Some(1 << 40) };
        assert!(budget.check(1 << 20).is_ok());
        let refused = budget.check(1 << 41);
        assert!(matches!(refused, Err(ImportError::OutOfMemory { needed, .. }) if needed == 1 << 41));
        assert!(Budget { limit: Some(0) }.check(1).is_err());
    }
}
