//! The messages of a recording, and their rows.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};
use rayon::prelude::*;

use crate::firefox::derive::rules::PayloadTypeInfo;
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sentinels::{NO_TIME, NONE};
use flowline_json::fast_path;
use flowline_profile::payload::decode;
use flowline_profile::{Ns, PayloadRef, Source, Value};

/// Message data of a raw row.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageRow {
    pub(super) sending: bool,
    pub(super) sync: bool,
    phase: Phase,
    /// Index of the message's times; [`NONE`] if another row represents the message.
    times: u32,
}

/// The times of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageTimes {
    /// Send time; if only one side was recorded, the time of that side.
    pub(super) start: Ns,
    /// Receive time; [`NO_TIME`] if only one side was recorded.
    pub(super) end: Ns,
    /// Start of the transfer, its end on the sender's side, its end on the receiver's side; [`NO_TIME`] if unknown.
    pub(super) transfers: [Ns; 3],
}

/// The rows of a thread that belong to messages.
#[derive(Debug, Default)]
struct MessageRows {
    /// Ascending.
    rows: Vec<u32>,
    infos: Vec<MessageRow>,
}

/// All messages of a recording.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Messages {
    threads: Vec<MessageRows>,
    times: Vec<MessageTimes>,
}

impl Messages {
    /// Message data of a row, and the times of the message.
    pub(super) fn get(&self, thread: usize, row: usize) -> Option<(&MessageRow, Option<&MessageTimes>)> {
        let thread = self.threads.get(thread)?;
        let slot = thread.rows.binary_search(&u32::try_from(row).ok()?).ok()?;
        let info = &thread.infos[slot];
        Some((info, self.times.get(info.times as usize)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Endpoint,
    TransferStart,
    TransferEnd,
}

impl Phase {
    fn parse(text: &[u8]) -> Option<Self> {
        match text {
            b"endpoint" => Some(Self::Endpoint),
            b"transferStart" => Some(Self::TransferStart),
            b"transferEnd" => Some(Self::TransferEnd),
            _ => None,
        }
    }
}

/// One raw row: its index among the message rows of `thread`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TimedRow {
    time: Ns,
    thread: u32,
    slot: u32,
}

/// The values that all rows of a message share (pids, sequence number, type), as two hashes. One is seeded at random,
/// so keys with two equal hashes cannot be constructed.
type MessageKey = (u64, u64);

fn message_key(sender: &[u8], receiver: &[u8], number: i64, kind: &[u8]) -> MessageKey {
    static SEEDED: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    let key = (sender, receiver, number, kind);
    (FixedState::default().hash_one(key), SEEDED.hash_one(key))
}

/// Message data of a payload.
#[derive(Clone, Copy)]
struct MessageIdentity {
    key: MessageKey,
    sending: bool,
    sync: bool,
    phase: Phase,
}

impl MessageIdentity {
    fn read(source: &Source, place: PayloadRef, own_pid: &str) -> Option<Self> {
        let plain = place.offset().and_then(|start| Self::read_fast(source.bytes(), start, own_pid));
        plain.unwrap_or_else(|| Self::from_value(&decode(source, place), own_pid))
    }

    /// The fast path; `None` for an unusual payload.
    fn read_fast(text: &[u8], start: usize, own_pid: &str) -> Option<Option<Self>> {
        const PHASE: u64 = fast_path::key_word(b"phase");
        const SYNC: u64 = fast_path::key_word(b"sync");
        let (mut direction, mut phase, mut number, mut kind, mut other) = (None, None, None, None, None);
        let mut sync = false;
        fast_path::members(text, start, |word, key, value| {
            let name = text.get(key + 1..)?;
            let is = |wanted: &[u8]| word == fast_path::LONG && name.starts_with(wanted);
            let is_text = *text.get(value)? == b'"';
            match word {
                // Values that are not booleans are left to `from_value`, which evaluates their truthiness.
                SYNC => {
                    let rest = text.get(value..)?;
                    sync = rest.starts_with(b"true");
                    if !sync && !rest.starts_with(b"false") {
                        return None;
                    }
                    return fast_path::value_end(text, value);
                }
                PHASE if is_text => {}
                _ if is(b"otherPid\"") => {}
                _ if is(b"messageSeqno\"") && !is_text => {}
                _ if (is(b"direction\"") || is(b"messageType\"")) && is_text => {}
                PHASE => return None,
                _ if is(b"direction\"") || is(b"messageType\"") || is(b"messageSeqno\"") => return None,
                _ => return fast_path::value_end(text, value),
            }
            // The numbers of messages to a child process are negative.
            let sign = usize::from(text[value] == b'-');
            let (_, end) = fast_path::scalar(text, value + sign)?;
            let raw = if is_text { &text[value + 1..end - 1] } else { &text[value..end] };
            let slot = match word {
                PHASE => &mut phase,
                _ if is(b"otherPid\"") => &mut other,
                _ if is(b"messageSeqno\"") => &mut number,
                _ if is(b"direction\"") => &mut direction,
                _ => &mut kind,
            };
            *slot = Some(raw);
            Some(end)
        })?;
        let number = match number {
            Some(digits) => Some(std::str::from_utf8(digits).ok()?.parse::<i64>().ok()?),
            None => None,
        };
        if [direction, kind, other].into_iter().flatten().any(|text| !text.is_ascii()) {
            return None;
        }
        let all = direction.zip(phase).zip(number).zip(kind).zip(other);
        Some(all.and_then(|((((direction, phase), number), kind), other)| {
            Self::new((direction, phase), (own_pid, other), number, kind, sync)
        }))
    }

    fn from_value(payload: &Value, own_pid: &str) -> Option<Self> {
        let text = |key: &str| payload.get(key).and_then(Value::as_str).map(str::as_bytes);
        let sync = payload.get("sync").is_some_and(Value::is_truthy);
        let other = payload.get("otherPid")?.display_js();
        let direction = (text("direction")?, text("phase")?);
        let number = payload.get("messageSeqno")?.as_i64()?;
        Self::new(direction, (own_pid, other.as_bytes()), number, text("messageType")?, sync)
    }

    fn new(
        (direction, phase): (&[u8], &[u8]),
        (own, other): (&str, &[u8]),
        number: i64,
        kind: &[u8],
        sync: bool,
    ) -> Option<Self> {
        let sending = match direction {
            b"sending" => true,
            b"receiving" => false,
            _ => return None,
        };
        let (sender, receiver) = if sending { (own.as_bytes(), other) } else { (other, own.as_bytes()) };
        Some(Self { key: message_key(sender, receiver, number, kind), sending, sync, phase: Phase::parse(phase)? })
    }
}

/// The rows of one key by role, each role in time order.
#[derive(Debug, Default)]
struct PendingMessage {
    sent: Vec<TimedRow>,
    transfer_start: Vec<TimedRow>,
    transfer_sent: Vec<TimedRow>,
    transfer_end: Vec<TimedRow>,
    received: Vec<TimedRow>,
}

impl PendingMessage {
    /// Removes all rows.
    fn clear(&mut self) {
        for rows in self.roles() {
            rows.clear();
        }
    }

    fn roles(&mut self) -> [&mut Vec<TimedRow>; 5] {
        let Self { sent, transfer_start, transfer_sent, transfer_end, received } = self;
        [sent, transfer_start, transfer_sent, transfer_end, received]
    }

    fn add(&mut self, info: &MessageRow, row: TimedRow) {
        let rows = match (info.sending, info.phase) {
            (true, Phase::Endpoint) => &mut self.sent,
            (true, Phase::TransferStart) => &mut self.transfer_start,
            (true, Phase::TransferEnd) => &mut self.transfer_sent,
            (false, Phase::Endpoint) => &mut self.received,
            (false, _) => &mut self.transfer_end,
        };
        rows.push(row);
    }
}

/// Parallel chunk size, in keys.
const BATCH: usize = 1 << 12;

/// Paired messages, and their rows: thread, index of the row, index of the times.
#[derive(Debug, Default)]
struct Paired {
    times: Vec<MessageTimes>,
    rows: Vec<(u32, u32, u32)>,
}

impl Paired {
    fn add(&mut self, times: MessageTimes, rows: &[TimedRow]) {
        let number = u32::try_from(self.times.len()).unwrap_or(NONE);
        self.times.push(times);
        self.rows.extend(rows.iter().map(|row| (row.thread, row.slot, number)));
    }
}

/// Pairs all raw IPC rows of a recording.
pub(in crate::firefox) fn correlate(
    threads: &[RawThread],
    kinds: &[Vec<PayloadTypeInfo>],
    source: &Source,
) -> Messages {
    let read = |(index, thread)| message_rows(index, thread, &kinds[index], source);
    let found: Vec<(MessageRows, Vec<(MessageKey, TimedRow)>)> = threads.par_iter().enumerate().map(read).collect();
    let (mut threads, keyed): (Vec<MessageRows>, Vec<Vec<(MessageKey, TimedRow)>>) = found.into_iter().unzip();
    let mut all: Vec<(MessageKey, TimedRow)> = Vec::with_capacity(keyed.iter().map(Vec::len).sum());
    keyed.into_iter().for_each(|keyed| all.extend(keyed));
    all.par_sort_unstable();
    let messages: Vec<&[(MessageKey, TimedRow)]> = all.chunk_by(|a, b| a.0 == b.0).collect();
    let pair = |messages: &[&[(MessageKey, TimedRow)]]| {
        let (mut message, mut paired) = (PendingMessage::default(), Paired::default());
        for rows in messages {
            message.clear();
            for (_, row) in *rows {
                message.add(&threads[row.thread as usize].infos[row.slot as usize], *row);
            }
            message.pair(&mut paired);
        }
        paired
    };
    let paired: Vec<Paired> = messages.par_chunks(BATCH).map(pair).collect();
    drop(messages);
    drop(all);
    let mut times = Vec::with_capacity(paired.iter().map(|paired| paired.times.len()).sum());
    for paired in paired {
        let first = u32::try_from(times.len()).unwrap_or(NONE);
        for (thread, slot, number) in paired.rows {
            threads[thread as usize].infos[slot as usize].times = first.saturating_add(number);
        }
        times.extend(paired.times);
    }
    Messages { threads, times }
}

/// The rows of messages that are paired with each other, message by message: thread and row.
pub(in crate::firefox) fn message_groups(
    threads: &[RawThread],
    kinds: &[Vec<PayloadTypeInfo>],
    source: &Source,
) -> Vec<Vec<(u32, u32)>> {
    let mut all: Vec<(MessageKey, (u32, u32))> = Vec::new();
    for (index, thread) in threads.iter().enumerate() {
        let (rows, keyed) = message_rows(index, thread, &kinds[index], source);
        all.extend(keyed.iter().map(|(key, row)| (*key, (row.thread, rows.rows[row.slot as usize]))));
    }
    all.par_sort_unstable();
    let rows = |group: &[(MessageKey, (u32, u32))]| group.iter().map(|(_, row)| *row).collect();
    all.chunk_by(|a, b| a.0 == b.0).map(rows).collect()
}

/// The message rows of a thread, and their keys.
fn message_rows(
    index: usize,
    thread: &RawThread,
    kinds: &[PayloadTypeInfo],
    source: &Source,
) -> (MessageRows, Vec<(MessageKey, TimedRow)>) {
    let is_ipc: Vec<bool> = kinds.iter().map(|kind| kind.name == "IPC").collect();
    let index = u32::try_from(index).unwrap_or(u32::MAX);
    if !is_ipc.contains(&true) {
        return <_>::default();
    }
    let markers = &thread.markers;
    let message = |row: &usize| is_ipc.get(usize::from(markers.kind[*row])) == Some(&true);
    let timed = |row: &usize| markers.start[*row] != NO_TIME;
    let rows = (0..markers.len()).into_par_iter().with_min_len(1 << 12).filter(message).filter(timed);
    let found: Vec<(u32, MessageIdentity)> = rows
        .filter_map(|row| {
            let identity = MessageIdentity::read(source, PayloadRef(markers.payload[row]), &thread.pid)?;
            Some((u32::try_from(row).ok()?, identity))
        })
        .collect();
    let keyed = (0..).zip(&found).map(|(slot, (row, identity))| {
        let time = markers.start[*row as usize] + thread.shift;
        (identity.key, TimedRow { time, thread: index, slot })
    });
    let keyed = keyed.collect();
    let info =
        |(row, MessageIdentity { sending, sync, phase, .. })| (row, MessageRow { sending, sync, phase, times: NONE });
    let (rows, infos) = found.into_iter().map(info).unzip();
    (MessageRows { rows, infos }, keyed)
}

impl PendingMessage {
    /// Pairs the rows, which were added in time order.
    fn pair(&mut self, paired: &mut Paired) {
        let has_sends = !self.sent.is_empty();
        let has_receives = !self.received.is_empty();
        // Without endpoint rows, the transfer rows represent their side.
        let sends = match (has_sends, self.transfer_start.is_empty()) {
            (true, _) => std::mem::take(&mut self.sent),
            (false, false) => std::mem::take(&mut self.transfer_start),
            (false, true) => std::mem::take(&mut self.transfer_sent),
        };
        let receives =
            if has_receives { std::mem::take(&mut self.received) } else { std::mem::take(&mut self.transfer_end) };
        let mut receives = receives.into_iter().peekable();
        let transfers = [&mut self.transfer_start, &mut self.transfer_sent, &mut self.transfer_end];
        let [mut starts, mut leaves, mut arrivals] = transfers.map(|rows| std::mem::take(rows).into_iter().peekable());
        let transfers = [NO_TIME; 3];
        let mut point = |row: TimedRow| paired.add(MessageTimes { start: row.time, end: NO_TIME, transfers }, &[row]);
        let mut whole = Vec::new();
        for send in sends {
            // Receives before all remaining sends have no send.
            while let Some(lost) = receives.next_if(|receive| receive.time < send.time) {
                point(lost);
            }
            match receives.next_if(|_| has_sends && has_receives) {
                Some(receive) => {
                    let transfers = [&mut starts, &mut leaves, &mut arrivals];
                    whole.push((send, receive, transfers.map(|rows| next_within(rows, send.time, receive.time))));
                }
                None => point(send),
            }
        }
        receives.for_each(point);
        for (send, receive, transfers) in whole {
            paired.add(MessageTimes { start: send.time, end: receive.time, transfers }, &[send, receive]);
        }
    }
}

/// The next transfer within the message; earlier ones are dropped.
fn next_within(rows: &mut std::iter::Peekable<std::vec::IntoIter<TimedRow>>, from: Ns, to: Ns) -> Ns {
    while rows.next_if(|row| row.time < from).is_some() {}
    rows.next_if(|row| row.time <= to).map_or(NO_TIME, |row| row.time)
}
