//! Tests of the cursor on intact and damaged text.

use super::*;

fn skip(text: &str) -> Result<usize> {
    let mut cursor = Cursor::at(text.as_bytes(), 0);
    cursor.skip_value()?;
    Ok(cursor.offset())
}

#[test]
fn values_are_skipped_whole() {
    for text in ["1", "-1.5e3", "\"a\\\"b\"", "[]", "{\"a\":[1,{\"b\":\"]}\"}]}", "null", "NaN"] {
        assert_eq!(skip(text), Ok(text.len()), "{text}");
    }
}

#[test]
fn an_early_end_reports_its_offset() {
    for text in ["[1,2", "{\"a\":", "\"abc", "\"abc\\", "", "[\"\\"] {
        let error = skip(text).expect_err(text);
        assert_eq!(error, JsonError { offset: text.len(), problem: Problem::Truncated }, "{text}");
    }
}

#[test]
fn a_million_brackets_cost_no_stack() {
    let text = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    assert_eq!(skip(&text), Ok(2_000_000));
}

#[test]
fn a_wrong_type_is_skipped_and_reading_continues() {
    let mut cursor = Cursor::at(b"[{\"a\":1},7]", 0);
    cursor.enter_array().expect("array");
    assert_eq!(cursor.next_element(), Ok(true));
    let wrong = cursor.string().expect_err("an object is not a string");
    assert_eq!(wrong.problem, Problem::WrongType(Kind::Object));
    assert_eq!(cursor.next_element(), Ok(true));
    assert_eq!(cursor.scalar(), Ok(&b"7"[..]));
    assert_eq!(cursor.next_element(), Ok(false));
}
