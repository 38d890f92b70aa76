//! Runs searches on the pool, one generation at a time: a newer text abandons the older search.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::index::search::{Generation, HitLayout, Query, run};
use crate::index::{Index, SLICES};
use crate::scene::SearchView;
use crate::view::Arrangement;

/// A finished search; `None` when everything is shown again.
type Outcome = Option<SearchView>;

/// Starts searches and collects their results.
pub struct SearchRunner {
    generation: Arc<Generation>,
    /// What the newest search was started for, and its number.
    current: (String, Arrangement, u64),
    running: bool,
    sender: Sender<(u64, SearchView)>,
    receiver: Receiver<(u64, SearchView)>,
    wake: Arc<dyn Fn() + Send + Sync>,
    cleared: bool,
}

impl SearchRunner {
    /// `wake` is called when a result has come.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = channel();
        Self {
            generation: Arc::default(),
            current: (String::new(), Arrangement::default(), 0),
            running: false,
            sender,
            receiver,
            wake,
            cleared: false,
        }
    }

    /// Whether a search is under way.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Starts a search if text or arrangement changed.
    pub fn follow(&mut self, index: &Arc<Index>, text: &str, arrangement: Arrangement) {
        if self.current.0 == text && (self.current.1 == arrangement || text.is_empty()) {
            return;
        }
        let number = self.generation.next();
        self.current = (text.to_owned(), arrangement, number);
        let query = Query::parse(text);
        if query.is_empty() {
            self.running = false;
            self.cleared = true;
            return;
        }
        self.running = true;
        let (index, generation, sender, wake) =
            (Arc::clone(index), Arc::clone(&self.generation), self.sender.clone(), Arc::clone(&self.wake));
        let text = text.to_owned();
        rayon::spawn(move || {
            if let Some(view) = search(&index, &query, text, arrangement, number, &generation) {
                // The receiver is gone only when the document was closed.
                let _closed = sender.send((number, view));
                wake();
            }
        });
    }

    /// The newest result, if one has come since the last call: `Some(None)` means that the search was cleared.
    pub fn take(&mut self) -> Option<Outcome> {
        let mut newest = std::mem::take(&mut self.cleared).then_some(None);
        while let Ok((number, view)) = self.receiver.try_recv() {
            if number == self.current.2 {
                self.running = false;
                newest = Some(Some(view));
            }
        }
        newest
    }

    /// Waits for the running search and keeps its result for [`SearchRunner::take`].
    pub fn wait(&mut self) {
        while self.running {
            let Ok((number, view)) = self.receiver.recv() else { return };
            if number == self.current.2 {
                self.running = false;
                // The receiver is ours, so this cannot fail.
                let _kept = self.sender.send((number, view));
            }
        }
    }
}

fn search(
    index: &Index,
    query: &Query,
    text: String,
    arrangement: Arrangement,
    number: u64,
    generation: &Generation,
) -> Option<SearchView> {
    let profile = index.profile();
    let hits = run(profile, index.flows(), query, &|| generation.is_current(number))?;
    let layout = HitLayout::build(index.source(), index.layout(arrangement), &hits, index.long());
    let mut slices = vec![false; SLICES];
    for (id, thread) in profile.threads_with_ids() {
        for marker in hits.thread(id) {
            slices[index.activity().slice_of(thread.markers.start[marker.index()])] = true;
        }
    }
    generation.is_current(number).then_some(SearchView { number, text, hits, layout, slices })
}
