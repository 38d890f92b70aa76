//! One event as it stands in the text: phase, times, names, ids. Arguments are not read, the event's place is kept.
//!
//! Texts (names, categories, processes, threads) become numbers of the batch; `trace` makes them numbers of the trace.

use super::batch::Batch;
use super::ids::{Extra, Id, IdKind};
use super::plain::Member;
use crate::profile::json::{Cursor, Guesses, JsonError, Kind, RawString};
use crate::profile::{Ns, Unit, WarningKind, parse_decimal};

/// Stands for a time that is not there.
pub(super) const NO_TIME: Ns = Ns(i64::MIN);
/// A text by number.
pub(super) type TextId = u32;
/// Stands for a text or an extra that is not there.
pub(super) const NONE: u32 = u32::MAX;
/// A phase of more than one letter.
const LONG_PHASE: u8 = b'?';

/// Place of an event's object, with its phase and flags beside it: offsets have 48 bits.
const PLACE_BITS: u32 = 48;

/// One event, 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) ts: Ns,
    /// Offset, above it 8 bits of flags and 8 of the phase.
    packed: u64,
    /// See [`Length`].
    dur: u32,
    /// Number of its pair of name and category.
    pub(super) label: u32,
    /// Number of its pair of process and thread.
    pub(super) pair: u32,
    /// Number of its [`Extra`].
    pub(super) extra: u32,
}

/// How long an event lasts: nanoseconds where they fit a word, as they nearly always do.
struct Length;

impl Length {
    /// It does not say.
    const NONE: u32 = u32::MAX;
    /// It is in the event's [`Extra`].
    const ELSEWHERE: u32 = u32::MAX - 1;
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

    /// Place of its object.
    #[inline]
    pub(super) const fn offset(&self) -> u64 {
        self.packed & ((1 << PLACE_BITS) - 1)
    }

    /// Its phase.
    #[inline]
    pub(super) const fn ph(&self) -> u8 {
        self.packed.to_le_bytes()[7]
    }

    #[inline]
    pub(super) const fn flags(&self) -> u8 {
        self.packed.to_le_bytes()[6]
    }

    #[inline]
    pub(super) const fn has(&self, flag: u8) -> bool {
        self.flags() & flag != 0
    }

    /// How long it lasts, as written; [`NO_TIME`] if it does not say. `extra` is its own.
    #[inline]
    pub(super) fn dur(&self, extra: impl FnOnce() -> Ns) -> Ns {
        match self.dur {
            Length::NONE => NO_TIME,
            Length::ELSEWHERE => extra(),
            dur => Ns(i64::from(dur)),
        }
    }
}

/// An event while it is read.
pub(super) struct Draft {
    pub(super) offset: usize,
    pub(super) ts: Ns,
    pub(super) dur: Ns,
    pub(super) name: TextId,
    pub(super) cat: TextId,
    pub(super) pid: TextId,
    pub(super) tid: TextId,
    pub(super) ph: u8,
    pub(super) flags: u8,
    pub(super) extra: Extra,
    /// It has no members.
    pub(super) empty: bool,
}

impl Draft {
    pub(super) const fn new(offset: usize) -> Self {
        Self {
            offset,
            ts: NO_TIME,
            dur: NO_TIME,
            name: NONE,
            cat: NONE,
            pid: NONE,
            tid: NONE,
            ph: 0,
            flags: 0,
            extra: Extra::EMPTY,
            empty: true,
        }
    }
}

/// The text of an id or another scalar at a place: contents of a string, or digits.
pub(super) fn text_at(text: &[u8], offset: u64) -> Option<RawString<'_>> {
    let mut cursor = Cursor::at(text, usize::try_from(offset).ok()?);
    scalar(&mut cursor).ok().flatten()
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

impl<'a> Batch<'a> {
    /// Reads the event the cursor stands before, and leaves it behind it. Damage inside an event costs what stands
    /// after it in that event.
    ///
    /// # Errors
    /// When the text ends or is damaged so that the event's end cannot be found.
    #[inline]
    pub(super) fn read(&mut self, guesses: &mut Guesses<Member>, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        // Most events are written plainly.
        if let Some(end) = self.read_plain(guesses, cursor.text(), cursor.offset()) {
            *cursor = Cursor::at(cursor.text(), end);
            return Ok(());
        }
        self.read_any(cursor)
    }

    #[inline(never)]
    fn read_any(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let start = *cursor;
        let mut draft = Draft::new(start.offset());
        if self.members(cursor, &mut draft).is_err() {
            *cursor = start;
            cursor.skip_value()?;
            self.warnings.add(WarningKind::BrokenJson, || format!("in the event at byte {}", draft.offset));
        }
        self.keep(&draft);
        Ok(())
    }

    /// Keeps what was read.
    #[inline]
    pub(super) fn keep(&mut self, draft: &Draft) {
        if draft.ph == 0 {
            // Empty objects are an idiom: they end a list whose last comma was already written.
            if !draft.empty {
                let place = || format!("the phase of the event at byte {}", draft.offset);
                self.warnings.add(WarningKind::MissingPart, place);
            }
            return;
        }
        let mut extra = draft.extra;
        let dur = match draft.dur {
            NO_TIME => Length::NONE,
            dur => u32::try_from(dur.0).ok().filter(|dur| *dur < Length::ELSEWHERE).unwrap_or(Length::ELSEWHERE),
        };
        if dur == Length::ELSEWHERE {
            extra.dur = draft.dur;
        }
        let has_extra = extra.id.kind() != IdKind::None
            || extra.bind.kind() != IdKind::None
            || extra.scope != NONE
            || extra.cname != NONE
            || dur == Length::ELSEWHERE;
        let number = if has_extra { u32::try_from(self.extras.len()).unwrap_or(NONE) } else { NONE };
        if has_extra {
            self.extras.push(extra);
        }
        // Without a thread, an event belongs to the one that is called as the process.
        let tid = if draft.tid == NONE { draft.pid } else { draft.tid };
        let event = Event {
            ts: draft.ts,
            packed: draft.offset as u64
                | u64::from(draft.flags) << PLACE_BITS
                | u64::from(draft.ph) << (PLACE_BITS + 8),
            dur,
            label: self.labels.number(draft.name, draft.cat),
            pair: self.pairs.number(draft.pid, tid),
            extra: number,
        };
        self.events.push(event);
    }

    fn members(&mut self, cursor: &mut Cursor<'a>, event: &mut Draft) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            event.empty = false;
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
                b"name" => event.name = self.any_text(cursor)?,
                b"cat" => event.cat = self.any_text(cursor)?,
                b"pid" => event.pid = self.any_text(cursor)?,
                b"tid" => event.tid = self.any_text(cursor)?,
                b"id" => {
                    let id = id(cursor, IdKind::Plain)?;
                    if event.extra.id.kind() == IdKind::None {
                        event.extra.id = id;
                    }
                }
                b"id2" => event.extra.id = id2(cursor)?,
                b"bind_id" => event.extra.bind = id(cursor, IdKind::Plain)?,
                b"scope" => event.extra.scope = self.any_text(cursor)?,
                b"cname" => {
                    event.extra.cname = self.any_text(cursor)?;
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
    fn any_text(&mut self, cursor: &mut Cursor<'a>) -> Result<TextId, JsonError> {
        let raw = scalar(cursor)?.filter(|raw| !raw.bytes.is_empty());
        Ok(raw.map_or(NONE, |raw| self.texts.number(raw.bytes)))
    }
}

/// A time in microseconds, as a number or as a string that holds one; [`NO_TIME`] for anything else.
#[inline]
fn time(cursor: &mut Cursor<'_>) -> Result<Ns, JsonError> {
    let raw = scalar(cursor)?;
    Ok(raw.and_then(|raw| parse_decimal(raw.bytes.trim_ascii(), Unit::Micros)).unwrap_or(NO_TIME))
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
    Ok(scalar(cursor)?.map_or_else(Id::default, |raw| Id::new(kind, raw)))
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
