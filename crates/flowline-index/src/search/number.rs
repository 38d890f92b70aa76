//! Numbers with units, and the comparisons and ranges of search queries: `>5ms`, `<=1.5s`, `5..20ms`, `>10KB`, `>50%`.

use flowline_profile::Ns;
use flowline_profile::text::Format;

/// The quantity that a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// Time; the base unit is the nanosecond.
    Time,
    /// Size; the base unit is the byte.
    Bytes,
    /// A ratio; the base unit is one, so `5%` is 0.05.
    Ratio,
}

/// A number as typed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Amount {
    /// In the base unit of the measure; the bare number if there is no unit.
    value: f64,
    measure: Option<Measure>,
    /// The size of the unit, as in [`UNITS`].
    size: f64,
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limit {
    amount: Amount,
    /// True if the limit itself is in the range.
    closed: bool,
}

/// A range of numbers, open or closed at either end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    low: Option<Limit>,
    high: Option<Limit>,
}

/// The unit of the numbers of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FieldUnit {
    /// Numbers without a known unit.
    #[default]
    Plain,
    /// Time, with the number of nanoseconds per unit.
    Time(u32),
    /// Bytes.
    Bytes,
    /// A ratio.
    Ratio,
}

impl FieldUnit {
    /// The unit of the raw numbers of a format.
    pub(super) const fn for_format(format: &Format) -> Self {
        match format {
            Format::Duration | Format::Time | Format::Seconds | Format::Milliseconds => Self::Time(1_000_000),
            Format::Microseconds => Self::Time(1_000),
            Format::Nanoseconds => Self::Time(1),
            Format::Bytes => Self::Bytes,
            Format::Percentage => Self::Ratio,
            _ => Self::Plain,
        }
    }
}

/// The reason why a text is not a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeError {
    /// The text does not look like a comparison.
    NoComparison,
    /// The number is missing.
    Unfinished,
    /// The operand is not a number.
    NoNumber,
}

/// The comparison operators: true if the limit is a lower bound, and true if the limit itself is included.
const SIGNS: [(&str, bool, bool); 4] =
    [(">=", true, true), ("<=", false, true), (">", true, false), ("<", false, false)];

impl NumberRange {
    /// Parses `>n`, `>=n`, `<n`, `<=n`, `a..b`, `a..`, `..b`, in lower case. A number without a unit takes the unit of
    /// the other end. Ends in the wrong order are swapped.
    pub(super) fn parse(text: &str) -> Result<Self, RangeError> {
        for (sign, above, closed) in SIGNS {
            if let Some(rest) = text.strip_prefix(sign) {
                let limit = Some(Limit { amount: Amount::parse(rest)?, closed });
                return Ok(if above { Self { low: limit, high: None } } else { Self { low: None, high: limit } });
            }
        }
        let (low, high) = text.split_once("..").ok_or(RangeError::NoComparison)?;
        match (Amount::parse(low), Amount::parse(high)) {
            (Ok(low), Ok(high)) => Ok(Self::between(low, high)),
            (Ok(low), Err(RangeError::Unfinished)) => Ok(Self { low: Some(Limit::closed(low)), high: None }),
            (Err(RangeError::Unfinished), Ok(high)) => Ok(Self { low: None, high: Some(Limit::closed(high)) }),
            (Err(RangeError::Unfinished), Err(RangeError::Unfinished)) => Err(RangeError::Unfinished),
            // Two dots in other text, such as a path, are not a range.
            (Err(_), Err(_)) => Err(RangeError::NoComparison),
            // A number such as `5e30` may be part of other text, such as a hash.
            _ if text.contains(['e', 'E']) => Err(RangeError::NoComparison),
            _ => Err(RangeError::NoNumber),
        }
    }

    /// A range that contains exactly one number.
    #[inline]
    pub(super) fn exactly(text: &str) -> Result<Self, RangeError> {
        let amount = Amount::parse(text)?;
        Ok(Self::between(amount, amount))
    }

    fn between(mut low: Amount, mut high: Amount) -> Self {
        // In `5..20ms`, 5 means 5ms: it takes the unit of the other end.
        match (low.measure, high.measure) {
            (None, Some(measure)) => low = Amount::with(low.value, measure, high.size).unwrap_or(low),
            (Some(measure), None) => high = Amount::with(high.value, measure, low.size).unwrap_or(high),
            _ => {}
        }
        if low.value > high.value {
            std::mem::swap(&mut low, &mut high);
        }
        Self { low: Some(Limit::closed(low)), high: Some(Limit::closed(high)) }
    }

    #[inline]
    fn limits(&self) -> impl Iterator<Item = &Limit> {
        self.low.iter().chain(&self.high)
    }

    /// The range as a time range, in which numbers without a unit are milliseconds; `None` if it has a non-time unit.
    pub(super) fn in_time(mut self) -> Option<Self> {
        for limit in self.low.iter_mut().chain(&mut self.high) {
            limit.amount = match limit.amount.measure {
                None => Amount::with(limit.amount.value, Measure::Time, 1.0)?,
                Some(Measure::Time) => limit.amount,
                Some(_) => return None,
            };
        }
        Some(self)
    }

    /// True if a time range contains a time or a duration.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact up to 104 days")]
    #[inline]
    pub(super) fn contains_time(&self, time: Ns) -> bool {
        self.holds(time.0 as f64, FieldUnit::Time(1))
    }

    /// True if the range contains the raw number of a field. A number with a unit is only compared with fields of that
    /// measure; bytes are also compared with fields without a unit.
    #[must_use]
    pub(super) fn holds(&self, raw: f64, unit: FieldUnit) -> bool {
        let in_measure = |limit: &Limit| match (limit.amount.measure, unit) {
            (None, _) | (Some(Measure::Bytes), FieldUnit::Bytes | FieldUnit::Plain) => Some(raw),
            (Some(Measure::Ratio), FieldUnit::Ratio) => Some(raw),
            (Some(Measure::Time), FieldUnit::Time(ns)) => Some((raw * f64::from(ns)).round()),
            _ => None,
        };
        let is_above =
            |limit: &Limit, value: f64| value > limit.amount.value || (limit.closed && value == limit.amount.value);
        let is_below =
            |limit: &Limit, value: f64| value < limit.amount.value || (limit.closed && value == limit.amount.value);
        self.low.as_ref().is_none_or(|low| in_measure(low).is_some_and(|value| is_above(low, value)))
            && self.high.as_ref().is_none_or(|high| in_measure(high).is_some_and(|value| is_below(high, value)))
    }

    /// True if the range can contain numbers of this unit.
    pub(super) fn suits(&self, unit: FieldUnit) -> bool {
        self.limits().all(|limit| match (limit.amount.measure, unit) {
            (None, _) | (Some(Measure::Bytes), FieldUnit::Bytes | FieldUnit::Plain) => true,
            (Some(Measure::Ratio), unit) => unit == FieldUnit::Ratio,
            (Some(Measure::Time), unit) => matches!(unit, FieldUnit::Time(_)),
            _ => false,
        })
    }
}

impl Limit {
    #[inline]
    const fn closed(amount: Amount) -> Self {
        Self { amount, closed: true }
    }
}

/// Units, in lower case, with their measure and size in milliseconds, bytes, or ones.
const UNITS: [(&str, Measure, f64); 18] = [
    ("ns", Measure::Time, 1e-6),
    ("us", Measure::Time, 1e-3),
    ("µs", Measure::Time, 1e-3),
    ("μs", Measure::Time, 1e-3),
    ("ms", Measure::Time, 1.0),
    ("s", Measure::Time, 1e3),
    ("m", Measure::Time, 60e3),
    ("min", Measure::Time, 60e3),
    ("h", Measure::Time, 3_600e3),
    ("b", Measure::Bytes, 1.0),
    ("kb", Measure::Bytes, 1e3),
    ("mb", Measure::Bytes, 1e6),
    ("gb", Measure::Bytes, 1e9),
    ("tb", Measure::Bytes, 1e12),
    ("kib", Measure::Bytes, 1_024.0),
    ("mib", Measure::Bytes, 1_048_576.0),
    ("gib", Measure::Bytes, 1_073_741_824.0),
    ("%", Measure::Ratio, 0.01),
];

impl Amount {
    /// Parses a number with or without a unit, in lower case.
    fn parse(text: &str) -> Result<Self, RangeError> {
        // Numbers as the window shows them have comma groups and a true minus sign.
        let text = text.trim().replace('\u{2212}', "-").replace(',', "");
        let text = text.as_str();
        if text.is_empty() {
            return Err(RangeError::Unfinished);
        }
        let (number, unit) = text.split_at(number_end(text));
        let value: f64 = number.parse().map_err(|_| RangeError::NoNumber)?;
        if !value.is_finite() {
            return Err(RangeError::NoNumber);
        }
        if unit.is_empty() {
            return Ok(Self { value, measure: None, size: 1.0 });
        }
        let (_, measure, size) = UNITS.iter().find(|(name, ..)| *name == unit.trim()).ok_or(RangeError::NoNumber)?;
        Self::with(value, *measure, *size).ok_or(RangeError::NoNumber)
    }

    /// A number with a unit; `None` if a time is out of range.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 104 days")]
    fn with(number: f64, measure: Measure, size: f64) -> Option<Self> {
        let value = match measure {
            Measure::Time => Ns::from_ms(number * size)?.0 as f64,
            Measure::Bytes | Measure::Ratio => number * size,
        };
        Some(Self { value, measure: Some(measure), size })
    }
}

/// Parses a duration such as `5ms`, `1.5s`, `200us`, `3m`. A bare number means milliseconds.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Ns> {
    let amount = Amount::parse(&text.to_lowercase()).ok()?;
    let amount = match amount.measure {
        None => Amount::with(amount.value, Measure::Time, 1.0)?,
        Some(Measure::Time) => amount,
        Some(_) => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "made from whole nanoseconds")]
    let ns = amount.value as i64;
    Some(Ns(ns))
}

/// True for the name of a unit in lower case.
pub(super) fn is_unit(name: &str) -> bool {
    UNITS.iter().any(|(unit, ..)| *unit == name)
}

/// The end of the number at the start of a text. The number may have an exponent, as in `1e3`.
fn number_end(text: &str) -> usize {
    let is_part = |c: char| matches!(c, '0'..='9' | '.' | '-' | '+');
    let end_in = |text: &str| text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let end = end_in(text);
    match text[end..].strip_prefix(['e', 'E']) {
        Some(exponent)
            if end > 0 && exponent.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit()) =>
        {
            end + 1 + end_in(exponent)
        }
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        let parsed = ["5", "5ms", "1.5s", "20us", "7ns", "2m", "x", "5 parsecs", "5KB", ""].map(parse_duration);
        let expected = [
            Some(5_000_000),
            Some(5_000_000),
            Some(1_500_000_000),
            Some(20_000),
            Some(7),
            Some(120_000_000_000),
            None,
            None,
            None,
            None,
        ];
        assert_eq!(parsed.map(|ns| ns.map(|ns| ns.0)), expected);
    }

    fn range(text: &str) -> NumberRange {
        NumberRange::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    #[test]
    fn limits_are_open_or_closed() {
        let ms =
            |text: &str, ms: f64| range(text).in_time().expect("time").contains_time(Ns::from_ms(ms).expect("small"));
        for (text, inside, outside) in [
            (">5ms", 5.000001, 5.0),
            (">=5", 5.0, 4.999999),
            ("<1s", 999.0, 1000.0),
            (">1,040 ms", 1040.000001, 1040.0),
            ("\u{2212}12.5 ms..1,000 ms", 1000.0, 1000.000001),
            ("<=1s", 1000.0, 1000.000001),
            ("5..20ms", 5.0, 20.000001),
            ("20ms..5000us", 12.0, 4.0),
            ("5us..", 0.005, 0.004),
            ("..5us", 0.005, 0.006),
            ("1500us..2ms", 1.5, 1.0),
            (">1e1ms", 10.000001, 10.0),
            ("1e-1s..1.5e+2ms", 150.0, 99.0),
        ] {
            assert!(ms(text, inside) && !ms(text, outside), "{text}");
        }
    }

    #[test]
    fn units_are_compared_with_fields_of_that_measure() {
        let cases = [
            (">5ms", 6.0, FieldUnit::Time(1_000_000), true),
            (">5ms", 6.0, FieldUnit::Time(1_000), false),
            (">5ms", 6000.0, FieldUnit::Time(1_000), true),
            (">5", 6.0, FieldUnit::Time(1_000), true),
            (">5ms", 6.0, FieldUnit::Plain, false),
            (">5kb", 6000.0, FieldUnit::Plain, true),
            (">5kib", 5119.0, FieldUnit::Bytes, false),
            (">50%", 0.51, FieldUnit::Ratio, true),
            (">50%", 51.0, FieldUnit::Plain, false),
            ("-2..-1", -1.5, FieldUnit::Plain, true),
        ];
        for (text, raw, unit, expected) in cases {
            assert_eq!(range(text).holds(raw, unit), expected, "{text} of {raw} {unit:?}");
            assert!(range(text).suits(unit) || !expected, "{text} {unit:?}");
        }
    }

    #[test]
    fn invalid_ranges_have_specific_errors() {
        for (text, expected) in [
            ("5", RangeError::NoComparison),
            ("word", RangeError::NoComparison),
            ("../up", RangeError::NoComparison),
            ("a..b", RangeError::NoComparison),
            ("5e30..abc1", RangeError::NoComparison),
            (">", RangeError::Unfinished),
            ("..", RangeError::Unfinished),
            (">x", RangeError::NoNumber),
            (">1e", RangeError::NoNumber),
            (">1e999", RangeError::NoNumber),
            ("5..x", RangeError::NoNumber),
        ] {
            assert_eq!(NumberRange::parse(text), Err(expected), "{text}");
        }
    }
}
