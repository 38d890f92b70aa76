//! Points in time as text: milliseconds on the displayed clock, and labels of a ruler.

use crate::duration::write_rounded;
use crate::number::MINUS;
use crate::{Ns, format_count};

/// A point in time in milliseconds with three decimals: `1,040.238 ms`.
#[must_use]
pub fn format_time(time: Ns) -> String {
    format!("{} ms", format_time_column(time))
}

/// A point in time in a column whose heading names the unit: `1,040.238`.
#[must_use]
pub fn format_time_column(time: Ns) -> String {
    let mut out = String::new();
    write_rounded(&mut out, time.0, 6, 3);
    out
}

/// A point in time, or a length, in milliseconds with all its nanoseconds, for copies and hover texts: at least three decimals.
#[must_use]
pub fn format_time_exact(time: Ns) -> String {
    let ns = time.0.unsigned_abs();
    let places = match ns {
        ns if ns.is_multiple_of(1_000) => 3,
        ns if ns.is_multiple_of(100) => 4,
        ns if ns.is_multiple_of(10) => 5,
        _ => 6,
    };
    let mut out = String::new();
    write_rounded(&mut out, time.0, 6, places);
    out.push_str(" ms");
    out
}

/// Rulers that reach this time show minutes.
const FIRST_CLOCK_NS: u64 = 120_000_000_000;

/// A point in time with only the decimals that ticks `step` nanoseconds apart need: `900 ms`, `1.2 s`. On a ruler to
/// `longest`, all times have the same form.
#[must_use]
pub fn format_tick(time: Ns, step: i64, longest: Ns) -> String {
    let ns = time.0.unsigned_abs();
    let step = step.unsigned_abs().max(1);
    let sign = if time.0 < 0 { String::from(MINUS) } else { String::new() };
    let (per_unit, unit): (u64, &str) = match step {
        1_000_000_000.. if ns.max(longest.0.unsigned_abs()) >= FIRST_CLOCK_NS => {
            return format!("{sign}{}", format_clock(ns));
        }
        // Tenths of a second are easier to compare in milliseconds; fifths have fewer digits in seconds.
        200_000_000.. => (1_000_000_000, "s"),
        100_000.. => (1_000_000, "ms"),
        100.. => (1_000, "µs"),
        _ => (1, "ns"),
    };
    let mut decimals = 0;
    let mut smallest = per_unit;
    while smallest > step && decimals < 9 {
        smallest /= 10;
        decimals += 1;
    }
    let whole = format_count(ns / per_unit);
    if decimals == 0 {
        return format!("{sign}{whole} {unit}");
    }
    let fraction = (ns % per_unit) / smallest;
    format!("{sign}{whole}.{fraction:0decimals$} {unit}")
}

/// Hours, minutes and seconds of a long time on a ruler: `1:02:03` or `2:03`.
#[must_use]
pub fn format_clock(ns: u64) -> String {
    let seconds = ns / 1_000_000_000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_decimals() {
        for (ns, expected) in [
            (1_040_238_112, "1,040.238 ms"),
            (10_200_512_500, "10,200.513 ms"),
            (0, "0.000 ms"),
            (1, "0.000 ms"),
            (-1, "0.000 ms"),
            (-12_500_000, "−12.500 ms"),
            (999_999_999_500, "1,000,000.000 ms"),
        ] {
            assert_eq!(format_time(Ns(ns)), expected, "{ns}");
        }
        assert_eq!(format_time_column(Ns(1_040_238_112)), "1,040.238");
    }

    #[test]
    fn exact_times_show_every_nanosecond_that_matters() {
        for (ns, expected) in [
            (10_200_512_000, "10,200.512 ms"),
            (1, "0.000001 ms"),
            (-1_500_000, "−1.500 ms"),
            (1_234_500, "1.2345 ms"),
            (1_234_560, "1.23456 ms"),
            (1_234_567_890_123_456, "1,234,567,890.123456 ms"),
            (i64::MIN, "−9,223,372,036,854.775808 ms"),
        ] {
            assert_eq!(format_time_exact(Ns(ns)), expected);
        }
    }

    #[test]
    fn ticks_have_the_digits_their_step_needs() {
        let cases = [
            (900_000_000, 100_000_000, "900 ms"),
            (1_000_000_000, 100_000_000, "1,000 ms"),
            (1_200_000_000, 200_000_000, "1.2 s"),
            (10_180_000_000, 10_000_000, "10,180 ms"),
            (10_180_500_000, 500_000, "10,180.5 ms"),
            (1_500_000_000, 500_000_000, "1.5 s"),
            (90_000_000_000, 10_000_000_000, "90 s"),
            (3_723_000_000_000, 1_000_000_000, "1:02:03"),
            (1_234_567, 100, "1,234.5 µs"),
            (1_234_567, 1, "1,234,567 ns"),
            (-2_000_000, 1_000_000, "−2 ms"),
            (0, 1_000_000, "0 ms"),
        ];
        for (ns, step, expected) in cases {
            assert_eq!(format_tick(Ns(ns), step, Ns(ns)), expected, "{ns} {step}");
        }
        let ruler = [0, 15_000_000_000, 105_000_000_000, 120_000_000_000];
        let texts = ruler.map(|ns| format_tick(Ns(ns), 15_000_000_000, Ns(200_000_000_000)));
        assert_eq!(texts, ["0:00", "0:15", "1:45", "2:00"], "one form for a whole ruler");
    }
}
