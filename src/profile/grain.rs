//! How work is cut into jobs.

/// The number of items that one job of a parallel loop handles at most: a single one, because threads differ much in size;
/// more if there are so many items that jobs would cost more than they do.
#[must_use]
pub const fn max_job_len(items: usize) -> usize {
    let len = items / 2048;
    if len == 0 { 1 } else { len }
}
