//! Payloads of start events, for sequential access.

use super::table::MarkerTable;
use crate::columns::OffsetsView;
use crate::{LocalMarker, PayloadRef};

/// Returns the same as [`MarkerTable::begin`]. Markers in ascending order cost one comparison each instead of a search.
#[derive(Clone, Debug)]
pub struct Begins<'a> {
    /// Rows with such a payload, ascending.
    begun: &'a [u32],
    /// The row of the first marker.
    first: u32,
    places: OffsetsView<'a>,
    /// The first entry that is not before the most recently requested marker.
    next: usize,
}

/// Number of entries to check one by one before searching.
const STEPS: usize = 4;

impl<'a> Begins<'a> {
    pub(super) const fn new(begun: &'a [u32], first: u32, places: OffsetsView<'a>) -> Self {
        Self { begun, first, places, next: 0 }
    }

    /// Payload of a marker's start event, if start and end both have a payload.
    #[inline]
    pub fn of(&mut self, marker: LocalMarker) -> Option<PayloadRef> {
        let row = self.first + marker.0;
        if self.begun.get(self.next).is_some_and(|next| *next < row) || self.is_before(row) {
            self.go_to(row);
        }
        let is_found = self.begun.get(self.next) == Some(&row);
        is_found.then(|| PayloadRef::from_number(self.places.at(self.next)))
    }

    /// True if a row is before the previously requested one, as far as it matters.
    fn is_before(&self, row: u32) -> bool {
        self.next.checked_sub(1).is_some_and(|passed| self.begun[passed] >= row)
    }

    fn go_to(&mut self, row: u32) {
        if self.is_before(row) {
            self.next = 0;
        }
        let rest = &self.begun[self.next..];
        let passed = rest.iter().take(STEPS).take_while(|next| **next < row).count();
        self.next += if passed < STEPS { passed } else { rest.partition_point(|next| *next < row) };
    }
}

impl MarkerTable {
    /// Finds start payloads of markers in ascending order.
    #[must_use]
    #[inline]
    pub fn start_payloads(&self) -> Begins<'_> {
        Begins::new(&self.columns.begun, self.rows.first, self.columns.begins.view())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CategoryId, Marker, MarkerFlags, StringId};
    use flowline_format::Ns;

    #[test]
    fn markers_in_any_order_have_the_same_payloads_as_a_search() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let share = random.f64();
            let marker = |at: i64, begin: PayloadRef| Marker {
                start: Ns(at),
                end: Ns(at),
                name: StringId::default(),
                category: CategoryId::default(),
                kind: None,
                flags: MarkerFlags::default(),
                payload: PayloadRef(1 << 20 | at.unsigned_abs()),
                begin,
                supplement: None,
            };
            let count = random.i64(0..60);
            let begin = |random: &mut fastrand::Rng, at: i64| {
                if random.f64() < share { PayloadRef(at.unsigned_abs()) } else { PayloadRef::NONE }
            };
            let markers = (0..count).map(|at| marker(at, begin(&mut random, at))).collect();
            let table = MarkerTable::build(markers);
            let mut begins = table.start_payloads();
            for at in (0..count).chain((0..80).map(|_| random.i64(0..60))) {
                let asked = LocalMarker::new(usize::try_from(at).expect("not negative"));
                assert_eq!(begins.of(asked), table.begin(asked), "{asked:?} of {count}");
            }
        }
    }
}
