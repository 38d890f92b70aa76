//! Network requests: URLs, times, and phases.
//!
//! Traces have several events per request, Firefox profiles one marker per process; they are joined. DNS,
//! connect, and TLS phases exist only if the recording contains their times. Requests are built on first use: only
//! events with one of a dozen names are decoded, on all cores.

mod channels;
mod chrome;
mod chrome_event;
mod firefox;
mod of_index;
mod phase;
mod request;
mod requests;
mod rows;

pub use flowline_profile::text::{parts_of_url, short_name};
pub use phase::{Phase, PhaseKind, PhaseWeight};
pub use request::{NetworkRequest, NetworkRequestId, Outcome, Redirect, short_host};
pub use requests::{Network, RequestUrls};
pub use rows::{Bar, NetworkTrack, RowBars};
