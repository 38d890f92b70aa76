//! `dump collapsed` and `dump speedscope`: the written files open again.

use crate::support::program::Program;

const PERF: &str = "sh 1/1 [000] 1.0: 3 cycles:\n\t1 f (/a)\n\t2 main (/a)\n\n\
     sh 1/2 [000] 1.1: 4 cycles:\n\t1 g;h (/a)\n\t2 main (/a)\n\nsh 1/1 [000] 1.2: 5 cycles:\n\t3 f (/a)\n\t2 main (/a)\n";

#[test]
fn samples_are_written_as_collapsed_stacks() {
    let program = Program::new("stacks");
    let file = program.file("perf.txt", PERF);
    let all = program.good(&["dump", &file, "collapsed"]);
    assert_eq!(all, "main;f 8\nmain;g:h 4\n");
    assert_eq!(program.good(&["dump", &file, "collapsed", "--thread", "1"]), "main;g:h 4\n");
    let of_id = ["dump", &file, "collapsed", "--thread", "2"];
    assert_eq!(program.good(&of_id), "main;g:h 4\n", "there is no third thread, but one with the id 2");
    let again = program.file("stacks.txt", &all);
    assert_eq!(program.good(&["dump", &again, "collapsed"]), all);
    let info = program.object(&["info", &again, "--json"]);
    assert_eq!((&info["format"], &info["threads"], &info["warnings"]), (&"collapsed".into(), &1.into(), &0.into()));
    let wrong = program.run(["dump", &file, "collapsed", "--thread", "7"]);
    assert!(wrong.status == Some(1) && wrong.err.contains("there is no thread \"7\""), "{wrong:?}");
}

#[test]
fn samples_are_written_for_speedscope() {
    let program = Program::new("stacks");
    let file = program.file("perf.txt", PERF);
    let text = program.good(&["dump", &file, "speedscope"]);
    let written: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let weights: Vec<&serde_json::Value> =
        written["profiles"].as_array().expect("profiles").iter().map(|profile| &profile["weights"]).collect();
    assert_eq!(weights, [&serde_json::json!([3, 5]), &serde_json::json!([4])]);
    let again = program.file("stacks.json", written.to_string());
    assert_eq!(program.good(&["dump", &again, "collapsed"]), "main;f 8\nmain;g:h 4\n");
    assert_eq!(program.object(&["info", &again, "--json"])["format"], "speedscope");
}
