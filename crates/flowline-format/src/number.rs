//! Counts, percentages and plain numbers as text: comma groups, a true minus sign, no scientific notation except for extreme numbers.

use crate::Decimal;

/// The minus sign; a hyphen is shorter than the digits around it.
pub(crate) const MINUS: char = '−';

/// Counts from here on have an eighth digit and are shown in millions.
const FIRST_SHORT: u64 = 10_000_000;
/// Counts from here on are shown in thousands in narrow cells.
const FIRST_SHORT_CELL: u64 = 10_000;

/// A count with all its digits up to seven (`1,234,567`), and in millions from there on (`12.3 M`).
#[must_use]
pub fn format_count(count: u64) -> String {
    if count >= FIRST_SHORT { short(count) } else { grouped(count) }
}

/// A count for narrow cells: `9,999`, `12.4 k`, `1.2 M`.
#[must_use]
pub fn format_count_short(count: u64) -> String {
    if count >= FIRST_SHORT_CELL { short(count) } else { grouped(count) }
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

/// An integer with all its digits: `−1,234,567,890`.
#[must_use]
pub fn format_integer(value: i64) -> String {
    let mut out = String::new();
    write_integer(&mut out, value);
    out
}

/// Appends [`format_integer`].
pub fn write_integer(out: &mut String, value: i64) {
    if value < 0 {
        out.push(MINUS);
    }
    Decimal::from_u64(value.unsigned_abs()).write_grouped(out, 0);
}

/// A ratio as a percentage with one decimal: 0.071 is `7.1%`. Ratios that would round to zero are `<0.1%`.
#[must_use]
pub fn format_percent(ratio: f64) -> String {
    let mut out = String::new();
    write_percent(&mut out, ratio);
    out
}

/// Appends [`format_percent`].
pub fn write_percent(out: &mut String, ratio: f64) {
    if !write_special(out, ratio) {
        // Multiplying the double by 100 would round some halves in the wrong direction.
        let mut decimal = Decimal::from_f64(ratio);
        decimal.shift(2);
        let is_zero = decimal.digits().is_empty();
        decimal.round(1);
        match (decimal.digits().is_empty() && !is_zero, ratio < 0.0) {
            (true, true) => out.push_str(">−0.1"),
            (true, false) => out.push_str("<0.1"),
            (false, is_negative) => {
                if is_negative {
                    out.push(MINUS);
                }
                decimal.write_grouped(out, 1);
            }
        }
    }
    if !ratio.is_nan() {
        out.push('%');
    }
}

/// A number whose quantity is unknown. Integers keep all their digits; others have at most three decimals, or three significant digits if they
/// are below one.
#[must_use]
pub fn format_number(value: f64) -> String {
    let mut out = String::new();
    write_number(&mut out, value);
    out
}

/// Appends [`format_number`].
pub fn write_number(out: &mut String, value: f64) {
    if write_special(out, value) {
        return;
    }
    let size = value.abs();
    if value < 0.0 {
        out.push(MINUS);
    }
    if size >= 1e15 || (size > 0.0 && size < 1e-6) {
        return out.push_str(&format!("{size:.2e}").replace("e-", "e−"));
    }
    let mut decimal = Decimal::from_f64(size);
    let wanted = 3 - decimal.digits_left_of_point().min(0);
    decimal.round(u8::try_from(wanted).unwrap_or(3));
    let left = i32::try_from(decimal.digits().len()).unwrap_or(0) - decimal.digits_left_of_point();
    let places = u8::try_from(left.max(0)).unwrap_or(0);
    decimal.write_grouped(out, places);
}

/// Appends a number with a fixed number of decimals, for columns and for quantities whose unit the input states.
pub fn write_fixed(out: &mut String, value: f64, places: u8) {
    if write_special(out, value) {
        return;
    }
    let mut decimal = Decimal::from_f64(value);
    decimal.round(places);
    if value < 0.0 && !decimal.digits().is_empty() {
        out.push(MINUS);
    }
    decimal.write_grouped(out, places);
}

/// A number with a fixed number of decimals: `1,234.5`.
#[must_use]
pub fn format_fixed(value: f64, places: u8) -> String {
    let mut out = String::new();
    write_fixed(&mut out, value, places);
    out
}

/// Appends not-a-number or infinity, and returns true, if the value is one.
fn write_special(out: &mut String, value: f64) -> bool {
    if value.is_nan() {
        out.push_str("<invalid>");
    } else if value.is_infinite() {
        out.push_str(if value > 0.0 { "∞" } else { "−∞" });
    }
    !value.is_finite()
}

fn grouped(count: u64) -> String {
    let mut out = String::new();
    Decimal::from_u64(count).write_grouped(&mut out, 0);
    out
}

/// A count of at least a thousand with one decimal, rounded before the unit is selected.
fn short(count: u64) -> String {
    let (power, unit) = if count < 999_950 {
        (-3, " k")
    } else if count < 999_950_000 {
        (-6, " M")
    } else {
        (-9, " G")
    };
    let mut decimal = Decimal::from_u64(count);
    decimal.shift(power);
    decimal.round(1);
    let mut out = String::new();
    decimal.write_grouped(&mut out, 1);
    out.push_str(unit);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_up_to_seven_digits() {
        let counts = [0, 999, 1_000, 245_567, 9_999_999, 10_000_000, 123_456_789, 999_950_000].map(format_count);
        assert_eq!(counts, ["0", "999", "1,000", "245,567", "9,999,999", "10.0 M", "123.5 M", "1.0 G"]);
        let cells = [0, 9_999, 10_000, 12_449, 12_450, 999_949, 999_950, 1_249_999, u64::MAX].map(format_count_short);
        assert_eq!(
            cells,
            ["0", "9,999", "10.0 k", "12.4 k", "12.5 k", "999.9 k", "1.0 M", "1.2 M", "18,446,744,073.7 G"]
        );
    }

    #[test]
    fn nouns_have_a_plural() {
        let texts = [format_counted(1, "marker"), format_counted(0, "marker"), format_counted(1_234, "process")];
        assert_eq!(texts, ["1 marker", "0 markers", "1,234 processes"]);
    }

    #[test]
    fn integers_keep_all_digits() {
        assert_eq!(format_integer(i64::MIN), "−9,223,372,036,854,775,808");
        assert_eq!(format_integer(123_456_789), "123,456,789");
    }

    #[test]
    fn percentages_have_one_decimal() {
        let rows = [
            (0.0, "0.0%"),
            (0.000_499, "<0.1%"),
            (0.000_5, "0.1%"),
            (0.071, "7.1%"),
            (0.285_5, "28.6%"),
            (1.0, "100.0%"),
            (0.999_6, "100.0%"),
            (1_234.567_89, "123,456.8%"),
            (-0.5, "−50.0%"),
            (-0.000_4, ">−0.1%"),
            (f64::INFINITY, "∞%"),
            (f64::NAN, "<invalid>"),
        ];
        for (ratio, expected) in rows {
            assert_eq!(format_percent(ratio), expected, "{ratio}");
        }
    }

    #[test]
    fn plain_numbers_have_the_decimals_they_need() {
        let rows = [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (12_345.0, "12,345"),
            (0.5, "0.5"),
            (12.345_678_9, "12.346"),
            (0.123_456, "0.123"),
            (0.000_123_456, "0.000123"),
            (-1.25, "−1.25"),
            (1_234.999_9, "1,235"),
            (1e300, "1.00e300"),
            (-1.5e-9, "−1.50e−9"),
            (f64::NEG_INFINITY, "−∞"),
        ];
        for (value, expected) in rows {
            assert_eq!(format_number(value), expected, "{value}");
        }
        assert_eq!(format_fixed(1_234.55, 1), "1,234.6");
        assert_eq!(format_fixed(-0.04, 1), "0.0");
    }
}
