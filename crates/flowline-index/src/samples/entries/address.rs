//! Addresses of trace events and calls: scripts, style sheets, documents, requests.

use crate::network::RequestUrls;
use flowline_profile::payload::decode;
use flowline_profile::{LocalMarker, Profile, ThreadId, Value};

pub(super) fn address_of_marker(
    profile: &Profile,
    urls: &RequestUrls,
    thread: ThreadId,
    marker: LocalMarker,
) -> String {
    let markers = &profile.thread(thread).markers;
    let place = markers.begin(marker).unwrap_or(markers.payload(marker));
    let payload = decode(&profile.source, place);
    let data = payload.get("data");
    let text = |value: Option<&Value>, key: &str| value?.get(key)?.as_str().map(str::to_owned);
    let innermost = || {
        let Value::List(frames) = data?.get("stackTrace")? else { return None };
        text(frames.first(), "url")
    };
    text(data, "stylesheetUrl")
        .or_else(innermost)
        .or_else(|| text(payload.get("beginData"), "url"))
        .or_else(|| text(data, "url"))
        .or_else(|| urls.get(&text(data, "requestId")?).map(str::to_owned))
        .unwrap_or_default()
}
