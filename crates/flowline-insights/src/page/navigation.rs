//! The navigations of a trace of Chrome.

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
    for (number, event) in events.iter().enumerate() {
        let Some(frame) = event.text("frame") else { continue };
        let navigation = match event.name {
            "navigationStart" => hard(event, frame, number),
            "SoftNavigationStart" => soft(event, frame, number),
            _ => None,
        };
        let is_known = |other: &&Navigation| Some(&other.id) == navigation.as_ref().map(|own| &own.id);
        let repeats =
            navigation.as_ref().is_some_and(|own| own.id.is_some()) && found.iter().any(|other| is_known(&other));
        found.extend(navigation.filter(|_| !repeats && frames.is_hosted(frame, &event.pid)));
    }
    let main = found.iter_mut().filter(|own| own.id.is_some() && frames.is_main(&own.frame));
    for (number, navigation) in (0..).zip(main) {
        navigation.number = Some(number);
    }
    name(&mut found, events);
    found
}

fn hard(event: &Event, frame: &str, number: usize) -> Option<Navigation> {
    event.args.get("data")?;
    let url = event.data("documentLoaderURL").and_then(Value::as_str);
    (url != Some("")).then(|| Navigation {
        time: event.time,
        id: event.data_text("navigationId").map(str::to_owned),
        frame: frame.to_owned(),
        url: url.unwrap_or_default().to_owned(),
        is_soft: false,
        number: None,
        event: number,
        end: Ns(i64::MAX),
        thread: event.thread,
        marker: event.marker,
    })
}

fn soft(event: &Event, frame: &str, number: usize) -> Option<Navigation> {
    let context = event.args.get("context")?;
    let id = context.get("performanceTimelineNavigationId")?.display_js();
    let url = context.get("URL").and_then(Value::as_str).unwrap_or_default().to_owned();
    let frame = frame.to_owned();
    Some(Navigation {
        time: event.time,
        id: Some(id),
        frame,
        url,
        is_soft: true,
        number: None,
        event: number,
        end: Ns(i64::MAX),
        thread: event.thread,
        marker: event.marker,
    })
}

/// Replaces the addresses of redirected navigations, and of pages that changed their address meanwhile.
fn name(navigations: &mut [Navigation], events: &[Event]) {
    let starts: Vec<(Ns, bool)> =
        navigations.iter().map(|navigation| (navigation.time, navigation.number.is_some())).collect();
    for (at, navigation) in navigations.iter_mut().enumerate().filter(|(_, navigation)| !navigation.is_soft) {
        let requested = events.iter().filter(|event| event.name == "ResourceSendRequest");
        let own = requested
            .filter(|event| navigation.id.is_some() && event.data_text("requestId") == navigation.id.as_deref());
        if let Some(url) = own.filter_map(|event| event.data_text("url")).next_back() {
            url.clone_into(&mut navigation.url);
        }
        if navigation.number.is_none() {
            continue;
        }
        let end = starts[at + 1..].iter().find(|(_, is_numbered)| *is_numbered).map_or(Ns(i64::MAX), |(time, _)| *time);
        let moved = events.iter().filter(|event| {
            event.name == "RenderFrameHostImpl::DidCommitSameDocumentNavigation"
                && event.time >= navigation.time
                && event.time < end
        });
        let primary = moved.filter(|event| {
            let host = event.args.get("render_frame_host");
            let kind = host.and_then(|host| host.get("frame_type")).and_then(Value::as_str);
            kind == Some("PRIMARY_MAIN_FRAME")
        });
        if let Some(url) = primary.filter_map(|event| event.text("url")).next_back() {
            url.clone_into(&mut navigation.url);
        }
    }
}
