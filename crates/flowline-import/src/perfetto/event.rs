//! A trace event as packets state it: the same for reading a trace, and for showing or writing one event as text.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::counter_number::CounterNumber;
use super::sequence::Sequence;

/// Id of a process or of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum OwnerId {
    /// A number of the system.
    Number(i64),
    /// A name, for tracks that are no processes or threads. Shared, because a trace may have a million tracks.
    Name(Arc<str>),
}

/// Process and thread of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    pub(super) process: OwnerId,
    /// `None` for events of a process.
    pub(super) thread: Option<OwnerId>,
}

impl Owner {
    pub(super) const fn thread(pid: i64, tid: i64) -> Self {
        Self { process: OwnerId::Number(pid), thread: Some(OwnerId::Number(tid)) }
    }
}

/// Id of an event with its scope.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum EventId<'e> {
    #[default]
    None,
    /// The id of a legacy event.
    Plain(u64),
    /// An id that is valid in its process.
    Local(u64),
    Global(u64),
    /// The track of an event.
    Track(&'e str),
    /// The text that tells counters with the same name apart.
    Counter(&'e str),
}

/// The arguments of an event.
#[derive(Clone, Copy, Default)]
pub(super) enum Args<'e> {
    #[default]
    None,
    /// Those of a track event, with the state of its sequence.
    Event(&'e [u8], &'e Sequence),
    /// The same, if there are annotations among them.
    Annotated(&'e [u8], &'e Sequence),
    /// Appends an object to a text.
    Made(&'e dyn Fn(&mut String)),
    /// The value of a counter.
    Value(CounterNumber),
}

/// The memory of a sample of allocations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    /// Negative for a release.
    pub(super) weight: i64,
    /// `bytes` or `count`.
    pub(super) unit: &'static str,
    /// Number shared by an allocation and its release.
    pub(super) address: u64,
}

/// A reference to a flow by a legacy event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) id: u64,
    pub(super) incoming: bool,
    pub(super) outgoing: bool,
}

/// The reach of an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum InstantReach {
    #[default]
    Thread,
    Process,
    Recording,
}

/// The flows of an event; true for flows that end with it.
pub(super) type EventFlows = SmallVec<[(u64, bool); 4]>;

/// An event. Times are nanoseconds on the trace clock.
#[derive(Clone)]
pub(super) struct TraceEvent<'e> {
    /// Phase as in the JSON format.
    pub(super) phase: u8,
    pub(super) ts: i64,
    pub(super) owner: &'e Owner,
    pub(super) duration: Option<i64>,
    /// CPU time of the thread at the event.
    pub(super) ran: Option<i64>,
    /// CPU time of the slice.
    pub(super) ran_for: Option<i64>,
    pub(super) id: EventId<'e>,
    pub(super) scope: &'e [u8],
    pub(super) binding: Option<Binding>,
    pub(super) binds_to_enclosing: bool,
    /// True if the CPU times at both ends of an asynchronous slice belong together.
    pub(super) has_async_time: bool,
    pub(super) reach: InstantReach,
    pub(super) categories: Cow<'e, str>,
    /// `None` for events without a name.
    pub(super) name: Option<Cow<'e, str>>,
    pub(super) flows: EventFlows,
    pub(super) color: &'e str,
    pub(super) unit: &'e str,
    /// The innermost frame of a sample.
    pub(super) frame: Option<u32>,
    /// True if the track event among the arguments has a stack.
    pub(super) has_stack: bool,
    pub(super) allocation: Option<Allocation>,
    pub(super) args: Args<'e>,
}

impl<'e> TraceEvent<'e> {
    pub(super) fn new(phase: u8, ts: i64, owner: &'e Owner) -> Self {
        Self {
            phase,
            ts,
            owner,
            duration: None,
            ran: None,
            ran_for: None,
            id: EventId::None,
            scope: &[],
            binding: None,
            binds_to_enclosing: false,
            has_async_time: false,
            reach: InstantReach::Thread,
            categories: Cow::Borrowed(""),
            name: None,
            flows: EventFlows::new(),
            color: "",
            unit: "",
            frame: None,
            has_stack: false,
            allocation: None,
            args: Args::None,
        }
    }
}
