//! Details of the selected marker: its card, its flows and its context.

use std::sync::Arc;

use super::flow_cards::FlowCards;
use super::marker_card::MarkerCard;
use super::marker_links::MarkerLink;
use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::initiators::Initiators;
use flowline_index::references::has_slow_references;
use flowline_profile::{DisplayClock, MarkerId, no_blocking_io};

/// The cards of a marker.
#[derive(Default)]
struct MarkerCards {
    flows: FlowCards,
    marker: Option<MarkerCard>,
    links: Vec<MarkerLink>,
}

/// The cards of the selected marker. They are available at once, unless their text must be read from disk. The
/// initiator of the first selected marker, the flow of a network request and the threads on the CPU of a runnable one are
/// available a little later.
pub(crate) struct Cards {
    of: Option<MarkerId>,
    found: MarkerCards,
    task: Task<MarkerId, MarkerCards>,
}

fn find(index: &Index, marker: MarkerId, clock: DisplayClock) -> MarkerCards {
    let flows = FlowCards::for_marker(index, marker, clock);
    let links = MarkerLink::of_marker(index, marker, &flows);
    MarkerCards { flows, marker: MarkerCard::new(index, marker, clock), links }
}

impl Cards {
    /// `wake` is called when cards have been read.
    #[must_use]
    pub(crate) fn new(wake: Wake) -> Self {
        Self { of: None, found: MarkerCards::default(), task: Task::new(wake) }
    }

    /// Looks up a marker, if it differs from the previous one.
    pub(crate) fn follow(&mut self, index: &Arc<Index>, marker: MarkerId, clock: DisplayClock) {
        if self.of == Some(marker) {
            return;
        }
        self.task.cancel();
        (self.of, self.found) = (Some(marker), MarkerCards::default());
        let found = no_blocking_io(|| find(index, marker, clock));
        let is_whole = found.is_some()
            && (index.initiators_if_built().is_some() || !Initiators::may_exist(index.profile()))
            && !has_slow_references(index.profile(), marker);
        found.into_iter().for_each(|found| self.take(marker, found));
        if !is_whole {
            let index = Arc::clone(index);
            self.task.add_reading(marker, move |_| {
                index.initiators();
                find(&index, marker, clock)
            });
        }
    }

    fn take(&mut self, of: MarkerId, found: MarkerCards) {
        if self.of == Some(of) {
            self.found = found;
        }
    }

    /// Invalidates the cards after a change of their contents.
    pub(crate) fn forget(&mut self) {
        self.of = None;
    }

    /// The flows of the marker, and its context.
    #[must_use]
    pub(crate) const fn flows(&self) -> &FlowCards {
        &self.found.flows
    }

    /// The links of the marker.
    #[must_use]
    pub(crate) fn links(&self) -> &[MarkerLink] {
        &self.found.links
    }

    /// The card of a marker, if it is the current one.
    #[must_use]
    pub(crate) fn marker(&self, marker: MarkerId) -> Option<&MarkerCard> {
        self.found.marker.as_ref().filter(|_| self.of == Some(marker))
    }

    /// Mutable card of a marker.
    pub(crate) fn marker_mut(&mut self, marker: MarkerId) -> Option<&mut MarkerCard> {
        self.found.marker.as_mut().filter(|_| self.of == Some(marker))
    }
}

impl Job for Cards {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some((of, found)) = self.task.poll() {
            self.take(of, found);
        }
    }
}
