//! SQL: the check of depth and size, and the parser behind it. A text that passes is parsed, printed and dropped within the
//! stack of the threads that plan queries.
#![no_main]

extern crate self as datafusion;

use libfuzzer_sys::fuzz_target;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

/// The parser under the name by which the engine knows it.
pub mod sql {
    pub use ::sqlparser;
}

#[path = "../../crates/flowline-query/src/engine/sql_size.rs"]
mod sql_size;

/// Part of the stack of the engine's threads, which also plan.
const STACK: usize = 16 << 20;

/// A text of letters, and repetitions: `\x01` to `\x08` repeat the rest of the line many times.
fn expanded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let (times, line) = match line.split_first() {
            Some((first @ 1..=8, rest)) => (4_usize.pow(u32::from(*first)), rest),
            _ => (1, line),
        };
        let line = String::from_utf8_lossy(line);
        if text.len() + line.len() * times < 1 << 20 {
            text.push_str(&line.repeat(times));
            text.push('\n');
        }
    }
    text
}

fuzz_target!(|bytes: &[u8]| {
    let text = expanded(bytes);
    if sql_size::check(&text).is_ok() {
        let parse = move || {
            if let Ok(statements) = Parser::parse_sql(&GenericDialect {}, &text) {
                let printed: Vec<String> = statements.iter().map(ToString::to_string).collect();
                assert_eq!(printed.len(), statements.len());
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(parse);
        thread.expect("a thread").join().expect("no panic");
    }
});
