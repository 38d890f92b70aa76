//! The largest contentful paint of a navigation, and the request of its image.

use super::requested::{Requested, hard, requested};
use crate::insights::context::{Context, Period};
use crate::page_load::MilestoneKind;
use crate::page_work::DocumentEvents;
use flowline_index::Derived;
use flowline_profile::{MarkerId, Ns, Value};

/// A largest contentful paint.
#[derive(Clone, Debug)]
pub(super) struct Lcp<'a> {
    /// Its time.
    pub(super) time: Ns,
    /// Time since the navigation.
    pub(super) since: Ns,
    /// Its marker.
    pub(super) marker: MarkerId,
    /// True for an image, false for text.
    pub(super) is_image: bool,
    /// True if the page asked to load the image late.
    pub(super) is_lazy: bool,
    /// True if a later paint may have been larger, because the recording ends soon after this one.
    pub(super) is_so_far: bool,
    /// The request of the image. Images in the document itself have none.
    pub(super) request: Option<Requested<'a>>,
}

/// The largest contentful paint of a period's navigation.
pub(super) fn lcp<'a>(context: &Context<'a>, period: &Period<'a>) -> Option<Lcp<'a>> {
    let milestone = period.milestone(context, MilestoneKind::LargestContentfulPaint)?;
    let (time, marker) = (milestone.time?, milestone.marker?);
    let since = milestone.since?;
    let profile = context.profile();
    let (id, local) = profile.locate(marker)?;
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, local);
    let data = payload.get("data");
    let text = |key: &str| data.and_then(|data| data.get(key)).and_then(Value::as_str).unwrap_or_default();
    let node = data.and_then(|data| data.get("nodeId")).and_then(Value::as_i64);
    let events = DocumentEvents::of(context.index);
    let paint = node.and_then(|node| events.paint(thread.process, node));
    let request = paint.filter(|_| hard(period).is_some()).and_then(|paint| {
        let is_own = |own: &Requested<'_>| {
            own.request.url == paint.value || own.request.redirects.iter().any(|redirect| redirect.url == paint.value)
        };
        requested(context, period).take_while(|own| own.request.start <= paint.time).find(is_own)
    });
    Some(Lcp {
        time,
        since,
        marker,
        is_image: paint.is_some() || text("type") == "image",
        is_lazy: text("loadingAttr") == "lazy",
        is_so_far: milestone.is_so_far,
        request,
    })
}
