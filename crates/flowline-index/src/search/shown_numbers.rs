//! Comparisons as the window shows numbers: with comma groups, a space before the unit and a true minus sign, such as
//! `dur:>1,040 ms` and `start:−12.5 ms..2 s`.

use super::number::is_unit;

/// The length of the comparison or range at the beginning of a value; `None` for other values.
pub(super) fn comparison_len(value: &str) -> Option<usize> {
    let operator = value.len() - value.trim_start_matches(['<', '>']).len();
    let operator = operator + usize::from(operator > 0 && value[operator..].starts_with('='));
    let mut end = operator + amount_len(&value[operator..]);
    let is_range = value[end..].starts_with("..");
    if is_range {
        end += 2;
        end += amount_len(&value[end..]);
    }
    let is_complete = value[end..].chars().next().is_none_or(|next| next == ',' || next.is_whitespace());
    (is_complete && (operator > 0 || is_range)).then_some(end)
}

/// The length of the number with its unit at the beginning of a text; 0 if there is none.
fn amount_len(text: &str) -> usize {
    let number = number_len(text);
    if number == 0 {
        return 0;
    }
    let rest = &text[number..];
    let blank =
        if rest.starts_with([' ', '\u{a0}', '\u{202f}']) { rest.chars().next().map_or(0, char::len_utf8) } else { 0 };
    let after = &rest[blank..];
    let unit = after.find(|letter: char| !letter.is_alphabetic() && letter != '%').unwrap_or(after.len());
    // Without a space, any unit belongs to the word; the comparison checks it.
    match (unit, blank) {
        (0, _) => number,
        (_, 0) => number + unit,
        _ if is_unit(&after[..unit].to_lowercase()) => number + blank + unit,
        _ => number,
    }
}

/// The length of the number at the beginning of a text. Commas count only between groups of three digits.
fn number_len(text: &str) -> usize {
    let sign = text.chars().next().filter(|sign| matches!(sign, '-' | '+' | '\u{2212}')).map_or(0, char::len_utf8);
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = sign + digits(sign);
    while (1..=3).contains(&digits_before(text, end)) && text[end..].starts_with(',') && digits(end + 1) == 3 {
        end += 4;
    }
    if text[end..].starts_with('.') && !text[end..].starts_with("..") {
        end += 1 + digits(end + 1);
    }
    if text[sign..end].bytes().any(|byte| byte.is_ascii_digit()) { end } else { 0 }
}

/// Number of digits before a position.
fn digits_before(text: &str, end: usize) -> usize {
    text[..end].bytes().rev().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_end_after_their_units() {
        for (text, length) in [
            (">1,040 ms", Some(9)),
            (">1,040 ms x", Some(9)),
            (">=1,040.5ms, x", Some(11)),
            ("<5 paint", Some(2)),
            (">1,2", Some(2)),
            (">1,2345", Some(2)),
            (">12,345,678 ns", Some(14)),
            ("1,040 ms..2,000 ms", Some(18)),
            ("5..20ms", Some(7)),
            ("5 ms..", Some(6)),
            ("..2 s", Some(5)),
            (">\u{2212}12.5 ms", Some(11)),
            ("1,040 ms", None),
            ("paint", None),
            ("a..b", None),
            (">", Some(1)),
            (">5x.y", None),
            ("", None),
        ] {
            assert_eq!(comparison_len(text), length, "{text}");
        }
    }
}
