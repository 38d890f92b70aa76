//! The rows of a process's network requests: bars packed first-fit, with a pyramid for each row.

use std::collections::BTreeMap;

use super::request::{NetworkRequest, NetworkRequestId};
use crate::rows::{Clock, FirstFit, Packed, Pyramid, RowItems, Style, touching};
use flowline_profile::{Kind, LocalMarker, MarkerId, Ns, ProcessId};

/// A bar: a request, or one of its redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The request.
    pub request: NetworkRequestId,
    /// The number of the redirect, if the bar is a redirect.
    pub redirect: Option<u32>,
    /// The marker that a click on the bar selects.
    pub marker: MarkerId,
    /// Ticks and color.
    pub packed: Packed,
}

/// The bars of a row: numbers, and ticks on this row.
#[derive(Clone, Debug, Default)]
struct Row {
    bars: Vec<(u32, Packed)>,
    pyramid: Pyramid,
}

/// The network rows of a process.
#[derive(Clone, Debug, Default)]
pub struct NetworkTrack {
    bars: Vec<Bar>,
    /// The bars of each request, by request.
    of_request: Vec<(NetworkRequestId, u32)>,
    rows: Vec<Row>,
    /// All bars on one row, each starting at the end of the previous bar if they overlap.
    summary: Row,
    requests: usize,
    bytes: u64,
}

/// The bars of a row by position.
#[derive(Clone, Copy, Debug)]
pub struct RowBars<'a> {
    track: &'a NetworkTrack,
    row: &'a Row,
}

impl RowItems for RowBars<'_> {
    fn len(&self) -> usize {
        self.row.bars.len()
    }

    fn packed(&self, position: usize) -> Packed {
        self.row.bars[position].1
    }

    /// The bar's number.
    fn marker(&self, position: usize) -> LocalMarker {
        LocalMarker(self.row.bars[position].0)
    }

    fn length(&self, bar: LocalMarker) -> u64 {
        let packed = self.track.bars[bar.index()].packed;
        packed.end() - packed.start()
    }
}

impl<'a> RowBars<'a> {
    /// The level-of-detail pyramid of the row.
    #[must_use]
    #[inline]
    pub const fn pyramid(&self) -> &'a Pyramid {
        &self.row.pyramid
    }

    /// The numbers of the bars, by start.
    #[inline]
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.row.bars.iter().map(|(number, _)| *number)
    }

    /// Number of bars that start at or before a tick.
    #[must_use]
    pub fn started(&self, tick: u64) -> usize {
        self.row.bars.partition_point(|(_, bar)| bar.start() <= tick)
    }

    /// The position of a bar on the row.
    #[must_use]
    #[inline]
    pub fn position(&self, bar: u32) -> Option<usize> {
        // Bars are numbered by start.
        self.row.bars.binary_search_by_key(&bar, |(number, _)| *number).ok()
    }
}

/// The tracks of all processes.
pub(super) fn tracks(requests: &[NetworkRequest], clock: Clock) -> BTreeMap<ProcessId, NetworkTrack> {
    let mut of_process: BTreeMap<ProcessId, Vec<NetworkRequestId>> = BTreeMap::new();
    for (at, request) in requests.iter().enumerate() {
        of_process.entry(request.process).or_default().push(NetworkRequestId::new(at));
    }
    of_process.into_iter().map(|(process, ids)| (process, NetworkTrack::new(requests, &ids, clock))).collect()
}

impl NetworkTrack {
    fn new(requests: &[NetworkRequest], ids: &[NetworkRequestId], clock: Clock) -> Self {
        let mut bars: Vec<Bar> = Vec::with_capacity(ids.len());
        for id in ids {
            let request = &requests[id.index()];
            let style = Style::new(request.content_kind() as u8);
            let bar = |redirect, marker, start: Ns, end: Ns, style| Bar {
                request: *id,
                redirect,
                marker,
                packed: Packed::new(clock.tick(start), clock.tick(end.max(start)), style),
            };
            let redirects = (0_u32..).zip(&request.redirects);
            bars.extend(redirects.map(|(number, redirect)| {
                bar(Some(number), redirect.marker, redirect.start, redirect.end, Style::new(Kind::System as u8))
            }));
            let style = style.with_incomplete(request.outcome == super::Outcome::Unfinished);
            bars.push(bar(None, request.marker, request.own_start(), request.end, style));
        }
        bars.sort_by_key(|bar| (bar.packed.start(), bar.packed.end()));
        let received = ids.iter().filter_map(|id| u64::try_from(requests[id.index()].encoded_bytes?).ok());
        let bytes = received.fold(0, u64::saturating_add);
        let mut track = Self { bars, requests: ids.len(), bytes, ..Self::default() };
        track.of_request = track.numbered().map(|(number, bar)| (bar.request, number)).collect();
        track.of_request.sort_unstable();
        track.pack();
        track.summarise();
        track
    }

    fn numbered(&self) -> impl Iterator<Item = (u32, &Bar)> {
        (0_u32..).zip(&self.bars)
    }

    fn pack(&mut self) {
        let mut fit = FirstFit::new();
        let mut rows: Vec<Row> = Vec::new();
        let signed = |tick: u64| i64::try_from(tick).unwrap_or(i64::MAX);
        for (number, bar) in self.numbered() {
            let row = fit.place(signed(bar.packed.start()), signed(bar.packed.end()));
            if rows.len() <= row {
                rows.resize_with(row + 1, Row::default);
            }
            rows[row].bars.push((number, bar.packed));
        }
        self.rows = rows.into_iter().map(|row| self.with_pyramid(row)).collect();
    }

    fn summarise(&mut self) {
        let mut row = Row::default();
        let mut covered = None;
        for (number, bar) in self.numbered() {
            let (start, end) = (bar.packed.start(), bar.packed.end());
            if covered.is_none_or(|until| end > until) {
                row.bars.push((number, Packed::new(start.max(covered.unwrap_or(0)), end, bar.packed.style())));
                covered = Some(end);
            }
        }
        self.summary = self.with_pyramid(row);
    }

    fn with_pyramid(&self, row: Row) -> Row {
        let pyramid = Pyramid::build(&RowBars { track: self, row: &row });
        Row { pyramid, ..row }
    }

    /// Number of requests.
    #[must_use]
    #[inline]
    pub const fn requests(&self) -> usize {
        self.requests
    }

    /// Bytes received by all requests, as far as the recording states them.
    #[must_use]
    #[inline]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// All bars, by start.
    #[must_use]
    #[inline]
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// A row; `None` selects the summary row.
    #[must_use]
    #[inline]
    pub fn row(&self, row: Option<usize>) -> Option<RowBars<'_>> {
        let row = row.map_or(Some(&self.summary), |row| self.rows.get(row))?;
        Some(RowBars { track: self, row })
    }

    /// The numbers of the bars of a request, by start.
    #[inline]
    pub fn bars_of(&self, request: NetworkRequestId) -> impl Iterator<Item = u32> + Clone {
        let first = self.of_request.partition_point(|(of, _)| *of < request);
        self.of_request[first..].iter().take_while(move |(of, _)| *of == request).map(|(_, bar)| *bar)
    }

    /// True if a row contains a bar that touches a range of ticks.
    #[must_use]
    #[inline]
    pub fn shows(&self, row: usize, (from, to): (u64, u64)) -> bool {
        self.row(Some(row)).is_some_and(|bars| !touching(&bars, from, to).is_empty())
    }

    /// The rows with only the bars for which `keep` returns true. Rows keep their numbers.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&Bar) -> bool) -> Self {
        let kept = |row: &Row| {
            let bars = row.bars.iter().filter(|(number, _)| keep(&self.bars[*number as usize])).copied();
            self.with_pyramid(Row { bars: bars.collect(), pyramid: Pyramid::default() })
        };
        Self {
            bars: self.bars.clone(),
            of_request: self.of_request.clone(),
            rows: self.rows.iter().map(kept).collect(),
            summary: kept(&self.summary),
            requests: self.requests,
            bytes: self.bytes,
        }
    }
}
