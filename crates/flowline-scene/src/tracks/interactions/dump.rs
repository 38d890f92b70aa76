//! `flowline dump interactions`: one line per interaction, nested ones included, by start.

use serde_json::{Value, json};

use crate::tracks::DumpLine;
use flowline_index::{Derived, Index};
use flowline_insights::interactions::{Interaction, Interactions};
use flowline_insights::page_load::PageId;
use flowline_profile::{MarkerId, Profile, Value as Payload};

/// The interactions with their markers.
pub(super) fn interactions(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let profile = index.profile();
    (0..).zip(Interactions::of(index).list()).map(move |(number, own)| {
        let markers = own.markers.iter().copied().chain(own.presented_by).collect();
        DumpLine { markers, json: line(profile, number, own) }
    })
}

fn line(profile: &Profile, number: u32, own: &Interaction) -> Value {
    let (frame, window) = match &own.page {
        PageId::Frame(frame) => (Some(frame.as_str()), None),
        PageId::Window(window) => (None, Some(*window)),
        PageId::None => (None, None),
    };
    let markers: Vec<u32> = own.markers.iter().chain(&own.presented_by).map(|marker| marker.0).collect();
    json!({
        "interaction": number,
        "type": own.event,
        "category": own.category.name(),
        "interaction_id": own.id,
        "press": own.press,
        "events": own.press.map(|_| events(profile, own)),
        "start_ns": own.start.0,
        "processing_start_ns": own.processing_start.0,
        "processing_end_ns": own.processing_end.0,
        "end_ns": own.end.map(|end| end.0),
        "input_delay_ns": own.input_delay().0,
        "processing_ns": own.processing().0,
        "presentation_ns": own.presentation().map(|length| length.0),
        "queued_ns": own.queued.map(|time| time.0),
        "committed_ns": own.committed.map(|time| time.0),
        "long": own.is_long(),
        "nested": own.is_nested,
        "navigation": own.navigation,
        "frame": frame,
        "window": window,
        "presented_by": own.presented_by.and_then(|marker| name(profile, marker)),
        "pid": profile.process_of(own.thread).pid.as_str(),
        "thread": own.thread.0,
        "marker": own.marker.0,
        "markers": markers,
    })
}

fn name(profile: &Profile, marker: MarkerId) -> Option<&str> {
    profile.locate(marker).map(|(thread, local)| profile.marker_name(thread, local))
}

/// The types of the events of an input of Firefox, by time.
fn events(profile: &Profile, own: &Interaction) -> Vec<String> {
    let event = |marker: &MarkerId| {
        let (thread, local) = profile.locate(*marker)?;
        let payload = profile.payload(thread, local);
        payload.get("eventType").and_then(Payload::as_str).map(str::to_owned)
    };
    own.markers.iter().filter_map(event).collect()
}
