//! Decimal digits of a number, rounded and written as in browsers.
//!
//! JavaScript starts from the shortest decimal text that reads back as the same double, and rounds *that* text half
//! away from zero: 1.005 to two places is 1.01, although the double is below 1.005. Rust's `{:.2}` rounds the exact
//! binary value and prints 1.00, so this module rounds digits instead. One difference remains: of two equally near
//! shortest texts, Rust selects the upper one and JavaScript the even one. This can change the 17th digit of fractions
//! above 10^11.
//!
//! Invariants: `digits` contains ASCII digits without leading zeros; the magnitude is 0.d₁d₂d₃… × 10^`point`; zero has
//! no digits. The caller handles the sign.

use std::fmt::{self, Write};

/// Seventeen digits identify any double, nineteen any `i64`; one more is for a carry.
const CAPACITY: usize = 20;

/// The magnitude of a finite number in base ten.
#[derive(Clone, Debug)]
pub struct Decimal {
    digits: [u8; CAPACITY],
    len: usize,
    point: i32,
}

impl Decimal {
    /// The shortest digits that read back as `value`; the sign is dropped. `value` must be finite.
    pub fn from_f64(value: f64) -> Decimal {
        let mut text = ExponentText::default();
        // The buffer is longer than any double in this notation, so writing cannot fail.
        let _ = write!(text, "{:e}", value.abs());
        let (mantissa, exponent) = text.split();
        let mut decimal = Decimal::zero();
        for &byte in mantissa {
            if byte.is_ascii_digit() && (byte != b'0' || decimal.len > 0) {
                decimal.push(byte);
            }
        }
        decimal.point = if decimal.len == 0 { 0 } else { exponent + 1 };
        decimal
    }

    /// All digits of an integer.
    pub fn from_u64(value: u64) -> Decimal {
        let mut decimal = Decimal::zero();
        let mut divisor = 10_u64.pow(value.checked_ilog10().unwrap_or(0));
        while value > 0 && divisor > 0 {
            let digit = u8::try_from(value / divisor % 10).unwrap_or(0);
            decimal.push(b'0' + digit);
            decimal.point += 1;
            divisor /= 10;
        }
        decimal
    }

    /// The number of digits left of the decimal point: 3 for 123, 0 for 0.5, -2 for 0.001.
    #[inline]
    pub fn digits_left_of_point(&self) -> i32 {
        self.point
    }

    /// Significant digits, most significant first, as ASCII; empty for zero.
    #[inline]
    pub fn digits(&self) -> &[u8] {
        &self.digits[..self.len]
    }

    /// Multiplies by 10^`power`, exactly.
    #[inline]
    pub fn shift(&mut self, power: i32) {
        if self.len > 0 {
            self.point += power;
        }
    }

    /// Rounds half away from zero to `places` digits after the point.
    pub fn round(&mut self, places: u8) {
        let Ok(keep) = usize::try_from(self.point + i32::from(places)) else {
            *self = Decimal::zero();
            return;
        };
        if keep >= self.len {
            return;
        }
        let up = self.digits[keep] >= b'5';
        self.len = keep;
        if up {
            self.carry();
        } else if keep == 0 {
            *self = Decimal::zero();
        }
    }

    /// Adds one to the last remaining digit; trailing nines become zeros, which are dropped.
    fn carry(&mut self) {
        while let Some(last) = self.len.checked_sub(1) {
            if self.digits[last] < b'9' {
                self.digits[last] += 1;
                return;
            }
            self.len = last;
        }
        self.point += 1;
        self.push(b'1');
    }

    /// Writes exactly `places` fraction digits, with a comma between groups of three integer digits.
    pub fn write_grouped(&self, out: &mut String, places: u8) {
        let integer_digits = self.point.max(1);
        for position in (0..integer_digits).rev() {
            out.push(self.digit_at(position));
            if position > 0 && position % 3 == 0 {
                out.push(',');
            }
        }
        if places > 0 {
            out.push('.');
            for place in 1..=i32::from(places) {
                out.push(self.digit_at(-place));
            }
        }
    }

    /// The digit for units of 10^`position`.
    fn digit_at(&self, position: i32) -> char {
        usize::try_from(self.point - 1 - position)
            .ok()
            .and_then(|index| self.digits().get(index))
            .map_or('0', |&byte| char::from(byte))
    }

    fn zero() -> Decimal {
        Decimal { digits: [b'0'; CAPACITY], len: 0, point: 0 }
    }

    fn push(&mut self, digit: u8) {
        if let Some(slot) = self.digits.get_mut(self.len) {
            *slot = digit;
            self.len += 1;
        }
    }
}

/// A double in scientific notation, on the stack, because labels are formatted in every frame.
#[derive(Default)]
struct ExponentText {
    bytes: [u8; 32],
    len: usize,
}

impl ExponentText {
    /// Mantissa bytes (including the point) and the power of ten.
    fn split(&self) -> (&[u8], i32) {
        let text = &self.bytes[..self.len];
        let Some(at) = text.iter().position(|&byte| byte == b'e') else {
            return (text, 0);
        };
        let exponent = std::str::from_utf8(&text[at + 1..]).ok().and_then(|digits| digits.parse().ok());
        (&text[..at], exponent.unwrap_or(0))
    }
}

impl Write for ExponentText {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let end = self.len + piece.len();
        let slot = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        slot.copy_from_slice(piece.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn check(value: f64, places: u8, expect: &str) {
        let mut decimal = Decimal::from_f64(value);
        decimal.round(places);
        let mut out = String::new();
        decimal.write_grouped(&mut out, places);
        assert_eq!(out, expect, "{value} to {places} places");
    }

    #[test]
    fn rounds_the_shortest_text_half_away_from_zero() {
        check(1.005, 2, "1.01");
        check(0.145, 2, "0.15");
        check(0.5, 0, "1");
        check(2.5, 0, "3");
        check(0.49, 0, "0");
        check(0.049, 1, "0.0");
        check(0.05, 1, "0.1");
        check(0.00005, 4, "0.0001");
        check(0.000_004, 4, "0.0000");
    }

    #[test]
    fn carries_through_nines() {
        check(9.96, 1, "10.0");
        check(999.5, 0, "1,000");
        check(0.996, 2, "1.00");
        check(99_999.95, 1, "100,000.0");
    }

    #[test]
    fn groups_and_pads() {
        check(0.0, 0, "0");
        check(0.0, 3, "0.000");
        check(1e21, 0, "1,000,000,000,000,000,000,000");
        check(1_234_567.25, 3, "1,234,567.250");
        check(f64::MIN_POSITIVE, 2, "0.00");
        check(5e-324, 255, &format!("0.{}", "0".repeat(255)));
    }

    #[test]
    fn integers_keep_every_digit() {
        for value in [0, 7, 10, 1_000, 9_007_199_254_740_993, u64::MAX] {
            let mut out = String::new();
            Decimal::from_u64(value).write_grouped(&mut out, 0);
            assert_eq!(out.replace(',', ""), value.to_string());
        }
    }

    #[test]
    fn shift_moves_the_point_only() {
        let mut ratio = Decimal::from_f64(0.285);
        ratio.shift(2);
        ratio.round(0);
        assert_eq!((ratio.digits(), ratio.digits_left_of_point()), (&b"29"[..], 2));
    }
}
