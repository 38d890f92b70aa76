//! Sender and receiver of the IPC messages of Firefox. Their payloads contain only a direction and the id of the other
//! process, which differ between the two markers of a message, so neither groups nor finds both.

use crate::{LocalMarker, Profile, Thread};
use flowline_json::Value;

/// Type of the payloads of messages.
const MESSAGE: &str = "IPC";

/// The derived members.
pub const MESSAGE_ENDS: [&str; 2] = ["sender", "receiver"];

impl Profile {
    /// True if a marker is one side of a message.
    #[must_use]
    pub fn is_message(&self, thread: &Thread, marker: LocalMarker) -> bool {
        let kind = thread.markers.kind(marker).and_then(|kind| self.types.get(kind));
        kind.is_some_and(|kind| self.strings.get(kind.name) == MESSAGE)
    }

    /// The payload of a marker as people see it: that of a message also names the processes that sent and received it.
    #[must_use]
    pub fn described_payload(&self, thread: &Thread, marker: LocalMarker) -> Value {
        let payload = self.payload_in(thread, marker);
        match payload {
            Value::Object(mut members) if self.is_message(thread, marker) => {
                self.add_message_ends(thread, &mut members);
                Value::Object(members)
            }
            other => other,
        }
    }

    fn add_message_ends(&self, thread: &Thread, members: &mut Vec<(String, Value)>) {
        let get = |key: &str| members.iter().rfind(|(name, _)| name == key).map(|(_, value)| value);
        let Some(other) = get("otherPid").filter(|pid| !pid.is_null()).map(Value::display_js) else { return };
        let Some(direction) = get("direction").and_then(Value::as_str) else { return };
        let known = self.processes.iter().find(|process| process.pid == other.as_str());
        let other = known.map_or_else(|| format!("pid {other}"), |process| process.title());
        let own = self.processes.get(thread.process.index()).map(|process| process.title()).unwrap_or_default();
        let ends = match direction {
            "sending" => [own, other],
            "receiving" => [other, own],
            _ => return,
        };
        for (key, name) in MESSAGE_ENDS.into_iter().zip(ends) {
            if members.iter().all(|(known, _)| known != key) {
                members.push((key.to_owned(), Value::String(name)));
            }
        }
    }
}
