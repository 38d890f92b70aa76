//! Writes the events of the trace and counts the markers that a reader finds.
//!
//! Times are microseconds since the start of the recording. Arguments are the JSON text of an object.

use std::io::{self, Write};

use crate::json::Output;

/// Time on the browser's clock at the start of the recording, in microseconds.
pub(super) const CLOCK: u64 = 2_360_000_000;
/// Id of the page's frame.
pub(super) const FRAME: &str = "C094ACE0EA2E0552F3DE9109313EEA52";
/// The page's layer tree.
pub(super) const LAYER_TREE: u64 = 2;
/// Process id of the page.
pub(super) const PAGE: u64 = 15_000;
const BROWSER: u64 = 14_640;

/// A thread of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Track {
    /// The main thread of the browser process.
    Browser,
    /// The main thread of the page.
    Main,
    Compositor,
    Io,
    Raster,
}

impl Track {
    pub(super) const ALL: [Self; 5] = [Self::Browser, Self::Main, Self::Compositor, Self::Io, Self::Raster];

    const fn ids(self) -> (u64, u64) {
        match self {
            Self::Browser => (BROWSER, BROWSER),
            Self::Main => (PAGE, PAGE),
            Self::Compositor => (PAGE, PAGE + 36),
            Self::Io => (PAGE, PAGE + 16),
            Self::Raster => (PAGE, PAGE + 41),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Browser => "CrBrowserMain",
            Self::Main => "CrRendererMain",
            Self::Compositor => "Compositor",
            Self::Io => "Chrome_ChildIOThread",
            Self::Raster => "CompositorTileWorker1",
        }
    }
}

/// Name and category of an event.
pub(super) type Name = (&'static str, &'static str);

/// The events, up to a number of markers.
#[derive(Debug)]
pub(super) struct Events<W: Write> {
    output: Output<W>,
    /// Number of markers that are still to be written.
    left: u64,
    next_id: u64,
}

impl<W: Write> Events<W> {
    pub(super) fn new(out: W, markers: u64) -> Self {
        let mut output = Output::new(out);
        output.raw(r#"{"displayTimeUnit":"ms","metadata":{"product-version":"Synthetic/156.0","num-cpus":8},"#);
        output.raw("\"traceEvents\":[\n");
        let mut events = Self { output, left: markers, next_id: 0 };
        for (at, track) in Track::ALL.into_iter().enumerate() {
            let (separator, name) = (if at == 0 { "" } else { ",\n" }, track.name());
            events.metadata(separator, "thread_name", track, name);
        }
        events.metadata(",\n", "process_name", Track::Browser, "Browser");
        events.metadata(",\n", "process_name", Track::Main, "Renderer");
        events
    }

    fn metadata(&mut self, separator: &str, name: &str, track: Track, value: &str) {
        let (pid, tid) = track.ids();
        self.output.raw(separator).raw(r#"{"ph":"M","cat":"__metadata","name":""#).raw(name);
        self.output.raw(r#"","pid":"#).int(pid).raw(r#","tid":"#).int(tid);
        self.output.raw(r#","ts":0,"args":{"name":"#).text(value).raw("}}");
    }

    /// True once all markers are written.
    pub(super) const fn is_complete(&self) -> bool {
        self.left == 0
    }

    /// A new id of an operation, a request or a node.
    pub(super) const fn id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    fn event(&mut self, phase: &str, track: Track, (name, category): Name, at: u64) -> &mut Output<W> {
        let (pid, tid) = track.ids();
        self.output.raw(",\n{\"ph\":\"").raw(phase).raw(r#"","cat":""#).raw(category).raw(r#"","name":""#).raw(name);
        self.output.raw(r#"","pid":"#).int(pid).raw(r#","tid":"#).int(tid).raw(r#","ts":"#).int(CLOCK + at)
    }

    fn take(&mut self) -> bool {
        let is_wanted = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_wanted
    }

    pub(super) fn instant(&mut self, track: Track, name: Name, at: u64, args: &str) {
        if self.take() {
            self.event("I", track, name, at).raw(r#","s":"t","args":"#).raw(args).raw("}");
        }
    }

    /// A mark of the page's timeline.
    pub(super) fn mark(&mut self, name: Name, at: u64, args: &str) {
        if self.take() {
            self.event("R", Track::Main, name, at).raw(r#","s":"t","args":"#).raw(args).raw("}");
        }
    }

    pub(super) fn slice(&mut self, track: Track, name: Name, (at, length): (u64, u64), args: &str) {
        if self.take() {
            let output = self.event("X", track, name, at).raw(r#","dur":"#).int(length);
            output.raw(r#","tdur":"#).int(length - length / 8).raw(r#","args":"#).raw(args).raw("}");
        }
    }

    /// An operation that may overlap others.
    pub(super) fn operation(&mut self, track: Track, name: Name, (at, length): (u64, u64), args: &str) {
        if self.take() {
            let id = self.id();
            self.event("b", track, name, at).raw(r#","id":""#).int(id).raw(r#"","args":"#).raw(args).raw("}");
            self.event("e", track, name, at + length).raw(r#","id":""#).int(id).raw(r#"","args":{}}"#);
        }
    }

    /// A flow between slices that begin at two times.
    pub(super) fn flow(&mut self, name: Name, from: (Track, u64), to: (Track, u64)) {
        if self.left > 0 {
            let id = self.id();
            self.event("s", from.0, name, from.1).raw(r#","id":"#).int(id).raw("}");
            self.event("f", to.0, name, to.1).raw(r#","bp":"e","id":"#).int(id).raw("}");
        }
    }

    /// A part of the profile of the page's scripts, which is no marker.
    pub(super) fn profile(&mut self, name: &'static str, at: u64, args: &str) {
        let name = (name, "disabled-by-default-v8.cpu_profiler");
        self.event("P", Track::Main, name, at).raw(r#","id":"0x1","args":"#).raw(args).raw("}");
    }

    /// Returns an error of the underlying writer.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.output.check()
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.output.raw("\n]}\n");
        self.output.finish()
    }
}
