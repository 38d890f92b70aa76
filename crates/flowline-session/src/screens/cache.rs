//! The screenshots that are shown, in a cache of bounded size.

use std::sync::Arc;

use super::decode::decode;
use super::picture::Picture;
use crate::tasks::{Job, OnDemand, PoolTask, Wake};
use flowline_index::Index;
use flowline_insights::page_load::Screenshots;
use flowline_profile::MarkerId;

/// Width of the largest preview in points, and of the pictures in pixels.
pub const PREVIEW_WIDTH: usize = 320;
/// Number of pictures in the cache: some 25 MB.
const MAX_PICTURES: usize = 96;

/// The pictures of screenshots, by marker.
pub struct Screens(OnDemand<MarkerId, Option<Arc<Picture>>>);

impl Screens {
    /// `wake` is called when a picture is available.
    pub(crate) fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, MAX_PICTURES))
    }

    /// The picture of a screenshot, at most [`PREVIEW_WIDTH`] wide: `None` until it is decoded, `Some(None)` if that is
    /// impossible.
    #[must_use]
    pub fn picture(&self, index: &Arc<Index>, marker: MarkerId) -> Option<Option<Arc<Picture>>> {
        let index = Arc::clone(index);
        let value = self.0.get(marker, move |is_wanted| {
            let data = is_wanted().then(|| Screenshots::data(index.profile(), marker))??;
            Some(Arc::new(decode(&data)?.reduced_to(PREVIEW_WIDTH)))
        });
        value.map(|picture| Option::clone(&picture))
    }
}

impl Job for Screens {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.0]
    }

    fn poll(&mut self, _index: &Arc<Index>) {}
}
