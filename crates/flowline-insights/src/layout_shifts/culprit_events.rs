//! The events that can explain layout shifts, by process.

use std::collections::{BTreeMap, BTreeSet};

use super::culprit::{Culprit, CulpritKind, reasons};
use crate::markers_by_name::{Named, all_markers_named, markers_named};
use crate::page::Page;
use flowline_index::Index;
use flowline_profile::{
    LocalMarker, MarkerFlags, MarkerId, Ns, ProcessId, Profile, ThreadId, TimeRange, TrackKind, Value,
};

/// Fonts and animations explain shifts at most this long after their end.
const SOON: Ns = Ns(500_000_000);

/// Something whose end changed the layout.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) start: Ns,
    pub(super) end: Ns,
    /// Longest time from its end to a shift; `None` without a limit.
    pub(super) within: Option<Ns>,
    pub(super) culprit: Culprit,
}

/// All events.
#[derive(Debug, Default)]
pub(super) struct CulpritEvents {
    /// `PrePaint` slices by start.
    pub(super) pre_paints: BTreeMap<ProcessId, Vec<TimeRange>>,
    /// Fonts, frames and animations by end.
    pub(super) ended: BTreeMap<ProcessId, Vec<Ended>>,
    /// `PaintImage` slices by start.
    pub(super) image_paints: BTreeMap<ProcessId, Vec<(Ns, ThreadId, LocalMarker)>>,
    /// The nodes of images without a size, and when that was found.
    pub(super) unsized_nodes: BTreeMap<ProcessId, BTreeSet<(i64, Ns)>>,
}

/// Slices of which only the times matter.
const SLICES: [&str; 2] = ["PrePaint", "PaintImage"];
const NAMES: [&str; 3] = ["LayoutImageUnsized", "RenderFrameImpl::createChildFrame", "domLoading"];

impl CulpritEvents {
    pub(super) fn read(index: &Index, page: &Page) -> Self {
        let profile = index.profile();
        let (mut events, mut created, mut loading) = (Self::default(), Vec::new(), BTreeSet::new());
        for (name, id, marker) in all_markers_named(profile, &SLICES) {
            let thread = profile.thread(id);
            let (process, times) = (thread.process, thread.markers.range(marker));
            match name {
                0 => events.pre_paints.entry(process).or_default().push(times),
                _ => events.image_paints.entry(process).or_default().push((times.start, id, marker)),
            }
        }
        for named in markers_named(profile, &NAMES, |_| true) {
            let (name, id, marker) = named;
            let thread = profile.thread(id);
            let (process, times) = (thread.process, thread.markers.range(marker));
            match NAMES[name] {
                "LayoutImageUnsized" => {
                    let node =
                        profile.payload_in(thread, marker).get("data").and_then(|data| data.get("nodeId")?.as_i64());
                    let nodes = events.unsized_nodes.entry(process).or_default();
                    nodes.extend(node.map(|node| (node, times.start)));
                }
                "domLoading" => drop(loading.insert((process, times.start, id, marker))),
                _ => created.push(named),
            }
        }
        let frames = created.into_iter().filter_map(|named| inserted_frame(profile, page, named, &loading));
        for (process, ended) in frames.chain(fonts(index)).chain(animations(profile)) {
            events.ended.entry(process).or_default().push(ended);
        }
        events.sort();
        events
    }

    fn sort(&mut self) {
        self.pre_paints.values_mut().for_each(|own| own.sort_by_key(|times| (times.start, times.end)));
        self.image_paints.values_mut().for_each(|own| own.sort_unstable());
        self.ended.values_mut().for_each(|own| own.sort_by_key(|ended| (ended.end, ended.culprit.marker)));
    }
}

fn culprit(kind: CulpritKind, name: &str, marker: MarkerId) -> Culprit {
    Culprit { kind, name: name.to_owned(), node: None, reasons: Vec::new(), properties: Vec::new(), marker }
}

/// The fonts that were loaded.
fn fonts(index: &Index) -> impl Iterator<Item = (ProcessId, Ended)> {
    let requests = index.network().requests().iter();
    let fonts = requests.filter(|request| request.resource == "Font" && request.mime.starts_with("font"));
    fonts.map(|request| {
        let culprit = culprit(CulpritKind::Font, &request.url, request.marker);
        (request.process, Ended { start: request.start, end: request.end, within: Some(SOON), culprit })
    })
}

/// The frame that a slice inserted: the one whose document begins inside.
fn inserted_frame(
    profile: &Profile,
    page: &Page,
    (_, id, marker): Named,
    loading: &BTreeSet<(ProcessId, Ns, ThreadId, LocalMarker)>,
) -> Option<(ProcessId, Ended)> {
    let thread = profile.thread(id);
    let (process, times) = (thread.process, thread.markers.range(marker));
    let from = (process, times.start, ThreadId(0), LocalMarker::new(0));
    let (of, time, document, local) = loading.range(from..).next().copied()?;
    if of != process || time > times.end {
        return None;
    }
    let payload = profile.payload_in(profile.thread(document), local);
    let frame = payload.get("frame").and_then(Value::as_str)?;
    let url = page.navigations().iter().filter(|own| own.frame == frame && !own.url.is_empty());
    let url = url.map(|own| own.url.as_str()).next().unwrap_or_default();
    let culprit = culprit(CulpritKind::Iframe, url, thread.global(marker));
    Some((process, Ended { start: times.start, end: times.end, within: None, culprit }))
}

/// The failures of an animation: bits of reasons, properties.
type Failure = (Ns, i64, Vec<String>);

/// The animations that the compositor could not run. Instants of the same operation state why.
fn animations(profile: &Profile) -> Vec<(ProcessId, Ended)> {
    let mut pairs: Vec<(ThreadId, LocalMarker)> = Vec::new();
    let mut failures: BTreeMap<(ThreadId, u32), Vec<Failure>> = BTreeMap::new();
    let group = |id: ThreadId, marker: LocalMarker| profile.thread(id).groups.get(marker.index()).copied();
    for (_, id, marker) in markers_named(profile, &["Animation"], |thread| thread.kind == TrackKind::Async) {
        let thread = profile.thread(id);
        let flags = thread.markers.flags(marker);
        if flags.has(MarkerFlags::INSTANT) {
            let failure = failure(&profile.payload_in(thread, marker));
            if let Some((bits, properties)) = failure.filter(|(bits, _)| *bits != 0)
                && let Some(group) = group(id, marker)
            {
                failures.entry((id, group)).or_default().push((thread.markers.start(marker), bits, properties));
            }
        } else if !flags.has(MarkerFlags::INCOMPLETE) {
            pairs.push((id, marker));
        }
    }
    let ended = |(id, marker): (ThreadId, LocalMarker)| {
        let thread = profile.thread(id);
        let times = thread.markers.range(marker);
        let own = failures.get(&(id, group(id, marker)?))?;
        let own = own.iter().filter(|(time, ..)| times.start <= *time && *time <= times.end);
        let (mut bits, mut properties): (i64, Vec<String>) = (0, Vec::new());
        for (_, more, names) in own {
            bits |= more;
            properties.extend(names.iter().filter(|name| !properties.contains(name)).cloned().collect::<Vec<_>>());
        }
        if bits == 0 {
            return None;
        }
        let payload = profile.payload_in(thread, marker);
        let text = |key: &str| payload.get("data")?.get(key)?.as_str().filter(|text| !text.is_empty());
        let name = text("displayName").or_else(|| text("name")).unwrap_or_default();
        let process = thread.event_threads_of(marker)[0].map_or(thread.process, |own| profile.thread(own).process);
        let culprit = Culprit {
            reasons: reasons(bits),
            properties,
            ..culprit(CulpritKind::Animation, name, thread.global(marker))
        };
        Some((process, Ended { start: times.start, end: times.end, within: Some(SOON), culprit }))
    };
    pairs.into_iter().filter_map(ended).collect()
}

fn failure(args: &Value) -> Option<(i64, Vec<String>)> {
    let data = args.get("data")?;
    let bits = data.get("compositeFailed").and_then(Value::as_i64)?;
    let properties = match data.get("unsupportedProperties") {
        Some(Value::List(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Some((bits, properties))
}
