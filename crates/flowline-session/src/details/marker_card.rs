//! Text of a marker card (heading, times, fields) for tooltip and details.

use super::forced_by::forced_by;
use super::key_fact::KeyFact;
use super::slice_analysis::kind_of;
use flowline_format::{format_counted, format_duration_full, format_duration_ns};
use flowline_index::Index;
use flowline_index::messages::message_peer;
use flowline_index::waits::is_thread_state;
use flowline_profile::stack::StackTrace;
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId};
use flowline_scene::{TRACK_KINDS, entry_title};

/// Text of a marker card.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerCard {
    /// The name of its entry on a track, such as the file of a request; else the tooltip label.
    pub heading: String,
    /// Duration of its entry on a track, else its own; "instant" for instants.
    pub duration: String,
    /// Name of the marker or of the called function, if it differs from the heading.
    pub name: Option<String>,
    /// Thread and process.
    pub place: String,
    /// Label and value of each line.
    pub lines: Vec<(String, String)>,
    /// Number of lines before the payload's fields.
    pub facts: usize,
    /// Number of lines before those of the marker's track, such as the phases of its network request. They end at
    /// [`MarkerCard::facts`].
    pub own_facts: usize,
    /// Facts to show first. Only calls have them; those of markers are in [`super::MarkerSummary`].
    pub key_facts: Vec<KeyFact>,
    /// CPU time of a slice.
    pub cpu: Option<Ns>,
    /// The function that forced the work of this marker, or that made it necessary: "Forced by measure, app.js:1:46".
    pub forced_by: Option<String>,
    /// Palette entry of the kind.
    pub color: u8,
    /// Kind, thread and process: "Scripting on CrRendererMain, shop.example".
    pub subtitle: String,
    /// Description from the schema.
    pub description: Option<String>,
}

/// Name of a thread and its process.
#[must_use]
pub fn place_text(profile: &Profile, thread: ThreadId) -> String {
    let process = profile.process_of(thread).title();
    let thread = profile.long_name(thread);
    if process.is_empty() { thread.into_owned() } else { format!("{thread}, {process}") }
}

/// Kind of work and place: "Scripting on CrRendererMain, shop.example".
#[must_use]
pub(super) fn subtitle(color: u8, place: &str) -> String {
    format!("{} on {place}", kind_of(color).title())
}

/// The kind of work of a marker, or its category if the recording states a color that means something else.
fn work_name(profile: &Profile, (thread, local): (ThreadId, LocalMarker), color: u8) -> String {
    if is_thread_state(profile, thread, local) { "Thread state".to_owned() } else { kind_of(color).title().to_owned() }
}

/// Duration of a marker, or "instant".
#[must_use]
pub fn duration_text(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> String {
    let markers = &profile.thread(thread).markers;
    if markers.is_instant(marker) {
        return "instant".into();
    }
    format_duration_ns((markers.end(marker) - markers.start(marker)).0)
}

/// Maximum number of stack frames on a card.
const MAX_FRAMES: usize = 8;

/// The innermost frames of a stack, one per line.
fn short_stack(stack: &StackTrace) -> String {
    let mut lines: Vec<&str> = stack.frames.iter().take(MAX_FRAMES).map(|frame| frame.name.as_str()).collect();
    let more = (stack.frames.len() > MAX_FRAMES).then(|| format!("… {} more", stack.frames.len() - MAX_FRAMES));
    lines.extend(more.as_deref());
    lines.join("\n")
}

impl MarkerCard {
    /// The card of a marker.
    #[must_use]
    pub fn new(index: &Index, marker: MarkerId, clock: DisplayClock) -> Option<Self> {
        let profile = index.profile();
        let (thread, local) = profile.locate(marker)?;
        let markers = &profile.thread(thread).markers;
        let titled = entry_title(index, marker);
        let duration = match titled.as_ref().and_then(|title| title.length) {
            Some(length) => format_duration_ns(length.0),
            None => duration_text(profile, thread, local),
        };
        let length =
            titled.as_ref().and_then(|title| title.length).map_or_else(|| markers.range(local).len(), |own| own.0);
        let exact =
            if duration == format_duration_ns(length) { format_duration_full(length) } else { duration.clone() };
        let heading = match titled {
            Some(title) => title.name,
            None => profile.marker_label(LabelKind::Tooltip, thread, local, clock),
        };
        let name = profile.marker_name(thread, local);
        let mut lines =
            vec![("Start".to_owned(), clock.position(markers.start(local))), ("Duration".to_owned(), exact)];
        let cpu = profile.cpu_time(thread, local);
        if let Some(time) = cpu {
            lines.push(("CPU time".to_owned(), format_duration_full(time.0)));
        }
        let category = profile.category_name(markers.category(local));
        lines.extend((!category.is_empty()).then(|| ("Category".to_owned(), category.to_owned())));
        // The track of an asynchronous marker does not name the threads of its events.
        let [began, ended] = profile.thread(thread).event_threads_of(local);
        let ended = ended.filter(|ended| began != Some(*ended));
        for (label, own) in [("Began on", began), ("Ended on", ended)] {
            let own = own.filter(|own| own.index() < profile.threads.len());
            lines.extend(own.map(|own| (label.to_owned(), place_text(profile, own))));
        }
        if let Some(side) = message_peer(profile, marker) {
            let label = if side.is_sender { "Sent by" } else { "Received by" };
            lines.push((label.to_owned(), place_text(profile, side.thread)));
        }
        if markers.flags(local).has(MarkerFlags::INCOMPLETE) {
            lines.push(("Incomplete".to_owned(), "one end was not recorded".to_owned()));
        }
        if let Some(samples) = profile.samples_during(thread, local).filter(|samples| *samples > 0) {
            lines.push(("Samples".to_owned(), format_counted(samples as u64, "sample") + " during this marker"));
        }
        let own_facts = lines.len();
        lines.extend(TRACK_KINDS.iter().flat_map(|kind| kind.card_lines(index, marker, clock)));
        let facts = lines.len();
        lines.extend(profile.field_lines(thread, local, clock).into_iter().map(|line| (line.label, line.value)));
        if let Some(stack) = profile.marker_stack(thread, local) {
            lines.push((stack.title.clone(), short_stack(&stack)));
        }
        let (color, place) = (index.source().styles.get(marker).color(), place_text(profile, thread));
        Some(Self {
            name: (heading != name).then(|| name.to_owned()),
            heading,
            subtitle: format!("{} on {place}", work_name(profile, (thread, local), color)),
            duration,
            place,
            lines,
            facts,
            own_facts,
            key_facts: Vec::new(),
            cpu,
            forced_by: forced_by(profile, thread, local),
            color,
            description: profile.schema_of(thread, local).and_then(|schema| schema.description.clone()),
        })
    }

    /// The name of the marker or of the called function.
    #[must_use]
    #[inline]
    pub fn raw_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.heading)
    }

    /// All lines as text, for copying.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.heading, self.place);
        if let Some(name) = &self.name {
            text += &format!("Name: {name}\n");
        }
        for (label, value) in &self.lines {
            text += &format!("{label}: {value}\n");
        }
        text
    }

    /// Adds a slice's self time below its duration, unless it is already present.
    pub fn set_self_time(&mut self, text: impl FnOnce() -> Option<String>) {
        const LABEL: &str = "Self time";
        if self.lines.iter().take(self.facts).any(|(label, _)| label == LABEL) {
            return;
        }
        let Some(text) = text() else { return };
        let after =
            self.lines.iter().take(self.facts).position(|(label, _)| label == "Duration").map_or(0, |at| at + 1);
        self.lines.insert(after, (LABEL.to_owned(), text));
        (self.facts, self.own_facts) = (self.facts + 1, self.own_facts + 1);
    }
}
