//! Priority of the worker threads.

use rayon::ThreadPoolBuilder;

/// Nice value of the pool's threads, 0 to 19.
const NICENESS: i32 = 5;

/// Lowers the priority of the pool's threads. On a machine with as many pool threads as cores, a search or a sort would
/// otherwise delay drawing by several milliseconds. Without a busy window, the pool is as fast as before.
/// Call it before the pool is first used; later it has no effect.
pub fn give_way_to_window() {
    // If the system refuses, only the window's smoothness suffers.
    let lower = |_| {
        let _as_before = rustix::process::setpriority_process(None, NICENESS);
    };
    let _built_before = ThreadPoolBuilder::new().start_handler(lower).build_global();
}
