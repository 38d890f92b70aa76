//! Raw markers as the recording holds them, before pairing: columns of one thread, whatever the file format.

use foldhash::HashMap;

use crate::profile::json::{Cursor, JsonError, Kind, Problem};
use crate::profile::{Ns, WarningKind, Warnings};

/// Stands for "no usable value" in the integer columns.
pub(super) const NONE: u32 = u32::MAX;
/// Stands for "no usable time".
pub(super) const NO_TIME: Ns = Ns(i64::MIN);
/// Stands for "no payload type".
pub(super) const NO_KIND: u16 = u16::MAX;

/// Raw marker columns. All have the same length once the thread is finished.
#[derive(Debug, Default)]
pub(super) struct RawMarkers {
    pub(super) name: Vec<u32>,
    pub(super) start: Vec<Ns>,
    pub(super) end: Vec<Ns>,
    pub(super) phase: Vec<u32>,
    pub(super) category: Vec<u32>,
    pub(super) payload: Vec<u64>,
    pub(super) kind: Vec<u16>,
}

impl RawMarkers {
    pub(super) fn len(&self) -> usize {
        self.name.len()
    }

    /// Cuts all columns to the shortest; optional ones are filled up first where they are missing, or where the text of
    /// the thread is `broken` off: markers are then kept without payload. Says whether any had to be cut.
    fn level(&mut self, broken: bool) -> bool {
        let longest = self.name.len().max(self.start.len()).max(self.phase.len());
        let fills = |length: usize| length == 0 || (broken && length < longest);
        if fills(self.payload.len()) {
            self.payload.resize(longest, u64::MAX);
            self.kind.resize(longest, NO_KIND);
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

/// Payload types met in one thread, numbered in order of appearance.
#[derive(Debug)]
pub(super) struct Kinds {
    names: Vec<String>,
    /// Names as they are written.
    raw: Vec<Vec<u8>>,
    lookup: HashMap<Vec<u8>, u16>,
    /// What was asked for last, by length and ends of the name: a few types make most of a thread's payloads.
    recent: [u16; Self::RECENT],
    /// Payloads of types beyond the last number.
    beyond: u64,
}

impl Default for Kinds {
    fn default() -> Self {
        let (names, raw, lookup) = Default::default();
        Self { names, raw, lookup, recent: [0; Self::RECENT], beyond: 0 }
    }
}

impl Kinds {
    const RECENT: usize = 64;

    #[inline]
    pub(super) fn number(&mut self, raw: &[u8], decode: impl FnOnce() -> String) -> u16 {
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
        let Some(number) = u16::try_from(self.names.len()).ok().filter(|&number| number != NO_KIND) else {
            self.beyond += 1;
            return NO_KIND;
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
    pub(super) markers: RawMarkers,
    pub(super) kinds: Kinds,
    /// Offsets of the thread's own string table (raw profiles, and processed ones before version 56).
    pub(super) strings: Option<Vec<u64>>,
    /// Added to every time of a child process.
    pub(super) shift: Ns,
    /// Which process's categories its numbers mean.
    pub(super) category_map: usize,
    pub(super) warnings: Warnings,
    /// Whether its text breaks off.
    is_broken: bool,
}

impl RawThread {
    /// Turns a wrong type into a warning (the value has been skipped), so that reading goes on after it.
    pub(super) fn soft<T>(&mut self, what: &str, result: Result<T, JsonError>) -> Result<Option<T>, JsonError> {
        soften(&mut self.warnings, &self.name, what, result)
    }

    /// Called once all columns are read: gives them one length and says what did not fit.
    pub(super) fn finish(mut self) -> Self {
        let uneven = self.markers.level(self.is_broken);
        let (name, beyond) = (&self.name, self.kinds.beyond);
        if uneven {
            self.warnings.add(WarningKind::ColumnLength, || format!("markers of thread \"{name}\""));
        }
        if beyond > 0 {
            let place = || format!("{beyond} payloads of thread \"{name}\"");
            self.warnings.add(WarningKind::TooManyTypes, place);
        }
        self
    }

    /// Notes that the text of this thread breaks off.
    pub(super) fn broken(&mut self, error: JsonError) {
        self.is_broken = true;
        let row = self.markers.len();
        warn_broken(&mut self.warnings, error, || format!("thread \"{}\", event {row}", self.name));
    }
}

/// See [`RawThread::soft`].
pub(super) fn soften<T>(
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

/// Notes damage of the text itself.
pub(super) fn warn_broken(warnings: &mut Warnings, error: JsonError, place: impl FnOnce() -> String) {
    let kind = match error.problem {
        Problem::Truncated => WarningKind::Truncated,
        Problem::Unexpected(_) => WarningKind::BrokenJson,
        Problem::WrongType(_) => WarningKind::WrongType,
    };
    warnings.add(kind, || format!("{}: {error}", place()));
}

/// A string, or a number as its text: process and thread ids come as both.
pub(super) fn id_text(cursor: &mut Cursor<'_>) -> Result<String, JsonError> {
    match cursor.peek()? {
        Kind::String => Ok(cursor.string()?.decode()),
        _ => Ok(String::from_utf8_lossy(cursor.scalar()?).into_owned()),
    }
}
