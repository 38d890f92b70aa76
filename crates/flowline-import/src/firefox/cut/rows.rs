//! Selects the raw rows of a part of a profile. The profile is read again, because markers do not record all of their
//! rows.

use foldhash::HashMap;
use rayon::prelude::*;

use crate::cut::CutScope;
use crate::error::ImportError;
use crate::firefox::derive::{self, MarkerRows, PayloadTypeInfo, RowLink, ThreadContext};
use crate::firefox::dialect::Dialect;
use crate::firefox::document::parts::Parts;
use crate::firefox::importer::Firefox;
use crate::firefox::joined::join::{self, DeriveContext};
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sentinels::{NO_TIME, NONE};
use crate::importer::{ImportContext, Importer};
use crate::io::text::Text;
use crate::options::Options;
use crate::progress::Progress;
use crate::timings::Timings;
use flowline_profile::{MarkerFlags, Ns, Source, SourceKind, StartOrder, TimeRange, Warnings};

/// The kept rows of a thread.
#[derive(Debug)]
pub(super) struct KeptThread {
    /// For each raw row of the text, true if it is kept.
    pub(super) rows: Vec<bool>,
    /// True if the thread belongs to the part.
    pub(super) is_in_scope: bool,
    /// Offset from its process's clock to the recording's clock.
    pub(super) shift: Ns,
}

/// The kept rows of a profile.
pub(super) struct KeptRows {
    /// By byte offset of the thread's object.
    pub(super) threads: HashMap<usize, KeptThread>,
    pub(super) dialect: Dialect,
}

/// Selects the rows of all threads.
///
/// # Errors
/// If canceled.
pub(super) fn kept_rows(scope: &CutScope<'_>, progress: &Progress) -> Result<KeptRows, ImportError> {
    let source = &scope.profile.source;
    let text = Text::Complete(source.clone());
    let (options, timings) = (Options::default(), Timings::default());
    // The load has already reported the warnings.
    let mut context = ImportContext { options: &options, progress, warnings: Warnings::default(), timings };
    let mut parts = Firefox::read(&text, &mut context)?.parts;
    let derive_context = join::prepare(&mut parts, source, &mut context.warnings);
    let has_range = parts.metas.first().is_some_and(|meta| meta.profiling_start.zip(meta.profiling_end).is_some());
    let choose = |(index, raw): (usize, &RawThread)| {
        let thread = derive_context.context(index, raw, source, &parts.metas);
        selected_rows(scope, &ThreadContext { wants_rows: true, ..thread }, has_range)
    };
    let mut chosen: Vec<Vec<bool>> = parts.threads.par_iter().enumerate().with_max_len(1).map(choose).collect();
    keep_messages(&parts, &derive_context, source, &mut chosen);
    if scope.removal.screenshots {
        for ((index, raw), rows) in parts.threads.iter().enumerate().zip(&mut chosen) {
            remove_screenshots(raw, &derive_context.kinds[index], has_range, rows);
        }
    }
    let dialect = match scope.profile.meta.kind {
        SourceKind::FirefoxRaw => Dialect::Raw,
        _ => Dialect::Processed,
    };
    let threads = parts.threads.iter().zip(chosen).enumerate().map(|(index, (raw, rows))| {
        let is_in_scope = scope.has_thread(index);
        let rows = with_allocations(raw, rows, |time| is_in_scope && scope.contains(time + raw.shift));
        (raw.offset, KeptThread { rows, is_in_scope, shift: raw.shift })
    });
    Ok(KeptRows { threads: threads.collect(), dialect })
}

/// The selected rows of a thread, without its allocations. `has_range` is true if the profile defines its time range.
fn selected_rows(scope: &CutScope<'_>, context: &ThreadContext<'_>, has_range: bool) -> Vec<bool> {
    let mut rows = vec![false; context.raw.markers.len()];
    let (derived, _) = derive::derive(context);
    let order = StartOrder::new(derived.markers.iter().map(|marker| marker.start), <[u128]>::sort_unstable);
    let order: Vec<usize> = order.positions().collect();
    // The marker of each row.
    let mut markers = vec![NONE; rows.len()];
    for (at, made_of) in (0_u32..).zip(&derived.rows) {
        let other = if made_of.link == RowLink::Pair { made_of.other } else { NONE };
        for row in [made_of.own, other] {
            if let Some(slot) = markers.get_mut(row as usize) {
                *slot = at;
            }
        }
    }
    // Keeps the rows of markers. Returns true if any of them lasts until the end of its thread, and so needs that end.
    let follow = |mut pending: Vec<usize>, rows: &mut [bool]| {
        let mut needs_range = false;
        while let Some(at) = pending.pop() {
            let Some(&MarkerRows { own, other, link }) = derived.rows.get(at) else { continue };
            let marker = &derived.markers[at];
            needs_range |= marker.flags.has(MarkerFlags::INCOMPLETE) || marker.end == context.range.end;
            keep(rows, own);
            // The row that ends this marker is a marker too. Its own end must not change, so its rows are also kept,
            // unless it begins after the part.
            let next = markers.get(other as usize).map(|marker| *marker as usize);
            let is_before_end = |at: &usize| derived.markers.get(*at).is_some_and(|next| next.start < scope.range.end);
            let is_needed =
                link == RowLink::ReplacedBy || (link == RowLink::Until && next.as_ref().is_some_and(is_before_end));
            if is_needed && rows.get(other as usize) == Some(&false) {
                pending.extend(next);
            }
            keep(rows, other);
        }
        needs_range
    };
    let in_scope = scope.markers(context.index).iter().filter_map(|marker| order.get(marker.index()));
    let needs_range = follow(in_scope.copied().collect(), &mut rows);
    if context.raw.samples.is_some() {
        return rows;
    }
    let Some(own) = derive::thread_range(context.raw, Ns(0)) else { return rows };
    let recording = scope.profile.meta.range;
    let is_bound = own.start == recording.start || own.end == recording.end;
    if needs_range || (is_bound && !has_range) {
        let bounds = range_rows(context.raw, own).into_iter().flatten();
        let pending = bounds.filter_map(|bound| {
            keep(&mut rows, bound);
            markers.get(bound as usize).map(|marker| *marker as usize)
        });
        let pending = pending.collect();
        follow(pending, &mut rows);
    }
    rows
}

/// Keeps a row if it exists.
fn keep(rows: &mut [bool], row: u32) {
    if let Some(slot) = rows.get_mut(row as usize) {
        *slot = true;
    }
}

/// The rows that define the range of a thread without samples.
fn range_rows(raw: &RawThread, range: TimeRange) -> [Option<u32>; 2] {
    let markers = &raw.markers;
    let is_at = |row: usize, wanted: Ns| {
        let phase = markers.phase[row];
        let is = |time: Ns| time != NO_TIME && time + raw.shift == wanted;
        (matches!(phase, 0..=2) && is(markers.start[row])) || (matches!(phase, 1 | 3) && is(markers.end[row]))
    };
    let find = |wanted: Ns| (0..markers.len()).find(|row| is_at(*row, wanted)).and_then(|row| u32::try_from(row).ok());
    [find(range.start), find(range.end)]
}

/// Removes the rows of screenshots, except those that define the time range.
fn remove_screenshots(raw: &RawThread, kinds: &[PayloadTypeInfo], has_range: bool, rows: &mut [bool]) {
    let range = derive::thread_range(raw, Ns(0)).filter(|_| raw.samples.is_none() && !has_range);
    let bounds = range.map(|range| range_rows(raw, range)).unwrap_or_default();
    for ((row, is_kept), kind) in (0_u32..).zip(rows).zip(&raw.markers.kind) {
        let is_screenshot = kinds.get(usize::from(*kind)).is_some_and(PayloadTypeInfo::is_screenshot);
        *is_kept &= !is_screenshot || bounds.contains(&Some(row));
    }
}

/// Keeps all rows of a message if one of them is kept: both sides determine its send and receive times.
fn keep_messages(parts: &Parts, derive_context: &DeriveContext, source: &Source, chosen: &mut [Vec<bool>]) {
    for group in derive::message_groups(&parts.threads, &derive_context.kinds, source) {
        let is_kept = |(thread, row): &(u32, u32)| {
            chosen.get(*thread as usize).and_then(|rows| rows.get(*row as usize)).copied().unwrap_or(false)
        };
        if group.iter().any(is_kept) {
            for (thread, row) in group {
                if let Some(rows) = chosen.get_mut(thread as usize) {
                    keep(rows, row);
                }
            }
        }
    }
}

/// The rows of the text: those of markers, and allocations, which are selected by time.
fn with_allocations(raw: &RawThread, rows: Vec<bool>, is_kept: impl Fn(Ns) -> bool) -> Vec<bool> {
    if raw.allocation_rows.is_empty() {
        return rows;
    }
    let mut all = Vec::with_capacity(rows.len() + raw.allocation_rows.len());
    let mut rows = rows.into_iter();
    for (row, time) in &raw.allocation_rows {
        all.extend(rows.by_ref().take((*row as usize).saturating_sub(all.len())));
        all.push(*time != NO_TIME && is_kept(*time));
    }
    all.extend(rows);
    all
}
