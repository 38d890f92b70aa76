//! The clock of the whole trace, which a part of it states in the metadata of Chrome (`ChromeMetadata`).

use super::wire::Fields;
use crate::trace_events::CutClock;
use flowline_profile::{Ns, TimeRange};

/// Name of the metadata entry (`ChromeMetadata`) with the clock of the whole trace: start and end of its main part in
/// nanoseconds, separated by a space, or nothing.
pub(super) const CLOCK: &[u8] = "flowline_clock".as_bytes();

/// Reads the clock from the metadata of Chrome; `None` without one.
pub(super) fn stated_clock(bundle: &[u8]) -> Option<CutClock> {
    let mut entries = Fields::new(bundle).filter(|field| field.number == 2);
    let entry = entries.find(|entry| entry.message().field(1).is_some_and(|name| name.bytes() == CLOCK))?;
    let text = std::str::from_utf8(entry.message().field(2)?.bytes()).ok()?;
    if text.is_empty() {
        return Some(CutClock(None));
    }
    let (start, end) = text.split_once(' ')?;
    let (start, end) = (Ns(start.parse().ok()?), Ns(end.parse().ok()?));
    (start <= end).then_some(CutClock(Some(TimeRange { start, end })))
}
