//! The threads that work beside the window.

use rayon::ThreadPoolBuilder;

/// How much the pool gives way to the threads that draw, on the system's scale from 0 to 19.
const NICENESS: i32 = 5;

/// Has the pool give way to the window: where there are no more cores than threads of the pool, a search or a sort
/// would otherwise keep the window from drawing for several milliseconds at a time. What nobody waits for at the window
/// runs as fast as before.
///
/// To be called before the pool is used first; later it changes nothing.
pub fn give_way_to_window() {
    // A priority that the system does not lower changes nothing but how smooth the window is.
    let lower = |_| {
        let _as_before = rustix::process::setpriority_process(None, NICENESS);
    };
    let _built_before = ThreadPoolBuilder::new().start_handler(lower).build_global();
}
