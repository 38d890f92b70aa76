//! Values that are built on first use, on the pool or elsewhere.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::persist::{Persist, Reader, Writer};

/// The value of a slot, built now if necessary. It is built outside the lock to avoid a deadlock: building uses the
/// pool, and a pool thread that waits for part of its work runs other jobs in the meantime. If such a job requested the
/// same value, it would wait for a lock that its own thread holds. If two jobs request the value at once, both build
/// it, and one of the results is dropped.
pub fn get_or_build<T>(slot: &OnceLock<T>, build: impl FnOnce() -> T) -> &T {
    slot.get().unwrap_or_else(|| {
        let built = build();
        slot.get_or_init(|| built)
    })
}

type Build<T> = Arc<dyn Fn() -> T + Send + Sync>;

/// A value that is built on first use. Its inputs are retained until then. Clones share the value.
#[derive(Clone)]
pub struct Lazy<T>(Arc<Slot<T>>);

struct Slot<T> {
    built: OnceLock<T>,
    build: Mutex<Option<Build<T>>>,
}

impl<T: Default + 'static> Lazy<T> {
    /// A value that `build` creates on first use.
    #[must_use]
    pub fn new(build: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self(Arc::new(Slot { built: OnceLock::new(), build: Mutex::new(Some(Arc::new(build))) }))
    }

    /// A value that already exists.
    #[must_use]
    #[inline]
    pub fn ready(value: T) -> Self {
        Self(Arc::new(Slot { built: OnceLock::from(value), build: Mutex::new(None) }))
    }

    fn build(&self) -> MutexGuard<'_, Option<Build<T>>> {
        self.0.build.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value, built now if this is its first use. See [`get_or_build`].
    #[must_use]
    pub fn get(&self) -> &T {
        self.0.built.get().unwrap_or_else(|| {
            let build = self.build().clone();
            // If the build function is gone, another thread has built the value in the meantime.
            let built = get_or_build(&self.0.built, || build.as_ref().map_or_else(T::default, |build| build()));
            drop(self.build().take());
            built
        })
    }

    /// The value, if it is already built.
    #[must_use]
    #[inline]
    pub fn get_if_built(&self) -> Option<&T> {
        self.0.built.get()
    }
}

impl<T: Default + 'static> Default for Lazy<T> {
    fn default() -> Self {
        Self::ready(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lazy").field(&self.0.built.get()).finish()
    }
}

impl<T: Persist + Default + 'static> Persist for Lazy<T> {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.get().write(to)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Persist::read(from).map(Self::ready)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn a_lazy_value_is_built_on_first_use_and_frees_its_inputs() {
        let (source, count) = (Arc::new(vec![1_u64; 1000]), Arc::new(AtomicUsize::new(0)));
        let lazy = Lazy::new({
            let (source, count) = (Arc::clone(&source), Arc::clone(&count));
            move || {
                count.fetch_add(1, Ordering::Relaxed);
                source.par_iter().sum::<u64>()
            }
        });
        assert_eq!((lazy.get_if_built(), Arc::strong_count(&source)), (None, 2));
        // All pool jobs request the value at once, and building uses the pool.
        let clones = vec![lazy.clone(); 100];
        assert!(clones.par_iter().all(|lazy| *lazy.get() == 1000));
        assert_eq!(lazy.get_if_built(), Some(&1000));
        assert_eq!(Arc::strong_count(&source), 1);
        let before = count.load(Ordering::Relaxed);
        assert_eq!((*lazy.get(), count.load(Ordering::Relaxed)), (1000, before), "it is built once");
        assert_eq!(*Lazy::<u64>::default().get(), 0);
    }
}
