//! The parts of a duration as text.

use std::cmp::Reverse;

use crate::duration::{last_digit, write_as};

/// The parts of a duration, in its unit and with its decimals, so that their digits add up to those of
/// [`format_duration_ns`](crate::format_duration_ns) for their sum. `None` for a part that rounds to nothing.
#[must_use]
pub fn format_parts(parts: &[i64]) -> Vec<Option<String>> {
    let lengths: Vec<u64> = parts.iter().map(|ns| u64::try_from(*ns).unwrap_or(0)).collect();
    let total = lengths.iter().fold(0, |sum: u64, ns| sum.saturating_add(*ns));
    let step = last_digit(total);
    let mut digits: Vec<u64> = lengths.iter().map(|ns| ns / step).collect();
    let rounded = total / step + u64::from(total % step >= step.div_ceil(2));
    let mut missing = rounded.saturating_sub(digits.iter().fold(0, |sum: u64, part| sum.saturating_add(*part)));
    // The parts that lose most when they are cut get the missing digits.
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|at| (Reverse(lengths[*at] % step), *at));
    for at in order {
        let one = missing.min(1);
        digits[at] += one;
        missing -= one;
    }
    let text = |part: u64| {
        let mut out = String::new();
        write_as(&mut out, i64::try_from(part.saturating_mul(step)).unwrap_or(i64::MAX), total);
        out
    };
    digits.into_iter().map(|part| (part > 0).then(|| text(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format_duration_ns;

    fn texts(parts: &[i64]) -> Vec<String> {
        format_parts(parts).into_iter().map(Option::unwrap_or_default).collect()
    }

    #[test]
    fn parts_have_the_unit_of_their_sum_and_add_up() {
        assert_eq!(texts(&[1_110_000, 154_790_000]), ["1.11 ms", "154.79 ms"]);
        assert_eq!(texts(&[333_333, 333_333, 333_334]), ["0.33 ms", "0.33 ms", "0.34 ms"]);
        assert_eq!(texts(&[1_110_000, 1_233_890_000]), ["0.001 s", "1.234 s"]);
        assert_eq!(texts(&[4_000, 155_896_000]), ["", "155.90 ms"], "a part below the last digit");
        assert_eq!(texts(&[30_000_000_000, 30_000_000_000]), ["0 m 30.0 s", "0 m 30.0 s"]);
        assert_eq!(texts(&[7, 5]), ["7 ns", "5 ns"]);
        assert_eq!(texts(&[0, 0]), ["", ""]);
        assert_eq!(texts(&[]), Vec::<String>::new());
    }

    #[test]
    fn the_digits_of_the_parts_add_up_to_those_of_the_sum() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from((state >> 20) % below).expect("small")
        };
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>();
        for round in 0..4_000 {
            let below = 10_u64.pow(1 + round % 10);
            let parts: Vec<i64> = (0..=random(5)).map(|_| random(below)).collect();
            let sum: i64 = parts.iter().sum();
            let total = format_duration_ns(sum);
            let stated: u64 = texts(&parts).iter().filter_map(|text| digits(text).ok()).sum();
            if sum > 0 && sum < 59_000_000_000 {
                assert_eq!(Ok(stated), digits(&total), "{parts:?}: {total}");
            }
        }
    }
}
