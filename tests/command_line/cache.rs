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
    // A program that was killed while it wrote an entry.
    let unfinished = program.file("flowline/abc.1-0.part", [0; 2000]);
    let listed = program.good(&["cache"]);
    assert!(
        listed.lines().count() == 3 && listed.contains("unfinished: ") && listed.contains("abc.1-0.part"),
        "{listed}"
    );
    assert!(program.good(&["cache", "clear"]).starts_with("2 removed and 1 unfinished file, "));
    assert!(!std::path::Path::new(&unfinished).exists());
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

#[cfg(unix)]
#[test]
fn a_cache_folder_that_others_can_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;

    let program = Program::new("cli-open-cache");
    let path = program.synthetic("a.json", Format::Chrome, 150_000, 3);
    assert_eq!(info(&program, &[&path])["cache"], "miss");
    let folder = program.path("flowline");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).expect("set");
    let output = program.command().args(["info", "--json", &path]).output().expect("the program starts");
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(warning.matches("other users can write to the cache folder").count(), 1, "{warning}");
    let told: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(told["cache"], "off", "{told}");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).expect("set");
    assert_eq!(info(&program, &[&path])["cache"], "hit");
}
