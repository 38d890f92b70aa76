//! One event as it stands in the text: phase, times, names, ids. Arguments are not read, the event's place is kept.
//!
//! Texts (names, categories, processes, threads) become numbers of the batch; `texts` makes them numbers of the trace.

use std::hash::Hasher;

use foldhash::HashMap;

use crate::profile::json::{Cursor, JsonError, Kind, RawString};
use crate::profile::{Ns, Unit, WarningKind, Warnings, parse_decimal};

/// Stands for a time that is not there.
pub(super) const NO_TIME: Ns = Ns(i64::MIN);
/// A text by number.
pub(super) type TextId = u32;
/// Stands for a text or an extra that is not there.
pub(super) const NONE: u32 = u32::MAX;
/// A phase of more than one letter.
const LONG_PHASE: u8 = b'?';

/// One event, 48 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// Place of its object.
    pub(super) offset: u64,
    pub(super) ts: Ns,
    pub(super) dur: Ns,
    pub(super) name: TextId,
    pub(super) cat: TextId,
    /// Number of its pair of process and thread.
    pub(super) pair: u32,
    /// Number of its [`Extra`].
    pub(super) extra: u32,
    pub(super) ph: u8,
    pub(super) flags: u8,
}

impl Event {
    /// It says more than phase, times, names and ids: arguments, CPU time, a stack, ...
    pub(super) const SAYS_MORE: u8 = 1;
    /// `bp` is `e`.
    pub(super) const BIND_ENCLOSING: u8 = 2;
    /// `flow_in` is true.
    pub(super) const FLOW_IN: u8 = 4;
    /// `flow_out` is true.
    pub(super) const FLOW_OUT: u8 = 8;
    /// It is a step of the flow of its `bind_id`.
    pub(super) const IS_STEP: u8 = Self::FLOW_IN | Self::FLOW_OUT;
    /// Scope of an instant is its process.
    pub(super) const OF_PROCESS: u8 = 16;
    /// Scope of an instant is the whole recording.
    pub(super) const OF_ALL: u8 = 32;
    /// `dur` is there, but no time.
    pub(super) const BAD_DUR: u8 = 64;

    pub(super) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// End as written: `ts`, of complete events plus `dur`.
    pub(super) fn end(&self) -> Ns {
        if self.ph != b'X' || self.dur == NO_TIME { self.ts } else { self.ts + self.dur }
    }
}

/// Where an id is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum IdKind {
    /// There is none.
    #[default]
    None,
    /// `id`.
    Plain,
    /// `id2.local`: in its process.
    Local,
    /// `id2.global`.
    Global,
}

/// An id: where its text stands, and the text's hash. Numbers and strings of one text are one id.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Id {
    pub(super) kind: IdKind,
    pub(super) offset: u64,
    pub(super) hash: u64,
}

/// What only some events have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    pub(super) id: Id,
    pub(super) bind: Id,
    pub(super) scope: TextId,
    pub(super) cname: TextId,
}

impl Extra {
    /// Of an event that has none of it.
    pub(super) const EMPTY: Self = {
        let id = Id { kind: IdKind::None, offset: 0, hash: 0 };
        Self { id, bind: id, scope: NONE, cname: NONE }
    };
}

/// The text of an id or another scalar at a place: contents of a string, or digits.
pub(super) fn text_at(text: &[u8], offset: u64) -> Option<RawString<'_>> {
    let mut cursor = Cursor::at(text, usize::try_from(offset).ok()?);
    scalar(&mut cursor).ok().flatten()
}

/// Hash of an id's text.
fn hash(raw: RawString<'_>) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    if raw.bytes.contains(&b'\\') {
        hasher.write(raw.decode().as_bytes())
    } else {
        hasher.write(raw.bytes)
    }
    hasher.finish()
}

/// The bytes of a string or number; anything else is skipped.
#[inline]
pub(super) fn scalar<'a>(cursor: &mut Cursor<'a>) -> Result<Option<RawString<'a>>, JsonError> {
    match cursor.peek()? {
        Kind::String => Ok(Some(cursor.string()?)),
        Kind::Number => {
            let offset = cursor.offset();
            Ok(Some(RawString { bytes: cursor.scalar()?, offset }))
        }
        _ => {
            cursor.skip_value()?;
            Ok(None)
        }
    }
}

/// What is read from a part of the text.
#[derive(Default)]
pub(super) struct Batch<'a> {
    pub(super) events: Vec<Event>,
    pub(super) extras: Vec<Extra>,
    pub(super) texts: Vec<&'a [u8]>,
    numbers: HashMap<&'a [u8], TextId>,
    /// Process and thread.
    pub(super) pairs: Vec<(TextId, TextId)>,
    pair_numbers: HashMap<(TextId, TextId), u32>,
    pub(super) warnings: Warnings,
}

impl<'a> Batch<'a> {
    #[inline]
    fn number(&mut self, raw: &'a [u8]) -> TextId {
        let next = u32::try_from(self.texts.len()).unwrap_or(NONE);
        *self.numbers.entry(raw).or_insert_with(|| {
            self.texts.push(raw);
            next
        })
    }

    #[inline]
    fn pair(&mut self, pid: TextId, tid: TextId) -> u32 {
        // Without a thread, an event belongs to the one that is called as the process.
        let pair = (pid, if tid == NONE { pid } else { tid });
        if self.events.last().is_some_and(|last| self.pairs[last.pair as usize] == pair) {
            return self.events[self.events.len() - 1].pair;
        }
        let next = u32::try_from(self.pairs.len()).unwrap_or(NONE);
        *self.pair_numbers.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            next
        })
    }

    /// Reads the event the cursor stands before, and leaves it behind it. Damage inside an event costs what stands
    /// after it in that event.
    ///
    /// # Errors
    /// When the text ends or is damaged so that the event's end cannot be found.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let start = *cursor;
        let mut event = Event {
            offset: start.offset() as u64,
            ts: NO_TIME,
            dur: NO_TIME,
            name: NONE,
            cat: NONE,
            pair: NONE,
            extra: NONE,
            ph: 0,
            flags: 0,
        };
        let mut found = Found { extra: Extra::EMPTY, pid: NONE, tid: NONE, empty: true };
        if self.members(cursor, &mut event, &mut found).is_err() {
            *cursor = start;
            cursor.skip_value()?;
            self.warnings.add(WarningKind::BrokenJson, || format!("in the event at byte {}", event.offset));
        }
        if event.ph == 0 {
            // Empty objects are an idiom: they end a list whose last comma was already written.
            if !found.empty {
                self.warnings
                    .add(WarningKind::MissingPart, || format!("the phase of the event at byte {}", event.offset));
            }
            return Ok(());
        }
        event.pair = self.pair(found.pid, found.tid);
        let extra = found.extra;
        if extra.id.kind != IdKind::None
            || extra.bind.kind != IdKind::None
            || extra.scope != NONE
            || extra.cname != NONE
        {
            event.extra = u32::try_from(self.extras.len()).unwrap_or(NONE);
            self.extras.push(extra);
        }
        self.events.push(event);
        Ok(())
    }

    #[inline]
    fn members(&mut self, cursor: &mut Cursor<'a>, event: &mut Event, found: &mut Found) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            found.empty = false;
            match key.bytes {
                b"ph" if cursor.peek()? != Kind::String => cursor.skip_value()?,
                b"ph" => event.ph = scalar(cursor)?.map_or(0, phase),
                b"ts" => event.ts = time(cursor)?,
                b"dur" if cursor.peek()? == Kind::Null => cursor.skip_value()?,
                b"dur" => {
                    event.dur = time(cursor)?;
                    event.flags &= !Event::BAD_DUR;
                    event.flags |= if event.dur == NO_TIME { Event::BAD_DUR } else { 0 };
                }
                b"name" => event.name = self.text(cursor)?,
                b"cat" => event.cat = self.text(cursor)?,
                b"pid" => found.pid = self.text(cursor)?,
                b"tid" => found.tid = self.text(cursor)?,
                b"id" => {
                    let id = id(cursor, IdKind::Plain)?;
                    if found.extra.id.kind == IdKind::None {
                        found.extra.id = id;
                    }
                }
                b"id2" => found.extra.id = id2(cursor)?,
                b"bind_id" => found.extra.bind = id(cursor, IdKind::Plain)?,
                b"scope" => found.extra.scope = self.text(cursor)?,
                b"cname" => {
                    found.extra.cname = self.text(cursor)?;
                    event.flags |= Event::SAYS_MORE;
                }
                b"s" => match scalar(cursor)?.map(|raw| raw.bytes) {
                    Some(b"p") => event.flags |= Event::OF_PROCESS,
                    Some(b"g") => event.flags |= Event::OF_ALL,
                    _ => {}
                },
                b"bp" => {
                    if scalar(cursor)?.is_some_and(|raw| raw.bytes == b"e") {
                        event.flags |= Event::BIND_ENCLOSING;
                    }
                }
                b"flow_in" => event.flags |= truth(cursor)? * Event::FLOW_IN,
                b"flow_out" => event.flags |= truth(cursor)? * Event::FLOW_OUT,
                _ => {
                    // `peek` skips the white space before the value.
                    cursor.peek()?;
                    let start = cursor.offset();
                    cursor.skip_value()?;
                    if cursor.text().get(start..cursor.offset()) != Some(b"{}") {
                        event.flags |= Event::SAYS_MORE;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn text(&mut self, cursor: &mut Cursor<'a>) -> Result<TextId, JsonError> {
        let raw = scalar(cursor)?.filter(|raw| !raw.bytes.is_empty());
        Ok(raw.map_or(NONE, |raw| self.number(raw.bytes)))
    }
}

/// A time in microseconds, as a number or as a string that holds one; [`NO_TIME`] for anything else.
#[inline]
fn time(cursor: &mut Cursor<'_>) -> Result<Ns, JsonError> {
    let raw = scalar(cursor)?;
    Ok(raw.and_then(|raw| parse_decimal(raw.bytes.trim_ascii(), Unit::Micros)).unwrap_or(NO_TIME))
}

/// What is found on the way through an event, beside its columns.
struct Found {
    extra: Extra,
    pid: TextId,
    tid: TextId,
    /// It has no members.
    empty: bool,
}

fn phase(raw: RawString<'_>) -> u8 {
    match raw.bytes {
        [] => 0,
        [phase] => *phase,
        [b'\\', ..] => match raw.decode().as_bytes() {
            [phase] => *phase,
            _ => LONG_PHASE,
        },
        _ => LONG_PHASE,
    }
}

fn id(cursor: &mut Cursor<'_>, kind: IdKind) -> Result<Id, JsonError> {
    Ok(scalar(cursor)?.map_or_else(Id::default, |raw| Id { kind, offset: raw.offset as u64, hash: hash(raw) }))
}

fn id2(cursor: &mut Cursor<'_>) -> Result<Id, JsonError> {
    if cursor.peek()? != Kind::Object {
        cursor.skip_value()?;
        return Ok(Id::default());
    }
    let mut found = Id::default();
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        match key.bytes {
            b"local" => found = id(cursor, IdKind::Local)?,
            b"global" => found = id(cursor, IdKind::Global)?,
            _ => cursor.skip_value()?,
        }
    }
    Ok(found)
}

/// 1 for `true`, and for numbers and texts that do not say no.
fn truth(cursor: &mut Cursor<'_>) -> Result<u8, JsonError> {
    if cursor.peek()? == Kind::Bool {
        return Ok(u8::from(cursor.scalar()? == b"true"));
    }
    let raw = scalar(cursor)?;
    Ok(u8::from(raw.is_some_and(|raw| !matches!(raw.bytes, b"false" | b"0" | b""))))
}
