//! Changes of files that several windows of the user share: one window at a time reads a file, changes it and writes it.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a window waits for another one. A lock that is held for longer does not keep the file from being written.
const PATIENCE: Duration = Duration::from_millis(500);
/// Interval between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a change of a file in a folder while no other window changes a file there. The lock is a file named `.lock`; without
/// one, as in a folder that cannot be written to, the change runs all the same.
pub(in crate::app) fn locked<T>(folder: &Path, change: impl FnOnce() -> T) -> T {
    // The lock ends with the file.
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
