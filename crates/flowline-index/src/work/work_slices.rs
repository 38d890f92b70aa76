//! The markers of a thread that are its work, as opposed to waiting, to message loops around work, and to annotations of
//! the work of a GPU. Times, graphs and lanes of the overview all use this choice.

use flowline_profile::{
    Attributes, CategoryId, MarkerFlags, Ns, Profile, StringId, THREAD_STATE_SUFFIX, Thread, TrackKind,
};

/// Slices around everything that a thread does, even if it waits for the next task.
const MESSAGE_LOOPS: [&str; 3] = ["MessagePump::Run", "RunLoop::Run", "ThreadController active"];

/// Categories of work on a GPU.
const GPU_WORK: [&str; 5] = ["gpu_memcpy", "gpu_memset", "kernel", "memcpy", "memset"];

/// Categories that only streams of GPUs have.
const OF_STREAMS: [&str; 3] = ["gpu_memcpy", "gpu_memset", "gpu_user_annotation"];

/// Beginning of the names of streams of GPUs. The category `kernel` alone may also mean the kernel of a system, unless a
/// thread without a name has nothing else.
const STREAM: &str = "stream ";

/// Role of a marker in the time of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A slice that nests, or an operation of a track.
    Work,
    /// An interval that does not nest. It can be work or mean that something was in progress.
    InProgress,
    /// Waiting, a message loop, an annotation, an instant.
    Other,
}

/// The markers of a thread or track that are its work.
#[derive(Clone, Debug)]
pub struct WorkSlices {
    /// Role by number of the attributes.
    roles: Vec<Role>,
    is_stream: bool,
}

impl WorkSlices {
    /// The work of a thread or track.
    #[must_use]
    pub fn of(profile: &Profile, thread: &Thread) -> Self {
        let items = thread.markers.attributes().items();
        let is_one_of = |own: &Attributes, names: &[&str]| is_named(profile, own.category(), names);
        let is_work = |own: &Attributes| is_one_of(own, &GPU_WORK);
        let has_only_work = || !items.is_empty() && items.iter().all(is_work);
        let is_stream = items.iter().any(|own| is_one_of(own, &OF_STREAMS))
            || (thread.name.starts_with(STREAM) && items.iter().any(is_work))
            || (!has_name(thread) && has_only_work());
        let is_loop = |name: StringId| MESSAGE_LOOPS.contains(&profile.strings.get(name));
        let is_thread = thread.kind == TrackKind::Thread;
        let role = |own: &Attributes| {
            let is_other = own.flags.has(MarkerFlags::INSTANT)
                || profile.is_waiting_state(thread, own.name)
                || (is_stream && !is_one_of(own, &GPU_WORK))
                || is_loop(own.name);
            match own.flags.has(MarkerFlags::STACK_BASED) || !is_thread {
                _ if is_other => Role::Other,
                true => Role::Work,
                false => Role::InProgress,
            }
        };
        Self { roles: items.iter().map(role).collect(), is_stream }
    }

    /// True for the stream of a GPU.
    #[must_use]
    pub const fn is_stream(&self) -> bool {
        self.is_stream
    }

    /// True if markers with attributes of this number are work.
    #[must_use]
    pub fn contains(&self, number: usize) -> bool {
        self.roles.get(number) == Some(&Role::Work)
    }

    /// True for work, and for intervals that do not nest unless they are longer than `long`. Graphs show them, because a
    /// thread may have nothing else.
    #[must_use]
    pub fn is_drawn(&self, number: usize, length: Ns, long: Ns) -> bool {
        match self.roles.get(number) {
            Some(Role::Work) => true,
            Some(Role::InProgress) => length <= long,
            Some(Role::Other) | None => false,
        }
    }

    /// True if the thread has work.
    #[must_use]
    pub fn has_work(&self) -> bool {
        self.roles.contains(&Role::Work)
    }
}

/// True if the recording names a thread. Importers name the others by their ids.
fn has_name(thread: &Thread) -> bool {
    !thread.name.is_empty() && thread.name.strip_prefix("Thread ") != Some(thread.tid.as_str())
}

/// True for a track with the states of a thread.
pub(crate) fn is_state_track(profile: &Profile, thread: &Thread) -> bool {
    profile.source.holds_events() && thread.tid.ends_with(THREAD_STATE_SUFFIX)
}

/// True if a category is work on a GPU. Other categories of streams are annotations of the program.
pub(super) fn is_gpu_work(profile: &Profile, category: CategoryId) -> bool {
    is_named(profile, category, &GPU_WORK)
}

fn is_named(profile: &Profile, category: CategoryId, names: &[&str]) -> bool {
    let own = profile.category_name(category);
    names.iter().any(|name| name.eq_ignore_ascii_case(own))
}
