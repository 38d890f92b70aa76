//! The markers of messages.

use super::messages::MessageTimes;
use crate::firefox::derive::context::ThreadContext;
use crate::firefox::derive::names::Names;
use crate::firefox::derive::output::Output;
use crate::firefox::derive::rows::MarkerRows;
use crate::firefox::threads::sentinels::NO_TIME;
use flowline_profile::{MarkerFlags, Supplement, WarningKind};

/// Emits the marker of a raw IPC row; a row that another one represents emits none. Returns `false` for a row without
/// all members of a message, which becomes a marker by phase.
pub(in crate::firefox::derive) fn emit(
    context: &ThreadContext<'_>,
    names: &mut Names,
    row: usize,
    out: &mut Output<'_>,
) -> bool {
    let Some((info, times)) = context.messages.get(context.index, row) else { return false };
    let name = names.intern_text(match (info.sync, info.sending) {
        (false, true) => "IPCOut",
        (false, false) => "IPCIn",
        (true, true) => "SyncIPCOut",
        (true, false) => "SyncIPCIn",
    });
    match times {
        None => {}
        Some(&MessageTimes { start, end: NO_TIME, .. }) => {
            out.warn(WarningKind::UnmatchedIpc, row);
            out.emit(context.marker(row, name, start, start, MarkerFlags::INCOMPLETE), MarkerRows::one(row));
        }
        Some(&MessageTimes { start, end, transfers }) => {
            let (sent, received) = (Some(start), Some(end));
            let [transfer_start, transfer_sent, transfer_end] =
                transfers.map(|time| Some(time).filter(|time| *time != NO_TIME));
            let mut marker = context.marker(row, name, start, end, MarkerFlags::default());
            let supplement = Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received };
            marker.supplement = Some(Box::new(supplement));
            out.emit(marker, MarkerRows::one(row));
        }
    }
    true
}
