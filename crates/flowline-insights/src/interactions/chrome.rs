//! Interactions of Chrome: `EventTiming` pairs of events that belong to an interaction. The end of a pair is the next
//! paint. Times in the data are milliseconds on the page's clock, of which `timeStamp` is the start of the pair.

use std::cmp::Reverse;

use super::event_pairs::{EventPair, event_pairs};
use super::interaction::{Interaction, InteractionCategory};
use super::nesting::nest;
use crate::dropped::Dropped;
use crate::markers_by_name::Named;
use crate::page::Page;
use crate::page_load::PageId;
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile, Value};

/// Least `duration` of events that count, in milliseconds.
const LEAST_DURATION: f64 = 1.0;

/// A pair with a value that cannot be.
struct Damaged;

/// The interactions of a trace by start, and the events that were left out.
pub(super) fn read(index: &Index) -> (Vec<Interaction>, Dropped) {
    let profile = index.profile();
    let is_interaction = |(_, track, marker): Named| {
        let args = profile.payload_in(profile.thread(track), marker);
        args.get("data").is_some_and(is_part_of_one)
    };
    let (pairs, mut dropped) = event_pairs(profile, is_interaction);
    let mut all: Vec<Interaction> = Vec::new();
    for pair in pairs {
        match interaction(profile, pair) {
            Ok(found) => all.extend(found),
            Err(Damaged) => dropped.add(Some(profile.thread(pair.marker.0).global(pair.marker.1))),
        }
    }
    all.sort_by_key(|own| (own.start, Reverse(own.end), Reverse(own.marker)));
    nest(&mut all, |own| profile.thread(own.thread).process);
    all.sort_by_key(|own| (own.start, Reverse(own.end), own.marker));
    if !all.is_empty() {
        let page = Page::of(index);
        let navigations: Vec<(Ns, Option<u32>)> = page.main_navigations().map(|own| (own.time, own.number)).collect();
        for own in &mut all {
            let after = navigations.partition_point(|(time, _)| *time <= own.start);
            own.navigation = after.checked_sub(1).and_then(|at| navigations[at].1);
        }
    }
    (all, dropped)
}

/// True if the data of an event state that it is part of an interaction.
fn is_part_of_one(data: &Value) -> bool {
    let has = |key: &str, least: f64| data.get(key).and_then(Value::as_f64).is_some_and(|value| value >= least);
    data.get("interactionId").and_then(Value::as_i64).is_some_and(|id| id != 0) && has("duration", LEAST_DURATION)
}

/// The interaction of a pair; `None` for events that are part of none.
fn interaction(profile: &Profile, pair: EventPair) -> Result<Option<Interaction>, Damaged> {
    let (track, local) = pair.marker;
    let args = profile.payload_in(profile.thread(track), local);
    let Some(data) = args.get("data") else { return Ok(None) };
    let number = |key: &str| data.get(key).and_then(Value::as_f64).filter(|value| *value != 0.0);
    let id = data.get("interactionId").and_then(Value::as_i64).filter(|id| *id != 0);
    let event = data.get("type").and_then(Value::as_str).filter(|event| !event.is_empty());
    let times = number("timeStamp").zip(number("processingStart").zip(number("processingEnd")));
    let (Some(id), Some(event), Some((stamp, (first, last)))) = (id, event, times) else { return Ok(None) };
    if number("duration").is_none_or(|duration| duration < LEAST_DURATION) {
        return Ok(None);
    }
    let time = |ms: f64| Ns::from_ms(ms - stamp).map(|since| pair.start + since);
    let (first, last) = time(first).zip(time(last)).ok_or(Damaged)?;
    if pair.end < pair.start || first < pair.start || last < first {
        return Err(Damaged);
    }
    let marker = profile.thread(track).global(local);
    let mut own = Interaction {
        event: event.to_owned(),
        category: category(event),
        start: pair.start,
        // A dialog that a handler opens ends the interaction before its handlers.
        processing_start: first.min(pair.end),
        processing_end: last.min(pair.end),
        end: Some(pair.end),
        queued: number("enqueuedToMainThreadTime").and_then(time),
        committed: number("commitFinishTime").and_then(time),
        id: Some(id),
        press: None,
        is_nested: false,
        navigation: None,
        page: data.get("frame").and_then(Value::as_str).map_or(PageId::None, |frame| PageId::Frame(frame.to_owned())),
        presented_by: None,
        thread: pair.thread,
        marker,
        markers: vec![marker],
    };
    own.drop_misplaced();
    Ok(Some(own))
}

fn category(event: &str) -> InteractionCategory {
    match event {
        "pointerdown" | "pointerup" | "mousedown" | "mouseup" | "touchstart" | "touchend" | "click" => {
            InteractionCategory::Pointer
        }
        "keydown" | "keypress" | "keyup" => InteractionCategory::Keyboard,
        _ => InteractionCategory::Other,
    }
}
