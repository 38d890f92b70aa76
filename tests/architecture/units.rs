//! What cargo compiles: `./dev run`, `./dev test` and `./dev query`, in this order, compile no dependency twice. `flowline-features` states
//! the features that make this true.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::process::Command;

use serde_json::Value;

use crate::source::root;

/// Crates that the program uses in procedural macros and the tests in their own code, with features for each.
const FOR_HOST_AND_TARGET: [&str; 2] = ["toml_datetime", "toml_parser"];

/// A dependency as cargo compiles it, apart from its features: its package, target, mode and platform.
type Name = (String, String, String, String);

/// What a command compiles, in the form of `cargo build --unit-graph`.
struct Units {
    list: Vec<Value>,
    /// The identity of each unit, with everything below it.
    keys: HashMap<usize, u64>,
}

impl Units {
    /// Reads the units of a command without compiling anything.
    fn of(command: &[&str]) -> Self {
        let mut cargo = Command::new(env!("CARGO"));
        // The graph of units is not a stable output of cargo.
        cargo.current_dir(root()).env("RUSTC_BOOTSTRAP", "1").args(command);
        let output =
            cargo.args(["--offline", "--unit-graph", "-Z", "unstable-options"]).output().expect("cargo starts");
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        let graph: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let list = graph["units"].as_array().expect("units").clone();
        let mut units = Self { list, keys: HashMap::new() };
        (0..units.list.len()).for_each(|unit| _ = units.key(unit));
        units
    }

    fn key(&mut self, unit: usize) -> u64 {
        if let Some(key) = self.keys.get(&unit) {
            return *key;
        }
        let own = self.list[unit].clone();
        let below = own["dependencies"].as_array().expect("a list").iter();
        let mut below: Vec<(u64, String)> = below
            .map(|used| {
                let number = used["index"].as_u64().and_then(|number| usize::try_from(number).ok()).expect("a number");
                (self.key(number), used["extern_crate_name"].to_string())
            })
            .collect();
        below.sort();
        let mut hasher = DefaultHasher::new();
        (name(&own), features(&own), below).hash(&mut hasher);
        // Profiles with the same settings are the same.
        let settings = own["profile"].as_object().expect("a profile").iter().filter(|(key, _)| *key != "name");
        settings.for_each(|(key, value)| (key, value.to_string()).hash(&mut hasher));
        let key = hasher.finish();
        self.keys.insert(unit, key);
        key
    }

    /// The dependencies by their identity.
    fn dependencies(&self) -> BTreeMap<u64, &Value> {
        let is_outside = |unit: &Value| unit["pkg_id"].as_str().is_some_and(|id| id.starts_with("registry+"));
        let units = self.list.iter().enumerate().filter(|(_, unit)| is_outside(unit));
        units.map(|(number, unit)| (self.keys[&number], unit)).collect()
    }
}

fn name(unit: &Value) -> Name {
    let text = |value: &Value| value.to_string();
    (text(&unit["pkg_id"]), text(&unit["target"]["kind"]), text(&unit["mode"]), text(&unit["platform"]))
}

fn features(unit: &Value) -> BTreeSet<String> {
    unit["features"].as_array().expect("a list").iter().map(Value::to_string).collect()
}

/// The dependencies that a command compiles although they were compiled before, each with the features that differ. Dependencies that
/// are compiled again only because of those below them are not listed.
fn again(before: &[&Units], then: &Units) -> Vec<String> {
    let compiled: BTreeMap<u64, &Value> = before.iter().flat_map(|units| units.dependencies()).collect();
    let mut known: BTreeMap<Name, Vec<BTreeSet<String>>> = BTreeMap::new();
    compiled.values().for_each(|unit| known.entry(name(unit)).or_default().push(features(unit)));
    let mut found = Vec::new();
    for (key, unit) in then.dependencies() {
        let Some(others) = known.get(&name(unit)).filter(|_| !compiled.contains_key(&key)) else { continue };
        let is_host_too = FOR_HOST_AND_TARGET.iter().any(|name| unit["target"]["name"] == *name);
        if !others.contains(&features(unit)) && !is_host_too {
            found.push(format!("{}: {:?}, before {others:?}", unit["pkg_id"], features(unit)));
        }
    }
    found
}

#[test]
fn no_dependency_is_compiled_twice() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let run = Units::of(&["build", "--bin", "flowline"]);
    let test = Units::of(&["test", "--workspace", "--no-run", "--all-targets"]);
    let query = Units::of(&["build", "-p", "flowline-query"]);
    assert!(run.dependencies().len() > 200 && query.dependencies().len() > 200, "the graph was read");
    let advice = "state their features in crates/flowline-features";
    assert_eq!(again(&[&run], &test), [""; 0], "./dev test after ./dev run: {advice}");
    assert_eq!(again(&[&run], &query), [""; 0], "./dev query after ./dev run: {advice}");
    assert_eq!(again(&[&run, &test], &query), [""; 0], "./dev query after ./dev test: {advice}");
}
