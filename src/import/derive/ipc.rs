//! IPC messages: the rows of sender and receiver become one marker a side.
//!
//! Rows correlate by (sender pid, receiver pid, sequence number, type). Firefox reuses sequence numbers, so rows of one
//! key are matched in time order, a send before its receive: no message ends before it starts.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};
use rayon::prelude::*;

use super::{Context, KindFacts, Names, Output};
use crate::import::raw::{NO_TIME, NONE, RawThread};
use crate::profile::json::plain;
use crate::profile::payload::decode;
use crate::profile::{MarkerFlags, Ns, PayloadRef, Source, Supplement, Value, WarningKind};

/// A raw row that is half of a message.
#[derive(Clone, Copy, Debug)]
struct Half {
    sending: bool,
    sync: bool,
    phase: Phase,
    /// Number of its outcome; [`NONE`] where another row stands for it.
    outcome: u32,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// When it was sent; of one that was recorded on one side only, when that was.
    start: Ns,
    /// When it was received; [`NO_TIME`] if only one side was recorded.
    end: Ns,
    /// When its transfer began, left, arrived; [`NO_TIME`] where it is not known.
    transfers: [Ns; 3],
}

/// The rows of a thread that are halves of messages.
#[derive(Debug, Default)]
struct Halves {
    /// Ascending.
    rows: Vec<u32>,
    halves: Vec<Half>,
}

/// All messages of a recording.
#[derive(Debug, Default)]
pub(in crate::import) struct Messages {
    threads: Vec<Halves>,
    outcomes: Vec<Outcome>,
}

impl Messages {
    /// What a row of a thread is half of, and what became of it.
    fn get(&self, thread: usize, row: usize) -> Option<(&Half, Option<&Outcome>)> {
        let halves = self.threads.get(thread)?;
        let slot = halves.rows.binary_search(&u32::try_from(row).ok()?).ok()?;
        let half = &halves.halves[slot];
        Some((half, self.outcomes.get(half.outcome as usize)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Endpoint,
    TransferStart,
    TransferEnd,
}

impl Phase {
    fn of(text: &[u8]) -> Option<Self> {
        match text {
            b"endpoint" => Some(Self::Endpoint),
            b"transferStart" => Some(Self::TransferStart),
            b"transferEnd" => Some(Self::TransferEnd),
            _ => None,
        }
    }
}

/// One raw row: the half of a number in `thread`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    time: Ns,
    thread: u32,
    slot: u32,
}

/// What rows of one message have in common: pid of the sender and of the receiver, number and type, as two hashes of
/// which nobody can foresee one; where both are equal, all of it is.
type Key = (u64, u64);

fn key_of(sender: &[u8], receiver: &[u8], number: i64, kind: &[u8]) -> Key {
    static SEEDED: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    let key = (sender, receiver, number, kind);
    (FixedState::default().hash_one(key), SEEDED.hash_one(key))
}

/// What a payload says about its message; `None` when it cannot be one.
#[derive(Clone, Copy)]
struct Identity {
    key: Key,
    sending: bool,
    sync: bool,
    phase: Phase,
}

impl Identity {
    fn of(source: &Source, place: PayloadRef, own_pid: &str) -> Option<Self> {
        let plain = place.offset().and_then(|start| Self::plain(source.bytes(), start, own_pid));
        plain.unwrap_or_else(|| Self::of_value(&decode(source, place), own_pid))
    }

    /// Of a payload that is written plainly; `None` for any other.
    fn plain(text: &[u8], start: usize, own_pid: &str) -> Option<Option<Self>> {
        const PHASE: u64 = plain::key_word(b"phase");
        const SYNC: u64 = plain::key_word(b"sync");
        let (mut direction, mut phase, mut number, mut kind, mut other) = (None, None, None, None, None);
        let mut sync = false;
        plain::members(text, start, |word, key, value| {
            let name = text.get(key + 1..)?;
            let is = |wanted: &[u8]| word == plain::LONG && name.starts_with(wanted);
            let is_text = *text.get(value)? == b'"';
            match word {
                // What is true is told from what is not by the reader of values, where it is no plain truth value.
                SYNC => {
                    let rest = text.get(value..)?;
                    sync = rest.starts_with(b"true");
                    if !sync && !rest.starts_with(b"false") {
                        return None;
                    }
                    return plain::value_end(text, value);
                }
                PHASE if is_text => {}
                _ if is(b"otherPid\"") => {}
                _ if is(b"messageSeqno\"") && !is_text => {}
                _ if (is(b"direction\"") || is(b"messageType\"")) && is_text => {}
                PHASE => return None,
                _ if is(b"direction\"") || is(b"messageType\"") || is(b"messageSeqno\"") => return None,
                _ => return plain::value_end(text, value),
            }
            let (raw, end) = plain::scalar(text, value)?;
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

    fn of_value(payload: &Value, own_pid: &str) -> Option<Self> {
        let text = |key: &str| payload.get(key).and_then(Value::as_str).map(str::as_bytes);
        let sync = payload.get("sync").is_some_and(Value::is_truthy);
        let other = payload.get("otherPid")?.display_js();
        let way = (text("direction")?, text("phase")?);
        let number = payload.get("messageSeqno")?.as_i64()?;
        Self::new(way, (own_pid, other.as_bytes()), number, text("messageType")?, sync)
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
        Some(Self { key: key_of(sender, receiver, number, kind), sending, sync, phase: Phase::of(phase)? })
    }
}

/// The rows of one key, by role, each in time order.
#[derive(Debug, Default)]
struct Message {
    sent: Vec<Row>,
    transfer_start: Vec<Row>,
    transfer_sent: Vec<Row>,
    transfer_end: Vec<Row>,
    received: Vec<Row>,
}

impl Message {
    /// Begins anew.
    fn clear(&mut self) {
        for rows in self.roles() {
            rows.clear();
        }
    }

    fn roles(&mut self) -> [&mut Vec<Row>; 5] {
        let Self { sent, transfer_start, transfer_sent, transfer_end, received } = self;
        [sent, transfer_start, transfer_sent, transfer_end, received]
    }

    fn add(&mut self, half: &Half, row: Row) {
        let rows = match (half.sending, half.phase) {
            (true, Phase::Endpoint) => &mut self.sent,
            (true, Phase::TransferStart) => &mut self.transfer_start,
            (true, Phase::TransferEnd) => &mut self.transfer_sent,
            (false, Phase::Endpoint) => &mut self.received,
            (false, _) => &mut self.transfer_end,
        };
        rows.push(row);
    }
}

/// Keys whose messages are settled by one job.
const BATCH: usize = 1 << 12;

/// Messages that are settled, and the rows they are settled for: thread, number of the half, number of the outcome.
#[derive(Debug, Default)]
struct Settled {
    outcomes: Vec<Outcome>,
    rows: Vec<(u32, u32, u32)>,
}

impl Settled {
    fn add(&mut self, outcome: Outcome, rows: &[Row]) {
        let number = u32::try_from(self.outcomes.len()).unwrap_or(NONE);
        self.outcomes.push(outcome);
        self.rows.extend(rows.iter().map(|row| (row.thread, row.slot, number)));
    }
}

/// Decides the outcome of every raw IPC row.
pub(in crate::import) fn correlate(threads: &[RawThread], kinds: &[Vec<KindFacts>], source: &Source) -> Messages {
    let of_thread = |(index, thread)| halves_of(index, thread, &kinds[index], source);
    let found: Vec<(Halves, Vec<(Key, Row)>)> = threads.par_iter().enumerate().map(of_thread).collect();
    let (mut threads, keyed): (Vec<Halves>, Vec<Vec<(Key, Row)>>) = found.into_iter().unzip();
    let mut all: Vec<(Key, Row)> = Vec::with_capacity(keyed.iter().map(Vec::len).sum());
    keyed.into_iter().for_each(|keyed| all.extend(keyed));
    all.par_sort_unstable();
    let messages: Vec<&[(Key, Row)]> = all.chunk_by(|a, b| a.0 == b.0).collect();
    let settle = |messages: &[&[(Key, Row)]]| {
        let (mut message, mut settled) = (Message::default(), Settled::default());
        for rows in messages {
            message.clear();
            for (_, row) in *rows {
                message.add(&threads[row.thread as usize].halves[row.slot as usize], *row);
            }
            message.settle(&mut settled);
        }
        settled
    };
    let settled: Vec<Settled> = messages.par_chunks(BATCH).map(settle).collect();
    drop(messages);
    drop(all);
    let mut outcomes = Vec::with_capacity(settled.iter().map(|settled| settled.outcomes.len()).sum());
    for settled in settled {
        let first = u32::try_from(outcomes.len()).unwrap_or(NONE);
        for (thread, slot, outcome) in settled.rows {
            threads[thread as usize].halves[slot as usize].outcome = first.saturating_add(outcome);
        }
        outcomes.extend(settled.outcomes);
    }
    Messages { threads, outcomes }
}

/// The halves of messages in a thread, and what to put them together by.
fn halves_of(index: usize, thread: &RawThread, kinds: &[KindFacts], source: &Source) -> (Halves, Vec<(Key, Row)>) {
    let is_ipc: Vec<bool> = kinds.iter().map(|kind| kind.name == "IPC").collect();
    let index = u32::try_from(index).unwrap_or(u32::MAX);
    if !is_ipc.contains(&true) {
        return <_>::default();
    }
    let markers = &thread.markers;
    let message = |row: &usize| is_ipc.get(usize::from(markers.kind[*row])) == Some(&true);
    let timed = |row: &usize| markers.start[*row] != NO_TIME;
    let rows = (0..markers.len()).into_par_iter().with_min_len(1 << 12).filter(message).filter(timed);
    let found: Vec<(u32, Identity)> = rows
        .filter_map(|row| {
            let identity = Identity::of(source, PayloadRef(markers.payload[row]), &thread.pid)?;
            Some((u32::try_from(row).ok()?, identity))
        })
        .collect();
    let keyed = (0..).zip(&found).map(|(slot, (row, identity))| {
        let time = markers.start[*row as usize] + thread.shift;
        (identity.key, Row { time, thread: index, slot })
    });
    let keyed = keyed.collect();
    let half = |(row, Identity { sending, sync, phase, .. })| (row, Half { sending, sync, phase, outcome: NONE });
    let (rows, halves) = found.into_iter().map(half).unzip();
    (Halves { rows, halves }, keyed)
}

impl Message {
    /// Matches what was added, which came in the order of time.
    fn settle(&mut self, settled: &mut Settled) {
        let has_sends = !self.sent.is_empty();
        let has_receives = !self.received.is_empty();
        // Without endpoints the transfers stand for their side.
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
        let mut point = |row: Row| settled.add(Outcome { start: row.time, end: NO_TIME, transfers }, &[row]);
        let mut whole = Vec::new();
        for send in sends {
            // Receives before every send that is left have lost theirs.
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
            settled.add(Outcome { start: send.time, end: receive.time, transfers }, &[send, receive]);
        }
    }
}

/// The next transfer that lies within the message; earlier ones belong to nobody.
fn next_within(rows: &mut std::iter::Peekable<std::vec::IntoIter<Row>>, from: Ns, to: Ns) -> Ns {
    while rows.next_if(|row| row.time < from).is_some() {}
    rows.next_if(|row| row.time <= to).map_or(NO_TIME, |row| row.time)
}

/// Emits what a raw IPC row became; rows that another one stands for are swallowed. `false` for a row that says too
/// little to be half of a message: it is a marker like any other.
pub(super) fn emit(context: &Context<'_>, names: &mut Names, row: usize, out: &mut Output<'_>) -> bool {
    let Some((half, outcome)) = context.messages.get(context.index, row) else { return false };
    let name = names.of_text(match (half.sync, half.sending) {
        (false, true) => "IPCOut",
        (false, false) => "IPCIn",
        (true, true) => "SyncIPCOut",
        (true, false) => "SyncIPCIn",
    });
    match outcome {
        None => {}
        Some(&Outcome { start, end: NO_TIME, .. }) => {
            out.warn(WarningKind::UnmatchedIpc, row);
            out.emit(context.marker(row, name, start, start, MarkerFlags::INCOMPLETE));
        }
        Some(&Outcome { start, end, transfers }) => {
            let (sent, received) = (Some(start), Some(end));
            let [transfer_start, transfer_sent, transfer_end] =
                transfers.map(|time| Some(time).filter(|time| *time != NO_TIME));
            let mut marker = context.marker(row, name, start, end, MarkerFlags::default());
            let way = Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received };
            marker.supplement = Some(Box::new(way));
            out.emit(marker);
        }
    }
    true
}
