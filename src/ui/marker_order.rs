//! The order of the marker table, on all cores.
//!
//! Ten million rows are to be in order before a person has let go of the button. A thread's markers are in time order
//! already, so a piece of time is cut out of every thread and sorted by itself; then each row has a place in time order.
//! Lengths are sorted as plain words of 64 bits, the length in the upper half, that place in the lower, so that ties keep
//! time order without a look at the markers: in runs first, then piece by piece. A run or a piece fits the processor's
//! cache. Few markers are so long that their length does not fit half a word.

use rayon::prelude::*;

use super::marker_table::Column;
use crate::index::search::Hits;
use crate::profile::describe::LabelKind;
use crate::profile::{LocalMarker, MarkerId, Ns, Profile, ThreadId, TimeRange};

/// Markers of a run or piece, about.
const PIECE: usize = 1 << 16;
/// Markers looked at to cut one piece.
const SAMPLES: usize = 8;

/// Lengths and places of those whose length does not fit a half.
type Long = Vec<(i64, u32)>;

/// A marker that is put in order.
struct Row {
    start: Ns,
    id: MarkerId,
    length: i64,
}

/// Which markers are put in order.
#[derive(Clone, Copy)]
struct Selection<'a> {
    profile: &'a Profile,
    hits: Option<&'a Hits>,
    range: Option<TimeRange>,
}

/// The markers of a selection in an order. Ties keep time order, then file order.
#[must_use]
pub fn ordered(
    profile: &Profile,
    hits: Option<&Hits>,
    range: Option<TimeRange>,
    column: Column,
    descending: bool,
) -> Vec<MarkerId> {
    let selection = Selection { profile, hits, range };
    let mut rows = match column {
        Column::Start => selection.by_start(),
        Column::Duration => selection.by_duration(),
        Column::Name => {
            let ranks = ranks(profile.strings.iter().map(|(_, text)| text));
            selection.by_rank(|thread, local| ranks[profile.thread(thread).markers.name[local.index()].index()])
        }
        Column::Thread => {
            let ranks = ranks(profile.threads.iter().map(|thread| thread.name.as_str()));
            selection.by_rank(|thread, _| ranks[thread.index()])
        }
        Column::Details => selection.by_details(),
    };
    if descending {
        rows.reverse();
    }
    rows
}

impl<'a> Selection<'a> {
    fn threads(self) -> impl IndexedParallelIterator<Item = ThreadId> {
        (0..self.profile.threads.len()).into_par_iter().map(ThreadId::new).with_max_len(1)
    }

    /// Number of candidates in a thread: all markers, or the hits.
    fn len(self, thread: ThreadId) -> usize {
        self.hits.map_or_else(|| self.profile.thread(thread).markers.len(), |hits| hits.thread(thread).len())
    }

    /// A candidate by position; in time order.
    fn at(self, thread: ThreadId, position: usize) -> LocalMarker {
        self.hits.map_or_else(|| LocalMarker::new(position), |hits| hits.thread(thread)[position])
    }

    fn start(self, thread: ThreadId, position: usize) -> Ns {
        self.profile.thread(thread).markers.start[self.at(thread, position).index()]
    }

    /// The candidates at some positions that are in the range, with id, start and end.
    fn markers(
        self,
        thread: ThreadId,
        positions: std::ops::Range<usize>,
    ) -> impl Iterator<Item = (MarkerId, Ns, Ns)> + 'a {
        let data = self.profile.thread(thread);
        let (starts, ends): (&'a [Ns], &'a [Ns]) = (&data.markers.start, &data.markers.end);
        positions.filter_map(move |position| {
            let local = self.at(thread, position);
            let (start, end) = (starts[local.index()], ends[local.index()]);
            let is_in = self.range.is_none_or(|range| start <= range.end && end >= range.start);
            is_in.then(|| (data.global(local), start, end))
        })
    }

    /// All by start, then id.
    fn by_start(self) -> Vec<MarkerId> {
        self.pieces().into_par_iter().flat_map_iter(|piece| piece.into_iter().map(|row| row.id)).collect()
    }

    /// Pieces of time one after the other, each by start, then id.
    fn pieces(self) -> Vec<Vec<Row>> {
        let total: usize = (0..self.profile.threads.len()).map(|thread| self.len(ThreadId::new(thread))).sum();
        let step = (PIECE / SAMPLES).min(total.max(1));
        let mut samples: Vec<Ns> = self
            .threads()
            .flat_map_iter(|thread| (0..self.len(thread)).step_by(step).map(move |at| self.start(thread, at)))
            .collect();
        samples.par_sort_unstable();
        let mut cuts: Vec<Ns> = samples.into_iter().step_by(SAMPLES).skip(1).collect();
        cuts.dedup();
        let piece = |piece: usize| {
            let from = piece.checked_sub(1).map(|before| cuts[before]);
            let part = |thread: ThreadId| {
                let begin = from.map_or(0, |from| self.before(thread, from));
                let end = cuts.get(piece).map_or_else(|| self.len(thread), |to| self.before(thread, *to));
                (thread, begin..end)
            };
            let parts: Vec<_> = (0..self.profile.threads.len()).map(ThreadId::new).map(part).collect();
            let mut rows = Vec::with_capacity(parts.iter().map(|(_, positions)| positions.len()).sum());
            for (thread, positions) in parts {
                let row = |(id, start, end): (MarkerId, Ns, Ns)| Row { start, id, length: (end - start).0 };
                rows.extend(self.markers(thread, positions).map(row));
            }
            rows.sort_unstable_by_key(|row| (row.start, row.id));
            rows
        };
        (0..cuts.len() + 1).into_par_iter().with_max_len(1).map(piece).collect()
    }

    /// How many candidates of a thread start before a time.
    fn before(self, thread: ThreadId, time: Ns) -> usize {
        let (mut low, mut high) = (0, self.len(thread));
        while low < high {
            let middle = low.midpoint(high);
            if self.start(thread, middle) < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// By length, then start, then id; instants are as long as zero.
    fn by_duration(self) -> Vec<MarkerId> {
        // Rows in time order have places, which stand for start and id.
        let pieces = self.pieces();
        let mut place = 0;
        let placed = pieces.iter().map(|piece| {
            place += piece.len();
            (piece, place - piece.len())
        });
        let placed: Vec<(&Vec<Row>, usize)> = placed.collect();
        let runs: Vec<(Vec<u64>, Long)> = placed
            .into_par_iter()
            .with_max_len(1)
            .map(|(piece, first)| {
                let (mut short, mut long) = (Vec::with_capacity(piece.len()), Vec::new());
                for (row, place) in piece.iter().zip(u32::try_from(first).unwrap_or(u32::MAX)..) {
                    match u32::try_from(row.length.max(0)) {
                        Ok(length) => short.push(word(length, place)),
                        Err(_) => long.push((row.length, place)),
                    }
                }
                short.sort_unstable();
                (short, long)
            })
            .collect();
        let rows: Vec<MarkerId> =
            pieces.into_par_iter().flat_map_iter(|piece| piece.into_iter().map(|row| row.id)).collect();
        const STRIDE: usize = PIECE / 256;
        let mut samples: Vec<u64> =
            runs.par_iter().flat_map_iter(|(short, _)| short.iter().step_by(STRIDE)).copied().collect();
        samples.par_sort_unstable();
        let cuts: Vec<u64> = samples.into_iter().step_by(PIECE / STRIDE).skip(1).collect();
        let piece = |piece: usize| {
            let mut keys = Vec::with_capacity(2 * PIECE);
            for (short, _) in &runs {
                let place = |cut: &u64| short.partition_point(|key| key < cut);
                let begin = piece.checked_sub(1).map_or(0, |before| place(&cuts[before]));
                keys.extend_from_slice(&short[begin..cuts.get(piece).map_or(short.len(), place)]);
            }
            keys.sort_unstable();
            keys
        };
        let ordered = (0..cuts.len() + 1).into_par_iter().with_max_len(1).flat_map_iter(piece);
        let mut ids: Vec<MarkerId> = ordered.map(|key| rows[lower(key)]).collect();
        let mut long: Long = runs.into_iter().flat_map(|(_, long)| long).collect();
        long.par_sort_unstable();
        ids.extend(long.into_iter().map(|(_, place)| rows[place as usize]));
        ids
    }

    /// By a number, then start, then id.
    fn by_rank(self, rank: impl Fn(ThreadId, LocalMarker) -> u32 + Sync) -> Vec<MarkerId> {
        let rows = self.by_start();
        let rank_of = |id| self.profile.locate(id).map_or(0, |(thread, local)| rank(thread, local));
        // Rows are in time order already, so their places stand for it.
        let places = rows.par_iter().zip(0_u32..u32::MAX);
        let mut keys: Vec<u64> = places.map(|(id, place)| word(rank_of(*id), place)).collect();
        keys.par_sort_unstable();
        keys.into_par_iter().map(|key| rows[lower(key)]).collect()
    }

    /// By what the schema says of a marker in tables, then start, then id.
    fn by_details(self) -> Vec<MarkerId> {
        let key = |id: MarkerId| {
            let place = self.profile.locate(id);
            let text = place.map(|(thread, local)| self.profile.marker_label(LabelKind::Table, thread, local));
            text.unwrap_or_default().to_lowercase()
        };
        let mut rows = self.by_start();
        rows.par_sort_by_cached_key(|id| key(*id));
        rows
    }
}

/// The place of each text among the different ones, case ignored.
fn ranks<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut texts: Vec<(String, usize)> = texts.zip(0..).map(|(text, number)| (text.to_lowercase(), number)).collect();
    texts.par_sort_unstable();
    let mut ranks = vec![0; texts.len()];
    for (rank, same) in (0_u32..).zip(texts.chunk_by(|a, b| a.0 == b.0)) {
        same.iter().for_each(|(_, number)| ranks[*number] = rank);
    }
    ranks
}

/// A number above a place.
fn word(number: u32, place: u32) -> u64 {
    u64::from(number) << 32 | u64::from(place)
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn lower(word: u64) -> usize {
    word as u32 as usize
}
