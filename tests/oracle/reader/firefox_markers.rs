//! Stack-based markers of Firefox profiles, which are the work of threads without samples.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::figures::Slice;
use super::firefox_tables::Table;
use super::json::{list, ns_of_ms, text};

/// The types of markers that nest.
pub(super) fn nesting_types(root: &Value, process: &Value) -> BTreeSet<String> {
    let schemas = list(&root["meta"]["markerSchema"]).iter().chain(list(&process["meta"]["markerSchema"]));
    let nesting = schemas.filter(|schema| schema["isStackBased"] == true);
    nesting.filter_map(|schema| schema["name"].as_str().map(str::to_owned)).collect()
}

/// The nesting markers of a thread. Starts and ends pair by name, the last start first.
pub(super) fn slices(markers: Table<'_>, shift: i64, nesting: &BTreeSet<String>) -> Vec<Slice> {
    let mut open: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    let mut slices = Vec::new();
    for row in 0..markers.len() {
        let kind = markers.get(row, "data")["type"].as_str().unwrap_or_default();
        if !nesting.contains(kind) {
            continue;
        }
        let name = text(markers.get(row, "name")).unwrap_or_default();
        let time = |column: &str| ns_of_ms(markers.get(row, column)).map(|time| time + shift);
        let (start, end) = match markers.get(row, "phase").as_u64() {
            Some(1) => (time("startTime"), time("endTime")),
            Some(2) => {
                open.entry(name).or_default().extend(time("startTime"));
                continue;
            }
            Some(3) => (open.get_mut(&name).and_then(Vec::pop), time("endTime")),
            _ => continue,
        };
        if let Some((start, end)) = start.zip(end) {
            slices.push(Slice { start, end, name, category: String::new(), cpu: None });
        }
    }
    slices
}
