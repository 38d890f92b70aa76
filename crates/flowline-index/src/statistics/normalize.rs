//! Replaces numbers in names, so that `Load #12 of 0x7f3a` and `Load #7 of 0x10` become the same name.

/// Replaces every run of digits and every hexadecimal number by `#`. A hexadecimal number is a word that begins with
/// `0x`, or a word of at least `HEX` hexadecimal digits with both digits and letters, as in hashes and addresses.
#[must_use]
pub fn normalized(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        if !first.is_ascii_alphanumeric() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        if is_hex(word) {
            out.push('#');
        } else {
            replace_digits(word, &mut out);
        }
    }
    out
}

/// Minimum length of a hexadecimal number without `0x`.
const HEX: usize = 6;

fn is_hex(word: &str) -> bool {
    let is_hex = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let prefixed = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
    prefixed.is_some_and(is_hex)
        || (word.len() >= HEX && is_hex(word) && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic))
}

fn replace_digits(word: &str, out: &mut String) {
    let mut in_number = false;
    for char in word.chars() {
        if !char.is_ascii_digit() {
            out.push(char);
        } else if !in_number {
            out.push('#');
        }
        in_number = char.is_ascii_digit();
    }
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn numbers_are_replaced() {
        for (name, expected) in [
            ("Load 12: url7.html", "Load #: url#.html"),
            ("task 0x7fA9", "task #"),
            ("at deadbeef01, facade, 123abc", "at #, facade, #"),
            ("HTTP2 v1.2.3", "HTTP# v#.#.#"),
            ("0x", "#x"),
            ("é42ß", "é#ß"),
            ("", ""),
        ] {
            assert_eq!(normalized(name), expected);
        }
    }
}
