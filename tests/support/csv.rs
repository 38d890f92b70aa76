//! A minimal reader of comma-separated values.

/// The records of a CSV text as defined by RFC 4180; plain line feeds are accepted too.
pub(crate) fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut fields, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut fields));
            }
            char => field.push(char),
        }
    }
    assert!(field.is_empty() && fields.is_empty(), "the last record ends with a line break");
    records
}
