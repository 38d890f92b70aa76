//! `cut` writes only what opens again, and otherwise nothing.

use flowline_synth::Format;

use crate::support::program::Program;
use crate::support::protobuf::{message, trace};

/// Ranges of a recording, from all of it to a nanosecond, and outside of it.
const RANGES: [&str; 8] =
    ["0..100s", "0..1ms", "0..1ns", "1ns..2ns", "3ms..4ms", "50ms..50.001ms", "1ms..2ms", "900s..901s"];

/// Cuts a recording at each range. Each part opens again, or is refused while the old output stays. Returns the numbers of
/// both.
fn cut_all(program: &Program, whole: &str, options: &[&str]) -> (usize, usize) {
    let (mut opened, mut refused) = (0, 0);
    for range in RANGES {
        let part = program.file("part.json", "the old output");
        let arguments = [&["cut", whole, "--range", range, "-o", &part], options].concat();
        let outcome = program.run(&arguments);
        if outcome.status == Some(0) {
            let info = program.run(["info", &part, "--json", "--no-cache"]);
            assert_eq!(info.status, Some(0), "{arguments:?}: {info:?}");
            opened += 1;
        } else {
            assert_eq!((outcome.status, outcome.out.as_str()), (Some(1), ""), "{arguments:?}: {outcome:?}");
            let message = outcome.err.lines().last().expect("a message");
            assert!(
                message.contains("choose a larger one") || message.contains("--range is outside the recording"),
                "{arguments:?}: {message}"
            );
            assert_eq!(std::fs::read(&part).expect("the old file"), b"the old output", "{arguments:?}");
            let to_pipe = program.run([&["cut", whole, "--range", range, "-o", "-"], options].concat());
            assert_eq!((to_pipe.status, to_pipe.out.as_str()), (Some(1), ""), "{arguments:?}");
            refused += 1;
        }
    }
    (opened, refused)
}

#[test]
fn every_part_opens_again_or_is_refused() {
    let program = Program::new("cut-readable");
    let fixture = |name: &str| format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let recorded = ["recorded/chrome-click.json.gz", "recorded/firefox-click.json.gz", "cases/tabs.json"].map(fixture);
    let made = [Format::Firefox, Format::Chrome, Format::Page, Format::Perfetto]
        .map(|format| program.synthetic(&format!("{format:?}"), format, 400, 3));
    let mut all = (0, 0);
    for whole in recorded.iter().chain(&made) {
        let more: &[&[&str]] = if made.contains(whole) { &[&["--format", "json"], &["--remove-urls"]] } else { &[] };
        for options in [&[][..]].iter().chain(more) {
            let (opened, refused) = cut_all(&program, whole, options);
            all = (all.0 + opened, all.1 + refused);
        }
    }
    // The last range is outside of every recording.
    assert!(all.0 > 30 && all.1 >= 15, "{all:?}");
}

#[test]
fn parts_without_anything_are_refused() {
    let program = Program::new("cut-nothing");
    // A packet without contents, one with an empty message, and packets that only describe clocks or nothing that is known.
    let clock = message().message(6, &message().message(1, &message().number(1, 6).number(2, 5)));
    let traces = [
        vec![10, 2, 10, 0],
        trace(&[message().message(1, &message())]),
        trace(&[clock.clone(), message().message(8, &message()), clock]),
        trace(&[message().number(10, 1).message(66, &message().number(1, 1)), message().message(900, &message())]),
    ];
    let mut refused = 0;
    for bytes in traces {
        let whole = program.file("whole.pftrace", bytes);
        if program.run(["info", &whole]).status != Some(0) {
            continue;
        }
        for options in [&[][..], &["--range", "0..1s"], &["--remove-urls"]] {
            let part = program.file("part.pftrace", "the old output");
            let outcome = program.run([&["cut", &whole, "-o", &part], options].concat());
            if outcome.status == Some(0) {
                program.good(&["info", &part]);
                continue;
            }
            let is_known = ["contains nothing that could be opened again", "--range is outside"];
            assert!(is_known.iter().any(|text| outcome.err.contains(text)), "{outcome:?}");
            assert_eq!(std::fs::read(&part).expect("the old file"), b"the old output");
            refused += 1;
        }
    }
    assert!(refused > 0, "some parts are empty");
    let whole = program.file("whole.pftrace", [10, 2, 10, 0]);
    let message = program.refused(&["cut", &whole, "--range", "0..1s", "-o", &program.path("none.pftrace")]);
    assert!(message.contains("this part of the recording contains nothing"), "{message}");
    assert!(!std::path::Path::new(&program.path("none.pftrace")).exists());
}
