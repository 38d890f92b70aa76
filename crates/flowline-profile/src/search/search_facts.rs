//! Facts about the text of a recording that searches collect and reuse.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foldhash::HashMap;

use super::escapes::Escapes;
use super::payload_strings::PayloadStrings;
use crate::get_or_build;

/// Cached search facts. A clone contains the facts that are known at that time.
#[derive(Clone, Debug, Default)]
pub struct SearchFacts {
    escapes: OnceLock<Option<Escapes>>,
    pub(super) payload_strings: OnceLock<Arc<PayloadStrings>>,
    /// Lowercase keys, and whether any payload contains them.
    keys: Arc<Mutex<HashMap<String, bool>>>,
}

impl SearchFacts {
    /// Escapes in the text, after [`SearchFacts::keep_escapes`]. The inner `None` means that there are too many.
    #[must_use]
    #[inline]
    pub fn escapes(&self) -> Option<Option<&Escapes>> {
        self.escapes.get().map(Option::as_ref)
    }

    /// True if any payload contains this lowercase key; `None` if unknown.
    #[must_use]
    #[inline]
    pub fn has_key(&self, key: &str) -> Option<bool> {
        self.keys().get(key).copied()
    }

    /// Records whether any payload contains this lowercase key.
    #[inline]
    pub fn keep_key(&self, key: &str, is_there: bool) {
        self.keys().insert(key.to_owned(), is_there);
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the escapes in the text.
    #[inline]
    pub fn keep_escapes(&self, escapes: Option<Escapes>) -> Option<&Escapes> {
        get_or_build(&self.escapes, || escapes).as_ref()
    }
}
