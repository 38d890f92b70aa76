//! Locking for files that several windows of the user share: one window at a time reads, changes and writes a file.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::{Duration, Instant};

/// Maximum wait for the lock of another window. After that, the file is written without the lock.
const PATIENCE: Duration = Duration::from_millis(500);
/// Interval between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Changes a file in a folder while no other window changes files there. The lock is a file named `.lock`; if it cannot
/// be created, such as in a read-only folder, the change runs anyway.
pub(in crate::app) fn locked<T>(folder: &Path, change: impl FnOnce() -> T) -> T {
    // Dropping the file releases the lock.
    let _lock = lock(folder);
    change()
}

fn lock(folder: &Path) -> Option<File> {
    std::fs::create_dir_all(folder).ok()?;
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(".lock")).ok()?;
    let began = Instant::now();
    while file.try_lock().is_err() {
        if began.elapsed() >= PATIENCE {
            return None;
        }
        std::thread::sleep(PAUSE);
    }
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_change_is_lost_between_threads() {
        let folder = std::env::temp_dir().join(format!("flowline-lock-{}", std::process::id()));
        let file = folder.join("number");
        locked(&folder, || std::fs::write(&file, "0").expect("written"));
        let count = || {
            for _ in 0..20 {
                locked(&folder, || {
                    let number: u32 = std::fs::read_to_string(&file).expect("text").parse().expect("a number");
                    std::fs::write(&file, (number + 1).to_string()).expect("written");
                });
            }
        };
        std::thread::scope(|scope| {
            (0..3).for_each(|_| _ = scope.spawn(count));
        });
        assert_eq!(std::fs::read_to_string(&file).expect("text"), "60");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
