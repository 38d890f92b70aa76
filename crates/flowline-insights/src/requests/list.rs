//! The details of all requests, read once.

use rayon::prelude::*;

use super::detail::RequestDetail;
use flowline_index::network::NetworkRequestId;
use flowline_index::{Derived, Index};
use flowline_profile::MarkerId;

/// Details by request. Empty for profiles of Firefox, whose markers state none of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestDetails(Vec<RequestDetail>);

impl RequestDetails {
    /// The details of an index; see [`Index::derived`].
    pub(crate) fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// The details of a request.
    pub(crate) fn get(&self, id: NetworkRequestId) -> Option<&RequestDetail> {
        self.0.get(id.index())
    }
}

impl Derived for RequestDetails {
    fn derive(index: &Index) -> Self {
        if !index.profile().source.holds_events() {
            return Self::default();
        }
        let ids: Vec<NetworkRequestId> = index.network().iter().map(|(id, _)| id).collect();
        Self(ids.into_par_iter().map(|id| detail(index, id)).collect())
    }
}

fn detail(index: &Index, id: NetworkRequestId) -> RequestDetail {
    let mut detail = RequestDetail::default();
    for marker in index.network().markers(id) {
        add(index, *marker, &mut detail);
    }
    detail
}

/// Adds what an event states.
fn add(index: &Index, marker: MarkerId, detail: &mut RequestDetail) -> Option<()> {
    let profile = index.profile();
    let (thread, local) = profile.locate(marker)?;
    let thread = profile.thread(thread);
    let name = profile.strings.get(thread.markers.name(local));
    if !["ResourceSendRequest", "ResourceReceiveResponse"].contains(&name) {
        return None;
    }
    let payload = profile.payload_in(thread, local);
    let data = payload.get("data")?;
    if name == "ResourceSendRequest" {
        detail.add_send(data)
    } else {
        detail.add_response(data)
    }
    Some(())
}
