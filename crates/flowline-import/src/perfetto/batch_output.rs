//! The events of a part of a trace as a batch of the importer of trace events.

use foldhash::{HashMap, HashSet};

use super::args;
use super::event::{Args, EventId, InstantReach, Owner, OwnerId, TraceEvent};
use super::first_pass::Facts;
use super::json_text::string;
use super::machine_ids::id_of;
use super::output::Output;
use super::owner_text::process_id;
use crate::trace_events::{Batch, Count, CounterArgValue, Draft, Event, Id, IdIdentity, IdKind, NO_TIME, NONE, TextId};
use flowline_json::RawString;
use flowline_profile::{EVENT_PLACES, Ns};

/// A batch, and the texts of the ids in it.
#[derive(Default)]
pub(super) struct BatchOutput {
    pub(super) batch: Batch<'static>,
    /// Ids as JSON strings. The offsets in ids refer to this text.
    pub(super) ids: String,
    plain_ids: HashMap<u64, Id>,
    track_ids: HashMap<Box<str>, Id>,
    /// The machine of the owners below.
    machine: u32,
    owners: HashMap<Owner, (TextId, TextId)>,
    /// The owner found last.
    last_owner: Option<(Owner, (TextId, TextId))>,
    /// True if any event has a CPU time.
    pub(super) has_cpu_times: bool,
    /// The counters whose unit is known: label, owner, and id.
    known_units: HashSet<(u32, u32, IdIdentity)>,
    scratch: String,
}

/// Number of owners with which an output is still reused.
const MAX_OWNERS: usize = 1 << 12;

/// Returns a time; [`NO_TIME`] for one that no recording can have.
fn valid_time(ns: i64) -> Ns {
    if (-Ns::LIMIT..=Ns::LIMIT).contains(&ns) { Ns(ns) } else { NO_TIME }
}

impl BatchOutput {
    fn text(&mut self, text: &str) -> TextId {
        if text.is_empty() { NONE } else { self.batch.texts.intern_plain(text) }
    }

    fn owner(&mut self, machine: u32, owner: &Owner) -> (TextId, TextId) {
        if machine != self.machine {
            self.machine = machine;
            self.last_owner = None;
            self.owners.clear();
        }
        if let Some((last, known)) = &self.last_owner
            && last == owner
        {
            return *known;
        }
        if let Some(known) = self.owners.get(owner) {
            self.last_owner = Some((owner.clone(), *known));
            return *known;
        }
        let mut id = |id: &OwnerId| match id {
            OwnerId::Number(number) => self.batch.texts.intern_plain(&number.to_string()),
            OwnerId::Name(name) => self.text(name),
        };
        let thread = owner.thread.as_ref().map_or(NONE, &mut id);
        let process = match machine {
            0 => id(&owner.process),
            machine => self.text(&process_id(machine, &owner.process)),
        };
        self.owners.insert(owner.clone(), (process, thread));
        (process, thread)
    }

    /// True if arguments have members.
    fn has_args(&mut self, args: Args<'_>, facts: &Facts) -> bool {
        match args {
            Args::None => false,
            Args::Made(_) | Args::Value(_) | Args::Annotated(..) => true,
            // Other fields may be unknown, or refer to data that the recording lacks.
            Args::Event(message, sequence) => {
                self.scratch.clear();
                args::write(&mut self.scratch, message, sequence, &facts.schema);
                !self.scratch.is_empty()
            }
        }
    }

    /// States the unit of the counter event that was added last, if it is the first one of its counter.
    fn add_unit(&mut self, unit: &str, id: Id) {
        let Some(event) = self.batch.events.last().filter(|_| !unit.is_empty()) else { return };
        if self.known_units.insert((event.label, event.pair, id.identity())) {
            let unit = self.batch.texts.intern_plain(unit);
            self.batch.counts.add_unit(unit);
        }
    }

    /// Adds the text of an id.
    fn new_id(&mut self, kind: IdKind, text: &str) -> Id {
        let offset = self.ids.len();
        string(&mut self.ids, text.as_bytes());
        let bytes = &self.ids.as_bytes()[offset + 1..self.ids.len() - 1];
        Id::new(kind, RawString { bytes, offset })
    }

    fn number_id(&mut self, kind: IdKind, number: u64) -> Id {
        if kind == IdKind::Plain
            && let Some(known) = self.plain_ids.get(&number)
        {
            return *known;
        }
        let offset = self.ids.len();
        self.ids.push_str("\"0x");
        let digits = (64 - (number | 1).leading_zeros()).div_ceil(4);
        for digit in (0..digits).rev() {
            let digit = u32::try_from((number >> (4 * digit)) & 0xf).unwrap_or_default();
            self.ids.extend(char::from_digit(digit, 16));
        }
        self.ids.push('"');
        let bytes = &self.ids.as_bytes()[offset + 1..self.ids.len() - 1];
        let id = Id::new(kind, RawString { bytes, offset });
        if kind == IdKind::Plain {
            self.plain_ids.insert(number, id);
        }
        id
    }

    fn track_id(&mut self, text: &str) -> Id {
        if let Some(known) = self.track_ids.get(text) {
            return *known;
        }
        let id = self.new_id(IdKind::Track, text);
        self.track_ids.insert(text.into(), id);
        id
    }

    /// True if it has the strings and owners of so many tracks that it is not worth being reused: few tracks of a part have
    /// events in the next one, and every reused output would grow to the size of the trace.
    pub(super) fn is_large(&self) -> bool {
        self.owners.len() > MAX_OWNERS
    }

    /// Removes the events, so that the output can be reused. Strings remain.
    pub(super) fn clear(&mut self) {
        self.batch.clear();
        self.ids.clear();
        self.plain_ids.clear();
        self.track_ids.clear();
        self.known_units.clear();
    }

    /// Moves the texts of the ids behind `before` bytes of other text.
    pub(super) fn move_ids(&mut self, before: u64) {
        for extra in &mut self.batch.extras {
            for id in [&mut extra.id, &mut extra.bind] {
                if id.kind() != IdKind::None {
                    *id = id.moved_by(before);
                }
            }
        }
    }
}

impl Output for BatchOutput {
    const NAMES: bool = false;
    const EVENTS: bool = true;
    const DERIVED: bool = false;
    const STACKS: bool = false;

    fn metadata(&mut self, _text: &str) {}

    fn event(&mut self, event: &TraceEvent<'_>, facts: &Facts, place: u64) {
        self.batch.flow_ids.clear();
        let offset = usize::try_from(EVENT_PLACES + place).unwrap_or(usize::MAX);
        let mut draft = Draft { empty: false, ph: event.phase, ts: valid_time(event.ts), ..Draft::new(offset) };
        if let Some(duration) = event.duration {
            draft.dur = valid_time(duration);
            draft.flags |= if draft.dur == NO_TIME { Event::BAD_DUR } else { 0 };
        }
        draft.name = event.name.as_ref().map_or(NONE, |name| self.text(name));
        draft.cat = self.text(&event.categories);
        (draft.pid, draft.tid) = self.owner(facts.machine, event.owner);
        draft.extra.id = match event.id {
            EventId::None => Id::default(),
            EventId::Plain(id) => self.number_id(IdKind::Plain, id),
            EventId::Local(id) => self.number_id(IdKind::Local, id),
            EventId::Global(id) => self.number_id(IdKind::Global, id),
            EventId::Track(id) => self.track_id(&id_of(facts.machine, id)),
            EventId::Counter(id) => self.new_id(IdKind::Plain, id),
        };
        if !event.scope.is_empty() {
            draft.extra.scope = self.text(&String::from_utf8_lossy(event.scope));
        }
        if let Some(binding) = event.binding {
            draft.extra.bind = self.number_id(IdKind::Plain, binding.id);
            draft.flags |= if binding.incoming { Event::FLOW_IN } else { 0 };
            draft.flags |= if binding.outgoing { Event::FLOW_OUT } else { 0 };
        }
        draft.flags |= if event.binds_to_enclosing { Event::BIND_ENCLOSING } else { 0 };
        draft.flags |= match event.reach {
            InstantReach::Recording => Event::GLOBAL_SCOPE,
            InstantReach::Process => Event::PROCESS_SCOPE,
            InstantReach::Thread => 0,
        };
        for (id, ends) in &event.flows {
            let id = self.number_id(IdKind::Plain, *id);
            self.batch.add_flow(&mut draft, id, *ends);
        }
        draft.extra.cname = self.text(event.color);
        let has_cpu_time = event.ran.is_some() || event.ran_for.is_some();
        self.has_cpu_times |= has_cpu_time;
        let has_details = has_cpu_time
            || event.has_async_time
            || !event.color.is_empty()
            || !event.unit.is_empty()
            || event.frame.is_some()
            || event.has_stack
            || self.has_args(event.args, facts);
        draft.flags |= if has_details { Event::HAS_DETAILS } else { 0 };
        self.batch.push(&draft);
        if event.phase == b'C' {
            self.add_unit(event.unit, draft.extra.id);
            let value = match event.args {
                Args::Value(value) => Some(value.as_float()),
                _ => None,
            };
            let name = self.batch.texts.intern_plain("value");
            let count = |value| Count { name, value: CounterArgValue::Number(value) };
            let counts: Option<Count> = value.filter(|value| value.is_finite()).map(count);
            self.batch.counts.push(counts.as_slice());
        }
    }

    fn advance(&mut self, _read: u64) {}
}
