//! What searches find out about the text of a recording and keep for the next ones.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foldhash::HashMap;

use super::Profile;
use super::escapes::Escapes;
use super::lazy::get_or_build;
use super::payload_strings::PayloadStrings;

/// What searches keep. A clone has what is known when it is made.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    escapes: OnceLock<Option<Escapes>>,
    payload_strings: OnceLock<Arc<PayloadStrings>>,
    /// Keys in lower case, and whether some payload has them.
    keys: Arc<Mutex<HashMap<String, bool>>>,
}

impl Searched {
    /// Escapes in the text, once [`Searched::keep_escapes`] was told. The inner `None` says that there are too many.
    #[must_use]
    pub fn escapes(&self) -> Option<Option<&Escapes>> {
        self.escapes.get().map(Option::as_ref)
    }

    /// Whether some payload has a key, which is in lower case, if that is known.
    #[must_use]
    pub fn has_key(&self, key: &str) -> Option<bool> {
        self.keys().get(key).copied()
    }

    /// Keeps whether some payload has a key, which is in lower case.
    pub fn keep_key(&self, key: &str, is_there: bool) {
        self.keys().insert(key.to_owned(), is_there);
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the escapes in the text.
    pub fn keep_escapes(&self, escapes: Option<Escapes>) -> Option<&Escapes> {
        get_or_build(&self.escapes, || escapes).as_ref()
    }
}

impl Profile {
    /// Which strings payloads name, found out now if nobody has asked before. None if `keep_going` returned `false` meanwhile.
    #[must_use]
    pub fn payload_strings(&self, keep_going: &(impl Fn() -> bool + Sync)) -> Option<&PayloadStrings> {
        let slot = &self.searched.payload_strings;
        if let Some(known) = slot.get() {
            return Some(known);
        }
        let built = Arc::new(PayloadStrings::build(self, keep_going)?);
        let known: &Arc<PayloadStrings> = get_or_build(slot, || built);
        Some(known)
    }
}
