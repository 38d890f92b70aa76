//! Requests of Firefox profiles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::firefox::{Process, processes};
use super::firefox_tables::Table;
use super::json::{list, ns_of_ms, text};

/// The number of requests. The markers of an id are one request, also if two processes recorded it; so are those of the
/// same address that start at the same time.
pub(super) fn requests(root: &Value) -> usize {
    let mut starts: BTreeMap<String, (i64, String)> = BTreeMap::new();
    for process in processes(root) {
        for thread in list(&process.value["threads"]) {
            starts_of(&process, &Table(&thread["markers"]), &mut starts);
        }
    }
    starts.into_values().collect::<BTreeSet<_>>().len()
}

/// Adds the first start and the address of each id.
fn starts_of(process: &Process<'_>, markers: &Table<'_>, starts: &mut BTreeMap<String, (i64, String)>) {
    for row in 0..markers.len() {
        let data = markers.get(row, "data");
        let Some(id) = text(&data["id"]).filter(|_| data["type"] == "Network") else { continue };
        let start = ns_of_ms(markers.get(row, "startTime")).or_else(|| ns_of_ms(&data["startTime"])).unwrap_or(0);
        let found = (start + process.shift, data["URI"].as_str().unwrap_or_default().to_owned());
        let known = starts.entry(id).or_insert_with(|| found.clone());
        *known = found.min(known.clone());
    }
}
