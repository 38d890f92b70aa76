//! Natural sort order of names: `Worker-2` before `Worker-10`, ignoring case.

use std::cmp::Ordering;

/// Compares two names. Runs of decimal digits are compared as numbers; the rest is compared by character, ignoring
/// case. Names that are equal by these rules are ordered as text, so only identical names compare as equal.
#[must_use]
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let order = match (digits(rest_a), digits(rest_b)) {
            (0, 0) => {
                let (mut chars_a, mut chars_b) = (rest_a.chars(), rest_b.chars());
                let (next_a, next_b) = (chars_a.next(), chars_b.next());
                (rest_a, rest_b) = (chars_a.as_str(), chars_b.as_str());
                match (next_a, next_b) {
                    (None, None) => return a.cmp(b),
                    (Some(a), Some(b)) if a == b => Ordering::Equal,
                    (Some(a), Some(b)) => a.to_lowercase().cmp(b.to_lowercase()),
                    (a, b) => a.is_some().cmp(&b.is_some()),
                }
            }
            // One name has a number where the other has none or has ended.
            (0, _) | (_, 0) => rest_a.to_lowercase().cmp(&rest_b.to_lowercase()),
            (in_a, in_b) => {
                let (number_a, number_b);
                (number_a, rest_a) = rest_a.split_at(in_a);
                (number_b, rest_b) = rest_b.split_at(in_b);
                let (number_a, number_b) = (number_a.trim_start_matches('0'), number_b.trim_start_matches('0'));
                number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b))
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Number of decimal digits at the beginning.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let sorted = [
            "",
            "1",
            "2",
            "10",
            "a",
            "A1",
            "a01x",
            "a1y",
            "a2",
            "CrRendererMain",
            "Thread 9",
            "Thread 10",
            "Worker",
            "worker",
            "Worker-2",
            "Worker-2-b",
            "Worker-10",
            "Worker-10-a",
            "Worker-99999999999999999999999",
            "ä2",
        ];
        for (at, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(compare(a, b), at.cmp(&other), "{a} and {b}");
            }
        }
    }
}
