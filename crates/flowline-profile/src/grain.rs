//! How work is cut into jobs.

/// The number of items that one job of a parallel loop handles at most: a single one, because threads differ much in size;
/// more if there are so many items that jobs would cost more than they do.
#[must_use]
pub const fn max_job_len(items: usize) -> usize {
    let len = items / 2048;
    if len == 0 { 1 } else { len }
}

/// Whether a core waits for work, as far as this thread of the pool can tell: nobody has left any of its own for others.
#[must_use]
pub fn is_a_core_idle() -> bool {
    rayon_core::current_thread_has_pending_tasks() != Some(true)
}

/// The numbers of items in the order in which they should be begun, the largest first: one that is begun last keeps one core busy
/// alone.
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
    fn the_largest_come_first_and_equal_ones_stay_in_order() {
        assert_eq!(largest_first([3, 9, 3, 0, 9].into_iter()), [1, 4, 0, 2, 3]);
        assert!(largest_first(std::iter::empty()).is_empty());
    }
}
