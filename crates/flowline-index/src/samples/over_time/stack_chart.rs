//! The stack chart of a thread: its calls, with one row per depth and a pyramid per row.
//!
//! The calls come from the importer if it provides them, else from the samples. Charts are built when they are first
//! shown, and their pyramids for each way to color calls.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::calls;
use super::folded_calls::folded_calls;
use crate::colors::CallPalette;
use crate::rows::{Clock, FirstFit, Packed, Pyramid, RowItems, Style};
use flowline_profile::samples::CallTable;
use flowline_profile::{Implementation, LocalMarker, Ns, Profile, ThreadId, TimeRange, get_or_build};

/// Calls by row.
#[derive(Clone, Debug, Default)]
pub struct CallRows {
    order: Vec<u32>,
    ends: Vec<u32>,
}

impl CallRows {
    /// Distributes the calls of `order` to rows, given the row of each call.
    fn new(row_of: &[u32], order: &[u32], rows: usize) -> Self {
        let mut next = vec![0_u32; rows + 1];
        for call in order {
            next[row_of[*call as usize] as usize + 1] += 1;
        }
        for row in 0..rows {
            next[row + 1] += next[row];
        }
        let ends = next[1..].to_vec();
        let mut by_row = vec![0; order.len()];
        for &call in order {
            let place = &mut next[row_of[call as usize] as usize];
            by_row[*place as usize] = call;
            *place += 1;
        }
        Self { order: by_row, ends }
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no rows.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Calls of a row, sorted by start and by end.
    #[must_use]
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.order[start..self.ends[row] as usize]
    }

    /// The same rows with only the calls for which `keep` is true.
    pub(crate) fn filtered(&self, keep: impl Fn(u32) -> bool) -> Self {
        let mut rows = Self::default();
        for row in 0..self.len() {
            rows.order.extend(self.row(row).iter().copied().filter(|call| keep(*call)));
            rows.ends.push(u32::try_from(rows.order.len()).unwrap_or(u32::MAX));
        }
        rows
    }
}

/// Calls of a row by position. Calls are numbered within their thread.
pub struct RowCalls<'a> {
    calls: &'a CallTable,
    palette: CallPalette<'a>,
    clock: Clock,
    order: &'a [u32],
}

impl<'a> RowCalls<'a> {
    pub(crate) const fn new(calls: &'a CallTable, palette: CallPalette<'a>, clock: Clock, order: &'a [u32]) -> Self {
        Self { calls, palette, clock, order }
    }

    /// Ticks and style of any call of the thread, on this row or not.
    #[must_use]
    pub fn packed_call(&self, call: u32) -> Packed {
        let at = call as usize;
        let (start, end) = (self.calls.start[at], self.calls.end[at]);
        let style = Style::of(self.palette.colors(self.calls.stack[at]));
        Packed::new(self.clock.tick(start), self.clock.tick(end.max(start)), style)
    }
}

impl RowItems for RowCalls<'_> {
    fn len(&self) -> usize {
        self.order.len()
    }

    fn packed(&self, position: usize) -> Packed {
        self.packed_call(self.order[position])
    }

    fn marker(&self, position: usize) -> LocalMarker {
        LocalMarker(self.order[position])
    }

    fn length(&self, call: LocalMarker) -> u64 {
        let packed = self.packed_call(call.0);
        packed.end() - packed.start()
    }
}

/// Builds the pyramids of rows.
pub(crate) fn pyramids(calls: &CallTable, palette: CallPalette<'_>, clock: Clock, rows: &CallRows) -> Vec<Pyramid> {
    let of_row = |row| Pyramid::build(&RowCalls::new(calls, palette, clock, rows.row(row)));
    (0..rows.len()).into_par_iter().map(of_row).collect()
}

/// The stack chart of a thread.
#[derive(Debug)]
pub struct StackChart {
    thread: ThreadId,
    /// Filter of functions.
    pub functions: Implementation,
    /// Calls, unless they are those of the recording.
    own: Option<Arc<CallTable>>,
    /// Self time of each call.
    self_times: Vec<Ns>,
    rows: CallRows,
    pyramids: OnceLock<Vec<Pyramid>>,
}

impl StackChart {
    /// Builds the rows of a thread for the calls that pass a function filter.
    pub(crate) fn build(profile: &Profile, thread: ThreadId, functions: Implementation) -> Self {
        let samples = profile.thread(thread).samples.as_deref();
        let given = samples.and_then(|samples| samples.calls.as_ref());
        let stacks = &profile.stacks;
        let own = match given {
            Some(_) if functions == Implementation::All => None,
            Some(given) => Some(calls::shown(stacks, given, functions)),
            None if functions == Implementation::Folded => Some(folded_calls(profile, thread)),
            None => samples.map(|samples| {
                let last = profile.last_sample_length(&samples.cpu);
                calls::filtered_from_samples(stacks, &samples.cpu, last, functions)
            }),
        };
        let own = own.map(Arc::new);
        let empty = CallTable::default();
        let table = own.as_deref().or(given).unwrap_or(&empty);
        let order = in_order(table);
        let (row_of, rows) = place(table, &order);
        let rows = CallRows::new(&row_of, &order, rows);
        let self_times = self_times(table, &order);
        Self { thread, functions, own, self_times, rows, pyramids: Default::default() }
    }

    /// The chart without the `hidden` calls, which must be ascending. Calls keep their numbers, and callees of hidden
    /// calls move up.
    pub(crate) fn without(&self, profile: &Profile, hidden: &[u32]) -> Self {
        let calls = self.calls(profile);
        let all = in_order(calls);
        let (row_of, order, rows) = place_without(calls, &all, hidden);
        self.on_rows(&row_of, &order, rows)
    }

    /// The same calls on other rows, given the row of each call, the calls to show in start order, and the number of rows.
    pub(crate) fn on_rows(&self, row_of: &[u32], order: &[u32], rows: usize) -> Self {
        let rows = CallRows::new(row_of, order, rows);
        let (own, self_times) = (self.own.clone(), self.self_times.clone());
        Self { thread: self.thread, functions: self.functions, own, self_times, rows, pyramids: Default::default() }
    }

    /// The thread.
    pub(crate) const fn thread(&self) -> ThreadId {
        self.thread
    }

    /// Calls of the chart.
    #[must_use]
    #[inline]
    pub fn calls<'a>(&'a self, profile: &'a Profile) -> &'a CallTable {
        static NONE: OnceLock<CallTable> = OnceLock::new();
        let given = || profile.thread(self.thread).samples.as_ref()?.calls.as_ref();
        self.own.as_deref().or_else(given).unwrap_or_else(|| NONE.get_or_init(CallTable::default))
    }

    /// Calls by row.
    #[must_use]
    #[inline]
    pub const fn rows(&self) -> &CallRows {
        &self.rows
    }

    /// Pyramids of the rows, once they are built.
    #[must_use]
    #[inline]
    pub fn pyramids(&self) -> Option<&[Pyramid]> {
        self.pyramids.get().map(Vec::as_slice)
    }

    /// Builds the pyramids, unless they are built.
    pub(crate) fn build_pyramids(&self, profile: &Profile, clock: Clock, palette: CallPalette<'_>) {
        get_or_build(&self.pyramids, || pyramids(self.calls(profile), palette, clock, &self.rows));
    }

    /// Start and end of a call; `None` for an unknown call.
    #[must_use]
    #[inline]
    pub fn times(&self, profile: &Profile, call: u32) -> Option<TimeRange> {
        let calls = self.calls(profile);
        let start = *calls.start.get(call as usize)?;
        Some(TimeRange { start, end: calls.end[call as usize].max(start) })
    }

    /// Self time of a call.
    #[must_use]
    #[inline]
    pub fn self_time(&self, call: u32) -> Option<Ns> {
        self.self_times.get(call as usize).copied()
    }

    /// Row of a call, and its position in the row.
    #[must_use]
    pub fn find(&self, profile: &Profile, call: u32) -> Option<(usize, usize)> {
        let calls = self.calls(profile);
        let (start, depth) = (*calls.start.get(call as usize)?, calls.depth[call as usize] as usize);
        let on_row = |row: usize| {
            let order = self.rows.row(row);
            let first = order.partition_point(|other| calls.start[*other as usize] < start);
            let mut same = order[first..].iter().take_while(|other| calls.start[**other as usize] == start);
            Some((row, first + same.position(|other| *other == call)?))
        };
        let rows = self.rows.len();
        // Only calls from malformed input, and calls among markers, are not on the row of their depth.
        (depth.min(rows)..rows).chain(0..depth.min(rows)).find_map(on_row)
    }

    /// True if a call of a row touches a range.
    #[must_use]
    #[inline]
    pub fn shows(&self, profile: &Profile, row: usize, range: TimeRange) -> bool {
        let (calls, order) = (self.calls(profile), self.rows.row(row));
        let first = order.partition_point(|call| calls.end[*call as usize] < range.start);
        order.get(first).is_some_and(|call| calls.start[*call as usize] <= range.end)
    }
}

/// Calls by start, longer ones first. Tables are already in this order unless the input is malformed.
fn in_order(calls: &CallTable) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(calls.len()).unwrap_or(u32::MAX)).collect();
    if !calls.start.is_sorted() {
        let key = |call: &u32| (calls.start[*call as usize], std::cmp::Reverse(calls.end[*call as usize]));
        order.sort_by_key(key);
    }
    order
}

/// Row of each call, and the number of rows. The row is the call's depth, or a lower row if that one is still occupied.
fn place(calls: &CallTable, order: &[u32]) -> (Vec<u32>, usize) {
    let (mut fit, mut row_of, mut rows) = (FirstFit::new(), vec![0; calls.len()], 0);
    for &call in order {
        let at = call as usize;
        let (start, end) = (calls.start[at].0, calls.end[at].0);
        // Callers come before callees, so a depth beyond the number of rows is malformed input.
        let row = fit.place_from((calls.depth[at] as usize).min(rows), start, end.max(start));
        row_of[at] = u32::try_from(row).unwrap_or(u32::MAX);
        rows = rows.max(row + 1);
    }
    (row_of, rows)
}

/// Row of each call, the calls that are not hidden, in order, and the number of rows. A call moves up by the number of
/// hidden calls around it.
fn place_without(calls: &CallTable, order: &[u32], hidden: &[u32]) -> (Vec<u32>, Vec<u32>, usize) {
    let (mut fit, mut row_of, mut rows) = (FirstFit::new(), vec![0; calls.len()], 0);
    let (mut shown, mut around): (Vec<u32>, Vec<Ns>) = (Vec::new(), Vec::new());
    for &call in order {
        let at = call as usize;
        let (start, end) = (calls.start[at], calls.end[at].max(calls.start[at]));
        while around.pop_if(|until| *until < end || *until <= start && start < end).is_some() {}
        if hidden.binary_search(&call).is_ok() {
            around.push(end);
            continue;
        }
        let depth = (calls.depth[at] as usize).saturating_sub(around.len());
        let row = fit.place_from(depth.min(rows), start.0, end.0);
        row_of[at] = u32::try_from(row).unwrap_or(u32::MAX);
        rows = rows.max(row + 1);
        shown.push(call);
    }
    (row_of, shown, rows)
}

/// Self time of each call: its length without the calls directly inside.
fn self_times(calls: &CallTable, order: &[u32]) -> Vec<Ns> {
    let mut times: Vec<Ns> = (0..calls.len()).map(|at| Ns((calls.end[at] - calls.start[at]).0.max(0))).collect();
    let mut open: Vec<u32> = Vec::new();
    for &call in order {
        let (start, end) = (calls.start[call as usize], calls.end[call as usize]);
        while open.pop_if(|other| calls.end[*other as usize] <= start).is_some() {}
        if let Some(&caller) = open.last() {
            let inside = (end.min(calls.end[caller as usize]) - start).0.max(0);
            let time = &mut times[caller as usize];
            *time = Ns((time.0 - inside).max(0));
        }
        open.push(call);
    }
    times
}
