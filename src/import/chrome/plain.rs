//! The short way through an event: one that is written plainly, as programs write them. Whatever is unusual (escapes in
//! names, times in strings, damage) is left to the reader that copes with everything; both give the same.

use super::batch::Batch;
use super::event::{Draft, Event, NONE, TextId};
use super::ids::{Id, IdKind};
use crate::profile::json::RawString;
use crate::profile::json::plain::{self, key_word};
use crate::profile::{Ns, Unit};

const PH: u64 = key_word(b"ph");
const TS: u64 = key_word(b"ts");
const DUR: u64 = key_word(b"dur");
const NAME: u64 = key_word(b"name");
const CAT: u64 = key_word(b"cat");
const PID: u64 = key_word(b"pid");
const TID: u64 = key_word(b"tid");
const ID: u64 = key_word(b"id");
const ID2: u64 = key_word(b"id2");
const BIND_ID: u64 = key_word(b"bind_id");
const SCOPE: u64 = key_word(b"scope");
const CNAME: u64 = key_word(b"cname");
const S: u64 = key_word(b"s");
const BP: u64 = key_word(b"bp");
const FLOW_IN: u64 = key_word(b"flow_in");

impl<'a> Batch<'a> {
    /// Reads and keeps the event whose brace stands at `start`; gives the offset behind it. `None`, and nothing kept, where
    /// anything about it is unusual.
    pub(super) fn read_plain(&mut self, text: &'a [u8], start: usize) -> Option<usize> {
        let mut draft = Draft::new(start);
        draft.empty = false;
        let end = plain::members(text, start, |name, key, value| self.member(&mut draft, name, text, key, value))?;
        if draft.ph == 0 {
            return None;
        }
        self.keep(&draft);
        Some(end)
    }

    /// Reads the value of a key; gives the offset behind it.
    #[inline]
    fn member(&mut self, draft: &mut Draft, name: u64, text: &'a [u8], key: usize, at: usize) -> Option<usize> {
        let (value, end) = match name {
            PH => {
                let &[b'"', phase, b'"'] = text.get(at..)?.first_chunk::<3>()? else { return None };
                if phase == b'\\' {
                    return None;
                }
                draft.ph = phase;
                return Some(at + 3);
            }
            TS => {
                let (time, end) = time(text, at)?;
                draft.ts = time;
                return Some(end);
            }
            DUR => {
                let (time, end) = time(text, at)?;
                draft.dur = time;
                draft.flags &= !Event::BAD_DUR;
                return Some(end);
            }
            NAME | CAT | PID | TID | SCOPE | CNAME | ID | BIND_ID | S | BP => plain::scalar(text, at)?,
            ID2 => return None,
            FLOW_IN => return flag(draft, Event::FLOW_IN, text, at),
            plain::LONG if text.get(key + 1..).is_some_and(|rest| rest.starts_with(b"flow_out\"")) => {
                return flag(draft, Event::FLOW_OUT, text, at);
            }
            _ => return other(draft, text, at),
        };
        match name {
            NAME => draft.name = self.text(value),
            CAT => draft.cat = self.text(value),
            PID => draft.pid = self.text(value),
            TID => draft.tid = self.text(value),
            SCOPE => draft.extra.scope = self.text(value),
            CNAME => {
                draft.extra.cname = self.text(value);
                draft.flags |= Event::SAYS_MORE;
            }
            ID if draft.extra.id.kind() != IdKind::None => {}
            ID => draft.extra.id = id(value, at),
            BIND_ID => draft.extra.bind = id(value, at),
            S if value == b"p" => draft.flags |= Event::OF_PROCESS,
            S if value == b"g" => draft.flags |= Event::OF_ALL,
            BP if value == b"e" => draft.flags |= Event::BIND_ENCLOSING,
            _ => {}
        }
        Some(end)
    }

    #[inline]
    fn text(&mut self, value: &'a [u8]) -> TextId {
        if value.is_empty() { NONE } else { self.texts.number(value) }
    }
}

#[inline]
fn time(text: &[u8], at: usize) -> Option<(Ns, usize)> {
    plain::decimal(text, at, Unit::Micros)
}

fn id(bytes: &[u8], offset: usize) -> Id {
    Id::new(IdKind::Plain, RawString { bytes, offset })
}

fn flag(draft: &mut Draft, flag: u8, text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with(b"true") {
        draft.flags |= flag;
        return Some(at + 4);
    }
    rest.starts_with(b"false").then_some(at + 5)
}

/// Arguments, CPU times, stacks: that they are there is all that counts now.
#[inline]
fn other(draft: &mut Draft, text: &[u8], at: usize) -> Option<usize> {
    if text.get(at..)?.starts_with(b"{}") {
        return Some(at + 2);
    }
    draft.flags |= Event::SAYS_MORE;
    plain::value_end(text, at)
}
