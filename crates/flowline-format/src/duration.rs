//! Durations as text, in two modes.
//!
//! Alone, a duration selects its unit by its size: `4.200 s`, `208.41 ms`, `48.2 µs`, `812 ns`, `3 m 24.8 s`, `2 h 07 m`. It is rounded
//! before the unit is selected, so 999.996 ms are `1.000 s`. In a column, all durations have the [`DurationUnit`] that the heading names, and
//! the same number of decimals, so their digits line up.

use crate::Decimal;
use crate::number::MINUS;

/// Durations from here on round to 1.0 of the next unit.
const FIRST_MICROSECOND: u64 = 1_000;
const FIRST_MILLISECOND: u64 = 999_950;
const FIRST_SECOND: u64 = 999_995_000;
const FIRST_MINUTE: u64 = 59_999_500_000;
const FIRST_HOUR: u64 = 3_599_950_000_000;

const TENTH_NS: u64 = 100_000_000;
const MINUTE_NS: u64 = 60_000_000_000;

/// A duration in nanoseconds in its own unit: `208.41 ms`.
#[must_use]
pub fn format_duration_ns(ns: i64) -> String {
    let mut out = String::new();
    write_duration(&mut out, ns);
    out
}

/// A duration with all its digits where [`format_duration_ns`] has minutes: `2 m 0.3 s (120.329118 s)`. Shorter ones
/// have enough digits.
#[must_use]
pub fn format_duration_full(ns: i64) -> String {
    let text = format_duration_ns(ns);
    if ns.unsigned_abs() < FIRST_MINUTE {
        return text;
    }
    let mut decimal = Decimal::from_u64(ns.unsigned_abs());
    decimal.shift(-9);
    let places = (0..9).rev().find(|places| !ns.unsigned_abs().is_multiple_of(10_u64.pow(9 - places)));
    let mut exact = if ns < 0 { MINUS.to_string() } else { String::new() };
    decimal.write_grouped(&mut exact, places.map_or(0, |places| u8::try_from(places + 1).unwrap_or(9)));
    format!("{text} ({exact} s)")
}

/// Like [`format_duration_ns`] for milliseconds, rounded to whole nanoseconds.
#[must_use]
pub fn format_duration_ms(ms: f64) -> String {
    let mut out = String::new();
    write_duration_ms(&mut out, ms);
    out
}

/// Appends [`format_duration_ms`].
pub fn write_duration_ms(out: &mut String, ms: f64) {
    if ms.is_nan() {
        return out.push_str("<invalid>");
    }
    if ms.is_infinite() {
        return out.push_str(if ms > 0.0 { "∞ s" } else { "−∞ s" });
    }
    #[expect(clippy::cast_possible_truncation, reason = "saturates at 292 years")]
    let ns = (ms * 1e6).round() as i64;
    if ns == 0 && ms != 0.0 {
        return out.push_str("0 ns");
    }
    write_duration(out, ns);
}

/// A duration in whole milliseconds, as browsers report page metrics: `1,386 ms`.
#[must_use]
pub fn format_whole_ms(ns: i64) -> String {
    let mut out = String::new();
    write_rounded(&mut out, ns, 6, 0);
    out.push_str(" ms");
    out
}

fn write_duration(out: &mut String, ns: i64) {
    match ns {
        0 => out.push_str("0 ms"),
        ns => write_as(out, ns, ns.unsigned_abs()),
    }
}

/// Nanoseconds of the last digit of a duration.
pub(crate) const fn last_digit(ns: u64) -> u64 {
    match ns {
        FIRST_HOUR.. => MINUTE_NS,
        FIRST_MINUTE.. => TENTH_NS,
        FIRST_SECOND.. => 1_000_000,
        FIRST_MILLISECOND.. => 10_000,
        FIRST_MICROSECOND.. => 100,
        _ => 1,
    }
}

/// Appends a duration in the unit, and with the decimals, of one of `like` nanoseconds.
pub(crate) fn write_as(out: &mut String, ns: i64, like: u64) {
    let (power, places, unit) = match like {
        FIRST_HOUR.. => return write_hours(out, ns),
        FIRST_MINUTE.. => return write_minutes(out, ns),
        FIRST_SECOND.. => (9, 3, " s"),
        FIRST_MILLISECOND.. => (6, 2, " ms"),
        FIRST_MICROSECOND.. => (3, 1, " µs"),
        _ => (0, 0, " ns"),
    };
    write_rounded(out, ns, power, places);
    out.push_str(unit);
}

/// `3 m 24.8 s`.
fn write_minutes(out: &mut String, ns: i64) {
    let tenths = divide(ns.unsigned_abs(), TENTH_NS);
    if ns < 0 {
        out.push(MINUS);
    }
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    out.push_str(&format!("{} m {}.{tenth} s", seconds / 60, seconds % 60));
}

/// `2 h 07 m`.
fn write_hours(out: &mut String, ns: i64) {
    let minutes = divide(ns.unsigned_abs(), MINUTE_NS);
    if ns < 0 {
        out.push(MINUS);
    }
    Decimal::from_u64(minutes / 60).write_grouped(out, 0);
    out.push_str(&format!(" h {:02} m", minutes % 60));
}

/// The quotient, rounded half up.
fn divide(value: u64, by: u64) -> u64 {
    value / by + u64::from(value % by >= by.div_ceil(2))
}

/// Appends `value` × 10^-`power` with exactly `places` decimals, rounded half away from zero. A number that rounds to zero has no sign.
pub(crate) fn write_rounded(out: &mut String, value: i64, power: i32, places: u8) {
    let mut decimal = Decimal::from_u64(value.unsigned_abs());
    decimal.shift(-power);
    decimal.round(places);
    if value < 0 && !decimal.digits().is_empty() {
        out.push(MINUS);
    }
    decimal.write_grouped(out, places);
}

/// The unit of all durations in a column; its heading names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DurationUnit {
    /// Seconds with three decimals.
    Seconds,
    /// Milliseconds with three decimals.
    #[default]
    Milliseconds,
    /// Microseconds with one decimal.
    Microseconds,
}

impl DurationUnit {
    /// The unit of a column whose longest duration has `ns` nanoseconds, of either sign.
    #[must_use]
    pub const fn of_longest(ns: i64) -> Self {
        match ns.unsigned_abs() {
            10_000_000_000.. => Self::Seconds,
            1_000_000.. => Self::Milliseconds,
            _ => Self::Microseconds,
        }
    }

    /// The unit of a column of durations in nanoseconds; milliseconds if it has none.
    #[must_use]
    pub fn of_column(lengths: impl IntoIterator<Item = i64>) -> Self {
        lengths
            .into_iter()
            .map(i64::unsigned_abs)
            .max()
            .map_or(Self::default(), |longest| Self::of_longest(i64::try_from(longest).unwrap_or(i64::MAX)))
    }

    /// Its symbol.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
        }
    }

    /// Heading of a column: `Total ms`.
    #[must_use]
    pub fn heading(self, title: &str) -> String {
        format!("{title} {}", self.symbol())
    }

    /// A duration in this unit, without its symbol: `208.412`.
    #[must_use]
    pub fn format(self, ns: i64) -> String {
        let (power, places) = match self {
            Self::Seconds => (9, 3),
            Self::Milliseconds => (6, 3),
            Self::Microseconds => (3, 1),
        };
        let mut out = String::new();
        write_rounded(&mut out, ns, power, places);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_alone_select_their_unit_after_rounding() {
        let rows: &[(i64, &str)] = &[
            (0, "0 ms"),
            (1, "1 ns"),
            (812, "812 ns"),
            (999, "999 ns"),
            (1_000, "1.0 µs"),
            (48_200, "48.2 µs"),
            (48_249, "48.2 µs"),
            (48_250, "48.3 µs"),
            (999_949, "999.9 µs"),
            (999_950, "1.00 ms"),
            (208_412_000, "208.41 ms"),
            (999_994_999, "999.99 ms"),
            (999_996_000, "1.000 s"),
            (4_200_000_000, "4.200 s"),
            (59_999_499_999, "59.999 s"),
            (59_999_500_000, "1 m 0.0 s"),
            (204_849_999_999, "3 m 24.8 s"),
            (204_850_000_000, "3 m 24.9 s"),
            (3_599_949_999_999, "59 m 59.9 s"),
            (3_599_950_000_000, "1 h 00 m"),
            (7_649_000_000_000, "2 h 07 m"),
            (123_456_789_000_000, "34 h 18 m"),
            (-3_000_000, "−3.00 ms"),
            (-123_456_000_000, "−2 m 3.5 s"),
            (i64::MIN, "−2,562,047 h 47 m"),
        ];
        for (ns, expected) in rows {
            assert_eq!(format_duration_ns(*ns), *expected, "{ns} ns");
        }
    }

    #[test]
    fn minutes_have_all_digits_beside_them() {
        for (ns, expected) in [
            (120_329_118_000, "2 m 0.3 s (120.329118 s)"),
            (120_000_000_000, "2 m 0.0 s (120 s)"),
            (59_999_500_000, "1 m 0.0 s (59.9995 s)"),
            (59_999_499_999, "59.999 s"),
            (7_649_000_000_001, "2 h 07 m (7,649.000000001 s)"),
            (-123_456_000_000, "−2 m 3.5 s (−123.456 s)"),
        ] {
            assert_eq!(format_duration_full(ns), expected, "{ns}");
        }
    }

    #[test]
    fn milliseconds_agree_with_nanoseconds() {
        for ns in [0, 1, 1_500, 999_950, 12_345_679, 59_500_000_000, 3_599_500_000_000, -3_000_000] {
            assert_eq!(format_duration_ms(ns as f64 / 1e6), format_duration_ns(ns), "{ns} ns as ms");
        }
        let rows = [
            (999.996, "1.000 s"),
            (1e-9, "0 ns"),
            (f64::NAN, "<invalid>"),
            (f64::INFINITY, "∞ s"),
            (f64::NEG_INFINITY, "−∞ s"),
            (1e300, "2,562,047 h 47 m"),
        ];
        for (ms, expected) in rows {
            assert_eq!(format_duration_ms(ms), expected, "{ms} ms");
        }
    }

    #[test]
    fn page_metrics_are_whole_milliseconds() {
        for (ns, expected) in [(1_386_499_999, "1,386 ms"), (1_386_500_000, "1,387 ms"), (0, "0 ms"), (-1, "0 ms")] {
            assert_eq!(format_whole_ms(ns), expected);
        }
    }

    #[test]
    fn columns_have_one_unit() {
        for (longest, unit) in [
            (10_000_000_000, DurationUnit::Seconds),
            (9_999_999_999, DurationUnit::Milliseconds),
            (1_000_000, DurationUnit::Milliseconds),
            (999_999, DurationUnit::Microseconds),
            (0, DurationUnit::Microseconds),
            (i64::MIN, DurationUnit::Seconds),
        ] {
            assert_eq!(DurationUnit::of_longest(longest), unit, "{longest}");
        }
        let column = [208_412_000, 22_000_000, 48_000, 0, -1_500];
        let unit = DurationUnit::of_column(column);
        assert_eq!(unit.heading("Total"), "Total ms");
        assert_eq!(column.map(|ns| unit.format(ns)), ["208.412", "22.000", "0.048", "0.000", "−0.002"]);
        assert_eq!(DurationUnit::of_column([]), DurationUnit::Milliseconds);
        assert_eq!(DurationUnit::Microseconds.format(48_249), "48.2");
        assert_eq!(DurationUnit::Seconds.format(1_234_567_890_123), "1,234.568");
        assert_eq!(DurationUnit::Milliseconds.format(-400), "0.000", "a zero has no sign");
    }

    /// Nanoseconds that a text states, and half of its last digit.
    fn parse_back(text: &str) -> (i128, i128) {
        let (mut total, mut step) = (0, 0);
        let words: Vec<&str> = text.split(' ').collect();
        for pair in words.chunks(2) {
            let [number, unit] = pair else { panic!("{text}: a number without a unit") };
            let per_unit: i128 = match *unit {
                "h" => 3_600_000_000_000,
                "m" => 60_000_000_000,
                "s" => 1_000_000_000,
                "ms" => 1_000_000,
                "µs" => 1_000,
                "ns" => 1,
                other => panic!("{text}: unit {other}"),
            };
            let plain = number.replace(',', "");
            let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
            let digits: i128 = format!("{whole}{fraction}").parse().expect("digits");
            step = per_unit / 10_i128.pow(u32::try_from(fraction.len()).expect("few digits"));
            total += digits * step;
        }
        (total, step.div_euclid(2) + step % 2)
    }

    /// Durations of all sizes, more of them around the limits of the units.
    fn samples() -> Vec<i64> {
        let limits = [0, FIRST_MICROSECOND, FIRST_MILLISECOND, FIRST_SECOND, FIRST_MINUTE, FIRST_HOUR];
        let around = limits.into_iter().flat_map(|limit| (0..60).map(move |by| (limit + by).saturating_sub(30)));
        let mut state = 1_u64;
        let spread = (0..4_000).map(move |number| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 1) >> (number % 63)
        });
        let mut all: Vec<i64> = around.chain(spread).filter_map(|ns| i64::try_from(ns).ok()).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn texts_state_their_duration_within_their_precision() {
        for ns in samples() {
            let text = format_duration_ns(ns);
            let (stated, half) = parse_back(&text);
            assert!((stated - i128::from(ns)).abs() <= half, "{ns} ns are {text}");
        }
    }

    #[test]
    fn longer_durations_never_read_shorter() {
        let all = samples();
        for pair in all.windows(2) {
            let [one, other] = [pair[0], pair[1]].map(|ns| parse_back(&format_duration_ns(ns)).0);
            assert!(one <= other, "{} and {} ns", pair[0], pair[1]);
        }
    }

    #[test]
    fn decimals_are_constant_within_a_column() {
        for longest in samples() {
            let unit = DurationUnit::of_longest(longest);
            let decimals = |ns: i64| unit.format(ns).split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let width = decimals(longest);
            assert_eq!(width, if unit == DurationUnit::Microseconds { 1 } else { 3 });
            for ns in [0, 1, longest / 7, longest / 2] {
                assert_eq!(decimals(ns), width, "{ns} of {longest} ns");
                assert!(unit.format(ns).len() <= unit.format(longest).len(), "{ns} of {longest} ns");
            }
        }
    }
}
