//! Reads events through the fast path, or else through the slow path, which accepts any text.

use super::batch::Batch;
use super::event::{Draft, Event};
use super::far_times;
use super::fast_path::Member;
use super::ids::{Id, IdKind, NO_TIME, NONE, TextId, whole_number};
use crate::scalar::scalar;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::tracks::counter_values::{Count, CounterArgValue};
use flowline_format::rounding_rest;
use flowline_json::{Cursor, JsonError, KeyPredictor, Kind, RawString, decode_value};
use flowline_profile::trace_events::skip_damaged;
use flowline_profile::{Ns, Unit, WarningKind, member_at, parse_decimal};

/// Phase for all phases of more than one character.
const LONG_PHASE: u8 = b'?';

/// Returns the string or number at an offset.
pub(in crate::trace_events) fn text_at(text: &[u8], offset: u64) -> Option<RawString<'_>> {
    let mut cursor = Cursor::at(text, usize::try_from(offset).ok()?);
    scalar(&mut cursor).ok().flatten()
}

impl<'a> Batch<'a> {
    /// Reads the event at the cursor. Damage inside an event only costs the rest of that event, if its end is found.
    ///
    /// # Errors
    /// When the event's end is not found, because the text ends or is damaged, or because the end would be in another
    /// event.
    #[inline]
    pub(in crate::trace_events) fn read(
        &mut self,
        predictor: &mut KeyPredictor<Member>,
        cursor: &mut Cursor<'a>,
    ) -> Result<(), JsonError> {
        let (text, start, before) = (cursor.text(), cursor.offset(), self.events.len());
        // The fast path does not subtract an origin.
        let fast = if self.origin.is_some() { None } else { self.read_fast(predictor, text, start) };
        match fast {
            Some(end) => *cursor = Cursor::at(text, end),
            None => self.read_slow(cursor)?,
        }
        if self.events.get(before).is_some_and(|event| event.ph() == b'C') {
            self.read_counts(text, start);
        }
        Ok(())
    }

    #[inline(never)]
    fn read_slow(&mut self, cursor: &mut Cursor<'a>) -> Result<(), JsonError> {
        let start = *cursor;
        let mut draft = Draft::new(start.offset());
        self.flow_ids.clear();
        if let Err(error) = self.members(cursor, &mut draft) {
            *cursor = start;
            skip_damaged(cursor, error)?;
            self.warnings
                .add(WarningKind::BrokenJson, || format!("in the event at byte {}", file_offset(draft.offset)));
        }
        self.push(&draft);
        Ok(())
    }

    fn members(&mut self, cursor: &mut Cursor<'a>, event: &mut Draft) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            event.empty = false;
            match key.bytes {
                b"ph" if cursor.peek()? != Kind::String => cursor.skip_value()?,
                b"ph" => event.ph = scalar(cursor)?.map_or(0, phase),
                b"ts" => self.start_time(cursor, event)?,
                b"dur" if cursor.peek()? == Kind::Null => cursor.skip_value()?,
                b"dur" => {
                    (event.dur, event.rests[1]) = time(cursor)?;
                    event.flags &= !Event::BAD_DUR;
                    event.flags |= if event.dur == NO_TIME { Event::BAD_DUR } else { 0 };
                }
                b"name" => event.name = self.any_text(cursor)?,
                b"cat" => event.cat = self.any_text(cursor)?,
                b"pid" => event.pid = self.owner(cursor)?,
                b"tid" => event.tid = self.owner(cursor)?,
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
                b"flow_ids" => self.flows(cursor, event, false)?,
                b"terminating_flow_ids" => self.flows(cursor, event, true)?,
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

    /// Reads `ts`. If the trace has an origin, it is subtracted.
    fn start_time(&self, cursor: &mut Cursor<'_>, event: &mut Draft) -> Result<(), JsonError> {
        let start = *cursor;
        (event.ts, event.rests[0]) = time(cursor)?;
        event.is_far = false;
        if event.ts == NO_TIME || self.origin.is_some() {
            let raw = scalar(&mut { start })?;
            let number = raw.and_then(|raw| far_times::parts(raw.text().trim_ascii()));
            event.ts = self.origin.zip(number).and_then(|(origin, number)| origin.relative(number)).unwrap_or(NO_TIME);
            event.is_far = event.ts == NO_TIME && number.is_some();
        }
        Ok(())
    }

    /// Reads a list of flows.
    fn flows(&mut self, cursor: &mut Cursor<'a>, event: &mut Draft, ends: bool) -> Result<(), JsonError> {
        if cursor.peek()? != Kind::Array {
            return cursor.skip_value();
        }
        cursor.enter_array()?;
        while cursor.next_element()? {
            let id = id(cursor, IdKind::Plain)?;
            if id.kind() != IdKind::None {
                self.add_flow(event, id, ends);
            }
        }
        Ok(())
    }

    /// Adds a flow to the current event.
    pub(crate) fn add_flow(&mut self, event: &mut Draft, id: Id, ends: bool) {
        self.flow_ids.push((id, ends));
        event.flags |= Event::FLOW_IDS;
        event.extra.more = u32::try_from(self.flow_ids.len()).unwrap_or(NONE);
    }

    /// Reads the arguments of the counter event at an offset. Damaged arguments are ignored.
    fn read_counts(&mut self, text: &'a [u8], start: usize) {
        let mut counts = Vec::new();
        let args = member_at(text, start, "args");
        let is_empty = args.is_none_or(|mut args| args.peek() == Ok(Kind::Null) || is_empty_object(args));
        if is_empty {
            counts.push(Count { name: NONE, value: CounterArgValue::Missing });
        } else if args.is_some_and(|mut args| self.counter_args(&mut args, &mut counts).is_err()) {
            counts.clear();
        }
        self.counts.push(&counts);
    }

    fn counter_args(&mut self, cursor: &mut Cursor<'a>, counts: &mut Vec<Count>) -> Result<(), JsonError> {
        if cursor.peek()? != Kind::Object {
            cursor.skip_value()?;
            counts.push(Count { name: NONE, value: CounterArgValue::NoObject });
            return Ok(());
        }
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let name = if key.bytes.is_empty() { NONE } else { self.texts.intern(key.bytes) };
            let value = decode_value(cursor)?;
            let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
            let value = match number {
                Some(number) if !number.is_finite() => continue,
                Some(number) => CounterArgValue::Number(number),
                None => CounterArgValue::NoNumber,
            };
            counts.push(Count { name, value });
        }
        Ok(())
    }

    /// Reads the id of a process or a thread.
    fn owner(&mut self, cursor: &mut Cursor<'a>) -> Result<TextId, JsonError> {
        let is_number = cursor.peek()? == Kind::Number;
        let raw = scalar(cursor)?.filter(|raw| !raw.bytes.is_empty());
        let text = |raw: RawString<'a>| if is_number { whole_number(raw.bytes) } else { raw.bytes };
        Ok(raw.map_or(NONE, |raw| self.texts.intern(text(raw))))
    }

    #[inline]
    fn any_text(&mut self, cursor: &mut Cursor<'a>) -> Result<TextId, JsonError> {
        let raw = scalar(cursor)?.filter(|raw| !raw.bytes.is_empty());
        Ok(raw.map_or(NONE, |raw| self.texts.intern(raw.bytes)))
    }
}

/// Reads a time in microseconds, as a number or as a string with a number, and what rounding removed; [`NO_TIME`] for
/// anything else.
#[inline]
fn time(cursor: &mut Cursor<'_>) -> Result<(Ns, i32), JsonError> {
    let raw = scalar(cursor)?;
    let text = raw.as_ref().map(RawString::text);
    let text = text.as_deref().unwrap_or_default().trim_ascii();
    let rounded = |time| (time, rounding_rest(text, Unit::Micros));
    Ok(parse_decimal(text, Unit::Micros).map_or((NO_TIME, 0), rounded))
}

fn is_empty_object(mut object: Cursor<'_>) -> bool {
    object.peek() == Ok(Kind::Object) && object.enter_object().is_ok() && matches!(object.next_key(), Ok(None))
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
            b"track" => found = id(cursor, IdKind::Track)?,
            _ => cursor.skip_value()?,
        }
    }
    Ok(found)
}

/// Returns 1 for `true`, and for numbers and strings other than `0`, `false` and the empty string.
fn flag_value(cursor: &mut Cursor<'_>) -> Result<u8, JsonError> {
    if cursor.peek()? == Kind::Bool {
        return Ok(u8::from(cursor.scalar()? == b"true"));
    }
    let raw = scalar(cursor)?;
    Ok(u8::from(raw.is_some_and(|raw| !matches!(&*raw.text(), b"false" | b"0" | b""))))
}
