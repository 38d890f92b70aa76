//! The index cache stores the index of a large recording when the recording is first opened, so that it opens instantly
//! the next time.
//!
//! An entry is one file in the user's cache folder. The columns of a restored index borrow from the file's memory map.
//! An entry is used only if it is intact (checksums cover every byte and are verified once per boot), comes from this
//! build of the program, and belongs to exactly this recording (length, times of change, location on disk, and a sample
//! of the contents; if only the status change time differs, the whole contents). Otherwise the recording is read again.
//! Only regular files are cached. A cache failure never prevents a recording from opening: without a home folder, disk
//! space or permission, nothing is stored.
//!
//! The unpacked text of a packed recording is stored in the entry, or beside it in [`StoreHandle::text_file`] if the
//! reader unpacked it to that file.

mod cache;
mod checksums;
mod entry;
mod identity;
mod store;
pub mod user_folders;
mod verified_stamps;

pub use cache::{Cache, CacheEntry, CacheLookup, Outcome, StoreHandle};
pub use checksums::hash;
pub use entry::{CachedIndex, Snapshot};
pub use identity::{FileIdentity, content_name};
pub use store::ClearedCache;
