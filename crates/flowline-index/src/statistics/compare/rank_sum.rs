//! The rank sum test of Mann and Whitney. It tests if the values of one set tend to be greater than those of another,
//! for any distribution. Source: Mann and Whitney 1947; tie correction as in Lehmann, *Nonparametrics*, 1975.

use rayon::slice::ParallelSliceMut as _;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSum {
    /// Number of pairs in which the value of A is greater; ties count half.
    pub u: f64,
    /// Two-sided p-value: the probability of a difference at least this large if both sets have the same distribution.
    /// Normal approximation with tie and continuity corrections.
    pub p: f64,
    /// Probability that a value of B is greater than a value of A; ties count half. 0.5 if neither side tends to be
    /// greater.
    pub greater: f64,
}

/// Compares two sets and sorts them in place. `p` is 1 if a set is empty.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts below 2^53")]
pub fn rank_sum(a: &mut [u64], b: &mut [u64]) -> RankSum {
    a.par_sort_unstable();
    b.par_sort_unstable();
    let (mut at_a, mut at_b) = (0, 0);
    // Twice the number of pairs that A wins, and the sum of t^3 - t over ties of t values.
    let (mut twice, mut ties) = (0_u128, 0_f64);
    while at_a < a.len() || at_b < b.len() {
        let value = match (a.get(at_a), b.get(at_b)) {
            (Some(a), Some(b)) => *a.min(b),
            (Some(a), None) => *a,
            (None, Some(b)) => *b,
            (None, None) => break,
        };
        let run = |rest: &[u64]| rest.iter().take_while(|other| **other == value).count();
        let (same_a, same_b) = (run(&a[at_a..]), run(&b[at_b..]));
        twice += same_a as u128 * (2 * at_b as u128 + same_b as u128);
        let same = (same_a + same_b) as f64;
        ties += same * (same * same - 1.0);
        at_a += same_a;
        at_b += same_b;
    }
    let (n, m) = (a.len() as f64, b.len() as f64);
    let (u, pairs) = (twice as f64 / 2.0, n * m);
    if pairs == 0.0 {
        return RankSum { u, p: 1.0, greater: 0.5 };
    }
    let all = n + m;
    let variance = pairs / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    let distance = ((u - pairs / 2.0).abs() - 0.5).max(0.0);
    // The variance is zero if all values are equal, so there is no difference.
    let p = if variance > 0.0 { erfc(distance / (2.0 * variance).sqrt()).min(1.0) } else { 1.0 };
    RankSum { u, p, greater: 1.0 - u / pairs }
}

/// The complementary error function of a non-negative number: a power series for small numbers, a continued fraction
/// for others (Abramowitz and Stegun 7.1.6 and 7.1.14).
fn erfc(x: f64) -> f64 {
    let root_pi = std::f64::consts::PI.sqrt();
    if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 1.0 - 2.0 / root_pi * (-x * x).exp() * sum;
    }
    let fraction = (1..=80).rev().fold(x, |rest, n| x + f64::from(n) / 2.0 / rest);
    (-x * x).exp() / root_pi / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_has_its_known_values() {
        for (x, expected) in [
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_13),
            (2.0, 0.004_677_734_981_047_266),
            (2.6, 0.000_236_034_416_528_486),
            (3.0, 0.000_022_090_496_998_585_44),
            (5.0, 1.537_459_794_428_035e-12),
        ] {
            assert!((erfc(x) / expected - 1.0).abs() < 1e-9, "erfc({x}) = {}", erfc(x));
        }
    }

    #[test]
    fn small_sets_agree_with_manual_computation() {
        // 1 2 2 3 | 2 4 5: A wins 0 + 0.5 + 0.5 + 1 = 2 of 12 pairs. Variance: 12/12 (8 - 24/42) = 7.428571.
        let found = rank_sum(&mut [3, 2, 1, 2], &mut [5, 2, 4]);
        assert_eq!(found.u, 2.0);
        // z = (4 - 0.5) / 2.725541 = 1.284149, two-sided p = 0.199089.
        assert!((found.p - 0.199_09).abs() < 1e-4, "{found:?}");
        assert!((found.greater - 10.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn equal_or_empty_sets_do_not_differ() {
        for (a, b) in [(vec![7; 30], vec![7; 25]), (vec![], vec![1, 2]), (vec![], vec![])] {
            assert_eq!(rank_sum(&mut a.clone(), &mut b.clone()).p, 1.0);
        }
        assert!(rank_sum(&mut [1; 40].to_vec(), &mut [2; 40].to_vec()).p < 1e-10);
    }

    #[test]
    fn pair_counts_agree_with_a_naive_count() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let most = random.u64(1..40);
            let mut set = || (0..random.usize(1..60)).map(|_| random.u64(0..most)).collect::<Vec<u64>>();
            let (mut a, mut b) = (set(), set());
            let won = |a: u64, b: u64| {
                if a > b {
                    1.0
                } else if a == b {
                    0.5
                } else {
                    0.0
                }
            };
            let naive: f64 = a.iter().flat_map(|a| b.iter().map(move |b| won(*a, *b))).sum();
            let found = rank_sum(&mut a, &mut b);
            assert_eq!(found.u, naive);
            let other = rank_sum(&mut b, &mut a);
            assert_eq!(other.u, (a.len() * b.len()) as f64 - naive);
            assert!((found.p - other.p).abs() < 1e-12 && (0.0..=1.0).contains(&found.p));
        }
    }
}
