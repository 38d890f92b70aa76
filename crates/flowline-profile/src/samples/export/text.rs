//! Names and numbers as text of the two formats.

use std::borrow::Cow;
use std::io::{self, Write};

use super::super::{ANONYMOUS, WeightUnit};
use flowline_json::write_json_string;

/// A weight as a decimal number; 0 if it is not finite.
pub(super) fn weight_text(weight: f64) -> Cow<'static, str> {
    // Sums of no values or of negative values can be -0.
    if weight == 0.0 || !weight.is_finite() { Cow::Borrowed("0") } else { Cow::Owned(weight.to_string()) }
}

/// A name with characters replaced that the format cannot represent.
pub(super) fn escaped(name: &str) -> String {
    let character = |character: char| match character {
        ';' => ':',
        control if control.is_control() => ' ',
        other => other,
    };
    let text: String = name.chars().map(character).collect();
    if text.trim().is_empty() { ANONYMOUS.to_owned() } else { text }
}

/// Name of a unit in speedscope files.
pub(super) const fn unit_name(unit: WeightUnit) -> &'static str {
    match unit {
        WeightUnit::Nanoseconds => "nanoseconds",
        WeightUnit::Microseconds => "microseconds",
        WeightUnit::Milliseconds => "milliseconds",
        WeightUnit::Seconds => "seconds",
        WeightUnit::Bytes => "bytes",
        WeightUnit::Samples | WeightUnit::Plain => "none",
    }
}

pub(super) fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_json_string(&mut quoted, text);
    out.write_all(quoted.as_bytes())
}
