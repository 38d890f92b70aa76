//! Priority of the worker threads.

use rayon::ThreadPoolBuilder;

/// Nice value of the pool's threads, 0 to 19.
const NICENESS: i32 = 5;

/// Lowers the priority of the pool's threads. If there are as many pool threads as cores, a search or a sort would
/// otherwise delay drawing by several milliseconds. While the window is idle, the pool is as fast as before. Call this
/// before the pool is first used; later calls have no effect.
pub fn lower_worker_priority() {
    // If the system refuses, drawing is only less smooth.
    let lower = |_| {
        let _as_before = rustix::process::setpriority_process(None, NICENESS);
    };
    let _built_before = ThreadPoolBuilder::new().start_handler(lower).build_global();
}
