//! Entries from the `detail` of user timings. (`stamps` reads the entries of time stamps.)

use rayon::prelude::*;

use super::{CustomEntry, EntryKind, Origin};
use flowline_json::{Cursor, decode_value};
use flowline_profile::{
    CategoryId, LocalMarker, MarkerFlags, MarkerId, Ns, Profile, StringId, Thread, Unit, Value, parse_decimal,
};

/// Timings created by the browser.
const BROWSER_TIMINGS: [&str; 28] = [
    "workerStart",
    "redirectStart",
    "redirectEnd",
    "fetchStart",
    "domainLookupStart",
    "domainLookupEnd",
    "connectStart",
    "connectEnd",
    "secureConnectionStart",
    "requestStart",
    "responseStart",
    "responseEnd",
    "navigationStart",
    "unloadEventStart",
    "unloadEventEnd",
    "commitNavigationEnd",
    "domLoading",
    "domInteractive",
    "domContentLoadedEventStart",
    "domContentLoadedEventEnd",
    "domComplete",
    "loadEventStart",
    "loadEventEnd",
    "firstPaint",
    "firstContentfulPaint",
    "firstMeaningfulPaint",
    "firstImagePaint",
    "firstLayout",
];

/// True for the name of a timing that the browser creates itself.
#[must_use]
pub fn is_browser_timing(name: &str) -> bool {
    BROWSER_TIMINGS.contains(&name)
}

/// The category and the name of markers that may define entries.
pub(super) struct Sources {
    timings: Option<CategoryId>,
    stamps: Option<StringId>,
}

/// An entry, and the byte offset of the event that defines it.
pub(super) type LocatedEntry = (CustomEntry, usize);

impl Sources {
    pub(super) fn new(profile: &Profile) -> Self {
        // Only traces have events with arguments.
        if !profile.source.holds_events() {
            return Self { timings: None, stamps: None };
        }
        let timings = profile.categories.iter().position(|category| category.name == "blink.user_timing");
        Self { timings: timings.map(CategoryId::new), stamps: profile.strings.find("TimeStamp") }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.timings.is_none() && self.stamps.is_none()
    }
}

/// Byte offset of the event of a marker.
pub(super) fn place_of(thread: &Thread, marker: LocalMarker) -> usize {
    let own = thread.markers.payload(marker);
    thread.markers.begin(marker).unwrap_or(own).offset().unwrap_or(0)
}

/// Time stamps: marker, time, and byte offset of the event.
pub(super) type Stamps = Vec<(MarkerId, Ns, usize)>;

/// Entries of user timings, unordered, and all time stamps by time and byte offset.
pub(super) fn entries(profile: &Profile, sources: &Sources) -> (Vec<LocatedEntry>, Stamps) {
    let (mut entries, mut stamps) = (Vec::new(), Stamps::new());
    if sources.is_empty() {
        return (entries, stamps);
    }
    for thread in &profile.threads {
        let all = || (0..thread.markers.len()).into_par_iter().with_min_len(1 << 12).map(LocalMarker::new);
        if sources.timings.is_some() {
            let is_timing = |marker: &LocalMarker| Some(thread.markers.category(*marker)) == sources.timings;
            let timings: Vec<LocalMarker> = all().filter(is_timing).collect();
            let read = |marker: LocalMarker| timing(profile, thread, marker);
            entries.par_extend(timings.into_par_iter().with_min_len(16).filter_map(read));
        }
        if sources.stamps.is_some() {
            let is_stamp = |marker: &LocalMarker| Some(thread.markers.name(*marker)) == sources.stamps;
            let stamp =
                |marker: LocalMarker| (thread.global(marker), thread.markers.start(marker), place_of(thread, marker));
            stamps.par_extend(all().filter(is_stamp).map(stamp));
        }
    }
    stamps.sort_unstable_by_key(|(_, start, place)| (*start, *place));
    (entries, stamps)
}

/// Entry of a mark or a measure; `None` if its `detail` does not define one.
fn timing(profile: &Profile, thread: &Thread, marker: LocalMarker) -> Option<LocatedEntry> {
    let markers = &thread.markers;
    let flags = markers.flags(marker);
    let is_mark = flags.has(MarkerFlags::INSTANT);
    let name = profile.strings.get(markers.name(marker));
    if is_browser_timing(name) || flags.has(MarkerFlags::INCOMPLETE) {
        return None;
    }
    let payload = profile.payload_in(thread, marker);
    let detail = if is_mark { payload.get("data")?.get("detail")? } else { payload.get("detail")? };
    let Value::Object(members) = parsed(detail.as_str()?)? else { return None };
    let (devtools, own): (Vec<_>, Vec<_>) = members.into_iter().partition(|(key, _)| key == "devtools");
    // The last of several equal keys counts.
    let devtools = devtools.into_iter().next_back()?.1;
    let text = |key: &str| devtools.get(key).filter(|value| value.is_truthy()).map(Value::display_js);
    let kind = match devtools.get("dataType") {
        Some(Value::String(kind)) if kind == "marker" => EntryKind::Marker,
        Some(Value::String(kind)) if kind == "track-entry" => EntryKind::Track,
        None => EntryKind::Track,
        _ => return None,
    };
    let track = text("track").unwrap_or_default();
    if kind == EntryKind::Track && track.is_empty() {
        return None;
    }
    let entry = CustomEntry {
        named_after: [None; 2],
        kind,
        origin: if is_mark { Origin::Mark } else { Origin::Measure },
        marker: thread.global(marker),
        name: name.to_owned(),
        track,
        group: text("trackGroup").unwrap_or_default(),
        start: markers.start(marker),
        end: (!is_mark).then(|| markers.end(marker)),
        color: text("color"),
        tooltip: text("tooltipText"),
        properties: properties(devtools.get("properties")),
        detail: Value::Object(own),
    };
    Some((entry, place_of(thread, marker)))
}

/// Parses a text that consists of exactly one JSON value.
pub(super) fn parsed(text: &str) -> Option<Value> {
    let mut cursor = Cursor::at(text.as_bytes(), 0);
    let value = decode_value(&mut cursor).ok()?;
    cursor.finish().ok()?;
    Some(value)
}

/// Pairs of a name and a value; ignores other items.
fn properties(value: Option<&Value>) -> Vec<(String, Value)> {
    let Some(Value::List(items)) = value else { return Vec::new() };
    let pair = |item: &Value| match item {
        Value::List(pair) => Some((pair.first()?.display_js(), pair.get(1).cloned().unwrap_or(Value::Null))),
        _ => None,
    };
    items.iter().filter_map(pair).collect()
}

/// Time from a number of microseconds; `None` if it is out of range.
pub(super) fn micros(value: &Value) -> Option<Ns> {
    match value {
        Value::Int(whole) => whole.checked_mul(1000).map(Ns).filter(|time| time.0.abs() <= Ns::LIMIT),
        Value::Number(number) => parse_decimal(number.to_string().as_bytes(), Unit::Micros),
        _ => None,
    }
}
