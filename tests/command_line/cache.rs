//! Cached indexes: `info`, `dump` and `cache`.

use flowline_synth::Format;
use serde_json::Value;

use crate::support::FORMATS;
use crate::support::program::Program;

fn info(program: &Program, arguments: &[&str]) -> Value {
    program.object(&[&["info", "--json"], arguments].concat())
}

#[test]
fn cached_indexes_are_reported_and_print_the_same() {
    let program = Program::new("cli");
    for format in FORMATS {
        let path = program.synthetic(&format!("{format:?}.json"), format, 150_000, 3);
        let off = info(&program, &[&path, "--no-cache"]);
        assert_eq!((&off["cache"], &off["cache_reason"]), (&Value::from("off"), &Value::from("switched off")));
        let first = info(&program, &[&path]);
        assert!(
            first["cache"] == "miss" && first["cache_reason"].as_str().expect("words").contains("stored an index"),
            "{first}"
        );
        let second = info(&program, &[&path]);
        assert_eq!(second["cache"], "hit");
        for key in ["markers", "flows", "memberships", "counters", "warnings", "duration_ns", "format", "json_bytes"] {
            assert_eq!(first[key], second[key], "{key}");
        }
        for what in ["threads", "markers", "rows", "flows", "counters", "warnings"] {
            let (read, kept) =
                (program.good(&["dump", &path, what, "--no-cache"]), program.good(&["dump", &path, what]));
            assert!(read == kept, "{what}");
        }
        let search = ["dump", &path, "markers", "--search", "net, dur:>2ms"];
        assert!(program.good(&search) == program.good(&[&search[..], &["--no-cache"]].concat()));
    }
    assert_eq!(program.good(&["cache"]).lines().count(), 2);
    assert!(program.good(&["cache", "clear"]).starts_with("2 removed"));
    assert_eq!(program.good(&["cache"]), "");
}

#[test]
fn the_cache_limit_comes_from_an_option_or_the_environment() {
    let program = Program::new("cli-bound");
    let path = program.synthetic("a.json", Format::Chrome, 150_000, 3);
    let told = info(&program, &[&path, "--cache-limit", "1000"]);
    assert!(told["cache_reason"].as_str().expect("words").contains("larger than the cache limit"), "{told}");
    let output = program
        .command()
        .args(["info", &path])
        .env("FLOWLINE_CACHE_LIMIT", "much")
        .output()
        .expect("the program starts");
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("FLOWLINE_CACHE_LIMIT"));
}
