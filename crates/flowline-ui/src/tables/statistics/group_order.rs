//! The sort order of the groups.

use std::cmp::Ordering;

use super::columns::SortBy;
use super::statistics_result::Answer;

/// The shown group numbers of an answer, and the number of hidden ones: groups of instants have no duration. If no group has
/// one, all are shown.
pub(super) fn shown_order(answer: &Answer, by: SortBy, is_descending: bool, with_instants: bool) -> (Vec<u32>, usize) {
    let order = ordered(answer, by, is_descending);
    let has_length = |at: &u32| answer.groups[*at as usize].lengths.is_some();
    let hidden = order.len() - order.iter().filter(|at| has_length(at)).count();
    if with_instants || hidden == order.len() {
        return (order, hidden);
    }
    (order.into_iter().filter(has_length).collect(), hidden)
}

/// Sorted group numbers of an answer.
pub(super) fn ordered(answer: &Answer, by: SortBy, is_descending: bool) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(answer.groups.len()).collect();
    match by {
        SortBy::Key(key) => order.sort_by_cached_key(|at| {
            answer.names[*at as usize].get(key).map_or_else(String::new, |name| name.to_lowercase())
        }),
        SortBy::Number(number) => {
            let value = |at: &u32| number.value(&answer.groups[*at as usize], answer.span);
            // Groups without a value come last in both directions.
            order.sort_by(|a, b| match (value(a), value(b)) {
                (Some(a), Some(b)) if is_descending => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => Ordering::Equal,
            });
            return order;
        }
    }
    if is_descending {
        order.reverse();
    }
    order
}
