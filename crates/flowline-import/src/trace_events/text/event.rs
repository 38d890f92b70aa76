//! A parsed event: phase, times, names, ids. Arguments are not read; the event stores its byte offset instead.
//!
//! Strings (names, categories, processes, threads) become numbers of the batch, then of the trace (see `trace`).

use super::ids::{Extra, IdKind, NO_TIME, NONE, TextId};
use flowline_format::RESTS_PER_NANO;
use flowline_profile::{EVENT_PLACES, Ns, OWN_EVENT};

/// Bits of an event's byte offset; phase and flags are packed above it.
const OFFSET_BITS: u32 = 48;

/// One event, 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) ts: Ns,
    /// Byte offset, 8 bits of flags, 8 bits of phase, lowest bits first.
    packed: u64,
    /// Duration; see [`DurCode`].
    dur: u32,
    /// Number of the name and category pair.
    pub(crate) label: u32,
    /// Number of the process and thread pair.
    pub(crate) pair: u32,
    /// Number of the [`Extra`].
    pub(crate) extra: u32,
}

/// Special values of [`Event::dur`], which otherwise contains nanoseconds.
struct DurCode;

impl DurCode {
    /// No duration.
    const NONE: u32 = u32::MAX;
    /// The duration is in the event's [`Extra`].
    const IN_EXTRA: u32 = u32::MAX - 1;
}

impl Event {
    /// Flag: the event has members other than phase, times, names and ids, such as arguments, CPU time, or a stack.
    pub(crate) const HAS_DETAILS: u8 = 1;
    /// Flag: `bp` is `e`.
    pub(crate) const BIND_ENCLOSING: u8 = 2;
    /// Flag: `flow_in` is true.
    pub(crate) const FLOW_IN: u8 = 4;
    /// Flag: `flow_out` is true.
    pub(crate) const FLOW_OUT: u8 = 8;
    /// Flags of events that are a step of the flow with their `bind_id`.
    pub(crate) const IS_STEP: u8 = Self::FLOW_IN | Self::FLOW_OUT;
    /// Flag: an instant with process scope.
    pub(crate) const PROCESS_SCOPE: u8 = 16;
    /// Flag: an instant with global scope.
    pub(crate) const GLOBAL_SCOPE: u8 = 32;
    /// Flag: `dur` is not a valid time.
    pub(crate) const BAD_DUR: u8 = 64;
    /// Flag: the event has `flow_ids` or `terminating_flow_ids`.
    pub(crate) const FLOW_IDS: u8 = 128;

    /// Returns the byte offset of the event's object.
    #[inline]
    pub(crate) const fn offset(&self) -> u64 {
        self.packed & ((1 << OFFSET_BITS) - 1)
    }

    /// Moves the event's object behind `bytes` more bytes of text.
    pub(crate) const fn move_by(&mut self, bytes: u64) {
        self.packed += bytes;
    }

    /// Returns the phase.
    #[inline]
    pub(crate) const fn ph(&self) -> u8 {
        self.packed.to_le_bytes()[7]
    }

    #[inline]
    pub(crate) const fn flags(&self) -> u8 {
        self.packed.to_le_bytes()[6]
    }

    #[inline]
    pub(crate) const fn has(&self, flag: u8) -> bool {
        self.flags() & flag != 0
    }

    /// Returns the duration as written; [`NO_TIME`] without one. `extra` returns the duration in the [`Extra`].
    #[inline]
    pub(crate) fn dur(&self, extra: impl FnOnce() -> Ns) -> Ns {
        match self.dur {
            DurCode::NONE => NO_TIME,
            DurCode::IN_EXTRA => extra(),
            dur => Ns(i64::from(dur)),
        }
    }
}

/// An event that is being parsed.
pub(crate) struct Draft {
    pub(crate) offset: usize,
    pub(crate) ts: Ns,
    pub(crate) dur: Ns,
    /// What rounding removed from `ts` and `dur`; see [`flowline_format::rounding_rest`].
    pub(crate) rests: [i32; 2],
    /// True if `ts` is a number that is out of range.
    pub(crate) is_far: bool,
    pub(crate) name: TextId,
    pub(crate) cat: TextId,
    pub(crate) pid: TextId,
    pub(crate) tid: TextId,
    pub(crate) ph: u8,
    pub(crate) flags: u8,
    pub(crate) extra: Extra,
    /// True if the event has no members.
    pub(crate) empty: bool,
}

impl Draft {
    pub(crate) const fn new(offset: usize) -> Self {
        Self {
            offset,
            ts: NO_TIME,
            dur: NO_TIME,
            rests: [0; 2],
            is_far: false,
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

    /// Returns the duration from the rounded start to the rounded end; [`NO_TIME`] without one. The end is rounded once,
    /// so slices that end at the same time end at the same nanosecond.
    #[inline]
    fn rounded_dur(&self) -> Ns {
        const HALF: i32 = RESTS_PER_NANO / 2;
        let [start, dur] = self.rests;
        let rest = start + dur;
        let is_negative = self.dur < Ns(0) || (self.dur == Ns(0) && dur < 0);
        if rest == 0 || is_negative || self.ts == NO_TIME {
            return self.dur;
        }
        let end = self.ts + self.dur;
        // Halves are rounded away from zero.
        let (up, down) = if end < Ns(0) || (end == Ns(0) && rest < 0) { (HALF + 1, -HALF) } else { (HALF, -HALF - 1) };
        match rest {
            rest if rest >= up => self.dur + Ns(1),
            rest if rest <= down => self.dur - Ns(1),
            _ => self.dur,
        }
    }

    /// Returns true if the event's phase needs a time.
    #[inline]
    pub(crate) const fn is_drawn(&self) -> bool {
        matches!(
            self.ph,
            b'X' | b'B'
                | b'E'
                | b'i'
                | b'I'
                | b'R'
                | b'b'
                | b'e'
                | b'n'
                | b'S'
                | b'T'
                | b'p'
                | b'F'
                | b'C'
                | b'N'
                | b'O'
                | b'D'
                | b'v'
                | b'V'
        )
    }

    /// Returns the end time of the drawn marker; `None` if the event draws nothing.
    #[inline]
    pub(crate) fn last(&self) -> Option<Ns> {
        let dur = if self.ph == b'X' && self.dur != NO_TIME { self.rounded_dur().max(Ns(0)) } else { Ns(0) };
        (self.is_drawn() && self.ts != NO_TIME).then(|| self.ts + dur)
    }

    /// Returns the event, and its extra if it needs one. The caller sets [`Event::extra`].
    #[inline]
    pub(crate) fn finish(&self, label: u32, pair: u32) -> (Event, Option<Extra>) {
        let rounded = self.rounded_dur();
        let dur = match rounded {
            NO_TIME => DurCode::NONE,
            dur => u32::try_from(dur.0).ok().filter(|dur| *dur < DurCode::IN_EXTRA).unwrap_or(DurCode::IN_EXTRA),
        };
        let mut extra = self.extra;
        if dur == DurCode::IN_EXTRA {
            extra.dur = rounded;
        }
        let has_extra = extra.id.kind() != IdKind::None
            || extra.bind.kind() != IdKind::None
            || extra.scope != NONE
            || extra.cname != NONE
            || extra.more > 0
            || dur == DurCode::IN_EXTRA;
        let packed =
            self.offset as u64 | u64::from(self.flags) << OFFSET_BITS | u64::from(self.ph) << (OFFSET_BITS + 8);
        let event = Event { ts: self.ts, packed, dur, label, pair, extra: NONE };
        (event, has_extra.then_some(extra))
    }
}

/// The offset in the file for an offset of an event: events of binary recordings have the offsets of their packets.
pub(in crate::trace_events) fn file_offset(offset: impl TryInto<u64>) -> u64 {
    let offset = offset.try_into().unwrap_or(u64::MAX);
    offset.checked_sub(EVENT_PLACES).map_or(offset, |place| place & !OWN_EVENT)
}
