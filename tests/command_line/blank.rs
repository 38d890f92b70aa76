//! Recordings with nothing to draw, and lanes of the overview without data.

use serde_json::{Value, json};

use crate::support::program::Program;

const META: &str = r#"[{"ph":"M","name":"process_name","pid":1,"args":{"name":"Renderer"}},
    {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"Main"}}]"#;
const LISTS: &str = r#"{"traceEvents":[],"metadata":{"os":"x"},"otherData":{"v":1}}"#;
const WARNINGS: &str = r#"[{"ph":"X","name":"a","pid":1,"tid":1},{"ph":"Z","name":"a","pid":1,"tid":1,"ts":1}]"#;
const FIREFOX: &str = r#"{"meta":{"version":27,"processType":0,"interval":1,"startTime":0,"product":"Firefox",
    "preprocessedProfileVersion":47,"categories":[],"markerSchema":[]},"libs":[],"threads":[]}"#;

const NOTHING: &str = "This recording has no markers, samples or counters.";
const CHROME_ADVICE: &str =
    "Record again while something happens, with categories such as devtools.timeline or those of your program.";

fn items(program: &Program, file: &str, item: &str) -> Vec<Value> {
    program.lines(&["dump", file, "view"]).into_iter().filter(|line| line["item"] == item).collect()
}

#[test]
fn a_recording_with_nothing_to_draw_says_what_it_contains_and_what_could_be_done() {
    let program = Program::new("blank");
    for (text, expected, contents, advice) in [
        (META, NOTHING, json!(["1 process: Renderer", "1 thread: Main"]), CHROME_ADVICE),
        (LISTS, NOTHING, json!(["2 metadata entries: metadata, otherData"]), CHROME_ADVICE),
        ("[]", NOTHING, json!(["The file has no names and no metadata either."]), CHROME_ADVICE),
        (
            WARNINGS,
            "Nothing in this recording can be drawn.",
            json!([
                "1 event of type “Z”",
                "1 × Markers and samples without a valid time were skipped.",
                "1 × Events of types that the chart cannot show are not drawn.",
            ]),
            "“Import warnings” lists what was left out, with places in the file.",
        ),
        (
            FIREFOX,
            NOTHING,
            json!(["The file has no names and no metadata either."]),
            "Record again while something happens, with the threads of interest in the settings of the profiler.",
        ),
    ] {
        let file = program.file("blank.json", text);
        let shown = items(&program, &file, "blank");
        assert_eq!(
            shown,
            [json!({"item": "blank", "text": expected, "contents": contents, "advice": advice})],
            "{text}"
        );
        assert_eq!(items(&program, &file, "lane"), [Value::Null; 0], "{text}");
        let info = program.object(&["info", &file, "--json"]);
        assert_eq!(info["blank"], json!({"text": expected, "contents": contents, "advice": advice}), "{text}");
        let lines = program.good(&["info", &file]);
        let texts = contents.as_array().expect("a list").iter().filter_map(Value::as_str).chain([expected, advice]);
        for text in texts {
            assert!(lines.contains(text), "{text} in {lines}");
        }
    }
}

#[test]
fn a_lane_without_data_is_absent() {
    let program = Program::new("lanes");
    let counter =
        r#"{"ph":"C","name":"c","pid":1,"ts":1,"args":{"v":1}},{"ph":"C","name":"c","pid":1,"ts":900,"args":{"v":5}}"#;
    let instants = r#"{"ph":"i","name":"a","pid":1,"tid":1,"ts":1},{"ph":"i","name":"b","pid":1,"tid":1,"ts":1000}"#;
    let slice =
        r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":900},{"ph":"i","name":"b","pid":1,"tid":1,"ts":1000}"#;
    for (events, expected) in [(counter, &[][..]), (instants, &[]), (slice, &["CPU"])] {
        let file = program.file("lanes.json", format!("[{events}]"));
        let lanes = items(&program, &file, "lane");
        let names: Vec<&str> = lanes.iter().filter_map(|line| line["name"].as_str()).collect();
        assert_eq!(names, expected, "{events}");
        assert_eq!(items(&program, &file, "blank"), [Value::Null; 0]);
        assert_eq!(program.object(&["info", &file, "--json"])["blank"], Value::Null);
    }
}
