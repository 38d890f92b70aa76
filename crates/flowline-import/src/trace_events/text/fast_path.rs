//! The fast path for events in their usual form. Unusual events (escapes in names, times in strings, damage) are left
//! to the slow path, [`Batch::read_slow`]. Both give the same result.

use super::batch::Batch;
use super::event::{Draft, Event};
use super::ids::{Id, IdKind, NONE, TextId, whole_number};
use flowline_format::rounding_rest;
use flowline_json::fast_path::{self, key_word};
use flowline_json::{KeyPredictor, RawString};
use flowline_profile::Unit;

/// The members of an event that the reader uses.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_events) enum Member {
    Phase,
    Start,
    Duration,
    Name,
    Category,
    Process,
    Thread,
    Id,
    /// An object of ids.
    Ids,
    BindId,
    Scope,
    ColorName,
    InstantScope,
    BindingPoint,
    FlowIn,
    FlowOut,
    FlowIds,
    EndingFlowIds,
    Other,
}

impl Member {
    /// Returns the member of a key. `word` is the key's word, `key` the offset of its opening quote.
    fn from_key(word: u64, text: &[u8], key: usize) -> Self {
        let is = |name: &[u8]| fast_path::is_key(text, key, word, name, key_word(name));
        let members: [(&[u8], Self); 18] = [
            (b"ph", Self::Phase),
            (b"ts", Self::Start),
            (b"dur", Self::Duration),
            (b"name", Self::Name),
            (b"cat", Self::Category),
            (b"pid", Self::Process),
            (b"tid", Self::Thread),
            (b"id", Self::Id),
            (b"id2", Self::Ids),
            (b"bind_id", Self::BindId),
            (b"scope", Self::Scope),
            (b"cname", Self::ColorName),
            (b"s", Self::InstantScope),
            (b"bp", Self::BindingPoint),
            (b"flow_in", Self::FlowIn),
            (b"flow_out", Self::FlowOut),
            (b"flow_ids", Self::FlowIds),
            (b"terminating_flow_ids", Self::EndingFlowIds),
        ];
        members.into_iter().find(|(name, _)| is(name)).map_or(Self::Other, |(_, member)| member)
    }
}

impl<'a> Batch<'a> {
    /// Reads and adds the event whose brace is at `start`; returns the offset after it. Returns `None` and adds nothing
    /// if the event is unusual.
    #[inline]
    pub(in crate::trace_events) fn read_fast(
        &mut self,
        predictor: &mut KeyPredictor<Member>,
        text: &'a [u8],
        start: usize,
    ) -> Option<usize> {
        let mut draft = Draft::new(start);
        draft.empty = false;
        self.flow_ids.clear();
        let classify = |word, key| Member::from_key(word, text, key);
        let end =
            predictor.members(text, start, classify, |member, value| self.member(&mut draft, member, text, value))?;
        if draft.ph == 0 {
            return None;
        }
        self.push(&draft);
        Some(end)
    }

    /// Reads the value of a member; returns the offset after it.
    #[inline(always)]
    fn member(&mut self, draft: &mut Draft, member: Member, text: &'a [u8], at: usize) -> Option<usize> {
        let (value, end) = match member {
            Member::Phase => {
                let &[b'"', phase, b'"'] = text.get(at..)?.first_chunk::<3>()? else { return None };
                if phase == b'\\' {
                    return None;
                }
                draft.ph = phase;
                return Some(at + 3);
            }
            Member::Start | Member::Duration => {
                let (time, is_rounded, end) = fast_path::rounded_decimal(text, at, Unit::Micros)?;
                let rest = if is_rounded { rounding_rest(text.get(at..end)?, Unit::Micros) } else { 0 };
                if let Member::Start = member {
                    (draft.ts, draft.rests[0]) = (time, rest);
                } else {
                    (draft.dur, draft.rests[1]) = (time, rest);
                    draft.flags &= !Event::BAD_DUR;
                }
                return Some(end);
            }
            Member::Ids => {
                let (id, end) = ids(text, at)?;
                draft.extra.id = id;
                return Some(end);
            }
            Member::Category | Member::Process | Member::Thread => {
                let (number, end) = self.repeated(member, text, at)?;
                match member {
                    Member::Category => draft.cat = number,
                    Member::Process => draft.pid = number,
                    _ => draft.tid = number,
                }
                return Some(end);
            }
            Member::FlowIn => return flag(draft, Event::FLOW_IN, text, at),
            Member::FlowOut => return flag(draft, Event::FLOW_OUT, text, at),
            Member::FlowIds => return self.flow_list(draft, false, text, at),
            Member::EndingFlowIds => return self.flow_list(draft, true, text, at),
            Member::Other => return other(draft, text, at),
            _ => fast_path::scalar(text, at)?,
        };
        match member {
            Member::Name => draft.name = self.text(value),
            Member::Scope => draft.extra.scope = self.text(value),
            Member::ColorName => {
                draft.extra.cname = self.text(value);
                draft.flags |= Event::HAS_DETAILS;
            }
            Member::Id if draft.extra.id.kind() != IdKind::None => {}
            Member::Id => draft.extra.id = id(value, at),
            Member::BindId => draft.extra.bind = id(value, at),
            Member::InstantScope if value == b"p" => draft.flags |= Event::PROCESS_SCOPE,
            Member::InstantScope if value == b"g" => draft.flags |= Event::GLOBAL_SCOPE,
            Member::BindingPoint if value == b"e" => draft.flags |= Event::BIND_ENCLOSING,
            _ => {}
        }
        Some(end)
    }

    /// Reads a list of flows; returns the offset after it.
    fn flow_list(&mut self, draft: &mut Draft, ends: bool, text: &'a [u8], at: usize) -> Option<usize> {
        let mut at = text.get(at..)?.starts_with(b"[\"").then_some(at)?;
        loop {
            let (value, end) = fast_path::scalar(text, at + 1)?;
            self.add_flow(draft, id(value, at + 1), ends);
            match text.get(end)? {
                b',' => at = end,
                b']' => return Some(end + 1),
                _ => return None,
            }
        }
    }

    /// Returns the number of a value that often repeats, and the offset after it.
    #[inline(always)]
    fn repeated(&mut self, member: Member, text: &'a [u8], at: usize) -> Option<(TextId, usize)> {
        let (categories, processes, threads) = &self.recent;
        let known = match member {
            Member::Category => categories.find(text, at),
            Member::Process => processes.find(text, at),
            _ => threads.find(text, at),
        };
        if known.is_some() { known } else { self.new_value(member, text, at) }
    }

    /// Reads a value and adds it to the recent values.
    #[inline(never)]
    fn new_value(&mut self, member: Member, text: &'a [u8], at: usize) -> Option<(TextId, usize)> {
        let (value, end) = fast_path::scalar(text, at)?;
        let is_id = text.get(at) != Some(&b'"') && !matches!(member, Member::Category);
        let number = self.text(if is_id { whole_number(value) } else { value });
        let (categories, processes, threads) = &mut self.recent;
        match member {
            Member::Category => categories.add(text, (at, end), number),
            Member::Process => processes.add(text, (at, end), number),
            _ => threads.add(text, (at, end), number),
        }
        Some((number, end))
    }

    #[inline]
    fn text(&mut self, value: &'a [u8]) -> TextId {
        if value.is_empty() { NONE } else { self.texts.intern(value) }
    }
}

fn id(bytes: &[u8], offset: usize) -> Id {
    Id::new(IdKind::Plain, RawString { bytes, offset })
}

/// Reads an object of ids; the last one wins.
fn ids(text: &[u8], start: usize) -> Option<(Id, usize)> {
    const LOCAL: u64 = fast_path::key_word(b"local");
    const GLOBAL: u64 = fast_path::key_word(b"global");
    const TRACK: u64 = fast_path::key_word(b"track");
    let mut found = Id::default();
    let end = fast_path::members(text, start, |word, _, at| {
        let kind = match word {
            LOCAL => IdKind::Local,
            GLOBAL => IdKind::Global,
            TRACK => IdKind::Track,
            _ => return fast_path::value_end(text, at),
        };
        let (bytes, end) = fast_path::scalar(text, at)?;
        found = Id::new(kind, RawString { bytes, offset: at });
        Some(end)
    })?;
    Some((found, end))
}

fn flag(draft: &mut Draft, flag: u8, text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with(b"true") {
        draft.flags |= flag;
        return Some(at + 4);
    }
    rest.starts_with(b"false").then_some(at + 5)
}

/// Skips arguments, CPU times and stacks, of which only the presence matters.
#[inline]
fn other(draft: &mut Draft, text: &[u8], at: usize) -> Option<usize> {
    if text.get(at..)?.starts_with(b"{}") {
        return Some(at + 2);
    }
    draft.flags |= Event::HAS_DETAILS;
    fast_path::value_end(text, at)
}
