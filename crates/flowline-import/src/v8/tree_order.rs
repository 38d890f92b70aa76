//! Orders nodes that refer to their parents, from the roots to the leaves.

/// No parent.
const NONE: u32 = u32::MAX;

/// The nodes that descend from the roots, each once: parents first, siblings in numeric order. `parents` contains the
/// parent of each node, or a number beyond all nodes. The parents of roots are ignored.
pub(crate) fn parents_first(parents: &[u32], roots: &[u32]) -> Vec<u32> {
    let count = parents.len();
    let parent_of = |node: usize| parents.get(parents[node] as usize).map(|_| parents[node] as usize);
    // The children of all nodes, concatenated; `first` contains the offset of each node's children.
    let mut first = vec![0_u32; count + 1];
    for parent in (0..count).filter_map(parent_of) {
        first[parent + 1] += 1;
    }
    for at in 0..count {
        first[at + 1] += first[at];
    }
    let mut children = vec![NONE; first[count] as usize];
    let mut next = first.clone();
    for node in 0..count {
        if let Some(parent) = parent_of(node) {
            children[next[parent] as usize] = u32::try_from(node).unwrap_or(NONE);
            next[parent] += 1;
        }
    }
    let mut seen = vec![false; count];
    let mut order: Vec<u32> = Vec::with_capacity(count);
    let mut add = |node: u32, order: &mut Vec<u32>| {
        if let Some(seen) = seen.get_mut(node as usize)
            && !std::mem::replace(seen, true)
        {
            order.push(node);
        }
    };
    roots.iter().for_each(|root| add(*root, &mut order));
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        let (from, to) = (first[node as usize] as usize, first[node as usize + 1] as usize);
        children[from..to].iter().for_each(|child| add(*child, &mut order));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_cycles_are_left_out() {
        // 3 is the root; 5 and 6 are a cycle with 7 below it; 8 has a missing parent.
        let parents = [1, 3, 3, NONE, 0, 6, 5, 6, 99];
        assert_eq!(parents_first(&parents, &[3]), [3, 1, 2, 0, 4]);
        assert_eq!(parents_first(&parents, &[3, 8, 77, 3]), [3, 8, 1, 2, 0, 4]);
        assert_eq!(parents_first(&[0, 0], &[0]), [0, 1], "a node that is its own parent");
        assert_eq!(parents_first(&[], &[0]), [0; 0]);
    }

    #[test]
    fn a_root_in_a_cycle_breaks_it() {
        assert_eq!(parents_first(&[2, 0, 1], &[1]), [1, 2, 0]);
    }
}
