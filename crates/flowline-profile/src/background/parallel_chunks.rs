//! Splitting work into parallel jobs.

/// Parallel chunk size: the maximum number of items per job. It is 1, because threads differ widely in size, unless
/// there are so many items that the overhead of jobs would dominate.
#[must_use]
#[inline]
pub const fn parallel_chunk_size(items: usize) -> usize {
    let len = items / 2048;
    if len == 0 { 1 } else { len }
}

/// True if a core is probably idle: this pool thread has no pending tasks that another thread could steal.
#[must_use]
#[inline]
pub fn is_a_core_idle() -> bool {
    rayon_core::current_thread_has_pending_tasks() != Some(true)
}

/// Item indexes in the order in which to start them, largest first: a large item that starts last would keep a single
/// core busy at the end.
#[must_use]
pub fn largest_first(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    let sizes: Vec<usize> = sizes.collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|item| std::cmp::Reverse(sizes[*item]));
    order
}

#[cfg(test)]
mod tests {
    use super::largest_first;

    #[test]
    fn the_largest_come_first_and_ties_keep_their_order() {
        assert_eq!(largest_first([3, 9, 3, 0, 9].into_iter()), [1, 4, 0, 2, 3]);
        assert!(largest_first(std::iter::empty()).is_empty());
    }
}
