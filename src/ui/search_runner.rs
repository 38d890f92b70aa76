//! Runs searches on the pool, one generation at a time: a newer text abandons the older search.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::index::search::{Generation, HitLayout, Hits, Query, run_from};
use crate::index::{Index, SLICES};
use crate::profile::TimeRange;
use crate::scene::SearchView;
use crate::view::Arrangement;

/// A finished search; `None` when everything is shown again.
type Outcome = Option<SearchView>;

/// Starts searches and collects their results.
pub struct SearchRunner {
    generation: Arc<Generation>,
    /// What the newest search was started for: text and rows; and its number.
    current: (String, (Arrangement, u64), u64),
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
            current: (String::new(), (Arrangement::default(), 0), 0),
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

    /// Starts a search if the text or the rows that show its hits changed: `rows` are their arrangement and how many
    /// threads' have been made. It begins with what is `visible`.
    pub fn follow(&mut self, index: &Arc<Index>, text: &str, rows: (Arrangement, u64), visible: TimeRange) {
        if self.current.0 == text && (self.current.1 == rows || text.is_empty()) {
            return;
        }
        let number = self.generation.next();
        self.current = (text.to_owned(), rows, number);
        let query = Query::parse(text);
        if query.is_empty() {
            self.running = false;
            self.cleared = true;
            return;
        }
        self.running = true;
        let (index, sender, wake) = (Arc::clone(index), self.sender.clone(), Arc::clone(&self.wake));
        let generation = Arc::clone(&self.generation);
        let search = Search { index, query, text: text.to_owned(), arrangement: rows.0, visible, number, generation };
        rayon::spawn(move || {
            search.run(&|view| {
                // The receiver is gone only when the document was closed.
                let _closed = sender.send((number, view));
                wake();
            });
        });
    }

    /// The newest result, if one has come since the last call: `Some(None)` means that the search was cleared.
    pub fn take(&mut self) -> Option<Outcome> {
        let mut newest = std::mem::take(&mut self.cleared).then_some(None);
        while let Ok((number, view)) = self.receiver.try_recv() {
            if number == self.current.2 {
                self.running = !view.complete;
                newest = Some(Some(view));
            }
        }
        newest
    }

    /// Waits for the running search and keeps its result for [`SearchRunner::take`].
    pub fn wait(&mut self) {
        while self.running {
            let Ok((number, view)) = self.receiver.recv() else { return };
            if number == self.current.2 && view.complete {
                self.running = false;
                // The receiver is ours, so this cannot fail.
                let _kept = self.sender.send((number, view));
            }
        }
    }
}

/// What was found first is shown at once; if the search goes on, what was found since is shown after each of these.
const NEXT_PART: Duration = Duration::from_millis(300);
/// Results of one search at most.
const MOST_PARTS: u64 = 1 << 10;

/// A search under way.
struct Search {
    index: Arc<Index>,
    query: Query,
    text: String,
    arrangement: Arrangement,
    visible: TimeRange,
    number: u64,
    generation: Arc<Generation>,
}

impl Search {
    /// Runs it, giving `send` what was found so far now and then, and all of it in the end.
    fn run(&self, send: &dyn Fn(SearchView)) {
        let profile = self.index.profile();
        let is_current = || self.generation.is_current(self.number);
        let (mut due, mut parts) = (Instant::now(), 0);
        let found = run_from(profile, self.index.flows(), &self.query, self.visible, &is_current, |hits| {
            if Instant::now() >= due && parts < MOST_PARTS - 2 {
                parts += 1;
                send(self.view(hits(), parts, false));
                due = Instant::now() + NEXT_PART;
            }
        });
        if let Some(hits) = found {
            let view = self.view(hits, parts + 1, true);
            if is_current() {
                send(view);
            }
        }
    }

    fn view(&self, hits: Hits, part: u64, complete: bool) -> SearchView {
        let (index, profile) = (&self.index, self.index.profile());
        let layout = HitLayout::build(index.source(), index.layout(self.arrangement), &hits, index.long());
        let mut slices = vec![false; SLICES];
        for (id, thread) in profile.threads_with_ids() {
            for marker in hits.thread(id) {
                slices[index.activity().slice_of(thread.markers.start[marker.index()])] = true;
            }
        }
        let number = self.number * MOST_PARTS + part;
        SearchView { number, complete, text: self.text.clone(), hits, layout, slices }
    }
}
