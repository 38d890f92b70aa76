//! The selected marker at a glance: key facts, notices of harm, and the rows of its timing.

use super::key_fact::{Banner, KeyFact, Severity};
use super::marker_card::MarkerCard;
use super::slice_analysis::{KindShare, SliceAnalysis, is_script, is_style_or_layout, kind_of};
use super::slice_details::SliceDetails;
use flowline_format::{format_bytes, format_bytes_exact, format_duration_full, format_duration_ns};
use flowline_index::Index;
use flowline_index::network::{NetworkRequest, Outcome, PhaseKind};
use flowline_profile::{DisplayClock, LocalMarker, MarkerFlags, MarkerId, ThreadId};
use flowline_scene::phase_lines;

/// Number of key facts shown first; others are rows of the timing.
const MAX_FACTS: usize = 3;
/// Duration in nanoseconds from which a task is long.
const LONG_TASK_NS: i64 = 50_000_000;
/// Minimum duration in nanoseconds of a slice whose waiting is worth a notice; CPU times of shorter ones are imprecise.
const MIN_WAITING_NS: i64 = 1_000_000;
/// Labels of the card's lines that key facts, header and notices contain.
const SHOWN_ELSEWHERE: [&str; 6] = ["Start", "Duration", "Self time", "CPU time", "Incomplete", "Failed"];

/// The selected marker at a glance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkerSummary {
    /// At most three facts: duration, self or waiting time, CPU time or size.
    pub facts: Vec<KeyFact>,
    /// Notices of harm, the worst first.
    pub banners: Vec<Banner>,
    /// Rows of the timing: label and value.
    pub timing: Vec<(String, String)>,
    /// Time by kind of work.
    pub kinds: Vec<KindShare>,
}

/// A marker and what is known about it.
pub(crate) struct Subject<'a> {
    pub(crate) index: &'a Index,
    pub(crate) marker: MarkerId,
    pub(crate) card: &'a MarkerCard,
    pub(crate) slice: &'a SliceDetails,
    pub(crate) analysis: Option<&'a SliceAnalysis>,
    pub(crate) clock: DisplayClock,
}

impl Subject<'_> {
    fn request(&self) -> Option<&NetworkRequest> {
        let network = self.index.network_if_built()?;
        network.get(network.request_of(self.marker)?)
    }

    fn length(&self, (thread, local): (ThreadId, LocalMarker)) -> i64 {
        let markers = &self.index.profile().thread(thread).markers;
        markers.end(local).0.saturating_sub(markers.start(local).0)
    }
}

impl MarkerSummary {
    /// The summary of a marker.
    pub(crate) fn new(subject: &Subject<'_>) -> Self {
        let Some(place) = subject.index.profile().locate(subject.marker) else { return Self::default() };
        let request = subject.request();
        let mut facts = facts(subject, place, request);
        let mut timing = times(subject, place);
        let more = facts.split_off(facts.len().min(MAX_FACTS));
        timing.extend(more.into_iter().map(|fact| (fact.caption, fact.value)));
        let kind = kind_of(subject.card.color).title();
        let own = subject.card.lines.iter().take(subject.card.own_facts);
        timing.extend(own.filter(|(label, value)| is_timing_row(label, value, kind)).cloned());
        timing.extend(request.into_iter().flat_map(phase_lines).map(|(label, value)| (label.to_owned(), value)));
        let mut banners = banners(subject, place, request);
        banners.sort_by_key(|banner| banner.severity == Severity::Warn);
        let kinds = subject.analysis.map_or_else(Vec::new, |analysis| analysis.kinds.clone());
        Self { facts, banners, timing, kinds }
    }

    /// The summary of a call of a stack chart.
    #[must_use]
    pub fn of_call(card: &MarkerCard) -> Self {
        let own = card.lines.iter().take(card.own_facts);
        let is_key =
            |label: &str| (SHOWN_ELSEWHERE.contains(&label) && label != "Start") || matches!(label, "Total" | "Self");
        let timing = own.filter(|(label, _)| !is_key(label) && !is_place(label)).cloned().collect();
        Self { facts: card.key_facts.clone(), timing, ..Self::default() }
    }
}

/// True for the label of a line that states where a call is in the source.
#[must_use]
pub fn is_place(label: &str) -> bool {
    matches!(label, "File" | "Resource")
}

/// A category that repeats the kind of work adds nothing. The other end of a message is a link of its own.
fn is_timing_row(label: &str, value: &str, kind: &str) -> bool {
    match label {
        "Category" => value != kind,
        "Sent by" | "Received by" => false,
        label => !SHOWN_ELSEWHERE.contains(&label),
    }
}

fn times(subject: &Subject<'_>, (thread, local): (ThreadId, LocalMarker)) -> Vec<(String, String)> {
    let markers = &subject.index.profile().thread(thread).markers;
    let row = |label: &str, time| (label.to_owned(), subject.clock.position(time));
    let mut rows = vec![row("Start", markers.start(local))];
    if !markers.is_instant(local) {
        rows.push(row("End", markers.end(local)));
        let length = subject.length((thread, local));
        let exact = format_duration_full(length);
        // The facts have the rounded one.
        rows.extend((exact != format_duration_ns(length)).then(|| ("Duration".to_owned(), exact)));
    }
    rows.extend(gpu_times(subject, (thread, local)));
    rows
}

/// For work of a GPU: how long its stream did nothing before, and how long ago the work was launched.
fn gpu_times(subject: &Subject<'_>, (id, local): (ThreadId, LocalMarker)) -> Vec<(String, String)> {
    let profile = subject.index.profile();
    let markers = &profile.thread(id).markers;
    let category = profile.category_name(markers.category(local)).to_lowercase();
    if !matches!(category.as_str(), "kernel" | "gpu_memcpy" | "gpu_memset" | "memcpy" | "memset") {
        return Vec::new();
    }
    let start = markers.start(local);
    let before = local.index().checked_sub(1).map(LocalMarker::new);
    let idle = before.map(|before| (start - markers.end(before)).0).filter(|idle| *idle > 0);
    let launch = subject.index.initiators_if_built().and_then(|all| all.of(subject.marker));
    let launch = launch.and_then(|launch| profile.locate(launch));
    let launched = launch.map(|(id, local)| (start - profile.thread(id).markers.start(local)).0).filter(|ns| *ns >= 0);
    let row = |label: &str, text: String| (label.to_owned(), text);
    let idle = idle.map(|ns| row("Stream idle", format!("{} before", format_duration_ns(ns))));
    let launched = launched.map(|ns| row("Launched", format!("{} before", format_duration_ns(ns))));
    idle.into_iter().chain(launched).collect()
}

fn facts(subject: &Subject<'_>, place: (ThreadId, LocalMarker), request: Option<&NetworkRequest>) -> Vec<KeyFact> {
    let markers = &subject.index.profile().thread(place.0).markers;
    if let Some(request) = request {
        return request_facts(request);
    }
    if markers.is_instant(place.1) {
        return vec![KeyFact::whole(subject.card.duration.clone(), "Duration")];
    }
    let length = subject.length(place);
    let mut facts = vec![KeyFact::whole(format_duration_ns(length), "Duration")];
    let contents = subject.slice.contents_for(subject.marker).filter(|contents| contents.children > 0);
    if let Some(contents) = contents {
        let own = contents.self_time.0;
        facts.push(KeyFact::part(format_duration_ns(own), "Self", own, length));
    }
    if let Some(cpu) = subject.card.cpu {
        if contents.is_none() {
            let waiting = length.saturating_sub(cpu.0).max(0);
            facts.push(KeyFact::part(format_duration_ns(waiting), "Waiting", waiting, length));
        }
        facts.push(KeyFact::part(format_duration_ns(cpu.0), "CPU", cpu.0, length));
    }
    facts
}

fn request_facts(request: &NetworkRequest) -> Vec<KeyFact> {
    let length = request.duration().0;
    let mut facts = vec![KeyFact::whole(format_duration_ns(length), "Duration")];
    if let Some(waiting) = request.length_of(PhaseKind::Waiting) {
        facts.push(KeyFact::part(format_duration_ns(waiting.0), "Waiting", waiting.0, length));
    }
    if let Some(bytes) = request.encoded_bytes.or(request.decoded_bytes) {
        #[expect(clippy::cast_precision_loss, reason = "a size in words")]
        let fact = KeyFact::whole(format_bytes(bytes.max(0) as f64), "Size");
        facts.push(KeyFact { exact: format_bytes_exact(bytes.unsigned_abs()), ..fact });
    }
    facts
}

fn banners(subject: &Subject<'_>, place: (ThreadId, LocalMarker), request: Option<&NetworkRequest>) -> Vec<Banner> {
    let markers = &subject.index.profile().thread(place.0).markers;
    let banner = |severity, text: &str, value: String| Banner { severity, text: text.to_owned(), value, marker: None };
    let mut banners: Vec<Banner> = long_task(subject, place).into_iter().collect();
    let name = subject.index.profile().marker_name(place.0, place.1);
    let length = subject.length(place);
    if let Some(request) = request {
        let status = request.status.filter(|status| *status >= 400);
        if request.outcome == Outcome::Failed {
            banners.push(banner(Severity::Bad, "Request failed", request.error.clone()));
        } else if let Some(status) = status {
            banners.push(banner(Severity::Bad, "Request failed", format!("status {status}")));
        }
    }
    if name == "DroppedFrame" {
        banners.push(banner(Severity::Bad, "Dropped frame", String::new()));
    } else if name == "Jank" {
        banners.push(banner(Severity::Bad, "Jank", format_duration_ns(length)));
    }
    let jank = subject.card.lines.iter().find(|(label, value)| label == "Jank type" && value != "None");
    banners.extend(jank.map(|(_, kind)| banner(Severity::Bad, "Jank", kind.clone())));
    if let Some(forced) = subject.analysis.map(|analysis| analysis.forced).filter(|forced| forced.count > 0) {
        let times = match forced.count {
            1 => "once".to_owned(),
            count => format!("{} times", flowline_format::format_count(count as u64)),
        };
        let longest = forced.longest.map(|longest| subject.index.profile().thread(place.0).global(longest));
        let forces = banner(Severity::Warn, &format!("Forces layout {times}"), format_duration_ns(forced.ns));
        banners.push(Banner { marker: longest, ..forces });
    }
    banners.extend(forced_by(subject, place, name, length));
    let waiting = subject.card.cpu.map(|cpu| length.saturating_sub(cpu.0));
    if let Some(waiting) = waiting.filter(|waiting| *waiting > length / 2 && length >= MIN_WAITING_NS) {
        banners.push(banner(Severity::Warn, "Waited more than half of its time", format_duration_ns(waiting)));
    }
    if markers.flags(place.1).has(MarkerFlags::INCOMPLETE) {
        banners.push(banner(Severity::Warn, "Incomplete", "one end was not recorded".to_owned()));
    }
    banners
}

/// True for the name of a task of an event loop.
fn is_task(name: &str) -> bool {
    matches!(name, "RunTask" | "ThreadControllerImpl::RunTask" | "ThreadControllerImpl::DoWork" | "Task" | "LongTask")
}

/// The long task that a marker is, or is a part of.
fn long_task(subject: &Subject<'_>, (id, local): (ThreadId, LocalMarker)) -> Option<Banner> {
    let profile = subject.index.profile();
    let thread = profile.thread(id);
    if !(thread.is_main || thread.name.contains("Main")) {
        return None;
    }
    let around = subject.slice.ancestors.iter().rev().copied().chain([local]);
    let is_long = |of: &LocalMarker| subject.length((id, *of)) > LONG_TASK_NS && is_task(profile.marker_name(id, *of));
    let task = around.into_iter().find(is_long)?;
    let value = format!("blocks {}", format_duration_ns(subject.length((id, task)) - LONG_TASK_NS));
    let text = if task == local { "Long task" } else { "Part of a long task" };
    let marker = (task != local).then(|| thread.global(task));
    Some(Banner { severity: Severity::Bad, text: text.to_owned(), value, marker })
}

/// The script that forced this style or layout work.
fn forced_by(subject: &Subject<'_>, (id, local): (ThreadId, LocalMarker), name: &str, length: i64) -> Option<Banner> {
    let profile = subject.index.profile();
    let value = if profile.thread(id).markers.is_instant(local) { String::new() } else { format_duration_ns(length) };
    let banner = |text: String, marker| Banner { severity: Severity::Warn, text, value, marker };
    if let Some(text) = &subject.card.forced_by {
        return Some(banner(text.clone(), None));
    }
    if !is_style_or_layout(name) {
        return None;
    }
    let script = subject.slice.ancestors.iter().find(|outer| is_script(profile.marker_name(id, **outer)))?;
    let text = format!("Forced by {}", profile.marker_title(id, *script));
    Some(banner(text, Some(profile.thread(id).global(*script))))
}
