//! Work on the pool of which only the newest counts: what the tables sort, filter and count.
//!
//! Starting a job abandons the one before: its result is dropped, and it can ask whether to stop early.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::index::search::Generation;

/// Tells a job whether it is still the newest.
pub(super) struct Current {
    generation: Arc<Generation>,
    number: u64,
}

impl Current {
    /// Whether the result is still wanted.
    pub(super) fn is_wanted(&self) -> bool {
        self.generation.is_current(self.number)
    }

    /// For tests: a job that nothing abandons.
    #[cfg(test)]
    pub(super) fn always() -> Self {
        Self { generation: Arc::default(), number: 0 }
    }
}

/// Starts jobs and collects the result of the newest, which is known by its key.
pub(super) struct Latest<K, T> {
    key: Option<K>,
    generation: Arc<Generation>,
    number: u64,
    pending: bool,
    sender: Sender<(u64, T)>,
    receiver: Receiver<(u64, T)>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl<K: PartialEq, T: Send + 'static> Latest<K, T> {
    /// `wake` is called when a result has come.
    pub(super) fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = channel();
        Self { key: None, generation: Arc::default(), number: 0, pending: false, sender, receiver, wake }
    }

    /// Whether the newest job was for this key.
    pub(super) fn is_for(&self, key: &K) -> bool {
        self.key.as_ref() == Some(key)
    }

    /// Whether the newest job is not done.
    pub(super) const fn is_pending(&self) -> bool {
        self.pending
    }

    /// Starts a job. One that is no longer wanted may return anything.
    pub(super) fn start(&mut self, key: K, job: impl FnOnce(&Current) -> T + Send + 'static) {
        self.key = Some(key);
        self.number = self.generation.next();
        self.pending = true;
        let current = Current { generation: Arc::clone(&self.generation), number: self.number };
        let (sender, wake) = (self.sender.clone(), Arc::clone(&self.wake));
        rayon::spawn(move || {
            // The pool may have been busy for long.
            if !current.is_wanted() {
                return;
            }
            let result = job(&current);
            if current.is_wanted() {
                // The receiver is gone only when the document was closed.
                let _closed = sender.send((current.number, result));
                wake();
            }
        });
    }

    /// Forgets the newest job, so that no key is known.
    pub(super) fn forget(&mut self) {
        self.number = self.generation.next();
        (self.key, self.pending) = (None, false);
    }

    /// The result of the newest job, once.
    pub(super) fn take(&mut self) -> Option<T> {
        while let Ok((number, result)) = self.receiver.try_recv() {
            if number == self.number {
                self.pending = false;
                return Some(result);
            }
        }
        None
    }

    /// Waits for the newest job and keeps its result for [`Latest::take`]: for pictures and tests.
    pub(super) fn wait(&mut self) {
        while self.pending {
            let Ok((number, result)) = self.receiver.recv() else { return };
            if number == self.number {
                self.pending = false;
                // The receiver is ours, so this cannot fail.
                let _kept = self.sender.send((number, result));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_counts() {
        let mut latest: Latest<&str, usize> = Latest::new(Arc::new(|| {}));
        let (go, gate) = channel();
        let (begun, has_begun) = channel();
        latest.start("old", move |current| {
            let _begun = begun.send(());
            let _told = gate.recv();
            assert!(!current.is_wanted());
            1
        });
        let _begun = has_begun.recv();
        latest.start("new", |_| 2);
        let _told = go.send(());
        latest.wait();
        assert!(latest.is_for(&"new"));
        assert_eq!((latest.take(), latest.take()), (Some(2), None));
    }

    #[test]
    fn what_nobody_waits_for_is_not_begun() {
        let mut latest: Latest<&str, usize> = Latest::new(Arc::new(|| {}));
        // Every thread of the pool is kept busy while two jobs are started.
        let workers = rayon::current_num_threads();
        let (go, gate) = (channel::<()>(), Arc::new(std::sync::Barrier::new(workers + 1)));
        let gates = Arc::new(std::sync::Mutex::new(go.1));
        for _ in 0..workers {
            let (gate, gates) = (Arc::clone(&gate), Arc::clone(&gates));
            rayon::spawn(move || {
                gate.wait();
                let _told = gates.lock().map(|gates| gates.recv());
            });
        }
        gate.wait();
        latest.start("old", |_| unreachable!("abandoned before it began"));
        latest.start("new", |_| 2);
        for _ in 0..workers {
            let _told = go.0.send(());
        }
        latest.wait();
        assert_eq!(latest.take(), Some(2));
    }
}
