//! Additions to the payload of a marker that was derived from several raw ones.

use super::payload_ref::PayloadRef;
use crate::persist::persist;
use flowline_format::Ns;

/// Additions to the payload that a marker's offset points to.
#[derive(Clone, Debug, PartialEq)]
pub enum Supplement {
    /// The start payload; the marker's own (end) payload takes precedence key by key.
    Start(PayloadRef),
    /// A network request: `startTime` comes from the START payload, `fetchStart` is the start of the STOP marker.
    Network {
        /// Payload of the START marker.
        start: PayloadRef,
        /// Start of the STOP marker.
        fetch_start: Ns,
    },
    /// An IPC message, with times from both sides.
    Ipc {
        /// When the sender wrote it.
        sent: Option<Ns>,
        /// When the transfer began on the sender's side.
        transfer_start: Option<Ns>,
        /// When the transfer ended on the sender's side.
        transfer_sent: Option<Ns>,
        /// When the transfer ended on the receiver's side.
        transfer_end: Option<Ns>,
        /// When the receiver handled it.
        received: Option<Ns>,
    },
}
persist!(enum Supplement {
    0 => Start(start),
    1 => Network { start, fetch_start },
    2 => Ipc { sent, transfer_start, transfer_sent, transfer_end, received },
});
