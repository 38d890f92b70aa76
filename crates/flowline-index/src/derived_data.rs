//! Data derived from a recording on first use, by type.

use std::any::{Any, TypeId};
use std::fmt;

use elsa::sync::FrozenMap;

use flowline_profile::may_block;

/// The data derived so far.
#[derive(Default)]
pub(crate) struct DerivedData(FrozenMap<TypeId, Box<dyn Any + Send + Sync>>);

impl DerivedData {
    /// The data of a type, derived now if this is its first use. It is derived outside of locks, because jobs of the pool
    /// may wait for each other.
    pub(crate) fn get<T: Any + Send + Sync>(&self, derive: impl FnOnce() -> T) -> &T {
        self.get_if_built().unwrap_or_else(|| {
            debug_assert!(may_block(), "a shared value must be complete");
            let made: Box<dyn Any + Send + Sync> = Box::new(derive());
            // If another thread was faster, its value stays.
            self.0.insert(TypeId::of::<T>(), made).downcast_ref().expect("the key is the type")
        })
    }

    /// The data of a type, if it has been derived.
    pub(crate) fn get_if_built<T: Any>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

impl fmt::Debug for DerivedData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DerivedData").finish_non_exhaustive()
    }
}
