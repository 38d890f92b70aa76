//! The raw markers of one thread as columns, before pairing; the same for raw and processed profiles.

use foldhash::HashMap;

use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{Ns, WarningKind, Warnings};

/// No valid value, in the integer columns.
pub(super) const NONE: u32 = u32::MAX;
/// No valid time.
pub(super) const NO_TIME: Ns = Ns(i64::MIN);
/// No payload type.
pub(super) const NO_TYPE: u16 = u16::MAX;

/// Raw marker columns. All have the same length once the thread is finished.
#[derive(Debug, Default)]
pub(super) struct RawMarkerTable {
    pub(super) name: Vec<u32>,
    pub(super) start: Vec<Ns>,
    pub(super) end: Vec<Ns>,
    pub(super) phase: Vec<u32>,
    pub(super) category: Vec<u32>,
    pub(super) payload: Vec<u64>,
    pub(super) kind: Vec<u16>,
}

impl RawMarkerTable {
    pub(super) fn len(&self) -> usize {
        self.name.len()
    }

    /// Truncates all columns to the shortest. Optional columns are filled up first if they are missing, or if the text of
    /// the thread `is_damaged`: its last markers are then kept without payload. Returns whether any column was truncated.
    fn equalize_lengths(&mut self, is_damaged: bool) -> bool {
        let longest = self.name.len().max(self.start.len()).max(self.phase.len());
        let fills = |length: usize| length == 0 || (is_damaged && length < longest);
        if fills(self.payload.len()) {
            self.payload.resize(longest, u64::MAX);
            self.kind.resize(longest, NO_TYPE);
        }
        if fills(self.category.len()) {
            self.category.resize(longest, 0);
        }
        if fills(self.end.len()) {
            self.end.resize(longest, NO_TIME);
        }
        let lengths = [
            self.name.len(),
            self.start.len(),
            self.end.len(),
            self.phase.len(),
            self.category.len(),
            self.payload.len(),
        ];
        let shortest = lengths.into_iter().min().unwrap_or(0);
        self.name.truncate(shortest);
        self.start.truncate(shortest);
        self.end.truncate(shortest);
        self.phase.truncate(shortest);
        self.category.truncate(shortest);
        self.payload.truncate(shortest);
        self.kind.truncate(shortest);
        lengths.iter().any(|&length| length != shortest)
    }
}

/// The payload types of one thread, numbered in order of appearance.
#[derive(Debug)]
pub(super) struct TypeNames {
    names: Vec<String>,
    /// Names as written, with escapes.
    raw: Vec<Vec<u8>>,
    lookup: HashMap<Vec<u8>, u16>,
    /// A cache of numbers, by length and ends of the name: a few types make up most payloads.
    recent: [u16; Self::RECENT],
    /// Number of payloads whose type got no number.
    unnumbered: u64,
}

impl Default for TypeNames {
    fn default() -> Self {
        let (names, raw, lookup) = Default::default();
        Self { names, raw, lookup, recent: [0; Self::RECENT], unnumbered: 0 }
    }
}

impl TypeNames {
    const RECENT: usize = 64;

    #[inline]
    pub(super) fn intern(&mut self, raw: &[u8], decode: impl FnOnce() -> String) -> u16 {
        let end = |byte: Option<&u8>| byte.map_or(0, |byte| usize::from(*byte));
        let slot = (raw.len() * 5 + end(raw.first()) + end(raw.last()) * 3) % Self::RECENT;
        let recent = self.recent[slot];
        if self.raw.get(usize::from(recent)).is_some_and(|known| known == raw) {
            return recent;
        }
        if let Some(&number) = self.lookup.get(raw) {
            self.recent[slot] = number;
            return number;
        }
        let Some(number) = u16::try_from(self.names.len()).ok().filter(|&number| number != NO_TYPE) else {
            self.unnumbered += 1;
            return NO_TYPE;
        };
        self.names.push(decode());
        self.raw.push(raw.to_owned());
        self.lookup.insert(raw.to_owned(), number);
        number
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

/// One thread as read, before derivation.
#[derive(Debug, Default)]
pub(super) struct RawThread {
    pub(super) name: String,
    pub(super) process_name: String,
    pub(super) site: Option<String>,
    pub(super) pid: String,
    pub(super) tid: String,
    pub(super) is_main: bool,
    pub(super) register: Option<Ns>,
    pub(super) unregister: Option<Ns>,
    /// First and last sample.
    pub(super) samples: Option<(Ns, Ns)>,
    pub(super) markers: RawMarkerTable,
    pub(super) kinds: TypeNames,
    /// Offsets of the thread's own string table (raw profiles, and processed ones before version 56).
    pub(super) strings: Option<Vec<u64>>,
    /// Offset from its process's clock to the recording's clock.
    pub(super) shift: Ns,
    /// Index of its process's meta, whose categories its numbers refer to.
    pub(super) meta_index: usize,
    pub(super) warnings: Warnings,
    /// Whether its text is damaged or ends early.
    is_damaged: bool,
}

impl RawThread {
    /// Turns a value of a wrong type, which has been skipped, into a warning, so that reading goes on after it.
    pub(super) fn skip_wrong_type<T>(
        &mut self,
        what: &str,
        result: Result<T, JsonError>,
    ) -> Result<Option<T>, JsonError> {
        skip_wrong_type(&mut self.warnings, &self.name, what, result)
    }

    /// Gives all columns one length, after they have been read, and adds the warnings.
    pub(super) fn finish(mut self) -> Self {
        let uneven = self.markers.equalize_lengths(self.is_damaged);
        let (name, unnumbered) = (&self.name, self.kinds.unnumbered);
        if uneven {
            self.warnings.add(WarningKind::ColumnLength, || format!("markers of thread \"{name}\""));
        }
        if unnumbered > 0 {
            let place = || format!("{unnumbered} payloads of thread \"{name}\"");
            self.warnings.add(WarningKind::TooManyTypes, place);
        }
        self
    }

    /// Marks the thread as damaged, with a warning.
    pub(super) fn note_damage(&mut self, error: JsonError) {
        self.is_damaged = true;
        let row = self.markers.len();
        warn_damage(&mut self.warnings, error, || format!("thread \"{}\", event {row}", self.name));
    }
}

/// See [`RawThread::skip_wrong_type`].
pub(super) fn skip_wrong_type<T>(
    warnings: &mut Warnings,
    thread: &str,
    what: &str,
    result: Result<T, JsonError>,
) -> Result<Option<T>, JsonError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(JsonError { problem: Problem::WrongType(kind), offset }) => {
            if kind != Kind::Null {
                warnings.add(WarningKind::WrongType, || {
                    format!("{what} of thread \"{thread}\" is {kind:?}, byte {offset}")
                });
            }
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Adds a warning about damaged text.
pub(super) fn warn_damage(warnings: &mut Warnings, error: JsonError, place: impl FnOnce() -> String) {
    let kind = match error.problem {
        Problem::Truncated => WarningKind::Truncated,
        Problem::Unexpected(_) => WarningKind::BrokenJson,
        Problem::WrongType(_) => WarningKind::WrongType,
    };
    warnings.add(kind, || format!("{}: {error}", place()));
}

/// The text of a string or number: process and thread ids are written as either.
pub(super) fn id_text(cursor: &mut Cursor<'_>) -> Result<String, JsonError> {
    match cursor.peek()? {
        Kind::String => Ok(cursor.string()?.decode()),
        _ => Ok(String::from_utf8_lossy(cursor.scalar()?).into_owned()),
    }
}
