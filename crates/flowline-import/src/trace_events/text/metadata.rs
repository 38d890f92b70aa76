//! Metadata events: names and sort order of processes and threads, where the last event of a kind wins. Other metadata
//! is kept unchanged. The arguments of a few other events are read here, too.

use foldhash::HashMap;

use super::clock::{self, CutClock};
use super::event::Event;
use super::ids::TextId;
use super::trace::Trace;
use flowline_profile::{CompactString, PayloadRef, Source, Value, payload};

/// Metadata of a process or a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackMetadata {
    pub(crate) name: CompactString,
    /// `process_labels`.
    pub(crate) labels: Option<Box<str>>,
    pub(crate) sort_index: i64,
}

/// A track that is not a thread. Only Perfetto traces describe them.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedTrack {
    /// Id of the thread or track above it in the same process.
    pub(crate) parent: Option<TextId>,
    /// True if the tracks below the same parent are sorted by their first events.
    pub(crate) is_chronological: bool,
}

/// Metadata by process and by thread, and other metadata.
#[derive(Debug, Default)]
pub(crate) struct TraceMetadata {
    pub(crate) processes: HashMap<TextId, TrackMetadata>,
    /// By process and thread.
    pub(crate) threads: HashMap<(TextId, TextId), TrackMetadata>,
    /// The tracks that are not threads, by process and thread id.
    pub(crate) tracks: HashMap<(TextId, TextId), NamedTrack>,
    /// The parents of tracks, until they are found.
    parents: Vec<((TextId, TextId), String)>,
    /// Other metadata: name, and byte offset of the arguments.
    pub(crate) others: Vec<(String, u64)>,
    /// The clock in a cut trace.
    pub(crate) clock: Option<CutClock>,
}

/// Returns the arguments of an event.
pub(crate) fn event_args(source: &Source, event: &Event) -> Value {
    payload::decode(source, PayloadRef(event.offset()))
}

/// Reads all metadata events.
pub(crate) fn read(source: &Source, trace: &Trace, events: &[Event]) -> TraceMetadata {
    let mut names = TraceMetadata::default();
    for event in events {
        let (pid, tid) = trace.pairs.get(event.pair);
        let kind = trace.texts.get(trace.name(event.label));
        if kind == clock::NAME {
            names.clock = CutClock::read(&event_args(source, event)).or(names.clock);
            continue;
        }
        if kind == "named_track" {
            names.named_track((pid, tid), &event_args(source, event));
            continue;
        }
        let known = match kind {
            "process_name" => Some((true, "name")),
            "process_labels" => Some((true, "labels")),
            "process_sort_index" => Some((true, "sort_index")),
            "thread_name" => Some((false, "name")),
            "thread_sort_index" => Some((false, "sort_index")),
            _ => None,
        };
        let args = if known.is_some() { event_args(source, event) } else { Value::Null };
        let value = known.and_then(|(_, member)| args.get(member)).filter(|value| is_scalar(value));
        let Some(((is_process, member), value)) = known.zip(value) else {
            names.keep(source, format!("{kind} (pid {})", trace.texts.get(pid)), event);
            continue;
        };
        let named = if is_process {
            names.processes.entry(pid).or_default()
        } else {
            names.threads.entry((pid, tid)).or_default()
        };
        match member {
            "name" => named.name = value.display_js().into(),
            "labels" => named.labels = Some(value.display_js().into()),
            _ => {
                let number = value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
                named.sort_index = number.unwrap_or(named.sort_index);
            }
        }
    }
    names
}

const fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(_) | Value::Object(_) | Value::List(_))
}

impl TraceMetadata {
    fn named_track(&mut self, track: (TextId, TextId), args: &Value) {
        let is_chronological = args.get("order").and_then(Value::as_str) == Some("chronological");
        self.tracks.insert(track, NamedTrack { parent: None, is_chronological });
        let parent = args.get("parent").filter(|parent| is_scalar(parent));
        self.parents.extend(parent.map(|parent| (track, parent.display_js())));
    }

    /// Finds the ids of parents. A parent may have no events.
    pub(crate) fn find_parents(&mut self, trace: &mut Trace) {
        for (track, parent) in std::mem::take(&mut self.parents) {
            if let Some(named) = self.tracks.get_mut(&track) {
                named.parent = Some(trace.texts.intern(&parent));
            }
        }
    }

    /// Keeps an event of unknown kind for display.
    fn keep(&mut self, source: &Source, name: String, event: &Event) {
        // Metadata is always in the text.
        let place = source.with_payload(PayloadRef(event.offset()), |args| {
            // `peek` skips the white space before the value.
            let _damage = args.peek();
            args.offset() as u64
        });
        self.others.push((name, place.unwrap_or(event.offset())));
    }
}

/// Returns the names of legacy async steps (`args.step`) by event index. Events without this argument keep their name.
pub(crate) fn step_names(source: &Source, trace: &mut Trace, events: &[Event]) -> HashMap<u32, TextId> {
    let mut steps = HashMap::default();
    for (number, event) in (0_u32..).zip(events) {
        if matches!(event.ph(), b'T' | b'p')
            && let Some(Value::String(step)) = event_args(source, event).get("step")
        {
            steps.insert(number, trace.texts.intern(step));
        }
    }
    steps
}
