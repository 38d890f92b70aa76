//! The text of a recording, mapped or owned.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::background::before_reading;
use crate::text::Wanted;
use crate::{PayloadRef, SharedBytes};
use flowline_json::Cursor;

/// Pages of a text that the system may evict from memory and read again on access.
pub trait Pages: Send + Sync {
    /// True if a part is in memory, so that reading it does not wait for the disk.
    fn are_in_memory(&self, part: Range<usize>) -> bool;

    /// Prefetches exactly this part, without waiting for it.
    fn fetch(&self, part: Range<usize>);

    /// True if the file behind the pages, and therefore the bytes, has changed since it was mapped. Queries the system.
    fn have_changed(&self) -> bool {
        false
    }
}

/// Number of bytes to request from the start of a text; most payloads are shorter.
const NEAR: usize = 512;

/// Shows the events of a binary recording as text, one at a time.
pub trait EventTexts: Send + Sync {
    /// The event at a place as a JSON object; empty if there is none.
    fn text_at(&self, place: u64) -> String;

    /// The arguments of the event at a place as JSON, or nothing without arguments; `None` if only [`EventTexts::text_at`]
    /// knows them.
    fn args_at(&self, place: u64) -> Option<String>;

    /// CPU time in nanoseconds of the thread at the event; `None` if the recording does not state it.
    fn cpu_time_at(&self, place: u64) -> Option<i64>;

    /// CPU time in nanoseconds of the slice that the event states; `None` if the recording does not state it.
    fn cpu_duration_at(&self, place: u64) -> Option<i64>;

    /// True if any event has a stack.
    fn has_stacks(&self) -> bool;

    /// Calls `each` for the events that begin in a part of the recording, in file order, with their places and texts.
    fn each_in(&self, part: Range<u64>, each: &mut dyn FnMut(u64, &str));

    /// Returns a function that is false for a part if none of its events contains a text in its names or payload, so that
    /// the part need not be read. It may be true for other parts, too.
    fn part_filter<'a>(&'a self, wanted: Wanted<'a>) -> Box<dyn Fn(Range<u64>) -> bool + Sync + 'a>;

    /// Places at which parts begin that are read independently, and the end of the last part.
    fn parts(&self) -> Vec<u64>;

    /// The recording.
    fn recording(&self) -> &Source;
}

/// Offsets from here on are places of events in a binary recording.
pub const EVENT_PLACES: u64 = 1 << 46;

/// In a place: the event is the one that the message at this offset states itself.
pub const OWN_EVENT: u64 = 1 << 45;

/// The text of an event or of a part, and where it begins.
#[derive(Debug)]
pub struct ObjectText<'a> {
    text: Cow<'a, [u8]>,
    offset: usize,
}

impl ObjectText<'_> {
    /// A cursor at the start of the object.
    #[must_use]
    #[inline]
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor::at(&self.text, self.offset)
    }

    /// A cursor before a member of the object; `None` if there is none.
    #[must_use]
    #[inline]
    pub fn member(&self, member: &str) -> Option<Cursor<'_>> {
        member_at(&self.text, self.offset, member)
    }
}

/// The input's bytes, mapped or owned, shared by all readers of payloads.
#[derive(Clone)]
pub struct Source {
    bytes: SharedBytes,
    /// The events of a binary recording, which are not in `bytes`.
    events: Option<Arc<dyn EventTexts>>,
    /// See [`Source::with_member`].
    member: Option<&'static str>,
    /// `None` for bytes that are always in memory.
    pages: Option<Arc<dyn Pages>>,
    /// Set once the bytes are known to have changed. Shared by all clones, and never reset.
    changed: Arc<AtomicBool>,
}

impl Source {
    /// Wraps bytes.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { bytes: Arc::new(bytes), events: None, member: None, pages: None, changed: Arc::default() }
    }

    /// The same bytes, with events that are read from a binary recording. Offsets from [`EVENT_PLACES`] on refer to them.
    #[must_use]
    #[inline]
    pub fn with_events(self, events: Arc<dyn EventTexts>) -> Self {
        Self { events: Some(events), ..self }
    }

    /// The events of a binary recording.
    #[must_use]
    #[inline]
    pub fn events(&self) -> Option<&Arc<dyn EventTexts>> {
        self.events.as_ref()
    }

    /// The same bytes, parts of which may have to be read from disk on access.
    #[must_use]
    #[inline]
    pub fn with_pages(self, pages: Arc<dyn Pages>) -> Self {
        Self { pages: Some(pages), ..self }
    }

    /// Checks if the bytes have changed since they were mapped. After the first change, nothing more is read from this
    /// source: payloads are treated as missing. Takes about a microsecond.
    #[must_use]
    #[inline]
    pub fn check_changed(&self) -> bool {
        if !self.is_changed()
            && (self.pages.as_ref().is_some_and(|pages| pages.have_changed())
                || self.events.as_ref().is_some_and(|events| events.recording().check_changed()))
        {
            self.changed.store(true, Ordering::Relaxed);
        }
        self.is_changed()
    }

    /// True if [`Source::check_changed`] has detected a change.
    #[must_use]
    #[inline]
    pub fn is_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// Marks the bytes as derived from a file that has changed in the meantime.
    #[inline]
    pub fn set_changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// True if text at an offset must not be read on this thread now; see [`crate::no_blocking_io`].
    #[must_use]
    #[inline]
    pub fn must_not_read(&self, offset: usize) -> bool {
        let Some(pages) = &self.pages else { return false };
        let part = || offset.min(self.bytes().len())..offset.saturating_add(NEAR).min(self.bytes().len());
        let before = before_reading(|| pages.are_in_memory(part()));
        if before.fetch {
            pages.fetch(part());
        }
        before.refuse
    }

    /// The same bytes, with payload offsets that point to objects of which one member is the payload (`args` of an
    /// event).
    #[must_use]
    #[inline]
    pub fn with_member(self, member: &'static str) -> Self {
        Self { member: Some(member), ..self }
    }

    /// The member that is the payload; `None` if the payload is the whole object.
    #[must_use]
    #[inline]
    pub const fn member(&self) -> Option<&'static str> {
        self.member
    }

    /// True if markers store whole trace events, with the payload as a member, instead of the payload itself.
    #[must_use]
    #[inline]
    pub const fn holds_events(&self) -> bool {
        self.member.is_some()
    }

    /// All bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// A cursor at an offset of the text; `None` if the text must not be read now or has changed. Events of a binary
    /// recording are not there: see [`Source::object_at`].
    #[must_use]
    #[inline]
    pub fn cursor_at(&self, offset: u64) -> Option<Cursor<'_>> {
        let offset = usize::try_from(offset).ok()?;
        (!self.must_not_read(offset) && !self.is_changed()).then(|| Cursor::at(self.bytes(), offset))
    }

    /// The text of the event or part at an offset; `None` if it must not be read now or has changed.
    #[must_use]
    #[inline]
    pub fn object_at(&self, offset: u64) -> Option<ObjectText<'_>> {
        match (&self.events, offset.checked_sub(EVENT_PLACES)) {
            (Some(events), Some(place)) => {
                self.may_read(&**events, place)?;
                Some(ObjectText { text: Cow::Owned(events.text_at(place).into_bytes()), offset: 0 })
            }
            _ => {
                self.cursor_at(offset)?;
                Some(ObjectText { text: Cow::Borrowed(self.bytes()), offset: usize::try_from(offset).ok()? })
            }
        }
    }

    /// `None` if the event at a place must not be read now, or if the recording has changed.
    fn may_read(&self, events: &dyn EventTexts, place: u64) -> Option<()> {
        let recording = events.recording();
        let offset = usize::try_from(place & !OWN_EVENT).ok()?;
        (!recording.must_not_read(offset) && !recording.is_changed()).then_some(())
    }

    /// Passes a cursor before the payload at `place`; `None` if there is none or the text is damaged.
    pub fn with_payload<T>(&self, place: PayloadRef, read: impl FnOnce(&mut Cursor<'_>) -> T) -> Option<T> {
        place.offset()?;
        if let (Some(events), Some(place)) = (&self.events, place.0.checked_sub(EVENT_PLACES)) {
            self.may_read(&**events, place)?;
            if let Some(args) = events.args_at(place) {
                return (!args.is_empty()).then(|| read(&mut Cursor::at(args.as_bytes(), 0)));
            }
        }
        let object = self.object_at(place.0)?;
        let mut cursor = match self.member {
            None => object.cursor(),
            Some(member) => object.member(member)?,
        };
        Some(read(&mut cursor))
    }
}

/// A cursor before a member of the object at an offset in a text; `None` if there is none. Damage after the member is
/// ignored.
#[must_use]
pub fn member_at<'a>(text: &'a [u8], offset: usize, member: &str) -> Option<Cursor<'a>> {
    let mut cursor = Cursor::at(text, offset);
    cursor.enter_object().ok()?;
    let mut found = None;
    // If a key repeats, the last one is used.
    while let Ok(Some(key)) = cursor.next_key() {
        if key.is(member) {
            found = Some(cursor);
        }
        if cursor.skip_value().is_err() {
            break;
        }
    }
    found
}

impl Default for Source {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} bytes)", self.bytes().len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{no_blocking_io, with_random_access};

    /// Test pages of which only the first ten bytes are in memory.
    #[derive(Default)]
    struct Few {
        fetched: AtomicUsize,
    }

    impl Pages for Few {
        fn are_in_memory(&self, part: Range<usize>) -> bool {
            part.start < 10
        }

        fn fetch(&self, part: Range<usize>) {
            self.fetched.fetch_add(part.len(), Ordering::Relaxed);
        }
    }

    #[test]
    fn a_changed_text_is_not_read() {
        struct Changing(AtomicBool);
        impl Pages for Changing {
            fn are_in_memory(&self, _part: Range<usize>) -> bool {
                true
            }
            fn fetch(&self, _part: Range<usize>) {}
            fn have_changed(&self) -> bool {
                self.0.swap(false, Ordering::Relaxed)
            }
        }
        let pages = Arc::new(Changing(AtomicBool::new(false)));
        let source = Source::new(r#"{"a": 1}"#).with_pages(Arc::clone(&pages) as Arc<dyn Pages>);
        let clone = source.clone();
        assert!(!source.check_changed() && clone.with_payload(PayloadRef(0), |_| ()).is_some());
        pages.0.store(true, Ordering::Relaxed);
        assert!(source.check_changed() && clone.is_changed() && clone.with_payload(PayloadRef(0), |_| ()).is_none());
        assert!(source.check_changed(), "a change is permanent");
    }

    #[test]
    fn text_that_is_not_in_memory_is_fetched_and_not_read() {
        let pages = Arc::new(Few::default());
        let source = Source::new(r#"{"a": 1}  {"b": 2}"#).with_pages(Arc::clone(&pages) as Arc<dyn Pages>);
        let read = |offset| source.with_payload(PayloadRef(offset), |_| ()).is_some();
        assert_eq!((no_blocking_io(|| read(0)), no_blocking_io(|| read(10))), (Some(true), None));
        assert_eq!(pages.fetched.load(Ordering::Relaxed), 8, "up to the end of the text");
        assert!(with_random_access(|| read(10)) && read(10));
        assert_eq!(pages.fetched.load(Ordering::Relaxed), 16);
    }
}
