//! `--self-profile`: records the program's own spans and writes them as a Chrome trace, which Flowline opens.
//!
//! The crates mark their work with `tracing` spans: phases of loading, background jobs, the passes of a frame. A disabled span costs
//! one atomic load. [`SelfProfile`] is the only subscriber. A span with the field `causes_frame` starts a flow that ends in the next span with
//! the field `shows_commands`, so a command leads to the frame that shows it. The field `detail` becomes an argument of the slice.
//!
//! Times are microseconds since the start of the recording, as Chrome's Trace Event Format requires.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// At most this many slices are recorded; a day of frames has fewer.
const MAX_SLICES: usize = 20_000_000;

/// A recording of the program's own work.
#[derive(Clone)]
pub struct SelfProfile(Arc<Recorder>);

impl SelfProfile {
    /// Starts recording. Only the first call of a process records; a second one returns `None`.
    #[must_use]
    pub fn start() -> Option<Self> {
        let recorder = Arc::new(Recorder::new());
        let own = Arc::clone(&recorder);
        tracing::subscriber::set_global_default(SharedRecorder(recorder)).ok().map(|()| Self(own))
    }

    /// Writes the slices that have ended as a Chrome trace.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.finished().write(out)
    }
}

/// A span that has not been closed.
struct OpenSpan {
    name: &'static str,
    fields: SpanFields,
    references: usize,
}

/// The fields that the recorder knows.
#[derive(Clone, Default)]
struct SpanFields {
    detail: Option<String>,
    causes_frame: bool,
    shows_commands: bool,
}

impl Visit for SpanFields {
    fn record_bool(&mut self, field: &Field, value: bool) {
        match field.name() {
            "causes_frame" => self.causes_frame = value,
            "shows_commands" => self.shows_commands = value,
            _ => self.record_debug(field, &value),
        }
    }

    fn record_str(&mut self, _: &Field, value: &str) {
        self.detail = Some(value.to_owned());
    }

    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.detail = Some(format!("{value:?}"));
    }
}

/// A span that was entered and left.
struct Slice {
    name: &'static str,
    detail: Option<String>,
    thread: u32,
    start: Duration,
    length: Duration,
    /// The flow that starts here.
    flow_out: Option<u64>,
    /// The flows that end here.
    flows_in: Vec<u64>,
}

/// The recorded slices and flows.
#[derive(Default)]
struct Recorded {
    slices: Vec<Slice>,
    threads: BTreeMap<u32, String>,
    /// Flows of commands that no frame has shown yet.
    pending: Vec<u64>,
    /// Number of slices beyond [`MAX_SLICES`].
    dropped: u64,
}

struct Recorder {
    start: Instant,
    next_span: AtomicU64,
    next_thread: AtomicU32,
    open: Mutex<BTreeMap<u64, OpenSpan>>,
    recorded: Mutex<Recorded>,
}

thread_local! {
    /// This thread's number; 0 until assigned.
    static THREAD: Cell<u32> = const { Cell::new(0) };
    /// The entered spans of this thread and their start times, innermost last.
    static ENTERED: RefCell<Vec<(u64, Instant)>> = const { RefCell::new(Vec::new()) };
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    fn new() -> Self {
        Self {
            start: Instant::now(),
            next_span: AtomicU64::new(1),
            next_thread: AtomicU32::new(1),
            open: Mutex::default(),
            recorded: Mutex::default(),
        }
    }

    fn thread(&self) -> u32 {
        THREAD.with(|thread| {
            if thread.get() == 0 {
                thread.set(self.next_thread.fetch_add(1, Ordering::Relaxed));
                let name = std::thread::current().name().unwrap_or("unnamed").to_owned();
                lock(&self.recorded).threads.insert(thread.get(), name);
            }
            thread.get()
        })
    }

    fn leave(&self, span: u64, entered: Instant) {
        let (length, thread) = (entered.elapsed(), self.thread());
        let Some((name, fields)) = lock(&self.open).get(&span).map(|open| (open.name, open.fields.clone())) else {
            return;
        };
        let mut recorded = lock(&self.recorded);
        if recorded.slices.len() >= MAX_SLICES {
            recorded.dropped += 1;
            return;
        }
        let flow_out = fields.causes_frame.then_some(span);
        recorded.pending.extend(flow_out);
        let flows_in = if fields.shows_commands { std::mem::take(&mut recorded.pending) } else { Vec::new() };
        let start = entered.saturating_duration_since(self.start);
        recorded.slices.push(Slice { name, detail: fields.detail, thread, start, length, flow_out, flows_in });
    }

    fn finished(&self) -> Recorded {
        std::mem::take(&mut *lock(&self.recorded))
    }
}

/// The recorder as the subscriber of the whole process.
struct SharedRecorder(Arc<Recorder>);

impl Subscriber for SharedRecorder {
    /// Spans of other crates, such as the window system's, are not recorded.
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("flowline")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = SpanFields::default();
        attributes.record(&mut fields);
        let number = self.0.next_span.fetch_add(1, Ordering::Relaxed);
        let span = OpenSpan { name: attributes.metadata().name(), fields, references: 1 };
        lock(&self.0.open).insert(number, span);
        Id::from_u64(number)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        if let Some(open) = lock(&self.0.open).get_mut(&span.into_u64()) {
            values.record(&mut open.fields);
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push((span.into_u64(), Instant::now())));
    }

    fn exit(&self, span: &Id) {
        let number = span.into_u64();
        let entered = ENTERED.with_borrow_mut(|entered| {
            let at = entered.iter().rposition(|(of, _)| *of == number)?;
            Some(entered.remove(at).1)
        });
        entered.into_iter().for_each(|entered| self.0.leave(number, entered));
    }

    fn clone_span(&self, span: &Id) -> Id {
        if let Some(open) = lock(&self.0.open).get_mut(&span.into_u64()) {
            open.references += 1;
        }
        span.clone()
    }

    fn try_close(&self, span: Id) -> bool {
        let mut open = lock(&self.0.open);
        let Some(found) = open.get_mut(&span.into_u64()) else { return false };
        found.references -= 1;
        let is_last = found.references == 0;
        if is_last {
            open.remove(&span.into_u64());
        }
        is_last
    }
}

/// An event of Chrome's Trace Event Format.
#[derive(Serialize)]
struct TraceEvent<'a> {
    ph: &'static str,
    name: &'a str,
    cat: &'static str,
    pid: u32,
    tid: u32,
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    args: BTreeMap<&'static str, &'a str>,
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl Recorded {
    fn write(mut self, out: &mut dyn Write) -> io::Result<()> {
        let pid = std::process::id();
        // Enclosing slices precede the slices within them.
        self.slices.sort_by(|a, b| a.start.cmp(&b.start).then(b.length.cmp(&a.length)));
        out.write_all(b"{\"traceEvents\":[\n")?;
        let mut is_first = true;
        let mut put = |event: &TraceEvent<'_>, out: &mut dyn Write| -> io::Result<()> {
            out.write_all(if std::mem::take(&mut is_first) { b"" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, event).map_err(io::Error::from)
        };
        let plain = |ph, name, tid, time| TraceEvent {
            ph,
            name,
            cat: "flowline",
            pid,
            tid,
            ts: micros(time),
            dur: None,
            id: None,
            bp: None,
            args: BTreeMap::new(),
        };
        for (thread, name) in &self.threads {
            let args = BTreeMap::from([("name", name.as_str())]);
            put(&TraceEvent { args, ..plain("M", "thread_name", *thread, Duration::ZERO) }, out)?;
        }
        for slice in &self.slices {
            let args = slice.detail.iter().map(|detail| ("detail", detail.as_str())).collect();
            let (name, thread, start) = (slice.name, slice.thread, slice.start);
            put(&TraceEvent { dur: Some(micros(slice.length)), args, ..plain("X", name, thread, start) }, out)?;
            if slice.flow_out.is_some() {
                put(&TraceEvent { id: slice.flow_out, ..plain("s", "command", thread, start) }, out)?;
            }
            for flow in &slice.flows_in {
                put(&TraceEvent { id: Some(*flow), bp: Some("e"), ..plain("f", "command", thread, start) }, out)?;
            }
        }
        writeln!(out, "\n],\"metadata\":{{\"product\":\"Flowline\",\"dropped_slices\":{}}}}}", self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_become_slices_and_commands_lead_to_the_frame_that_shows_them() {
        let recorder = Arc::new(Recorder::new());
        tracing::subscriber::with_default(SharedRecorder(Arc::clone(&recorder)), || {
            for name in ["Zoom", "Pan"] {
                let _span = tracing::trace_span!("command", causes_frame = true, detail = name).entered();
            }
            let _frame = tracing::trace_span!("frame", shows_commands = true).entered();
            let _inner = tracing::trace_span!("scene").entered();
        });
        let mut text = Vec::new();
        recorder.finished().write(&mut text).expect("memory");
        let progress = flowline_import::Progress::default();
        let imported = flowline_import::read(text, &progress).expect("a trace");
        let profile = Arc::new(imported.profile);
        assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
        assert_eq!(profile.marker_count(), 4);
        let index = flowline_index::Index::build(Arc::clone(&profile), profile.meta.arrangement());
        assert_eq!(index.flows().len(), 2, "each command has a flow");
        assert!(lock(&recorder.open).is_empty(), "closed spans are forgotten");
    }
}
