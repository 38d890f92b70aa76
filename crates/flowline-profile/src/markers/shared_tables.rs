//! Many small tables in shared columns.

use std::borrow::Borrow;
use std::sync::Arc;

use rayon::prelude::*;

use super::attributes::Attributes;
use super::build::TimesAndOffsets;
use super::columns::TableRange;
use super::marker::Marker;
use super::table::{EMPTY, MarkerTable};
use crate::columns::DictionaryBuilder;
use crate::{CategoryId, StringId, parallel_chunk_size};

/// Names and categories by provisional name.
pub type Labels<'a> = &'a [(StringId, CategoryId)];

/// Replaces every marker's provisional name with the name and category at that index of its table's labels. Tables with
/// shared columns are changed in place if all tables of these columns are in the list.
pub fn relabel_tables(mut tables: Vec<(&mut MarkerTable, Labels<'_>)>) {
    let columns = |table: &MarkerTable| Arc::as_ptr(&table.columns).addr();
    // Tables of the same columns are usually adjacent.
    tables.sort_by_key(|(table, _)| (columns(table), table.rows.first));
    let mut groups: Vec<&mut [(&mut MarkerTable, Labels<'_>)]> =
        tables.chunk_by_mut(|(a, _), (b, _)| Arc::ptr_eq(&a.columns, &b.columns)).collect();
    let job_len = parallel_chunk_size(groups.len());
    groups.par_iter_mut().with_max_len(job_len).for_each(|group| relabel_group(group));
}

/// Same as [`relabel_tables`], for tables of the same columns.
fn relabel_group(group: &mut [(&mut MarkerTable, Labels<'_>)]) {
    // For changes in place, this function must own the only reference to the columns.
    let [(first, _), ..] = &mut *group else { return };
    let mut columns = std::mem::replace(&mut first.columns, Arc::clone(&EMPTY));
    group.iter_mut().for_each(|(table, _)| table.columns = Arc::clone(&EMPTY));
    let items = Arc::make_mut(&mut columns).attributes.items_mut();
    for (table, labels) in group.iter() {
        for attributes in &mut items[table.items.range()] {
            let (name, category) = labels.get(attributes.name.index()).copied().unwrap_or_default();
            *attributes = attributes.labelled(name, category);
        }
    }
    group.iter_mut().for_each(|(table, _)| table.columns = Arc::clone(&columns));
}

/// Collects tables with a few markers each.
#[derive(Debug)]
pub struct MarkerTablesBuilder {
    columns: TimesAndOffsets,
    attributes: DictionaryBuilder<Attributes>,
    tables: Vec<(TableRange, TableRange)>,
    rows: u32,
}

impl MarkerTablesBuilder {
    /// Maximum number of markers per table.
    pub const MAX_ROWS: usize = 64;

    /// A builder with capacity for this many markers.
    #[must_use]
    #[inline]
    pub fn with_capacity(markers: usize) -> Self {
        let columns = TimesAndOffsets::with_capacity(markers);
        Self { columns, attributes: DictionaryBuilder::with_capacity(markers), tables: Vec::new(), rows: 0 }
    }

    /// Adds a table of at most [`Self::MAX_ROWS`] markers, which must be sorted by start. `name` returns the names, in
    /// order.
    pub fn push<'a, R, M: Borrow<Marker>>(
        &mut self,
        rows: &'a [R],
        marker: impl Fn(&'a R) -> M,
        mut name: impl FnMut(&'a R) -> StringId,
    ) {
        debug_assert!(rows.len() <= Self::MAX_ROWS, "larger tables have their own columns");
        let (first, items) = (self.rows, self.attributes.begin_table());
        for row in rows {
            let marker = marker(row);
            self.columns.push(self.rows as usize, marker.borrow());
            self.attributes.push_in_table(items, Attributes::of(marker.borrow(), name(row)));
            self.rows += 1;
        }
        let part = |first: u32, end: usize| {
            let end = u32::try_from(end).unwrap_or(u32::MAX);
            TableRange { first, len: end - first }
        };
        let first_item = u32::try_from(items).unwrap_or(u32::MAX);
        let items = part(first_item, self.attributes.begin_table());
        self.tables.push((TableRange { first, len: self.rows - first }, items));
    }

    /// The tables, in insertion order.
    #[inline]
    pub fn finish(self) -> impl ExactSizeIterator<Item = MarkerTable> {
        let columns = Arc::new(self.columns.finish(self.attributes));
        self.tables.into_iter().map(move |(rows, items)| MarkerTable { columns: Arc::clone(&columns), rows, items })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::{PayloadRef, Supplement};
    use crate::{LocalMarker, MarkerFlags};
    use flowline_format::Ns;

    fn random_marker(random: &mut fastrand::Rng, start: i64) -> Marker {
        let end = start + if random.bool() { random.i64(0..9) } else { 1 << 40 };
        let ipc = || Supplement::Ipc {
            sent: Some(Ns(start)),
            transfer_start: Some(Ns(start + 1)),
            transfer_sent: None,
            transfer_end: None,
            received: Some(Ns(end)),
        };
        let network = || Supplement::Network { start: PayloadRef(7), fetch_start: Ns(start) };
        let supplement = match random.u8(..6) {
            0 => Some(Box::new(ipc())),
            1 => Some(Box::new(network())),
            _ => None,
        };
        let begin = if supplement.is_none() && random.u8(..4) == 0 { PayloadRef(3) } else { PayloadRef::NONE };
        Marker {
            start: Ns(start),
            end: Ns(end),
            name: StringId(random.u32(..4)),
            category: CategoryId(random.u32(..3)),
            kind: None,
            flags: MarkerFlags::default(),
            payload: if random.bool() { PayloadRef(random.u64(..1 << 45)) } else { PayloadRef::NONE },
            begin,
            supplement,
        }
    }

    #[test]
    fn tables_in_shared_columns_equal_separate_tables() {
        let mut random = fastrand::Rng::with_seed(21);
        let mut builder = MarkerTablesBuilder::with_capacity(0);
        let mut own = Vec::new();
        for _ in 0..200 {
            let most = if random.u8(..8) == 0 { MarkerTablesBuilder::MAX_ROWS } else { 3 };
            let count = random.usize(..=most);
            let mut start = random.i64(-(1 << 50)..1 << 50);
            let markers: Vec<Marker> = (0..count)
                .map(|_| {
                    start += random.i64(0..1000);
                    random_marker(&mut random, start)
                })
                .collect();
            builder.push(&markers, |marker| marker, |marker| marker.name);
            own.push(MarkerTable::build(markers));
        }
        let labels: Vec<_> = (0..4).map(|label| (StringId(label + 10), CategoryId(label + 20))).collect();
        let mut tables: Vec<MarkerTable> = builder.finish().collect();
        relabel_tables(own.iter_mut().map(|table| (table, &labels[..])).collect());
        relabel_tables(tables.iter_mut().map(|table| (table, &labels[..])).collect());
        assert_eq!(tables.len(), own.len());
        for (mut shared, mut own) in tables.into_iter().zip(own) {
            assert!(shared.is_consistent() && own.is_consistent());
            for _ in 0..2 {
                assert!(shared.times().ranges().eq(own.times().ranges()));
                assert_eq!(shared.times().extent(), own.times().extent());
                assert!(shared.payloads().eq(own.payloads()));
                assert!(shared.begins().eq(own.begins()) && shared.requests().eq(own.requests()));
                assert!(shared.attributes().iter().eq(own.attributes().iter()));
                assert_eq!(shared.attributes().items(), own.attributes().items());
                for marker in (0..own.len()).map(LocalMarker::new) {
                    assert_eq!(shared.supplement(marker), own.supplement(marker));
                    assert_eq!(shared.begin(marker), own.begin(marker));
                    assert_eq!(shared.start_payloads().of(marker), own.begin(marker));
                }
                // A change copies shared columns.
                let names: Vec<_> = (0..20).map(|name| StringId(name * 2)).collect();
                shared.remap(&names, &[], CategoryId(5), &[]);
                own.remap(&names, &[], CategoryId(5), &[]);
            }
        }
    }
}
