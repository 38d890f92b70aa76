//! `recording`, `process`, `thread` and `track`.

use flowline_profile::{ProcessId, Profile, ThreadId};

use super::builders::{Cell, Columns};
use super::counters::{series, series_track};
use crate::recording::Recording;
use crate::schema::{PROCESS, RECORDING, THREAD, TRACK};

/// A process or thread id as a number; those of other machines and words have none.
fn id_number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// The start of the recording's clock in nanoseconds since 1970.
#[expect(clippy::cast_possible_truncation, reason = "times of today fit; others saturate")]
pub(crate) fn start_unix_ns(profile: &Profile) -> Option<i64> {
    let ms = profile.meta.start_epoch_ms;
    (ms > 0.0 && ms.is_finite())
        .then(|| (ms.trunc() as i64).saturating_mul(1_000_000).saturating_add((ms.fract() * 1e6) as i64))
}

pub(crate) fn recording(own: &Recording) -> Columns {
    let meta = &own.profile().meta;
    let is_timed = meta.capabilities.axis.is_time();
    let labels = own.labels().iter().map(|(key, value)| (key.clone(), serde_json::Value::from(value.as_str())));
    let labels = serde_json::Value::Object(labels.collect()).to_string();
    let mut rows = Columns::new(RECORDING);
    rows.push(&[
        own.id().into(),
        own.file().into(),
        meta.kind.id().into(),
        Some(i64::from(meta.version)).filter(|version| *version > 0).into(),
        Cell::known(&meta.product),
        own.label("os").into(),
        own.label("host").into(),
        start_unix_ns(own.profile()).into(),
        is_timed.then_some(meta.range.start.0).into(),
        is_timed.then_some(meta.range.len()).into(),
        labels.as_str().into(),
    ]);
    rows
}

pub(crate) fn processes(own: &Recording) -> Columns {
    let profile = own.profile();
    let mut rows = Columns::new(PROCESS);
    let mut ranges = vec![None::<(i64, i64)>; profile.processes.len()];
    for thread in profile.threads.iter().filter(|thread| thread.range.start <= thread.range.end) {
        let (start, end) = (thread.range.start.0, thread.range.end.0);
        if let Some(range) = ranges.get_mut(thread.process.index()) {
            *range = Some(range.map_or((start, end), |(from, to)| (from.min(start), to.max(end))));
        }
    }
    for (number, process) in profile.processes.iter().enumerate() {
        rows.push(&[
            own.id().into(),
            Cell::number(ProcessId::new(number).0),
            id_number(&process.pid).into(),
            process.name.as_str().into(),
            ranges[number].map(|(start, _)| start).into(),
            ranges[number].map(|(_, end)| end).into(),
        ]);
    }
    rows
}

pub(crate) fn threads(own: &Recording) -> Columns {
    let profile = own.profile();
    let mut rows = Columns::new(THREAD);
    for (id, thread) in profile.threads_with_ids().filter(|(id, _)| profile.is_thread(*id)) {
        rows.push(&[
            own.id().into(),
            Cell::number(id.0),
            id_number(&thread.tid).into(),
            Cell::number(thread.process.0),
            thread.name.as_str().into(),
            thread.is_main.into(),
        ]);
    }
    rows
}

pub(crate) fn tracks(own: &Recording) -> Columns {
    let profile = own.profile();
    let mut rows = Columns::new(TRACK);
    for (id, thread) in profile.threads_with_ids() {
        rows.push(&[
            own.id().into(),
            Cell::number(id.0),
            own.thread_of_track(id).map(|thread: ThreadId| i64::from(thread.0)).into(),
            Cell::number(thread.process.0),
            thread.kind.name().into(),
            thread.name.as_str().into(),
            thread.parent.map(|parent| i64::from(parent.0)).into(),
            Cell::Null,
        ]);
    }
    for (number, (counter, series)) in series(profile).enumerate() {
        let name = match counter.series_name(series) {
            _ if counter.series.len() == 1 => counter.title().to_owned(),
            series => format!("{}: {series}", counter.title()),
        };
        rows.push(&[
            own.id().into(),
            series_track(profile, number).into(),
            Cell::Null,
            counter.process.map(|process| i64::from(process.0)).into(),
            "counter".into(),
            name.as_str().into(),
            Cell::Null,
            Cell::known(&counter.unit),
        ]);
    }
    rows
}
