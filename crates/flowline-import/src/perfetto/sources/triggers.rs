//! Triggers: conditions that stop a recording or start one, as instants of the system (`trigger.proto`,
//! `chrome_trigger.proto`).

use super::groups::Group;
use crate::perfetto::event::{Args, EventId, TraceEvent};
use crate::perfetto::json_text::{string, text};
use crate::perfetto::output::Output;
use crate::perfetto::wire::Fields;
use crate::perfetto::writer::{Writer, emit};

impl<O: Output> Writer<'_, O> {
    /// Writes a trigger.
    pub(in crate::perfetto) fn trigger(&mut self, ts: i64, trigger: &[u8]) {
        let part = |number| Fields::new(trigger).field(number).map_or(&[][..], |field| field.bytes());
        let [name, producer] = [1, 2].map(part).map(text);
        let name = if name.is_empty() { "Trigger" } else { &*name };
        self.system_instant(ts, "Trace Triggers", name, &[("producer", &producer)]);
    }

    /// Writes an instant of the whole system on a named track, with the members that are not empty as arguments.
    pub(in crate::perfetto) fn system_instant(&mut self, ts: i64, track: &str, name: &str, members: &[(&str, &str)]) {
        let owner = self.named_target(Group::System.process(), track);
        if !O::EVENTS {
            return;
        }
        let stated = || members.iter().filter(|(_, value)| !value.is_empty());
        let args = |out: &mut String| {
            out.push('{');
            for (at, (member, value)) in stated().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                string(out, member.as_bytes());
                out.push(':');
                string(out, value.as_bytes());
            }
            out.push('}');
        };
        let args = if stated().next().is_some() { Args::Made(&args) } else { Args::None };
        let id = EventId::Track(track);
        let event = TraceEvent { id, name: Some(name.into()), args, ..TraceEvent::new(b'n', ts, &owner) };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }
}
