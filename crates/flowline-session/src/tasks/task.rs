//! Background work on the pool: jobs with keys, whose results are polled by the thread that started them.
//! Searches, rows, shapes of flows, contents of slices and sorting of tables all use it. Every job has a number.
//! [`Task::replace`] and [`Task::cancel`] abandon older jobs: their results are dropped, waiting jobs never start, and
//! running jobs can check whether to stop early. Jobs added by [`Task::add`] run side by side.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::job::PoolTask;
use flowline_profile::with_random_access;

/// Number of threads that read from disk.
const READERS: usize = 4;

/// The threads that read from disk; `None` if the system cannot create threads.
fn readers() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let name = |number| format!("reader {number}");
    POOL.get_or_init(|| ThreadPoolBuilder::new().num_threads(READERS).thread_name(name).build().ok()).as_ref()
}

/// Called from other threads when there is a result to take.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Handle of a running job.
pub struct Running<T> {
    number: u64,
    wanted: Arc<AtomicBool>,
    sender: Sender<Message<T>>,
    wake: Wake,
}

struct Message<T> {
    number: u64,
    result: T,
    /// True if the job is still running.
    is_partial: bool,
}

impl<T> Running<T> {
    /// True while the result is still wanted.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Sends a partial result; the job continues.
    pub fn report(&self, result: T) {
        self.send(result, true);
    }

    fn send(&self, result: T, is_partial: bool) {
        if self.is_wanted() {
            // The receiver is dropped only after the recording was closed.
            let _closed = self.sender.send(Message { number: self.number, result, is_partial });
            (self.wake)();
        }
    }
}

/// A started job.
struct StartedJob<K> {
    key: K,
    number: u64,
    wanted: Arc<AtomicBool>,
}

/// Jobs of one kind and their results.
pub struct Task<K, T> {
    jobs: Vec<StartedJob<K>>,
    /// The key of the most recently started job, until it is canceled.
    newest: Option<K>,
    next: u64,
    sender: Sender<Message<T>>,
    receiver: Receiver<Message<T>>,
    /// Messages that arrived while the task was waited for.
    arrived: RefCell<VecDeque<Message<T>>>,
    wake: Wake,
}

impl<K: Clone + PartialEq, T: Send + 'static> Task<K, T> {
    /// `wake` is called when a result has arrived.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        let (sender, receiver) = channel();
        Self { jobs: Vec::new(), newest: None, next: 0, sender, receiver, arrived: RefCell::default(), wake }
    }

    /// True if the last job, finished or not, has this key.
    #[must_use]
    pub fn is_for(&self, key: &K) -> bool {
        self.newest.as_ref() == Some(key)
    }

    /// True if a job is running or waiting.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// True if the job of a key is running or waiting.
    #[must_use]
    pub fn is_running_for(&self, key: &K) -> bool {
        self.jobs.iter().any(|job| job.key == *key)
    }

    /// Starts a job and abandons all others.
    pub fn replace(&mut self, key: K, job: impl FnOnce(&Running<T>) -> T + Send + 'static) {
        self.cancel();
        self.start(key, job);
    }

    /// Starts a job beside the others, unless its key is already running.
    pub fn add(&mut self, key: K, job: impl FnOnce(&Running<T>) -> T + Send + 'static) {
        if !self.is_running_for(&key) {
            self.start(key, job);
        }
    }

    /// Like [`Task::add`], for a short job that reads text from disk. It does not wait for other work of the pool, and
    /// the pool does not wait for the disk.
    pub fn add_reading(&mut self, key: K, job: impl FnOnce(&Running<T>) -> T + Send + 'static) {
        if !self.is_running_for(&key) {
            self.start_on(readers(), key, |running| with_random_access(|| job(running)));
        }
    }

    fn start(&mut self, key: K, job: impl FnOnce(&Running<T>) -> T + Send + 'static) {
        self.start_on(None, key, job);
    }

    /// Starts a job on the threads of a pool, or of the default one.
    fn start_on(&mut self, pool: Option<&ThreadPool>, key: K, job: impl FnOnce(&Running<T>) -> T + Send + 'static) {
        self.next += 1;
        let wanted = Arc::new(AtomicBool::new(true));
        let running = Running {
            number: self.next,
            wanted: Arc::clone(&wanted),
            sender: self.sender.clone(),
            wake: Arc::clone(&self.wake),
        };
        self.newest = Some(key.clone());
        self.jobs.push(StartedJob { key, number: self.next, wanted });
        let run = move || {
            // The job may have been abandoned while the pool was busy.
            if running.is_wanted() {
                let _span = tracing::trace_span!("job", detail = std::any::type_name::<T>()).entered();
                let result = job(&running);
                running.send(result, false);
            }
        };
        // Jobs begin in the order in which they were started.
        match pool {
            Some(pool) => pool.spawn_fifo(run),
            None => rayon::spawn_fifo(run),
        }
    }

    /// Abandons the jobs for which `keep` returns false.
    pub fn retain(&mut self, keep: impl Fn(&K) -> bool) {
        self.jobs.retain(|job| {
            let kept = keep(&job.key);
            if !kept {
                job.wanted.store(false, Ordering::Relaxed);
            }
            kept
        });
        if self.newest.as_ref().is_some_and(|newest| !keep(newest)) {
            self.newest = None;
        }
    }

    /// Abandons all jobs and forgets the last key.
    pub fn cancel(&mut self) {
        self.retain(|_| false);
        self.newest = None;
    }

    /// The next result with its key; results of abandoned jobs are dropped.
    pub fn poll(&mut self) -> Option<(K, T)> {
        loop {
            let arrived = self.arrived.get_mut().pop_front();
            let message = arrived.or_else(|| self.receiver.try_recv().ok())?;
            if let Some(result) = self.accept(message) {
                return Some(result);
            }
        }
    }

    /// The newest result; older ones are dropped.
    pub fn poll_newest(&mut self) -> Option<T> {
        std::iter::from_fn(|| self.poll()).last().map(|(_, result)| result)
    }

    fn accept(&mut self, message: Message<T>) -> Option<(K, T)> {
        let at = self.jobs.iter().position(|job| job.number == message.number)?;
        let key = self.jobs[at].key.clone();
        if !message.is_partial {
            self.jobs.remove(at);
        }
        Some((key, message.result))
    }
}

impl<K: Clone + PartialEq, T: Send + 'static> PoolTask for Task<K, T> {
    fn is_running(&self) -> bool {
        self.is_running()
    }

    fn wait(&self) {
        let mut arrived = self.arrived.borrow_mut();
        let has_ended = |message: &Message<T>, job: &StartedJob<K>| message.number == job.number && !message.is_partial;
        while !self.jobs.iter().all(|job| arrived.iter().any(|message| has_ended(message, job))) {
            let Ok(message) = self.receiver.recv() else { return };
            arrived.push_back(message);
        }
    }
}

impl<K, T> Drop for Task<K, T> {
    fn drop(&mut self) {
        self.jobs.iter().for_each(|job| job.wanted.store(false, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task<&'static str, usize> {
        Task::new(Arc::new(|| {}))
    }

    fn all(task: &mut Task<&'static str, usize>) -> Vec<(&'static str, usize)> {
        let mut results = Vec::new();
        task.wait();
        while let Some(result) = task.poll() {
            results.push(result);
        }
        results
    }

    #[test]
    fn only_the_newest_counts() {
        let mut task = task();
        let (go, gate) = channel();
        let (begun, has_begun) = channel();
        task.replace("old", move |running| {
            let _begun = begun.send(());
            let _told = gate.recv();
            assert!(!running.is_wanted());
            1
        });
        let _begun = has_begun.recv();
        task.replace("new", |_| 2);
        let _told = go.send(());
        assert!(task.is_for(&"new"));
        assert_eq!(all(&mut task), [("new", 2)]);
        assert!(task.is_for(&"new") && !task.is_running());
    }

    #[test]
    fn abandoned_waiting_jobs_never_start() {
        let mut task = task();
        // All threads of the pool are busy while two jobs are started.
        let workers = rayon::current_num_threads();
        let (go, gate) = channel::<()>();
        let barrier = Arc::new(std::sync::Barrier::new(workers + 1));
        let gates = Arc::new(std::sync::Mutex::new(gate));
        for _ in 0..workers {
            let (barrier, gates) = (Arc::clone(&barrier), Arc::clone(&gates));
            rayon::spawn(move || {
                barrier.wait();
                let _told = gates.lock().map(|gates| gates.recv());
            });
        }
        barrier.wait();
        task.replace("old", |_| unreachable!("abandoned before it began"));
        task.replace("new", |_| 2);
        for _ in 0..workers {
            let _told = go.send(());
        }
        assert_eq!(all(&mut task), [("new", 2)]);
    }

    #[test]
    fn jobs_run_side_by_side_once_a_key_and_report_parts() {
        let mut task = task();
        let (go, gate) = channel();
        task.add("a", move |running| {
            running.report(1);
            let _told = gate.recv();
            2
        });
        task.add("a", |_| unreachable!("the job is already running"));
        task.add("b", |_| 3);
        let _told = go.send(());
        let mut results = all(&mut task);
        results.sort_unstable();
        assert_eq!(results, [("a", 1), ("a", 2), ("b", 3)]);
    }

    #[test]
    fn some_jobs_can_be_abandoned() {
        let mut task = task();
        let (go, gate) = channel::<()>();
        task.add("kept", move |_| {
            let _told = gate.recv();
            1
        });
        task.add("dropped", |_| 2);
        task.retain(|key| *key == "kept");
        let _told = go.send(());
        assert_eq!(all(&mut task), [("kept", 1)]);
    }
}
