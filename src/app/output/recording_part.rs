//! Parts of recordings, written as smaller recordings of the same format.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::guard::OutputGuard;
use flowline_import::cut::{CutError, CutScope, Removal, check_format};
use flowline_import::{Progress, write_part};
use flowline_index::Index;
use flowline_index::marker_dependencies::{add_flow_dividers, add_flow_members, add_marker_dependencies};
use flowline_index::search::Hits;
use flowline_profile::{LocalMarker, ThreadId, TimeRange};

/// The markers of a part of a recording.
#[derive(Clone, Copy, Debug)]
pub struct PartChoice<'a> {
    /// Time range on the recording's clock; `None` for all times.
    pub range: Option<TimeRange>,
    /// The threads; `None` for all.
    pub threads: Option<&'a [ThreadId]>,
    /// The hits of a search; `None` without one.
    pub hits: Option<&'a Hits>,
    /// True if the part contains all markers of the flows in it.
    pub with_flows: bool,
    /// Private content that the part does not contain.
    pub removal: Removal,
}

impl PartChoice<'_> {
    /// Finds the markers, and those that they depend on. `None` if a search selects none.
    #[must_use]
    pub fn scope(self, index: &Index) -> Option<CutScope<'_>> {
        let profile = index.profile();
        let range = self.range.unwrap_or(ALL_TIMES);
        let mut threads = vec![self.threads.is_none(); profile.threads.len()];
        for thread in self.threads.into_iter().flatten() {
            threads[thread.index()] = true;
        }
        let of_thread = |id: ThreadId| -> Vec<LocalMarker> {
            let in_range = profile.thread(id).markers.in_range(range);
            in_range.filter(|marker| self.hits.is_none_or(|hits| hits.contains(id, *marker))).collect()
        };
        let ids = profile.threads_with_ids().map(|(id, _)| id);
        let mut markers: Vec<Vec<LocalMarker>> =
            ids.map(|id| if threads[id.index()] { of_thread(id) } else { Vec::new() }).collect();
        let is_searched = self.hits.is_some();
        if is_searched && markers.iter().all(Vec::is_empty) {
            return None;
        }
        if self.with_flows {
            add_flow_members(index, &mut markers);
        }
        if profile.source.holds_events() {
            let in_range = self.range.filter(|_| !is_searched && self.threads.is_none());
            add_marker_dependencies(index, in_range, &mut markers);
        } else {
            add_flow_dividers(index, &mut markers);
        }
        Some(CutScope { profile, range, threads, markers, is_searched, removal: self.removal })
    }
}

/// All times of a clock.
const ALL_TIMES: TimeRange =
    TimeRange { start: flowline_profile::Ns(i64::MIN + 1), end: flowline_profile::Ns(i64::MAX) };

/// Writes the part of a recording in a time range to a file atomically, without the content to remove; the file is compressed if its name ends in `.gz`.
/// Returns false if it was canceled through `progress`; then there is no file.
///
/// # Errors
/// If the recording's format cannot be cut, and errors of the file.
pub fn save_range(
    guard: &OutputGuard,
    index: &Arc<Index>,
    range: TimeRange,
    removal: Removal,
    path: &Path,
    progress: &Progress,
) -> Result<bool, CutError> {
    check_format(index.profile())?;
    let choice = PartChoice { range: Some(range), threads: None, hits: None, with_flows: false, removal };
    let Some(scope) = choice.scope(index) else { return Ok(false) };
    let guard = guard.clone().reading(&index.profile().source);
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let written = guard.write_file(path, |out| {
        let mut out = Cancelable { out, progress };
        let result = if is_packed {
            let mut encoder = flate2::write::GzEncoder::new(&mut out, flate2::Compression::default());
            write_part(&scope, &mut encoder, progress).and_then(|()| Ok(encoder.finish().map(|_| ())?))
        } else {
            write_part(&scope, &mut out, progress)
        };
        match result {
            _ if progress.is_cancelled() => Ok(None),
            written => written.map(Some),
        }
    })?;
    Ok(written.is_some())
}

/// A writer that fails once writing was canceled.
struct Cancelable<'a> {
    out: &'a mut dyn Write,
    progress: &'a Progress,
}

impl Write for Cancelable<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.progress.is_cancelled() {
            return Err(std::io::Error::other("canceled"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
