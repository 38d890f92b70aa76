//! The navigations of a trace of Chrome.

use std::collections::{BTreeMap, BTreeSet};

use super::events::Event;
use super::page_frames::PageFrames;
use flowline_profile::{MarkerId, Ns, ThreadId, Value};

/// A navigation. What begins between its start and its end belongs to it.
#[derive(Clone, Debug)]
pub struct Navigation {
    /// Its number among those of the main frame, hard and soft, by time. Navigations of frames inside the page, and those
    /// without an id, have none.
    pub number: Option<u32>,
    /// True for a navigation without a new document.
    pub is_soft: bool,
    /// True if the page was loaded before it was shown.
    pub is_prerendered: bool,
    /// Its start.
    pub time: Ns,
    /// End of its period: 1 µs before the next navigation with a number, or the end of the recording.
    pub end: Ns,
    /// Its id; `None` in traces of old versions.
    pub id: Option<String>,
    /// The frame that navigated.
    pub frame: String,
    /// Address of the document, after redirects; empty if unknown.
    pub url: String,
    /// The thread of its marker.
    pub thread: ThreadId,
    /// The marker that states it.
    pub marker: MarkerId,
    /// Position of its event among those read.
    pub(crate) event: usize,
}

/// The navigations in time order; those of the main frame are numbered.
pub(super) fn read_navigations(events: &[Event], frames: &PageFrames) -> Vec<Navigation> {
    let mut found: Vec<Navigation> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (number, event) in events.iter().enumerate() {
        let Some(frame) = event.text("frame") else { continue };
        let navigation = match event.name {
            "navigationStart" => hard(event, frame, number),
            "SoftNavigationStart" => soft(event, frame, number),
            _ => None,
        };
        let navigation = navigation.filter(|_| frames.is_hosted(frame, &event.pid));
        let is_new = |own: &Navigation| own.id.clone().is_none_or(|id| known.insert(id));
        found.extend(navigation.filter(is_new));
    }
    let main = found.iter_mut().filter(|own| own.id.is_some() && frames.is_main(&own.frame));
    for (number, navigation) in (0..).zip(main) {
        navigation.number = Some(number);
    }
    name_redirected(&mut found, events);
    name_moved(&mut found, events);
    mark_prerendered(&mut found, events);
    found
}

fn hard(event: &Event, frame: &str, number: usize) -> Option<Navigation> {
    event.args.get("data")?;
    let url = event.data("documentLoaderURL").and_then(Value::as_str);
    (url != Some("")).then(|| Navigation {
        id: event.data_text("navigationId").map(str::to_owned),
        url: url.unwrap_or_default().to_owned(),
        ..navigation(event, frame, number)
    })
}

fn soft(event: &Event, frame: &str, number: usize) -> Option<Navigation> {
    let context = event.args.get("context")?;
    Some(Navigation {
        id: Some(context.get("performanceTimelineNavigationId")?.display_js()),
        url: context.get("URL").and_then(Value::as_str).unwrap_or_default().to_owned(),
        is_soft: true,
        ..navigation(event, frame, number)
    })
}

fn navigation(event: &Event, frame: &str, number: usize) -> Navigation {
    Navigation {
        number: None,
        is_soft: false,
        is_prerendered: false,
        time: event.time,
        end: Ns(i64::MAX),
        id: None,
        frame: frame.to_owned(),
        url: String::new(),
        thread: event.thread,
        marker: event.marker,
        event: number,
    }
}

/// Replaces the addresses of redirected navigations. Traces whose requests have no type keep the address that was navigated
/// to.
fn name_redirected(navigations: &mut [Navigation], events: &[Event]) {
    let is_document =
        |event: &&Event| event.name == "ResourceSendRequest" && event.data_text("resourceType") == Some("Document");
    let requested = events.iter().filter(is_document);
    let urls = requested.filter_map(|event| Some((event.data_text("requestId")?, event.data_text("url")?)));
    // Of several requests with an id, the last one counts.
    let urls: BTreeMap<&str, &str> = urls.collect();
    for navigation in navigations.iter_mut().filter(|own| !own.is_soft) {
        if let Some(url) = navigation.id.as_deref().and_then(|id| urls.get(id)) {
            (*url).clone_into(&mut navigation.url);
        }
    }
}

/// Replaces the addresses of pages that changed their address before the next navigation.
fn name_moved(navigations: &mut [Navigation], events: &[Event]) {
    let is_primary = |event: &&Event| {
        let host = event.args.get("render_frame_host");
        let kind = host.and_then(|host| host.get("frame_type")).and_then(Value::as_str);
        event.name == "RenderFrameHostImpl::DidCommitSameDocumentNavigation" && kind == Some("PRIMARY_MAIN_FRAME")
    };
    let moved = events.iter().filter(is_primary);
    let moved: Vec<(Ns, &str)> = moved.filter_map(|event| Some((event.time, event.text("url")?))).collect();
    let mut end = Ns(i64::MAX);
    for navigation in navigations.iter_mut().rev().filter(|own| own.number.is_some()) {
        let before = moved.partition_point(|(time, _)| *time < end);
        let last = before.checked_sub(1).and_then(|last| moved.get(last));
        if let Some((_, url)) = last.filter(|(time, _)| *time >= navigation.time && !navigation.is_soft) {
            (*url).clone_into(&mut navigation.url);
        }
        end = navigation.time;
    }
}

/// Marks the navigations that were committed as the outermost frame of a page that was not shown.
fn mark_prerendered(navigations: &mut [Navigation], events: &[Event]) {
    let flag = |event: &Event, key: &str| match event.data(key) {
        Some(Value::Bool(flag)) => Some(*flag),
        _ => None,
    };
    let hidden = events.iter().filter(|event| {
        event.name == "FrameCommittedInBrowser"
            && flag(event, "isOutermostMainFrame") == Some(true)
            && flag(event, "isInPrimaryMainFrame") == Some(false)
    });
    let mut of_frame: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, own) in navigations.iter().enumerate().filter(|(_, own)| !own.is_soft) {
        of_frame.entry(own.frame.clone()).or_default().push(at);
    }
    for event in hidden {
        let Some(own) = event.data_text("frame").and_then(|frame| of_frame.get(frame)) else { continue };
        // The browser's clock reading of the navigation can be a little later than its commit; there is none before it.
        let before = own.partition_point(|at| navigations[*at].time <= event.time);
        if let Some(at) = own.get(before.saturating_sub(1)) {
            navigations[*at].is_prerendered = true;
        }
    }
}
