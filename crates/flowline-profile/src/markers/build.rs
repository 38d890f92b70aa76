//! Builds the columns of a table: in one pass, or in two parallel passes if a core is idle.

use std::borrow::Borrow;

use super::attributes::Attributes;
use super::columns::{MarkerColumns, NO_DELAY};
use super::marker::Marker;
use super::start_order::StartOrder;
use super::table::MarkerTable;
use super::times::TimesBuilder;
use crate::columns::{DictionaryBuilder, OffsetsBuilder};
use crate::{LocalMarker, PayloadRef, StringId, Supplement, is_a_core_idle};

/// Number of markers in a table above which a second core helps.
const LARGE: usize = 1 << 14;

/// The delays of a message that is sent at its marker's start and received at its end; `None` for other messages.
fn message_delays(marker: &Marker, supplement: &Supplement) -> Option<[u32; 3]> {
    let Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received } = supplement else {
        return None;
    };
    if (*sent, *received) != (Some(marker.start), Some(marker.end)) {
        return None;
    }
    let mut delays = [NO_DELAY; 3];
    for (delay, time) in delays.iter_mut().zip([transfer_start, transfer_sent, transfer_end]) {
        if let Some(time) = time {
            *delay = u32::try_from((*time - marker.start).0).ok().filter(|delay| *delay != NO_DELAY)?;
        }
    }
    Some(delays)
}

/// All columns except the attributes.
#[derive(Debug)]
pub(super) struct TimesAndOffsets {
    times: TimesBuilder,
    payloads: OffsetsBuilder,
    begun: Vec<u32>,
    begins: OffsetsBuilder,
    messages: Vec<[u32; 4]>,
    supplements: Vec<(LocalMarker, Supplement)>,
}

impl TimesAndOffsets {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            times: TimesBuilder::with_capacity(count),
            payloads: OffsetsBuilder::with_capacity(count),
            begun: Vec::new(),
            begins: OffsetsBuilder::with_capacity(0),
            messages: Vec::new(),
            supplements: Vec::new(),
        }
    }

    /// Appends a row with this number.
    #[inline]
    pub(super) fn push(&mut self, index: usize, marker: &Marker) {
        self.times.push(marker.start, marker.end);
        self.payloads.push(marker.payload.to_number());
        let number = LocalMarker::new(index);
        if marker.begin != PayloadRef::NONE {
            self.begun.push(number.0);
            self.begins.push(marker.begin.to_number());
        }
        if let Some(supplement) = &marker.supplement {
            match message_delays(marker, supplement) {
                Some([start, sent, end]) => self.messages.push([number.0, start, sent, end]),
                None => self.supplements.push((number, (**supplement).clone())),
            }
        }
    }

    pub(super) fn finish(mut self, attributes: DictionaryBuilder<Attributes>) -> MarkerColumns {
        self.begun.shrink_to_fit();
        self.messages.shrink_to_fit();
        MarkerColumns {
            times: self.times.finish(),
            attributes: attributes.finish(),
            payloads: self.payloads.finish(),
            begun: self.begun.into(),
            begins: self.begins.finish(),
            messages: self.messages.into(),
            supplements: self.supplements,
        }
    }
}

impl MarkerTable {
    /// A table of `markers`, stably sorted by start.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "markers are freed as soon as the table is built")]
    pub fn build(markers: Vec<Marker>) -> Self {
        if markers.is_sorted_by_key(|marker| marker.start) {
            return Self::from_rows(&markers, |marker| marker, |marker| marker.name);
        }
        let order = StartOrder::new(markers.iter().map(|marker| marker.start), <[u128]>::sort_unstable);
        let marker = |key: &u128| &markers[StartOrder::position(*key)];
        Self::from_rows(order.keys(), marker, |key| marker(key).name)
    }

    /// A table of the markers in `rows`, which must be sorted by start. `name` returns the names, in order.
    #[must_use]
    pub fn from_rows<'a, R: Sync, M: Borrow<Marker>>(
        rows: &'a [R],
        marker: impl Fn(&'a R) -> M + Sync,
        mut name: impl FnMut(&'a R) -> StringId + Send,
    ) -> Self {
        let mut columns = TimesAndOffsets::with_capacity(rows.len());
        let mut attributes = DictionaryBuilder::with_capacity(rows.len());
        if rows.len() < LARGE || !is_a_core_idle() {
            for (index, row) in rows.iter().enumerate() {
                let marker = marker(row);
                columns.push(index, marker.borrow());
                attributes.push(Attributes::of(marker.borrow(), name(row)));
            }
            return MarkerTable::of_columns(columns.finish(attributes));
        }
        rayon::join(
            || rows.iter().enumerate().for_each(|(index, row)| columns.push(index, marker(row).borrow())),
            || rows.iter().for_each(|row| attributes.push(Attributes::of(marker(row).borrow(), name(row)))),
        );
        MarkerTable::of_columns(columns.finish(attributes))
    }
}
