//! Flows from the command line: `dump flows`, `info`, `render` with flows entered and pinned, rules of flows. The program
//! itself is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of a test's own, removed at its end; the program finds nothing of the person's own in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-flows-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).expect("a file");
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flowline"));
        command
            .env("XDG_RUNTIME_DIR", &self.0)
            .env("XDG_CONFIG_HOME", &self.0)
            .env("XDG_STATE_HOME", &self.0)
            .env("XDG_CACHE_HOME", &self.0);
        command.stdin(Stdio::null()).args(arguments).output().expect("the program starts")
    }

    /// The output of a run that must end well and silently.
    #[track_caller]
    fn good(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && message.is_empty(), "{arguments:?}: {message}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// The message of a run that must fail with status 1 and one line.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert_eq!((message.lines().count(), output.stdout.len()), (1, 0), "{arguments:?}: {message}");
        message
    }

    fn picture(&self, arguments: &[&str]) -> Vec<u8> {
        let file = self.path("picture.png");
        let mut all = vec!["render", "example", "-o", &file, "--size", "1000x700"];
        all.extend(arguments);
        assert_eq!(self.good(&all), "");
        let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&file).expect("a picture")))
            .read_info()
            .expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut pixels).expect("pixels");
        pixels
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of a failed test does no harm.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// Flows of the example, and names of two of them that have connections.
fn flows(folder: &Folder) -> (Vec<Value>, [String; 2]) {
    let flows = lines(&folder.good(&["dump", "example", "flows"]));
    let info: Value = serde_json::from_str(&folder.good(&["info", "example", "--json"])).expect("JSON");
    let start = info["start_ns"].as_i64().expect("a time");
    let name = |flow: &Value| {
        let ns = flow["start_ns"].as_i64().expect("a time") - start;
        format!("{};{}.{:06}", flow["id"].as_str().expect("an id"), ns / 1_000_000, ns % 1_000_000)
    };
    let connected = |flow: &&Value| {
        !numbers(&flow["incoming"]).is_empty()
            && !numbers(&flow["outgoing"]).is_empty()
            && numbers(&flow["markers"]).len() > 2
    };
    let mut found = flows.iter().filter(connected).map(name);
    let two = [found.next().expect("one"), found.next().expect("another")];
    drop(found);
    (flows, two)
}

#[test]
fn dumped_flows_have_their_markers_and_fit_together() {
    let folder = Folder::new("dump");
    let (flows, _) = flows(&folder);
    let markers = lines(&folder.good(&["dump", "example", "markers"]));
    let keys = ["direct", "end_ns", "flow", "id", "incoming", "markers", "outgoing", "start_ns"];
    for (number, flow) in flows.iter().enumerate() {
        let found: BTreeSet<&str> = flow.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(found, BTreeSet::from(keys));
        assert_eq!(flow["flow"], number);
        let members = numbers(&flow["markers"]);
        let starts: Vec<i64> = members
            .iter()
            .map(|marker| markers[usize::try_from(*marker).expect("few")]["start_ns"].as_i64().expect("a time"))
            .collect();
        assert!(starts.is_sorted() && !starts.is_empty(), "flow {number}");
        assert_eq!(flow["start_ns"].as_i64(), starts.first().copied());
        assert_eq!(members.iter().collect::<BTreeSet<_>>().len(), members.len(), "each marker once");
        for (one, other) in [("incoming", "outgoing"), ("outgoing", "incoming"), ("direct", "direct")] {
            for connected in numbers(&flow[one]) {
                let back = numbers(&flows[usize::try_from(connected).expect("few")][other]);
                assert!(back.contains(&(number as u64)), "{number} is in the {other} of its {one} {connected}");
            }
        }
    }
    let info: Value = serde_json::from_str(&folder.good(&["info", "example", "--json"])).expect("JSON");
    let memberships: usize = flows.iter().map(|flow| numbers(&flow["markers"]).len()).sum();
    assert_eq!(
        (info["flows"].as_u64(), info["memberships"].as_u64()),
        (Some(flows.len() as u64), Some(memberships as u64))
    );
    assert!(info["load_ms"]["flows"].as_f64().is_some_and(|ms| ms > 0.0));
}

#[test]
fn a_search_finds_a_flow_and_the_flows_of_what_it_finds() {
    let folder = Folder::new("search");
    let (flows, [name, _]) = flows(&folder);
    let id = name.split(';').next().expect("an id");
    let wanted = flows.iter().find(|flow| flow["id"] == id).expect("the flow");
    let query = format!("flow:{name}");
    let found = lines(&folder.good(&["dump", "example", "markers", "--search", &query]));
    let found: BTreeSet<u64> = found.iter().map(|marker| marker["marker"].as_u64().expect("a number")).collect();
    assert_eq!(found, numbers(&wanted["markers"]).into_iter().collect());
    let with = lines(&folder.good(&["dump", "example", "flows", "--search", &query]));
    assert!(with.iter().any(|flow| flow["flow"] == wanted["flow"]));
    assert!(with.iter().all(|flow| numbers(&flow["markers"]).iter().any(|marker| found.contains(marker))));
}

#[test]
fn pictures_show_what_is_entered_pinned_and_asked_for() {
    let folder = Folder::new("render");
    let (_, [first, second]) = flows(&folder);
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for arguments in [
        vec![],
        vec!["--flow", &first],
        vec!["--flow", &first, "--flow", &second],
        vec!["--pin", &first],
        vec!["--flow", &first, "--pin", &second],
        vec!["--flow", &first, "--path"],
        vec!["--flow", &first, "--connections"],
        vec!["--flow", &first, "--chain", "3"],
        vec!["--flow", &first, "--table", "flow"],
        vec!["--table", "flows"],
    ] {
        let picture = folder.picture(&arguments);
        assert!(!seen.contains(&picture), "{arguments:?} changes nothing");
        seen.push(picture);
    }
    let message = folder.refused(&["render", "example", "-o", &folder.path("x.png"), "--flow", "nowhere;1"]);
    assert!(message.contains("--flow nowhere;1") && message.contains("dump"), "{message}");
    assert!(!Path::new(&folder.path("x.png")).exists());
}

#[test]
fn rules_change_the_picture_and_bad_ones_are_named() {
    let folder = Folder::new("rules");
    let (_, [flow, _]) = flows(&folder);
    let plain = folder.picture(&["--flow", &flow]);
    let good = r#"{"rules":[{"name":"all","when":{"first":"*"},"label":[{"text":"Mine"}],"tint":"red"}]}"#;
    let rules = folder.file("good.json", good);
    assert_ne!(folder.picture(&["--flow", &flow, "--flow-rules", &rules]), plain);

    let half =
        r#"{"rules":[{"name":"all","when":{"first":"*"},"label":[{"text":"Mine"}],"tint":"pink"},{"name":"lost"}]}"#;
    let rules = folder.file("half.json", half);
    let output = folder.run(&["info", "example", "--flow-rules", &rules]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success() && !output.stdout.is_empty(), "the rest applies");
    assert_eq!(message.lines().count(), 2, "{message}");
    assert!(message.contains("\"all\"") && message.contains("tint") && message.contains("lost"), "{message}");

    let message = folder.refused(&["info", "example", "--flow-rules", &folder.path("missing.json")]);
    assert!(message.contains("missing.json"), "{message}");

    // The person's own file is read without being named.
    std::fs::create_dir_all(folder.0.join("flowline")).expect("a folder");
    std::fs::write(folder.0.join("flowline/flow-rules.json"), good).expect("a file");
    assert_ne!(folder.picture(&["--flow", &flow]), plain);
}
