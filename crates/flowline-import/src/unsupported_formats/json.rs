//! JSON that is not a recording, named by the keys of its first object.

use super::Named;
use crate::error::ImportError;
use flowline_json::{Cursor, JsonError};

const HEAP_SNAPSHOT: Named = ("a V8 heap snapshot", "open it in the Memory panel of Chrome DevTools");
const HAR: Named =
    ("a HAR file", "it contains only network requests; open it in the Network panel of a browser's DevTools");
const NET_LOG: Named = ("a Chrome network log", "open it at netlog-viewer.appspot.com");

/// Returns the error for a JSON object with these first keys that no importer reads.
pub(crate) fn unknown_object(keys: &[String]) -> ImportError {
    if keys.is_empty() {
        return ImportError::UnknownJson("the object has no keys".into());
    }
    unsupported_object(keys).unwrap_or_else(|| ImportError::UnknownJson(format!("its keys are {}", quoted(keys))))
}

/// Formats the first keys in quotes, separated by commas.
fn quoted(keys: &[String]) -> String {
    keys.iter().take(SHOWN_KEYS).map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", ")
}

/// Returns the error for a JSON object with these first keys if a well-known program writes such objects.
pub(super) fn unsupported_object(keys: &[String]) -> Option<ImportError> {
    let has = |wanted: &[&str]| wanted.iter().all(|wanted| keys.iter().any(|key| key == wanted));
    let (what, advice) = if has(&["snapshot", "nodes"]) {
        HEAP_SNAPSHOT
    } else if has(&["constants", "events"]) {
        NET_LOG
    } else if keys.len() == 1 && has(&["log"]) {
        HAR
    } else {
        return None;
    };
    Some(ImportError::Unsupported { what, advice })
}

/// Returns the error for the array at the cursor, which contains no trace events. The error names the content.
pub(crate) fn unsupported_array(mut cursor: Cursor<'_>) -> ImportError {
    let keys = cursor.enter_array().and_then(|()| cursor.next_element()).and_then(|_| first_keys(&mut cursor));
    let keys = keys.unwrap_or_default();
    let says = |key: &str| keys.iter().any(|found| found == key);
    if keys.is_empty() {
        return ImportError::UnknownJson("an array without trace events".into());
    }
    let quoted = quoted(&keys);
    if says("method") && (says("params") || says("id")) {
        return ImportError::UnknownJson(format!(
            "an array of DevTools protocol messages (keys: {quoted}), not trace events, which have \"ph\" and \"ts\"; \
             save a trace in the Performance panel of DevTools instead"
        ));
    }
    ImportError::UnknownJson(format!(
        "an array without trace events: the keys of its first object are {quoted}, but trace events have \"ph\" and \
         \"ts\""
    ))
}

/// Maximum number of keys in a message.
const SHOWN_KEYS: usize = 6;

/// Returns the first keys of the object at the cursor, up to the first damage.
pub(crate) fn first_keys(cursor: &mut Cursor<'_>) -> Result<Vec<String>, JsonError> {
    cursor.enter_object()?;
    let mut keys = Vec::new();
    while keys.len() < SHOWN_KEYS {
        let Ok(Some(key)) = cursor.next_key() else { break };
        if cursor.peek().is_err() {
            break;
        }
        keys.push(key.decode());
        if cursor.skip_value().is_err() {
            break;
        }
    }
    Ok(keys)
}
