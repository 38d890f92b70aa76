//! First-fit packing: finds the lowest row that is free at a given time, in O(log rows).

/// Rows and the times at which they become free.
#[derive(Debug)]
pub(crate) struct FirstFit {
    /// A tournament tree: node i is the minimum of its children 2i and 2i+1; leaves start at `capacity`.
    tree: Vec<i64>,
    capacity: usize,
    rows: usize,
}

impl FirstFit {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { tree: vec![i64::MIN; 2], capacity: 1, rows: 0 }
    }

    /// Number of rows used so far.
    #[cfg(test)]
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Places an interval on the lowest row that is free at `start`; returns the row.
    pub(crate) fn place(&mut self, start: i64, end: i64) -> usize {
        if self.tree[1] > start {
            self.grow();
        }
        self.descend(1, start, end)
    }

    /// Places an interval on the first free row in the subtree of a node.
    fn descend(&mut self, mut node: usize, start: i64, end: i64) -> usize {
        while node < self.capacity {
            node *= 2;
            node += usize::from(self.tree[node] > start);
        }
        let row = node - self.capacity;
        self.rows = self.rows.max(row + 1);
        self.tree[node] = end;
        while node > 1 {
            node /= 2;
            let least = self.tree[node * 2].min(self.tree[node * 2 + 1]);
            if self.tree[node] == least {
                // The nodes above do not change either.
                break;
            }
            self.tree[node] = least;
        }
        row
    }

    /// Like [`FirstFit::place`], but on row `least` or a later one.
    pub(crate) fn place_from(&mut self, least: usize, start: i64, end: i64) -> usize {
        while least >= self.capacity {
            self.grow();
        }
        // Climb from the first allowed row until a subtree to the right has a free row, then descend into it.
        let mut node = self.capacity + least;
        while self.tree[node] > start {
            while node > 1 && node % 2 == 1 {
                node /= 2;
            }
            if node <= 1 {
                self.grow();
                node = self.capacity / 2 + self.capacity;
            } else {
                node += 1;
            }
        }
        self.descend(node, start, end)
    }

    /// Doubles the number of rows; new rows are free.
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.tree);
        let leaves = &old[self.capacity..];
        self.tree = vec![i64::MIN; self.capacity * 4];
        self.capacity *= 2;
        self.tree[self.capacity..self.capacity + leaves.len()].copy_from_slice(leaves);
        for node in (1..self.capacity).rev() {
            self.tree[node] = self.tree[node * 2].min(self.tree[node * 2 + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_linear_search() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut random = |limit: u64| rng.u64(..limit);
        let (mut fit, mut naive) = (FirstFit::new(), Vec::<i64>::new());
        let mut start = 0_i64;
        for _ in 0..5_000 {
            start += random(4) as i64;
            let end = start + random(200) as i64;
            let expected = naive.iter().position(|&free| free <= start).unwrap_or(naive.len());
            if expected == naive.len() {
                naive.push(end);
            } else {
                naive[expected] = end;
            }
            assert_eq!(fit.place(start, end), expected);
        }
        assert_eq!(fit.rows(), naive.len());
    }

    #[test]
    fn a_least_row_agrees_with_a_linear_search() {
        let mut rng = fastrand::Rng::with_seed(9);
        let mut random = |limit: u64| rng.u64(..limit);
        let (mut fit, mut naive) = (FirstFit::new(), Vec::<i64>::new());
        let mut start = 0_i64;
        for _ in 0..5_000 {
            start += random(4) as i64;
            let (end, least) = (start + random(200) as i64, usize::try_from(random(60)).expect("small"));
            let expected = (least..).find(|&row| naive.get(row).is_none_or(|&free| free <= start)).expect("a row");
            naive.resize(naive.len().max(expected + 1), i64::MIN);
            naive[expected] = end;
            assert_eq!(fit.place_from(least, start, end), expected);
        }
    }
}
