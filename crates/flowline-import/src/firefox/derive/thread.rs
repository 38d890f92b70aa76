//! Derives the markers of one thread.

use super::context::ThreadContext;
use super::ipc;
use super::names::Names;
use super::network::Network;
use super::output::{Derived, Output};
use super::pairs::Pairs;
use super::rows::MarkerRows;
use super::rules::Rule;
use super::screenshots::Screenshots;
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sentinels::{NO_TIME, NONE};
use flowline_profile::{MarkerFlags, Ns, StringId, TimeRange, WarningKind, Warnings};

/// Derives the markers of one thread; returns them with the warnings.
pub(in crate::firefox) fn derive(context: &ThreadContext<'_>) -> (Derived, Warnings) {
    let derived = Derived { markers: Vec::with_capacity(context.raw.markers.len()), ..Derived::default() };
    let mut out = Output { context, warnings: Warnings::default(), derived };
    let mut names = Names { by_index: vec![NONE; context.strings.len()], ..Names::default() };
    let mut pairs = Pairs::default();
    let mut network = Network::default();
    let mut screenshots = Screenshots::default();
    for row in 0..context.raw.markers.len() {
        let (name, known) = names.intern_index(context, context.raw.markers.name[row]);
        if !known || context.has_unknown_category(row) {
            out.warn(WarningKind::IndexOutOfRange, row);
        }
        let is_derived = match context.kind(row).map_or(Rule::Phase, |kind| kind.rule) {
            Rule::Phase => false,
            Rule::Ipc => ipc::emit(context, &mut names, row, &mut out),
            Rule::Network => network.take(context, row, name, &mut out),
            Rule::Screenshot => screenshots.take(context, row, name, false, &mut out),
            Rule::WindowDestroyed => screenshots.take(context, row, name, true, &mut out),
        };
        if !is_derived {
            derive_by_phase(context, row, name, &mut pairs, &mut out);
        }
    }
    network.finish(context, &mut out);
    screenshots.finish(context, &mut out);
    pairs.finish(context, &mut out);
    out.derived.names = names.list;
    (out.derived, out.warnings)
}

fn derive_by_phase(context: &ThreadContext<'_>, row: usize, name: StringId, pairs: &mut Pairs, out: &mut Output<'_>) {
    match context.raw.markers.phase[row] {
        1 => match (context.start(row), context.end(row)) {
            (Some(start), Some(end)) => {
                if end < start {
                    out.warn(WarningKind::NegativeDuration, row);
                }
                let (start, end) = (start.min(end), start.max(end));
                out.emit(context.marker(row, name, start, end, MarkerFlags::default()), MarkerRows::one(row));
            }
            _ => out.warn(WarningKind::BadTime, row),
        },
        2 => pairs.open(context, row, name, out),
        3 => pairs.close(context, row, name, out),
        phase => {
            if phase != 0 {
                out.warn(WarningKind::UnknownPhase, row);
            }
            // An unknown phase does not determine which time applies; use the first valid one.
            let time = if phase == 0 { context.start(row) } else { context.start(row).or(context.end(row)) };
            match time {
                Some(time) => {
                    out.emit(context.marker(row, name, time, time, MarkerFlags::INSTANT), MarkerRows::one(row));
                }
                None => out.warn(WarningKind::BadTime, row),
            }
        }
    }
}

/// The time range of a thread: its samples plus one interval, or its markers if it has no samples.
pub(in crate::firefox) fn thread_range(raw: &RawThread, interval: Ns) -> Option<TimeRange> {
    if let Some((first, last)) = raw.samples {
        return Some(TimeRange::new(first + raw.shift, last + raw.shift + interval));
    }
    let mut range: Option<TimeRange> = None;
    let mut include = |time: Ns| {
        if time != NO_TIME {
            let point = TimeRange::new(time + raw.shift, time + raw.shift);
            range = Some(range.map_or(point, |range| range.union(point)));
        }
    };
    for (row, phase) in raw.markers.phase.iter().enumerate() {
        if matches!(phase, 0..=2) {
            include(raw.markers.start[row]);
        }
        if matches!(phase, 1 | 3) {
            include(raw.markers.end[row]);
        }
    }
    range
}
