//! Sizes and rates as text, in decimal units: 1 KB is 1,000 bytes.

use crate::Decimal;
use crate::number::{MINUS, format_counted, format_integer};

/// Sizes from here on round to 1.0 of the next unit.
const FIRST_KB: f64 = 999.5;
const FIRST_MB: f64 = 999_950.0;
const FIRST_GB: f64 = 999_995_000.0;

/// A size: `778 B`, `48.2 KB`, `5.91 MB`, `1.20 GB`.
#[must_use]
pub fn format_bytes(bytes: f64) -> String {
    let mut out = String::new();
    write_bytes(&mut out, bytes);
    out
}

/// A number of bytes per second: `1.20 MB/s`.
#[must_use]
pub fn format_rate(bytes_per_second: f64) -> String {
    format_bytes(bytes_per_second) + "/s"
}

/// A size with all its digits, for hover texts: `48,213 bytes`.
#[must_use]
pub fn format_bytes_exact(bytes: u64) -> String {
    match i64::try_from(bytes) {
        Ok(1) | Err(_) => format_counted(bytes, "byte"),
        Ok(bytes) => format_integer(bytes) + " bytes",
    }
}

/// Appends [`format_bytes`].
pub fn write_bytes(out: &mut String, bytes: f64) {
    if bytes.is_nan() {
        return out.push_str("<invalid>");
    }
    let (power, places, unit) = match bytes.abs() {
        size if size < FIRST_KB => (0, 0, " B"),
        size if size < FIRST_MB => (-3, 1, " KB"),
        size if size < FIRST_GB => (-6, 2, " MB"),
        _ => (-9, 2, " GB"),
    };
    if bytes.is_infinite() {
        out.push_str(if bytes > 0.0 { "∞" } else { "−∞" });
        return out.push_str(unit);
    }
    let mut decimal = Decimal::from_f64(bytes);
    decimal.shift(power);
    decimal.round(places);
    if bytes < 0.0 && !decimal.digits().is_empty() {
        out.push(MINUS);
    }
    decimal.write_grouped(out, places);
    out.push_str(unit);
}

/// The unit of all sizes in a column; its heading names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SizeUnit {
    /// Bytes.
    Bytes,
    /// KB with one decimal.
    #[default]
    Kilobytes,
    /// MB with two decimals.
    Megabytes,
}

impl SizeUnit {
    /// The unit of a column of numbers of bytes; KB if it has none.
    #[must_use]
    pub fn of_column(sizes: impl IntoIterator<Item = f64>) -> Self {
        let largest = sizes.into_iter().map(f64::abs).filter(|size| size.is_finite()).reduce(f64::max);
        match largest {
            Some(size) if size < FIRST_KB => Self::Bytes,
            Some(size) if size >= FIRST_MB => Self::Megabytes,
            _ => Self::Kilobytes,
        }
    }

    /// Heading of a column: `Wasted KB`.
    #[must_use]
    pub fn heading(self, title: &str) -> String {
        let symbol = match self {
            Self::Bytes => "B",
            Self::Kilobytes => "KB",
            Self::Megabytes => "MB",
        };
        format!("{title} {symbol}")
    }

    /// A size in this unit, without its symbol: `48.2`; `<0.01` for a size that would round to zero.
    #[must_use]
    pub fn format(self, bytes: f64) -> String {
        if !bytes.is_finite() {
            return format_bytes(bytes);
        }
        let (power, places) = match self {
            Self::Bytes => (0, 0),
            Self::Kilobytes => (-3, 1),
            Self::Megabytes => (-6, 2),
        };
        let mut decimal = Decimal::from_f64(bytes);
        decimal.shift(power);
        decimal.round(places);
        let mut out = String::new();
        match (bytes > 0.0, decimal.digits().is_empty(), self) {
            (true, true, Self::Bytes) => out.push_str("<1"),
            (true, true, Self::Kilobytes) => out.push_str("<0.1"),
            (true, true, Self::Megabytes) => out.push_str("<0.01"),
            (is_positive, is_zero, _) => {
                if !is_positive && !is_zero {
                    out.push(MINUS);
                }
                decimal.write_grouped(&mut out, places);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_sizes_has_one_unit() {
        let column = |sizes: &[f64]| {
            let unit = SizeUnit::of_column(sizes.iter().copied());
            let texts: Vec<String> = sizes.iter().map(|size| unit.format(*size)).collect();
            (unit.heading("Wasted"), texts.join(" "))
        };
        assert_eq!(column(&[12.0, 999.0]), ("Wasted B".to_owned(), "12 999".to_owned()));
        assert_eq!(column(&[12.0, 48_213.0]), ("Wasted KB".to_owned(), "<0.1 48.2".to_owned()));
        assert_eq!(column(&[272.0, 0.0, 1_158_878.0]), ("Wasted MB".to_owned(), "<0.01 0.00 1.16".to_owned()));
        assert_eq!(column(&[48_213.0, 5_910_000_000.0]), ("Wasted MB".to_owned(), "0.05 5,910.00".to_owned()));
        assert_eq!(column(&[-2_500.0, 0.0]), ("Wasted KB".to_owned(), "−2.5 0.0".to_owned()));
        assert_eq!(column(&[]), ("Wasted KB".to_owned(), String::new()));
    }

    #[test]
    fn sizes_select_their_unit_after_rounding() {
        let rows: &[(f64, &str)] = &[
            (0.0, "0 B"),
            (0.4, "0 B"),
            (778.0, "778 B"),
            (999.4, "999 B"),
            (999.5, "1.0 KB"),
            (1_000.0, "1.0 KB"),
            (48_213.0, "48.2 KB"),
            (999_949.0, "999.9 KB"),
            (999_950.0, "1.00 MB"),
            (5_910_000.0, "5.91 MB"),
            (999_995_000.0, "1.00 GB"),
            (2.5e12, "2,500.00 GB"),
            (-123_456.0, "−123.5 KB"),
            (-0.2, "0 B"),
            (f64::INFINITY, "∞ GB"),
            (f64::NAN, "<invalid>"),
        ];
        for (bytes, expected) in rows {
            assert_eq!(format_bytes(*bytes), *expected, "{bytes} bytes");
        }
        assert_eq!(format_rate(1_200_000.0), "1.20 MB/s");
    }

    #[test]
    fn exact_sizes_keep_their_digits() {
        assert_eq!([1, 48_213, 123_456_789].map(format_bytes_exact), ["1 byte", "48,213 bytes", "123,456,789 bytes"]);
    }

    #[test]
    fn larger_sizes_never_read_smaller() {
        let read = |bytes: f64| {
            let text = format_bytes(bytes);
            let (number, unit) = text.split_once(' ').expect("a unit");
            let per_unit = [("B", 1.0), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)].into_iter().find(|of| of.0 == unit);
            number.replace(',', "").parse::<f64>().expect("a number") * per_unit.expect("a known unit").1
        };
        let mut last = 0.0;
        let mut bytes = 0.4;
        while bytes < 1e13 {
            let now = read(bytes);
            assert!(now >= last, "{bytes}: {now} after {last}");
            // Half of the last digit: a byte, a hundred bytes, or a hundredth of the unit.
            let half = if bytes < FIRST_KB {
                0.5
            } else if bytes < FIRST_MB {
                50.0
            } else {
                0.005 * bytes.max(1e6)
            };
            assert!((now - bytes).abs() <= half * 1.000_001, "{bytes} reads {now}");
            last = now;
            bytes *= 1.003;
        }
    }
}
