//! Times and durations: signed 64-bit nanoseconds on the recording's own clock.
//!
//! Input files contain times as decimals (milliseconds in Firefox, microseconds in Chrome). They are converted from the
//! decimal text, digit by digit, so that no precision is lost in a binary fraction: `1.001` ms is exactly 1,001,000 ns.

use std::ops::{Add, Sub};

use bytemuck::{Pod, Zeroable};

/// A point in time in nanoseconds; negative values are legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Ns(pub i64);

impl Ns {
    /// Times beyond this magnitude (146 years) are treated as damage; sums of two valid times cannot overflow.
    pub const LIMIT: i64 = i64::MAX / 2;

    /// True if a time is at most [`Ns::LIMIT`] away from zero, so that differences of times do not overflow.
    #[must_use]
    #[inline]
    pub const fn is_supported(self) -> bool {
        self.0.unsigned_abs() <= Self::LIMIT.unsigned_abs()
    }

    /// Milliseconds as a float, for display only.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "display value; 2^53 ns are 104 days")]
    #[inline]
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The nearest nanosecond to a number of milliseconds; `None` for NaN, infinities and out-of-range values.
    #[must_use]
    pub fn from_ms(ms: f64) -> Option<Self> {
        let ns = (ms * 1e6).round();
        if ns.is_finite() && ns.abs() <= 4.6e18 {
            #[expect(clippy::cast_possible_truncation, reason = "range checked above")]
            let whole = ns as i64;
            (whole.abs() <= Self::LIMIT).then_some(Self(whole))
        } else {
            None
        }
    }
}

impl Add for Ns {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Ns {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// A closed span of time, `start <= end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeRange {
    /// First nanosecond.
    pub start: Ns,
    /// Last nanosecond.
    pub end: Ns,
}

impl TimeRange {
    /// A range; swapped ends are reordered.
    #[must_use]
    #[inline]
    pub fn new(a: Ns, b: Ns) -> Self {
        Self { start: a.min(b), end: a.max(b) }
    }

    /// Length in nanoseconds.
    #[must_use]
    #[inline]
    pub fn len(self) -> i64 {
        (self.end - self.start).0
    }

    /// True if the range is a single point.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True if an interval from `start` to `end` is at least partly in the range. The end of the range is exclusive. An
    /// instant is either inside or outside; an interval that only touches the start is outside.
    #[must_use]
    #[inline]
    pub fn overlaps(self, start: Ns, end: Ns) -> bool {
        start < self.end && (end > self.start || start >= self.start)
    }

    /// The part that is within another range; an empty range at its start if there is no such part.
    #[must_use]
    #[inline]
    pub fn within(self, outer: Self) -> Self {
        let start = self.start.clamp(outer.start, outer.end);
        Self { start, end: self.end.clamp(start, outer.end.max(start)) }
    }

    /// The same range on a clock that is `by` ahead.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Ns) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// The range extended by 1/50 of its length on either side, at least 1 µs.
    #[must_use]
    #[inline]
    pub fn with_margin(self) -> Self {
        let margin = Ns((self.len() / 50).max(1_000));
        Self { start: self.start - margin, end: self.end + margin }
    }

    /// The smallest range that contains both.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Time units of input files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 10^6 ns.
    Millis,
    /// 10^3 ns.
    Micros,
    /// 10^9 ns.
    Seconds,
    /// 1 ns.
    Nanos,
}

impl Unit {
    /// Power of ten that converts this unit to nanoseconds.
    #[must_use]
    pub const fn exponent(self) -> i32 {
        match self {
            Self::Nanos => 0,
            Self::Micros => 3,
            Self::Millis => 6,
            Self::Seconds => 9,
        }
    }
}

/// Parses a decimal number (JSON syntax, exponent allowed) in `unit` to the nearest nanosecond, rounding halves away
/// from zero. `None` if the text is not a number or the result is out of range.
#[must_use]
#[inline]
pub fn parse_decimal(text: &[u8], unit: Unit) -> Option<Ns> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    let mut mantissa: u64 = 0;
    let mut exponent = unit.exponent();
    let mut first_beyond = None;
    let mut seen_digit = false;
    let mut seen_point = false;
    let mut at = 0;
    while let Some(&byte) = digits.get(at) {
        match byte {
            b'0'..=b'9' => {
                seen_digit = true;
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + u64::from(byte - b'0');
                    exponent -= i32::from(seen_point);
                } else {
                    // Of the digits after the 19th, the first may affect the rounding of a time that is in range.
                    first_beyond = first_beyond.or(Some(byte));
                    exponent += i32::from(!seen_point);
                }
            }
            b'.' if !seen_point => seen_point = true,
            b'e' | b'E' => {
                let power: i32 = std::str::from_utf8(digits.get(at + 1..)?).ok()?.parse().ok()?;
                exponent = exponent.checked_add(power)?;
                at = digits.len();
                continue;
            }
            _ => return None,
        }
        at += 1;
    }
    if !seen_digit {
        return None;
    }
    // With a negative exponent, `scale` rounds. With exponent 0, the first digit after the mantissa decides.
    let is_rounded_up = exponent == 0 && first_beyond.is_some_and(|digit| digit >= b'5');
    let magnitude = scale(mantissa + u64::from(is_rounded_up), exponent)?;
    Some(Ns(if negative { -magnitude } else { magnitude }))
}

/// Units of [`rounding_rest`] per nanosecond.
pub const RESTS_PER_NANO: i32 = 1_000_000_000;

/// What [`parse_decimal`] removes from a number when it rounds it to a nanosecond, in billionths of a nanosecond: from
/// minus one half to one half of [`RESTS_PER_NANO`]. Digits beyond a billionth are ignored, and so are numbers with an
/// exponent.
///
/// Two rounded times can add up to one nanosecond less or more than their rounded sum.
#[must_use]
pub fn rounding_rest(text: &[u8], unit: Unit) -> i32 {
    let Some(point) = text.iter().position(|byte| *byte == b'.') else { return 0 };
    let (whole, fraction) = text.split_at(point);
    let places = unit.exponent().unsigned_abs() as usize;
    let below = fraction.get(places + 1..).unwrap_or_default();
    // An exponent is not part of the fraction.
    let is_plain = fraction.iter().skip(1).all(u8::is_ascii_digit);
    let Some(first) = below.first().filter(|_| is_plain) else { return 0 };
    let digits = below.iter().chain(std::iter::repeat(&b'0')).take(9);
    let removed = digits.fold(0, |rest, digit| rest * 10 + i32::from(digit - b'0'));
    let rest = if *first < b'5' { removed } else { removed - RESTS_PER_NANO };
    if whole.starts_with(b"-") { -rest } else { rest }
}

/// `mantissa * 10^exponent`, rounded to the nearest integer.
fn scale(mantissa: u64, exponent: i32) -> Option<i64> {
    if mantissa == 0 {
        return Some(0);
    }
    let value = if exponent >= 0 {
        let power = 10_u64.checked_pow(u32::try_from(exponent).ok()?)?;
        mantissa.checked_mul(power)?
    } else if exponent < -19 {
        0
    } else {
        let power = 10_u64.checked_pow(exponent.unsigned_abs())?;
        let (quotient, rest) = (mantissa / power, mantissa % power);
        quotient + u64::from(rest >= power - rest)
    };
    i64::try_from(value).ok().filter(|ns| *ns <= Ns::LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> Option<i64> {
        parse_decimal(text.as_bytes(), Unit::Millis).map(|ns| ns.0)
    }

    #[test]
    fn decimals_become_exact_nanoseconds() {
        assert_eq!(ms("0"), Some(0));
        assert_eq!(ms("1.001"), Some(1_001_000));
        assert_eq!(ms("-2.5"), Some(-2_500_000));
        assert_eq!(ms("812.32275390625"), Some(812_322_754));
        assert_eq!(ms("0.25650500000000004"), Some(256_505));
        assert_eq!(ms("1e3"), Some(1_000_000_000));
        assert_eq!(ms("1.5E-6"), Some(2));
        assert_eq!(ms("0.0000004"), Some(0));
        assert_eq!(ms("123456789.123456789123456789"), Some(123_456_789_123_457));
    }

    #[test]
    fn invalid_times_are_rejected() {
        for text in ["", "-", "NaN", "1.2.3", "1e", "1e999999999999", "1e300", "99999999999999999999999", "."] {
            assert_eq!(ms(text), None, "{text}");
        }
    }

    #[test]
    fn a_rest_is_the_difference_between_a_number_and_its_nanosecond() {
        for (text, rest) in [
            ("1", 0),
            ("1.5", 0),
            ("1.001", 0),
            ("1.0004", 400_000_000),
            ("1.0005", -500_000_000),
            ("1.0009", -100_000_000),
            ("-1.0004", -400_000_000),
            ("-1.0009", 100_000_000),
            ("1.0001234567894", 123_456_789),
            ("1.0004e3", 0),
            ("1.5e-3", 0),
            ("1.000x", 0),
            ("", 0),
        ] {
            assert_eq!(rounding_rest(text.as_bytes(), Unit::Micros), rest, "{text}");
        }
        assert_eq!(rounding_rest(b"7.25", Unit::Nanos), 250_000_000);
    }

    #[test]
    fn microseconds_keep_their_nanoseconds() {
        assert_eq!(parse_decimal(b"4007199254740993.001", Unit::Micros), Some(Ns(4_007_199_254_740_993_001)));
        assert_eq!(parse_decimal(b"4612.001", Unit::Micros), Some(Ns(4_612_001)));
        for (text, ns) in [
            ("1700000000000000.1239", 1_700_000_000_000_000_124),
            ("1700000000000000.1234", 1_700_000_000_000_000_123),
            ("-1700000000000001.9995", -1_700_000_000_000_002_000),
            ("1700000000000000.12345678901", 1_700_000_000_000_000_123),
            ("17000000000000001239e-4", 1_700_000_000_000_000_124),
        ] {
            assert_eq!(parse_decimal(text.as_bytes(), Unit::Micros), Some(Ns(ns)), "{text}");
        }
    }
}
