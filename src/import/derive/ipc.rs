//! IPC messages: the rows of sender and receiver become one marker a side.
//!
//! Rows correlate by (sender pid, receiver pid, sequence number, type). Firefox reuses sequence numbers, so rows of one
//! key are matched in time order, a send before its receive: no message ends before it starts.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::{Context, KindFacts, Names, Output};
use crate::import::raw::{NO_TIME, RawThread};
use crate::profile::payload::decode;
use crate::profile::{MarkerFlags, Ns, PayloadRef, Source, Supplement, Value, WarningKind};

/// What becomes of a raw IPC row.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::import) enum IpcOutcome {
    /// Both sides are known: the message as seen from this row's side.
    Message { start: Ns, end: Ns, supplement: Supplement },
    /// Only this side was recorded.
    Point(Ns),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Endpoint,
    TransferStart,
    TransferEnd,
}

/// One raw row, found in `thread` at `row`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    time: Ns,
    thread: usize,
    row: usize,
}

type Key = (String, String, i64, String);

/// What a payload says about its message; `None` when it cannot be one.
struct Identity {
    key: Key,
    sending: bool,
    phase: Phase,
}

impl Identity {
    fn read(payload: &Value, own_pid: &str) -> Option<Self> {
        let text = |key: &str| payload.get(key).and_then(Value::as_str);
        let sending = match text("direction")? {
            "sending" => true,
            "receiving" => false,
            _ => return None,
        };
        let phase = match text("phase")? {
            "endpoint" => Phase::Endpoint,
            "transferStart" => Phase::TransferStart,
            "transferEnd" => Phase::TransferEnd,
            _ => return None,
        };
        let (own, other) = (own_pid.to_owned(), payload.get("otherPid")?.display_js());
        let (sender, receiver) = if sending { (own, other) } else { (other, own) };
        let key = (sender, receiver, payload.get("messageSeqno")?.as_i64()?, text("messageType")?.to_owned());
        Some(Self { key, sending, phase })
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

/// Decides the outcome of every raw IPC row: a map of rows to outcomes per thread. Rows without one disappear.
pub(in crate::import) fn correlate(
    threads: &[RawThread],
    kinds: &[Vec<KindFacts>],
    source: &Source,
) -> Vec<HashMap<usize, IpcOutcome>> {
    let found: Vec<Vec<(Identity, Row)>> =
        threads.par_iter().enumerate().map(|(index, thread)| rows_of(index, thread, &kinds[index], source)).collect();
    let mut messages: BTreeMap<Key, Message> = BTreeMap::new();
    for (identity, row) in found.into_iter().flatten() {
        let message = messages.entry(identity.key).or_default();
        match (identity.sending, identity.phase) {
            (true, Phase::Endpoint) => message.sent.push(row),
            (true, Phase::TransferStart) => message.transfer_start.push(row),
            (true, Phase::TransferEnd) => message.transfer_sent.push(row),
            (false, Phase::Endpoint) => message.received.push(row),
            (false, _) => message.transfer_end.push(row),
        }
    }
    let mut outcomes = vec![HashMap::new(); threads.len()];
    for message in messages.into_values() {
        message.settle(&mut outcomes);
    }
    outcomes
}

fn rows_of(index: usize, thread: &RawThread, kinds: &[KindFacts], source: &Source) -> Vec<(Identity, Row)> {
    let is_ipc: Vec<bool> = kinds.iter().map(|kind| kind.name == "IPC").collect();
    if !is_ipc.contains(&true) {
        return Vec::new();
    }
    let markers = &thread.markers;
    let message = |row: &usize| is_ipc.get(usize::from(markers.kind[*row])) == Some(&true);
    let timed = |row: &usize| markers.start[*row] != NO_TIME;
    let rows = (0..markers.len()).filter(message).filter(timed);
    rows.filter_map(|row| {
        let payload = decode(source, PayloadRef(markers.payload[row]));
        let time = markers.start[row] + thread.shift;
        Some((Identity::read(&payload, &thread.pid)?, Row { time, thread: index, row }))
    })
    .collect()
}

impl Message {
    fn settle(mut self, outcomes: &mut [HashMap<usize, IpcOutcome>]) {
        for rows in [
            &mut self.sent,
            &mut self.transfer_start,
            &mut self.transfer_sent,
            &mut self.transfer_end,
            &mut self.received,
        ] {
            rows.sort_by_key(|row| row.time);
        }
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
        let [mut starts, mut leaves, mut arrivals] =
            [self.transfer_start, self.transfer_sent, self.transfer_end].map(|rows| rows.into_iter().peekable());
        let mut point = |row: Row| {
            outcomes[row.thread].insert(row.row, IpcOutcome::Point(row.time));
        };
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
        for (send, receive, [transfer_start, transfer_sent, transfer_end]) in whole {
            let supplement = Supplement::Ipc {
                sent: Some(send.time),
                transfer_start,
                transfer_sent,
                transfer_end,
                received: Some(receive.time),
            };
            for row in [send, receive] {
                let outcome =
                    IpcOutcome::Message { start: send.time, end: receive.time, supplement: supplement.clone() };
                outcomes[row.thread].insert(row.row, outcome);
            }
        }
    }
}

/// The next transfer that lies within the message; earlier ones belong to nobody.
fn next_within(rows: &mut std::iter::Peekable<std::vec::IntoIter<Row>>, from: Ns, to: Ns) -> Option<Ns> {
    while rows.next_if(|row| row.time < from).is_some() {}
    rows.next_if(|row| row.time <= to).map(|row| row.time)
}

/// Emits what a raw IPC row became; rows that another one stands for are swallowed. `false` for a row that says too
/// little to be half of a message: it is a marker like any other.
pub(super) fn emit(context: &Context<'_>, names: &mut Names, row: usize, out: &mut Output<'_>) -> bool {
    let payload = context.payload_value(row);
    let Some(outcome) = context.ipc.get(&row) else {
        return context.start(row).is_some() && Identity::read(&payload, &context.raw.pid).is_some();
    };
    let sending = payload.get("direction").and_then(Value::as_str) == Some("sending");
    let sync = payload.get("sync").is_some_and(Value::is_truthy);
    let name = names.of_text(match (sync, sending) {
        (false, true) => "IPCOut",
        (false, false) => "IPCIn",
        (true, true) => "SyncIPCOut",
        (true, false) => "SyncIPCIn",
    });
    match outcome {
        IpcOutcome::Message { start, end, supplement } => {
            let mut marker = context.marker(row, name, *start, *end, MarkerFlags::default());
            marker.supplement = Some(Box::new(supplement.clone()));
            out.emit(marker);
        }
        IpcOutcome::Point(time) => {
            out.warn(WarningKind::UnmatchedIpc, row);
            out.emit(context.marker(row, name, *time, *time, MarkerFlags::INCOMPLETE));
        }
    }
    true
}
