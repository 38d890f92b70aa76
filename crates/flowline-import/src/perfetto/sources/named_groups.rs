//! Counters of processes, and of data that belongs to no process.

use super::groups::Group;
use crate::perfetto::counter_number::CounterNumber;
use crate::perfetto::event::{Args, EventId, Owner, OwnerId, TraceEvent};
use crate::perfetto::output::Output;
use crate::perfetto::writer::{Writer, emit};

/// A counter.
#[derive(Clone, Copy, Debug)]
pub(in crate::perfetto) struct CounterName<'a> {
    pub(in crate::perfetto) name: &'a str,
    /// Text that tells the counter from others with the same name; empty if there are none.
    pub(in crate::perfetto) id: &'a str,
    pub(in crate::perfetto) unit: &'a str,
}

impl<'a> CounterName<'a> {
    pub(in crate::perfetto) const fn new(name: &'a str, unit: &'a str) -> Self {
        Self { name, id: "", unit }
    }
}

impl<O: Output> Writer<'_, O> {
    /// Names a process or a group once.
    pub(in crate::perfetto) fn name_owner(&mut self, process: &OwnerId) {
        let id = match process {
            OwnerId::Number(pid) => return self.name_process(*pid),
            OwnerId::Name(id) => id,
        };
        let Some((bit, group)) = (0..).zip(Group::ALL).find(|(_, group)| group.id() == &**id) else { return };
        if O::NAMES && self.named_groups.0 & (1 << bit) == 0 {
            self.named_groups.0 |= 1 << bit;
            let owner = Owner { process: group.process(), thread: None };
            self.name(&owner, ["process_name", "process_sort_index"], group.name(), None);
        }
    }

    /// States a value of a counter of a process or a group.
    pub(in crate::perfetto) fn counter_of(
        &mut self,
        ts: i64,
        process: OwnerId,
        counter: CounterName<'_>,
        value: CounterNumber,
    ) {
        self.name_owner(&process);
        if !O::EVENTS {
            return;
        }
        let owner = Owner { process, thread: None };
        let event = TraceEvent {
            name: Some(counter.name.into()),
            id: if counter.id.is_empty() { EventId::None } else { EventId::Counter(counter.id) },
            unit: counter.unit,
            args: Args::Value(value),
            ..TraceEvent::new(b'C', ts, &owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }
}
