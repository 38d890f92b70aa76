//! One event as written: phase, times, names, ids. Arguments are not read; the event's byte offset is kept instead.
//!
//! Strings (names, categories, processes, threads) become numbers of the batch, later of the trace (see `trace`).

use super::batch::Batch;
use super::fast_path::Member;
use super::ids::{Extra, Id, IdKind};
use crate::profile::json::{Cursor, JsonError, KeyPredictor, Kind, RawString};
use crate::profile::{Ns, Unit, WarningKind, parse_decimal};

/// No time.
pub(super) const NO_TIME: Ns = Ns(i64::MIN);
/// The number of a string.
pub(super) type TextId = u32;
/// No string, or no extra.
pub(super) const NONE: u32 = u32::MAX;
/// Any phase of more than one character.
const LONG_PHASE: u8 = b'?';

/// Bits of an event's byte offset; phase and flags are packed above it.
const OFFSET_BITS: u32 = 48;

/// One event, 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) ts: Ns,
    /// Byte offset, 8 bits of flags, 8 bits of phase, lowest first.
    packed: u64,
    /// See [`DurCode`].
    dur: u32,
    /// Number of its name and category.
    pub(super) label: u32,
    /// Number of its process and thread.
    pub(super) pair: u32,
    /// Number of its [`Extra`].
    pub(super) extra: u32,
}

/// Special values of [`Event::dur`], which otherwise holds nanoseconds.
struct DurCode;

impl DurCode {
    /// No duration.
    const NONE: u32 = u32::MAX;
    /// The duration is in the event's [`Extra`].
    const IN_EXTRA: u32 = u32::MAX - 1;
}

impl Event {
    /// It has other members than phase, times, names and ids: arguments, CPU time, a stack, ...
    pub(super) const HAS_DETAILS: u8 = 1;
    /// `bp` is `e`.
    pub(super) const BIND_ENCLOSING: u8 = 2;
    /// `flow_in` is true.
    pub(super) const FLOW_IN: u8 = 4;
    /// `flow_out` is true.
    pub(super) const FLOW_OUT: u8 = 8;
    /// It is a step of the flow of its `bind_id`.
    pub(super) const IS_STEP: u8 = Self::FLOW_IN | Self::FLOW_OUT;
    /// An instant of its process.
    pub(super) const PROCESS_SCOPE: u8 = 16;
    /// An instant of the whole recording.
    pub(super) const GLOBAL_SCOPE: u8 = 32;
    /// It has a `dur` that is no time.
    pub(super) const BAD_DUR: u8 = 64;

    /// Byte offset of its object.
    #[inline]
    pub(super) const fn offset(&self) -> u64 {
        self.packed & ((1 << OFFSET_BITS) - 1)
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

    /// Its duration as written; [`NO_TIME`] if it has none. `extra` returns the duration in its [`Extra`].
    #[inline]
    pub(super) fn dur(&self, extra: impl FnOnce() -> Ns) -> Ns {
        match self.dur {
            DurCode::NONE => NO_TIME,
            DurCode::IN_EXTRA => extra(),
            dur => Ns(i64::from(dur)),
        }
    }
}

/// An event that is being read.
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
    /// Whether it has no members.
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

/// The string or number at an offset.
pub(super) fn text_at(text: &[u8], offset: u64) -> Option<RawString<'_>> {
    let mut cursor = Cursor::at(text, usize::try_from(offset).ok()?);
    scalar(&mut cursor).ok().flatten()
}

/// Reads a string or number; skips anything else.
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
    /// Reads the event before the cursor. Damage inside an event costs the rest of that event only.
    ///
    /// # Errors
    /// When the event's end cannot be found because the text ends or is damaged.
    #[inline]
    pub(super) fn read(
        &mut self,
        predictor: &mut KeyPredictor<Member>,
        cursor: &mut Cursor<'a>,
    ) -> Result<(), JsonError> {
        if let Some(end) = self.read_fast(predictor, cursor.text(), cursor.offset()) {
            *cursor = Cursor::at(cursor.text(), end);
            return Ok(());
        }
        self.read_slow(cursor)
    }

    #[inline(never)]
    fn read_slow(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let start = *cursor;
        let mut draft = Draft::new(start.offset());
        if self.members(cursor, &mut draft).is_err() {
            *cursor = start;
            cursor.skip_value()?;
            self.warnings.add(WarningKind::BrokenJson, || format!("in the event at byte {}", draft.offset));
        }
        self.push(&draft);
        Ok(())
    }

    /// Adds an event.
    #[inline]
    pub(super) fn push(&mut self, draft: &Draft) {
        if draft.ph == 0 {
            // Some programs end the list with an empty object, after a trailing comma.
            if !draft.empty {
                let place = || format!("the phase of the event at byte {}", draft.offset);
                self.warnings.add(WarningKind::MissingPart, place);
            }
            return;
        }
        let mut extra = draft.extra;
        let dur = match draft.dur {
            NO_TIME => DurCode::NONE,
            dur => u32::try_from(dur.0).ok().filter(|dur| *dur < DurCode::IN_EXTRA).unwrap_or(DurCode::IN_EXTRA),
        };
        if dur == DurCode::IN_EXTRA {
            extra.dur = draft.dur;
        }
        let has_extra = extra.id.kind() != IdKind::None
            || extra.bind.kind() != IdKind::None
            || extra.scope != NONE
            || extra.cname != NONE
            || dur == DurCode::IN_EXTRA;
        let number = if has_extra { u32::try_from(self.extras.len()).unwrap_or(NONE) } else { NONE };
        if has_extra {
            self.extras.push(extra);
        }
        // An event without a thread belongs to the thread with the id of the process.
        let tid = if draft.tid == NONE { draft.pid } else { draft.tid };
        let event = Event {
            ts: draft.ts,
            packed: draft.offset as u64
                | u64::from(draft.flags) << OFFSET_BITS
                | u64::from(draft.ph) << (OFFSET_BITS + 8),
            dur,
            label: self.labels.intern(draft.name, draft.cat),
            pair: self.pairs.intern(draft.pid, tid),
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
                    event.flags |= Event::HAS_DETAILS;
                }
                b"s" => match scalar(cursor)?.map(|raw| raw.bytes) {
                    Some(b"p") => event.flags |= Event::PROCESS_SCOPE,
                    Some(b"g") => event.flags |= Event::GLOBAL_SCOPE,
                    _ => {}
                },
                b"bp" => {
                    if scalar(cursor)?.is_some_and(|raw| raw.bytes == b"e") {
                        event.flags |= Event::BIND_ENCLOSING;
                    }
                }
                b"flow_in" => event.flags |= flag_value(cursor)? * Event::FLOW_IN,
                b"flow_out" => event.flags |= flag_value(cursor)? * Event::FLOW_OUT,
                _ => {
                    // `peek` skips the white space before the value.
                    cursor.peek()?;
                    let start = cursor.offset();
                    cursor.skip_value()?;
                    if cursor.text().get(start..cursor.offset()) != Some(b"{}") {
                        event.flags |= Event::HAS_DETAILS;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn any_text(&mut self, cursor: &mut Cursor<'a>) -> Result<TextId, JsonError> {
        let raw = scalar(cursor)?.filter(|raw| !raw.bytes.is_empty());
        Ok(raw.map_or(NONE, |raw| self.texts.intern(raw.bytes)))
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

/// 1 for `true`, and for numbers and strings other than `0`, `false` and the empty string.
fn flag_value(cursor: &mut Cursor<'_>) -> Result<u8, JsonError> {
    if cursor.peek()? == Kind::Bool {
        return Ok(u8::from(cursor.scalar()? == b"true"));
    }
    let raw = scalar(cursor)?;
    Ok(u8::from(raw.is_some_and(|raw| !matches!(raw.bytes, b"false" | b"0" | b""))))
}
