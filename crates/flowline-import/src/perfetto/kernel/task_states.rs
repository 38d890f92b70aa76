//! The kernel's states of threads: the bits of `prev_state` in context switches, which depend on the version of Linux.
//!
//! | bit | before 4.2 | 4.2 to 4.7 | 4.8 to 4.13 | from 4.14 |
//! |---|---|---|---|---|
//! | 0x01 to 0x20 | S, D, T, t, X, Z | same | same | same |
//! | 0x40 | x dead | x | x | P parked |
//! | 0x80 | K wake on kill | K | K | I idle |
//! | 0x100 | W waking | W | W | preempted |
//! | 0x200 | P parked | P | P | |
//! | 0x400 | preempted | N no load | N | |
//! | 0x800 | | preempted | n new | |
//! | 0x1000 | | | preempted | |
//!
//! Sources: `TASK_*` and `TASK_STATE_MAX`, from 4.14 on `TASK_REPORT_MAX`, in the kernel's `include/linux/sched.h`, and
//! the format of `sched_switch` in `include/trace/events/sched.h`. The version is `SystemInfo.utsname.release` (packet
//! field 45, fields 1 and 3). Without it, Perfetto's trace processor takes 4.4, and so does this table.

/// The meaning of the bits in a version of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) struct TaskStates {
    /// The letter of each bit. The bit after the last letter means that the thread was preempted.
    letters: &'static str,
}

/// First version of each table.
const VERSIONS: [((u32, u32), TaskStates); 4] = [
    ((4, 14), TaskStates { letters: "SDTtXZPI" }),
    ((4, 8), TaskStates { letters: "SDTtXZxKWPNn" }),
    ((4, 2), TaskStates { letters: "SDTtXZxKWPN" }),
    ((0, 0), TaskStates { letters: "SDTtXZxKWP" }),
];

impl Default for TaskStates {
    fn default() -> Self {
        Self::of_version((4, 4))
    }
}

/// The reason why a thread stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) enum Stopped {
    /// It could go on.
    Runnable {
        /// True if the kernel interrupted it.
        was_preempted: bool,
    },
    /// It waits, or it ended.
    Sleeps(Sleep),
}

/// The kind of a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) enum Sleep {
    Uninterruptible,
    Interruptible,
    Stopped,
    Traced,
    Exited,
    Parked,
    Idle,
    Other,
}

impl Sleep {
    /// Kinds by letter. The first letter that a state contains determines its kind.
    const KINDS: [(char, Self); 9] = [
        ('D', Self::Uninterruptible),
        ('S', Self::Interruptible),
        ('T', Self::Stopped),
        ('t', Self::Traced),
        ('X', Self::Exited),
        ('Z', Self::Exited),
        ('x', Self::Exited),
        ('P', Self::Parked),
        ('I', Self::Idle),
    ];

    pub(in crate::perfetto) const fn name(self) -> &'static str {
        match self {
            Self::Uninterruptible => "Uninterruptible Sleep",
            Self::Interruptible => "Sleeping",
            Self::Stopped => "Stopped",
            Self::Traced => "Traced",
            Self::Exited => "Exited",
            Self::Parked => "Parked",
            Self::Idle => "Idle",
            Self::Other => "Not running",
        }
    }
}

impl TaskStates {
    fn of_version(version: (u32, u32)) -> Self {
        let found = VERSIONS.iter().find(|(first, _)| version >= *first);
        found.unwrap_or(&VERSIONS[VERSIONS.len() - 1]).1
    }

    /// Returns the table of a kernel release, such as `5.10.66-android12`; `None` if it is not a version.
    pub(in crate::perfetto) fn of_release(release: &str) -> Option<Self> {
        let number = |part: Option<&str>| {
            let part = part?;
            let end = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
            part[..end].parse::<u32>().ok()
        };
        let mut parts = release.trim().splitn(3, '.');
        let (major, minor) = (number(parts.next())?, number(parts.next())?);
        Some(Self::of_version((major, minor)))
    }

    /// Bit of preempted threads.
    const fn preempted(self) -> i64 {
        1 << self.letters.len()
    }

    /// Letters of a state: `R` for a thread that could go on, `R+` if it was preempted.
    pub(in crate::perfetto) fn letters(self, state: i64) -> String {
        let set = self.letters.char_indices().filter(|(bit, _)| state >> bit & 1 != 0);
        let letters: String = set.map(|(_, letter)| letter).collect();
        match letters.is_empty() {
            true if state & self.preempted() != 0 => "R+".into(),
            true => "R".into(),
            false => letters,
        }
    }

    /// Returns the reason why a thread in a state does not run.
    pub(in crate::perfetto) fn stopped(self, state: i64) -> Stopped {
        if state & (self.preempted() - 1) == 0 {
            return Stopped::Runnable { was_preempted: state & self.preempted() != 0 };
        }
        let letters = self.letters(state);
        let kind = Sleep::KINDS.iter().find(|(letter, _)| letters.contains(*letter));
        Stopped::Sleeps(kind.map_or(Sleep::Other, |(_, kind)| *kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_depend_on_the_version() {
        let letters = |release: &str| {
            let table = TaskStates::of_release(release).expect("a version");
            [1, 2, 0x40, 0x80, 0x100, 0x200, 0x400, 0x800, 0x1000, 0x82].map(|state| table.letters(state))
        };
        assert_eq!(letters("3.18.31-g12"), ["S", "D", "x", "K", "W", "P", "R+", "R", "R", "DK"]);
        assert_eq!(letters("4.4.0"), ["S", "D", "x", "K", "W", "P", "N", "R+", "R", "DK"]);
        assert_eq!(letters("4.9.112-perf"), ["S", "D", "x", "K", "W", "P", "N", "n", "R+", "DK"]);
        let new = ["S", "D", "P", "I", "R+", "R", "R", "R", "R", "DI"];
        assert_eq!((letters("4.14.1"), letters("6.1-rc3")), (new.map(str::to_owned), new.map(str::to_owned)));
        assert!(["", "six", "6", ".1", "99999999999.1"].iter().all(|text| TaskStates::of_release(text).is_none()));
        assert_eq!(TaskStates::default(), TaskStates::of_version((4, 4)));
    }

    #[test]
    fn states_have_kinds() {
        let table = TaskStates::of_version((6, 1));
        let sleeps = |state| table.stopped(state);
        assert_eq!(sleeps(0), Stopped::Runnable { was_preempted: false });
        assert_eq!(sleeps(0x100), Stopped::Runnable { was_preempted: true });
        assert_eq!(sleeps(0x82), Stopped::Sleeps(Sleep::Uninterruptible));
        assert_eq!([0x40, 0x80].map(sleeps), [Sleep::Parked, Sleep::Idle].map(Stopped::Sleeps));
        assert_eq!(TaskStates::default().stopped(0x100), Stopped::Sleeps(Sleep::Other));
    }
}
