//! Text of numbers with a unit: durations, bytes, percentages, plain numbers.
//!
//! Digits, separators and units match those of the Firefox Profiler in English. A number has a target for its
//! significant digits and a limit for its fraction digits: 12.346 but 123.46. Bytes are decimal (1 KB = 1000 B).
//!
//! Differences from the Firefox Profiler: a negative quantity is the positive text after a minus sign (there it falls
//! through to the smallest unit), infinity is `∞`, and not-a-number is `<invalid>` without a unit.

use crate::{Decimal, Ns};

const SECOND_MS: f64 = 1_000.0;
const MINUTE_MS: f64 = 60.0 * SECOND_MS;
const HOUR_MS: f64 = 60.0 * MINUTE_MS;
const DAY_MS: f64 = 24.0 * HOUR_MS;

/// Durations from this value (59.5 s) are rounded to whole minutes and seconds.
const FIRST_MINUTE_MS: f64 = MINUTE_MS - 500.0;
const FIRST_MINUTE_NS: u64 = 59_500_000_000;
/// Durations from this value (59 min 59.5 s) are rounded to hours and minutes.
const FIRST_HOUR_MS: f64 = HOUR_MS - 500.0;
/// Durations from this value (23 h 59 min 30 s) are rounded to days and hours.
const FIRST_DAY_MS: f64 = DAY_MS - 30_000.0;

/// Display precision of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Target for the total number of significant digits.
    pub significant: u8,
    /// Maximum number of fraction digits.
    pub max_fraction: u8,
}

impl Precision {
    /// At most `significant` digits in all, at most `max_fraction` of them after the point.
    #[must_use]
    #[inline]
    pub const fn new(significant: u8, max_fraction: u8) -> Precision {
        Precision { significant, max_fraction }
    }
}

/// A count with thousands separators: `1,234,567`.
#[must_use]
#[inline]
pub fn format_count(count: u64) -> String {
    let mut out = String::new();
    Decimal::from_u64(count).write_grouped(&mut out, 0);
    out
}

/// A count with its noun, singular or plural: `1 marker`, `1,234 processes`.
#[must_use]
pub fn format_counted(count: u64, one: &str) -> String {
    let ending = match (count, one.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {one}{ending}", format_count(count))
}

/// A number with thousands separators and with as many fraction digits (at most `max_fraction_digits`) as
/// `significant_digits` requires; trailing zeros are kept, integers are never shortened.
#[inline]
pub fn format_number(value: f64, significant_digits: u8, max_fraction_digits: u8) -> String {
    let mut out = String::new();
    write_number(&mut out, value, Precision::new(significant_digits, max_fraction_digits));
    out
}

/// A duration in its largest fitting unit below a minute, and in two units from a minute: `12.346ms`, `2m3s`.
#[inline]
pub fn format_duration_ms(ms: f64) -> String {
    let mut out = String::new();
    write_duration_ms(&mut out, ms);
    out
}

/// Same as [`format_duration_ms`] for integer nanoseconds, without intermediate rounding.
pub fn format_duration_ns(ns: i64) -> String {
    let mut out = String::new();
    if ns < 0 {
        out.push('-');
    }
    let ns = ns.unsigned_abs();
    let (unit_ns, unit) = match ns {
        FIRST_MINUTE_NS.. => {
            write_two_units(&mut out, ns as f64 / 1e6);
            return out;
        }
        0 => (1, "s"),
        1..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "μs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    };
    write_unit(&mut out, ns as f64 / unit_ns as f64, duration_precision(ns.is_multiple_of(unit_ns)), unit);
    out
}

/// Like [`format_duration_ns`], but exact from a minute on, in seconds: `120.329118s`. Details show it, because two units
/// hide what is within a second.
#[must_use]
pub fn format_duration_exact(ns: i64) -> String {
    format_long_duration(ns, 9)
}

/// Like [`format_duration_ns`], but from a minute on in seconds with three decimals: `120.329s`. Tables show it, so that
/// the rows of a column can be compared.
#[must_use]
pub fn format_duration_column(ns: i64) -> String {
    format_long_duration(ns, 3)
}

/// A duration; from a minute on in seconds with at least three and at most `decimals` decimals.
fn format_long_duration(ns: i64, decimals: usize) -> String {
    let length = ns.unsigned_abs();
    if length < FIRST_MINUTE_NS {
        return format_duration_ns(ns);
    }
    let unit = 10_u64.pow(u32::try_from(9_usize.saturating_sub(decimals)).unwrap_or(0));
    let length = (length + unit / 2) / unit * unit;
    let sign = if ns < 0 { "-" } else { "" };
    let mut fraction = format!("{:09}", length % 1_000_000_000);
    fraction.truncate(decimals);
    while fraction.len() > 3 && fraction.ends_with('0') {
        fraction.pop();
    }
    format!("{sign}{}.{fraction}s", format_count(length / 1_000_000_000))
}

/// A point in time in milliseconds with nanosecond precision: at least three decimals, and more if needed.
#[must_use]
pub fn format_time(time: Ns) -> String {
    let ns = time.0.unsigned_abs();
    let sign = if time.0 < 0 { "-" } else { "" };
    let mut fraction = format!("{:06}", ns % 1_000_000);
    while fraction.len() > 3 && fraction.ends_with('0') {
        fraction.pop();
    }
    format!("{sign}{}.{fraction} ms", format_count(ns / 1_000_000))
}

/// A size in B, KB, MB or GB; plain bytes up to 9,999.
#[inline]
pub fn format_bytes(bytes: f64) -> String {
    let mut out = String::new();
    write_bytes(&mut out, bytes);
    out
}

/// Appends [`format_number`].
pub fn write_number(out: &mut String, value: f64, precision: Precision) {
    if value.is_nan() {
        return out.push_str("<invalid>");
    }
    if value.is_sign_negative() {
        out.push('-');
    }
    if value.is_infinite() {
        return out.push('∞');
    }
    write_decimal(out, Decimal::from_f64(value), precision);
}

/// Appends all digits of an integer with thousands separators.
#[inline]
pub fn write_integer(out: &mut String, value: i64) {
    if value < 0 {
        out.push('-');
    }
    Decimal::from_u64(value.unsigned_abs()).write_grouped(out, 0);
}

/// Appends a ratio as a percentage: 0.12 is `12%`.
pub fn write_percent(out: &mut String, ratio: f64) {
    if !ratio.is_finite() {
        return write_unit(out, ratio, Precision::new(2, 1), "%");
    }
    if ratio.is_sign_negative() {
        out.push('-');
    }
    // Multiplying the double by 100 would round some halves in the wrong direction.
    let mut decimal = Decimal::from_f64(ratio);
    decimal.shift(2);
    write_decimal(out, decimal, Precision::new(2, 1));
    out.push('%');
}

/// Appends a number and its unit.
#[inline]
pub fn write_unit(out: &mut String, value: f64, precision: Precision, unit: &str) {
    write_number(out, value, precision);
    if !value.is_nan() {
        out.push_str(unit);
    }
}

/// Appends [`format_bytes`].
pub fn write_bytes(out: &mut String, bytes: f64) {
    let (unit_bytes, unit) = match bytes.abs() {
        size if size < 1e4 => return write_unit(out, bytes, Precision::new(0, 3), "B"),
        size if size < 1e6 => (1e3, "KB"),
        size if size < 1e9 => (1e6, "MB"),
        _ => (1e9, "GB"),
    };
    write_unit(out, bytes / unit_bytes, Precision::new(3, 2), unit);
}

/// Appends [`format_duration_ms`].
pub fn write_duration_ms(out: &mut String, ms: f64) {
    if ms.is_nan() || ms.is_infinite() {
        return write_unit(out, ms, duration_precision(true), "s");
    }
    if ms < 0.0 {
        out.push('-');
    }
    let ms = ms.abs();
    if ms >= FIRST_MINUTE_MS {
        return write_two_units(out, ms);
    }
    let (value, unit) = if ms == 0.0 {
        (0.0, "s")
    } else if ms >= SECOND_MS {
        (ms / SECOND_MS, "s")
    } else if ms >= 1.0 {
        (ms, "ms")
    } else if ms * 1e3 >= 1.0 {
        (ms * 1e3, "μs")
    } else {
        // The Firefox Profiler multiplies twice; a single multiplication would change the last bits.
        (ms * 1e3 * 1e3, "ns")
    };
    write_unit(out, value, duration_precision(value.fract() == 0.0), unit);
}

/// Fractions of a unit have up to three digits within five significant ones; whole units have none.
fn duration_precision(whole: bool) -> Precision {
    Precision::new(5, if whole { 0 } else { 3 })
}

/// Appends a duration of at least about a minute, rounded to the smaller of its two units.
fn write_two_units(out: &mut String, ms: f64) {
    let (large_ms, large, small_ms, small) = if ms >= FIRST_DAY_MS {
        (DAY_MS, "d", HOUR_MS, "h")
    } else if ms >= FIRST_HOUR_MS {
        (HOUR_MS, "h", MINUTE_MS, "m")
    } else {
        (MINUTE_MS, "m", SECOND_MS, "s")
    };
    let rounded = (ms / small_ms).round() * small_ms;
    let rest = rounded % large_ms;
    write_unit(out, (rounded - rest) / large_ms, duration_precision(true), large);
    if rest > 0.0 {
        write_unit(out, rest / small_ms, duration_precision(true), small);
    }
}

fn write_decimal(out: &mut String, mut decimal: Decimal, precision: Precision) {
    let places = if decimal.digits().is_empty() {
        0
    } else {
        let wanted = i32::from(precision.significant) - decimal.digits_left_of_point();
        u8::try_from(wanted.clamp(0, i32::from(precision.max_fraction))).unwrap_or(0)
    };
    decimal.round(places);
    decimal.write_grouped(out, places);
}

#[cfg(test)]
mod tests {
    use super::{
        format_bytes, format_count, format_duration_ms, format_duration_ns, format_number, format_time, write_percent,
    };
    use crate::Ns;

    #[test]
    fn durations() {
        let rows: &[(f64, &str)] = &[
            (2.5, "2.500ms"),
            (0.012_345, "12.345μs"),
            (0.001, "1μs"),
            (0.000_001, "1ns"),
            (1_000.0, "1s"),
            (999.999_9, "1,000.00ms"),
            (-5.0, "-5ms"),
            (-123_456.789, "-2m3s"),
            (-0.0, "0s"),
            (1e-12, "0.000ns"),
            (86_400_000_000.0, "1,000d"),
            (90_000_000.0, "1d1h"),
            (f64::INFINITY, "∞s"),
            (f64::NEG_INFINITY, "-∞s"),
            (f64::NAN, "<invalid>"),
        ];
        for (ms, expect) in rows {
            assert_eq!(format_duration_ms(*ms), *expect, "{ms} ms");
        }
    }

    #[test]
    fn nanoseconds_agree_with_milliseconds() {
        let rows: &[(i64, &str)] = &[
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.500μs"),
            (7_000, "7μs"),
            (12_345_679, "12.346ms"),
            (59_499_000_000, "59.499s"),
            (59_500_000_000, "1m"),
            (3_599_500_000_000, "1h"),
            (-3_000_000, "-3ms"),
            (i64::MIN, "-106,752d"),
        ];
        for (ns, expect) in rows {
            assert_eq!(format_duration_ns(*ns), *expect, "{ns} ns");
            assert_eq!(format_duration_ms(*ns as f64 / 1e6), *expect, "{ns} ns as ms");
        }
        // The Firefox Profiler multiplies milliseconds, which results in 999.0000000000001.
        assert_eq!(format_duration_ms(0.000_999), "999.00ns");
        assert_eq!(format_duration_ns(999), "999ns");
    }

    #[test]
    fn times_show_every_nanosecond_that_matters() {
        assert_eq!(format_time(Ns(10_200_512_000)), "10,200.512 ms");
        assert_eq!(format_time(Ns(1)), "0.000001 ms");
        assert_eq!(format_time(Ns(-1_500_000)), "-1.500 ms");
        assert_eq!(format_time(Ns(1_234_567_890_123_456)), "1,234,567,890.123456 ms");
    }

    #[test]
    fn bytes() {
        let rows: &[(f64, &str)] = &[
            (0.0, "0B"),
            (9_999.0, "9,999B"),
            (10_000.0, "10.0KB"),
            (1_500_000.0, "1.50MB"),
            (2.5e12, "2,500GB"),
            (-123_456.0, "-123KB"),
            (f64::NAN, "<invalid>"),
        ];
        for (bytes, expect) in rows {
            assert_eq!(format_bytes(*bytes), *expect, "{bytes} bytes");
        }
    }

    #[test]
    fn counts_are_grouped() {
        let counts = [0, 999, 1_000, 1_234_567, u64::MAX].map(format_count);
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }

    #[test]
    fn numbers() {
        assert_eq!(format_number(0.0, 2, 3), "0");
        assert_eq!(format_number(1.0, 2, 3), "1.0");
        assert_eq!(format_number(-1.25, 2, 3), "-1.3");
        assert_eq!(format_number(f64::NEG_INFINITY, 2, 3), "-∞");
        assert_eq!(format_number(1e300, 0, 0).len(), 401);
        assert_eq!(format_number(1e-300, 255, 255).len(), 257);
    }

    #[test]
    fn percentages_round_in_decimal() {
        let rows =
            [(0.285, "29%"), (0.145, "15%"), (0.0115, "1.2%"), (-0.5, "-50%"), (0.0, "0%"), (f64::NAN, "<invalid>")];
        for (ratio, expect) in rows {
            let mut out = String::new();
            write_percent(&mut out, ratio);
            assert_eq!(out, expect);
        }
    }

    #[test]
    fn long_durations_have_the_digits_of_their_surface() {
        for (ns, exact, column) in [
            (120_329_118_000, "120.329118s", "120.329s"),
            (120_999_999_000, "120.999999s", "121.000s"),
            (60_000_001_000, "60.000001s", "60.000s"),
            (7_200_000_000_000, "7,200.000s", "7,200.000s"),
            (-90_000_000_001, "-90.000000001s", "-90.000s"),
            (59_499_000_000, "59.499s", "59.499s"),
            (1_500, "1.500μs", "1.500μs"),
        ] {
            assert_eq!(
                (super::format_duration_exact(ns), super::format_duration_column(ns)),
                (exact.into(), column.into())
            );
        }
    }
}
