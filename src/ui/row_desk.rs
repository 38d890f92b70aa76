//! Rows of threads in the arrangement that the recording did not begin with: made on the pool when they are to be shown.
//!
//! Making all of them when the arrangement changes would let the window wait, and holding both arrangements from the
//! start would cost every recording the memory of a second one. So a thread's rows are made when it is unfolded in that
//! arrangement, those on screen first; meanwhile its one line is shown. Of what is on screen the other arrangement is made
//! ahead, so that a change of the arrangement is seen at once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::index::Index;
use crate::index::search::Generation;
use crate::profile::ThreadId;
use crate::view::Arrangement;

/// Has rows made and knows which are being made.
pub struct RowDesk {
    generation: Arc<Generation>,
    /// The arrangement of the newest wish, and the number of its generation.
    wanted: (Arrangement, u64),
    making: BTreeSet<(bool, ThreadId)>,
    made: u64,
    sender: Sender<(bool, ThreadId)>,
    receiver: Receiver<(bool, ThreadId)>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl RowDesk {
    /// `wake` is called when rows are there.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = channel();
        Self {
            generation: Arc::default(),
            wanted: (Arrangement::default(), 0),
            making: BTreeSet::new(),
            made: 0,
            sender,
            receiver,
            wake,
        }
    }

    /// Has the rows of these threads made, the first first; what is still to be made for another arrangement is not.
    pub fn follow(&mut self, index: &Arc<Index>, arrangement: Arrangement, missing: impl Iterator<Item = ThreadId>) {
        if self.wanted.0 != arrangement {
            self.wanted = (arrangement, self.generation.next());
        }
        for thread in missing {
            self.make(index, arrangement, thread);
        }
    }

    /// Has the rows of a thread made that may be wanted soon.
    pub fn make(&mut self, index: &Arc<Index>, arrangement: Arrangement, thread: ThreadId) {
        let key = (arrangement == Arrangement::Stack, thread);
        if !self.making.insert(key) {
            return;
        }
        let (index, sender, wake) = (Arc::clone(index), self.sender.clone(), Arc::clone(&self.wake));
        let (generation, number) = (Arc::clone(&self.generation), self.wanted.1);
        rayon::spawn_fifo(move || {
            if generation.is_current(number) {
                index.layout(arrangement).thread(thread);
            }
            // The receiver is gone only when the document was closed.
            let _closed = sender.send(key);
            wake();
        });
    }

    /// Takes note of the rows that are there; returns how many threads' rows in the arrangement wanted were made so far.
    pub fn take(&mut self) -> u64 {
        while let Ok(key) = self.receiver.try_recv() {
            self.note(key);
        }
        self.made
    }

    fn note(&mut self, key: (bool, ThreadId)) {
        self.making.remove(&key);
        self.made += u64::from(key.0 == (self.wanted.0 == Arrangement::Stack));
    }

    /// Whether rows are being made.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !self.making.is_empty()
    }

    /// Waits for them: for pictures and tests.
    pub fn wait(&mut self) {
        while self.is_busy() {
            let Ok(key) = self.receiver.recv() else { return };
            self.note(key);
        }
    }
}
