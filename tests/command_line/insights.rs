//! Insights: `dump insights`, `insights` with budgets.

use serde_json::{Value, json};

use crate::keys;
use crate::support::program::Program;

/// A page that loads, with one long task before its first paint.
fn page() -> Value {
    let event = |name: &str, phase: &str, us: i64, args: Value| json!({"name": name, "ph": phase, "cat": "loading,devtools.timeline", "pid": 7, "tid": 7, "ts": us, "args": args});
    let mut task = event("RunTask", "X", 120_000, json!({}));
    task["dur"] = json!(180_000);
    json!({"traceEvents": [
        event("TracingStartedInBrowser", "I", 10_000, json!({"data": {"frames": [{"frame": "MAIN", "url": "http://a.test/",
            "processId": 7, "isOutermostMainFrame": true, "isInPrimaryMainFrame": true}]}})),
        event("navigationStart", "R", 100_000,
            json!({"frame": "MAIN", "data": {"navigationId": "one", "documentLoaderURL": "http://a.test/"}})),
        task,
        event("firstContentfulPaint", "I", 400_000, json!({"frame": "MAIN", "data": {"navigationId": "one"}})),
    ]})
}

#[test]
fn dumped_insights_have_their_keys_and_refer_to_markers() {
    let program = Program::new("insights");
    let file = program.file("page.json", page().to_string());
    let lines = program.lines(&["dump", &file, "insights"]);
    for line in &lines {
        let expected = [
            "data",
            "insight",
            "late",
            "markers",
            "navigation",
            "pid",
            "range_ns",
            "state",
            "summary",
            "unknown",
            "window",
        ];
        let mut found = keys(line);
        found.sort_unstable();
        assert_eq!(found, expected);
    }
    let tasks = lines.iter().find(|line| line["insight"] == "LongTasks" && line["navigation"] == 0).expect("the rule");
    assert_eq!((&tasks["state"], &tasks["unknown"]), (&json!("informative"), &Value::Null));
    assert_eq!(tasks["range_ns"], json!([120_000_000, 300_000_000]));
    assert_eq!((&tasks["data"]["count"], &tasks["data"]["longest_ns"]), (&json!(1), &json!(180_000_000)));
    let markers = program.lines(&["dump", &file, "markers", "--search", "name:RunTask"]);
    assert_eq!((&tasks["markers"], &tasks["late"]), (&json!([markers[0]["marker"]]), &markers[0]["marker"]));
    let found = program.lines(&["dump", &file, "insights", "--search", "name:RunTask"]);
    assert!(found.iter().any(|line| line == tasks), "{found:?}");
    assert_eq!(program.good(&["dump", &file, "insights", "--search", "name:\"no such name\""]), "");
}

#[test]
fn insights_prints_a_table_of_the_page_load() {
    let program = Program::new("insights");
    let file = program.file("page.json", page().to_string());
    let text = program.good(&["insights", &file]);
    let line = |start: &str| {
        let found = text.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} in {text}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("navigation 0"), "navigation 0: http://a.test/");
    assert!(line("FCP").starts_with("FCP 300 ms good "), "{text}");
    assert!(line("LCP").starts_with("LCP unknown largestContentfulPaint::Candidate is not in the recording"), "{text}");
    assert!(line("informative").contains("LongTasks") && line("informative").contains("180"), "{text}");
    assert!(!text.contains("before the first navigation"), "nothing happened before");
    assert_eq!(program.good(&["insights", &file, "--navigation", "0"]), text);
    assert!(program.refused(&["insights", &file, "--navigation", "1"]).contains("1 page load"));
    assert!(program.refused(&["insights", &file, "--window", "7"]).contains("--window 7"));
    assert_eq!(program.run(["insights", &file, "--window", "7", "--navigation", "0"]).status, Some(2));
}

#[test]
fn insights_json_has_stable_keys() {
    let program = Program::new("insights");
    let file = program.file("page.json", page().to_string());
    let object = program.object(&["insights", &file, "--json"]);
    let sorted = |value: &Value| {
        let mut keys: Vec<String> = keys(value).into_iter().map(str::to_owned).collect();
        keys.sort_unstable();
        keys.join(" ")
    };
    assert_eq!(sorted(&object), "broken file navigations unknown");
    let pages = object["navigations"].as_array().expect("a list");
    let own = pages.iter().find(|own| own["navigation"] == 0).expect("the navigation");
    assert_eq!(
        sorted(own),
        "end_ns frame frames insights kind marker markers metrics navigation notes pid ratings reasons t_ns url window"
    );
    assert_eq!(
        (&own["url"], &own["kind"], &own["t_ns"]),
        (&json!("http://a.test/"), &json!("hard"), &json!(100_000_000))
    );
    assert_eq!((&own["metrics"]["fcp_ns"], &own["metrics"]["lcp_ns"]), (&json!(300_000_000), &Value::Null));
    assert_eq!((&own["metrics"]["long_tasks"], &own["ratings"]["fcp"]), (&json!(1), &json!("good")));
    assert!(own["reasons"]["lcp"].as_str().is_some_and(|reason| reason.contains("largestContentfulPaint")), "{own}");
    let dumped = program.lines(&["dump", &file, "insights"]);
    for insight in own["insights"].as_array().expect("a list") {
        assert!(dumped.contains(insight), "{insight}");
    }
    // The long task is in the first part of the load only.
    let of = |range: &str| program.object(&["insights", &file, "--json", "--navigation", "0", "--range", range]);
    let has_tasks = |object: &Value| {
        let insights = object["navigations"][0]["insights"].as_array().cloned().unwrap_or_default();
        insights.iter().any(|insight| insight["insight"] == "LongTasks")
    };
    assert!(has_tasks(&of("0..200")) && !has_tasks(&of("350..400")));
}

#[test]
fn budgets_and_rules_set_the_exit_status() {
    let program = Program::new("insights");
    let file = program.file("page.json", page().to_string());
    let with = |budget: &Value| {
        let budget = program.file("budget.json", budget.to_string());
        program.run(["insights", &file, "--budget", &budget])
    };
    let kept =
        with(&json!({"navigation": "first", "metrics": {"fcp_ms": 300, "long_tasks": 1, "cls": 0.1, "inp_ms": 200}}));
    assert_eq!(kept.status, Some(0), "{kept:?}");
    assert!(kept.err.contains("not compared with its budget: INP is unknown"), "{kept:?}");
    let broken = with(&json!({"metrics": {"fcp_ms": 250, "long_tasks": 0}, "require": ["lcp_ms"]}));
    assert_eq!((broken.status, broken.err.lines().count()), (Some(3), 3), "{broken:?}");
    let first = broken.err.lines().next().expect("three lines");
    assert!(first.starts_with("flowline: FCP 300 ms is above its budget of 250 ms (navigation 0, marker "), "{first}");
    assert!(first.contains(": flowline render ") && first.contains(" --select ") && first.contains(" --critical "));
    assert!(broken.err.contains("LCP is unknown"), "{broken:?}");
    assert_eq!(with(&json!({"navigation": "http://b.test/"})).status, Some(1), "nothing was compared");
    assert_eq!(with(&json!({"navigation": "http://a."})).status, Some(0));
    assert_eq!(with(&json!({"metrics": {"fcp": 1}})).status, Some(1));

    let on = |rules: &str| program.run(["insights", &file, "--fail-on", rules]);
    assert_eq!((on("poor").status, on("needs-improvement").status), (Some(0), Some(0)));
    let tasks = on("poor,LongTasks");
    assert_eq!(tasks.status, Some(3), "{tasks:?}");
    assert!(
        tasks.err.contains("LongTasks found something") && tasks.err.contains("--insight 'LongTasks;0'"),
        "{tasks:?}"
    );
    assert_eq!(on("unknown").status, Some(3));
    assert_eq!(on("NoSuchInsight").status, Some(2));
    let allowed = program.file("budget.json", json!({"allow": ["LongTasks"]}).to_string());
    assert_eq!(program.run(["insights", &file, "--budget", &allowed, "--fail-on", "LongTasks"]).status, Some(0));
    let object = program.run(["insights", &file, "--json", "--fail-on", "LongTasks"]);
    let object: Value = serde_json::from_str(&object.out).expect("JSON");
    assert_eq!((&object["broken"][0]["what"], &object["broken"][0]["navigation"]), (&json!("LongTasks"), &json!(0)));
}

#[test]
fn compare_prints_figures_and_insights_that_changed() {
    let program = Program::new("insights");
    let a = program.file("a.json", page().to_string());
    // Without the long task, and painted later.
    let later = page().to_string().replace("180000", "20000").replace("400000", "2400000");
    let b = program.file("b.json", later);
    let text = program.good(&["compare", &a, &b, "--insights"]);
    let line = |start: &str| {
        let found = text.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} in {text}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("FCP"), "FCP 300 ms 2,300 ms +2,000 ms good, then needs improvement");
    assert!(line("LongTasks").starts_with("LongTasks informative pass "), "{text}");
    let pairs = program.lines(&["compare", &a, &b, "--insights", "--json"]);
    let [pair] = &pairs[..] else { panic!("one page load: {pairs:?}") };
    let fcp = pair["metrics"].as_array().expect("a list").iter().find(|own| own["metric"] == "fcp_ns").expect("FCP");
    assert_eq!((&fcp["a"], &fcp["b"]), (&json!(300_000_000), &json!(2_300_000_000_i64)));
    assert!(pair["insights"].as_array().expect("a list").iter().any(|own| own["insight"] == "LongTasks"), "{pair}");
    let same = program.good(&["compare", &a, &a, "--insights"]);
    assert!(same.contains("no insight changed its state"), "{same}");
    assert_eq!(program.run(["compare", &a, &b, "--insights", "--csv"]).status, Some(2));
}

#[test]
fn render_draws_a_named_insight() {
    let program = Program::new("insights");
    let file = program.file("page.json", page().to_string());
    let draw = |name: &str, options: &[&str]| {
        let out = program.path(name);
        let mut arguments = vec!["render", file.as_str(), "-o", out.as_str(), "--size", "1000x700"];
        arguments.extend(options);
        assert_eq!(program.good(&arguments), "");
        std::fs::read_to_string(&out).expect("the picture")
    };
    let picture = draw("tasks.svg", &["--insight", "LongTasks"]);
    assert!(picture != draw("all.svg", &[]), "the insight is shown");
    assert_eq!(picture, draw("same.svg", &["--insight", "longtasks;0"]));
    let out = program.path("x.svg");
    assert!(program.refused(&["render", &file, "-o", &out, "--insight", "Jank"]).contains("no such insight"));
    assert!(program.refused(&["render", &file, "-o", &out, "--insight", "LongTasks;7"]).contains("there are"));
    assert_eq!(program.run(["render", &file, "-o", &out, "--insight", "Slow"]).status, Some(2));
}

#[test]
fn the_example_tells_what_was_slow() {
    let program = Program::new("insights");
    let object = program.object(&["insights", "example", "--json"]);
    let pages = object["navigations"].as_array().expect("a list");
    let own = pages.iter().find(|own| own["url"] == "https://gallery.example/").expect("the gallery");
    let metric = |key: &str| own["metrics"][key].as_i64().unwrap_or_else(|| panic!("{key} in {own}"));
    assert!(metric("fcp_ns") < 500_000_000 && metric("lcp_ns") > 1_600_000_000 && metric("load_ns") > 1_600_000_000);
    assert!(metric("inp_ns") > 200_000_000, "a click waits for the script");
    let insights = own["insights"].as_array().expect("a list");
    let tasks = insights.iter().find(|own| own["insight"] == "LongTasks").expect("the script");
    assert_eq!(tasks["data"]["longest_ns"], 180_000_000);
    let late = program.lines(&["dump", "example", "frames"]);
    assert_eq!(late.iter().filter(|frame| frame["late"] == true).count(), 2);
}
