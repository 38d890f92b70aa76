//! Orders callers before their callees. Regular tables already have this order.

use crate::firefox::threads::sentinels::NONE;

/// Repairs of a stack table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OrderRepair {
    /// An order in which callers come first; `None` if the table already has it.
    pub(super) order: Option<Vec<u32>>,
    /// Number of callers that are not in the table; their stacks became roots.
    pub(super) unknown: u64,
    /// Number of stacks that precede their callers or are in a call cycle; cycles were broken.
    pub(super) disordered: u64,
}

/// Checks the callers of stacks, and removes those that are not in the table or close a cycle. Linear time for any
/// input.
pub(super) fn callers_first(prefix: &mut [u32]) -> OrderRepair {
    let mut repair = OrderRepair::default();
    let count = prefix.len();
    for (own, caller) in prefix.iter_mut().enumerate() {
        let number = *caller as usize;
        if *caller == NONE || number < own {
            continue;
        }
        if number >= count {
            *caller = NONE;
            repair.unknown += 1;
        } else {
            repair.disordered += 1;
        }
    }
    if repair.disordered > 0 {
        repair.order = Some(order(prefix));
    }
    repair
}

/// An order in which callers come first; breaks cycles.
fn order(prefix: &mut [u32]) -> Vec<u32> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnPath,
        Done,
    }
    let mut states = vec![State::New; prefix.len()];
    let mut order = Vec::with_capacity(prefix.len());
    let mut path: Vec<usize> = Vec::new();
    for start in 0..prefix.len() {
        let mut stack = start;
        while states[stack] == State::New {
            states[stack] = State::OnPath;
            path.push(stack);
            let caller = prefix[stack];
            if caller == NONE {
                break;
            }
            if states[caller as usize] == State::OnPath {
                prefix[stack] = NONE;
                break;
            }
            stack = caller as usize;
        }
        while let Some(stack) = path.pop() {
            states[stack] = State::Done;
            order.push(u32::try_from(stack).unwrap_or(NONE));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_tables_stay_as_they_are() {
        let mut prefix = [NONE, 0, 1, 0, NONE];
        assert_eq!(callers_first(&mut prefix), OrderRepair::default());
        assert_eq!(prefix, [NONE, 0, 1, 0, NONE]);
    }

    #[test]
    fn forward_callers_are_kept_and_cycles_are_broken() {
        // 0 is called by 2, 1 and 3 by each other, 4 by itself, 5 by a stack that does not exist.
        let mut prefix = [2, 3, NONE, 1, 4, 99];
        let repair = callers_first(&mut prefix);
        assert_eq!((repair.unknown, repair.disordered), (1, 3));
        assert_eq!(prefix, [2, 3, NONE, NONE, NONE, NONE]);
        let order = repair.order.expect("another order");
        let place = |stack: u32| order.iter().position(|other| *other == stack).expect("in it");
        assert_eq!(order.len(), 6);
        assert!(place(2) < place(0) && place(3) < place(1));
    }
}
