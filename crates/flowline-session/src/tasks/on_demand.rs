//! Values that widgets request while shown, computed on the pool and cached. A missing value is available in a later
//! frame: [`Wake`] is called when a value has been computed.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::job::PoolTask;
use super::task::Wake;

/// The requested values. Dropping them prevents jobs that have not started.
pub(crate) struct OnDemand<K, V> {
    shared: Arc<Shared<K, V>>,
    wake: Wake,
    /// At this many values, the finished ones are dropped.
    limit: usize,
}

struct Shared<K, V> {
    /// `None` for a value that is being computed.
    values: Mutex<HashMap<K, Option<Arc<V>>>>,
    arrived: Condvar,
    is_closed: AtomicBool,
}

impl<K, V> Shared<K, V> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Option<Arc<V>>>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the entry of a value if its computation panics, so that no caller waits for it forever.
struct Pending<K: Eq + Hash, V> {
    shared: Arc<Shared<K, V>>,
    key: Option<K>,
}

impl<K: Eq + Hash, V> Drop for Pending<K, V> {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            self.shared.lock().remove(&key);
            self.shared.arrived.notify_all();
        }
    }
}

impl<K: Clone + Eq + Hash + Send + 'static, V: Send + Sync + 'static> OnDemand<K, V> {
    pub(crate) fn new(wake: &Wake, limit: usize) -> Self {
        let shared = Shared { values: Mutex::default(), arrived: Condvar::new(), is_closed: AtomicBool::new(false) };
        Self { shared: Arc::new(shared), wake: Arc::clone(wake), limit }
    }

    /// The value of a key; `None` until `compute` has returned. `compute` gets a function that returns true while the
    /// value is still wanted.
    pub(crate) fn get(
        &self,
        key: K,
        compute: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> V + Send + 'static,
    ) -> Option<Arc<V>> {
        let mut values = self.shared.lock();
        if let Some(value) = values.get(&key) {
            return value.clone();
        }
        if values.len() >= self.limit {
            values.retain(|_, value| value.is_none());
        }
        values.insert(key.clone(), None);
        drop(values);
        let (shared, wake) = (Arc::clone(&self.shared), Arc::clone(&self.wake));
        rayon::spawn_fifo(move || {
            let mut pending = Pending { shared: Arc::clone(&shared), key: Some(key) };
            if shared.is_closed.load(Ordering::Relaxed) {
                return;
            }
            let value = Arc::new(compute(&|| !shared.is_closed.load(Ordering::Relaxed)));
            if let Some(key) = pending.key.take() {
                shared.lock().insert(key, Some(value));
                shared.arrived.notify_all();
            }
            wake();
        });
        None
    }
}

impl<K: Eq + Hash, V> PoolTask for OnDemand<K, V> {
    fn is_running(&self) -> bool {
        self.shared.lock().values().any(Option::is_none)
    }

    fn wait(&self) {
        let mut values = self.shared.lock();
        while values.values().any(Option::is_none) {
            values = self.shared.arrived.wait(values).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<K, V> Drop for OnDemand<K, V> {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_computed_once_and_bounded() {
        let values: OnDemand<u32, u32> = OnDemand::new(&(Arc::new(|| {}) as Wake), 2);
        assert_eq!(values.get(1, |_| 10), None);
        values.wait();
        assert_eq!(values.get(1, |_| unreachable!("it is there")).as_deref(), Some(&10));
        for key in 2..9 {
            values.get(key, move |is_wanted| key * u32::from(is_wanted()));
            values.wait();
            assert_eq!(values.get(key, |_| 0).as_deref(), Some(&key));
        }
        assert!(!values.is_running() && values.shared.lock().len() <= 2);
    }
}
