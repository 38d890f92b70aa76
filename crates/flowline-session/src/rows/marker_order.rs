//! The order of the marker table, on all cores. Ten million rows must be sorted before the user releases the mouse
//! button. The markers of a thread are already in time order, so the recording is cut into pieces of time that fit the
//! processor's cache, and each piece is merged by itself. To sort by duration, each piece distributes its rows over
//! bins of similar durations; then each bin is collected from all pieces and sorted by itself. Every step is stable, so
//! equal durations stay in time order. The few durations that do not fit 32 bits are sorted separately.

mod column;
mod radix;

pub use column::MarkerColumn;

use rayon::prelude::*;

use flowline_index::nesting::self_times;
use flowline_profile::text::LabelKind;
use flowline_profile::{HiddenTypes, LocalMarker, MarkerId, Ns, Profile, ThreadId, TimeRange, parallel_chunk_size};
use flowline_scene::Scope;

/// Approximate number of markers in a piece.
const PIECE: usize = 1 << 16;
/// Sampled markers per piece.
const SAMPLES: usize = 8;

/// A row as one number: start, id and duration, from the highest bits to the lowest.
type PackedRow = u128;

/// Marks a duration that does not fit 32 bits.
const TOO_LONG: u32 = u32::MAX;

fn row((id, start, end): (MarkerId, Ns, Ns)) -> PackedRow {
    let length = u32::try_from((end - start).0.max(0)).unwrap_or(TOO_LONG);
    // Maps to unsigned numbers in the same order.
    let start = start.0.cast_unsigned() ^ (1 << 63);
    u128::from(start) << 64 | u128::from(id.0) << 32 | u128::from(length)
}

/// Unpacks id and duration.
#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn id_and_length(row: PackedRow) -> (MarkerId, u32) {
    (MarkerId((row >> 32) as u32), row as u32)
}

/// Bits below the highest one that all durations of a bin share.
const DIGITS: u32 = 6;
/// Number of bins.
const BINS: usize = 27 << DIGITS;

/// The bin of a duration; longer durations have later bins.
const fn bin(length: u32) -> usize {
    if length < 1 << DIGITS {
        return length as usize;
    }
    let shift = length.ilog2() - DIGITS;
    (((shift + 1) << DIGITS) + (length >> shift) - (1 << DIGITS)) as usize
}

/// Number of low bits in which the durations of a bin differ.
#[expect(clippy::cast_possible_truncation, reason = "less than 32")]
const fn varying_bits(bin: usize) -> u32 {
    ((bin >> DIGITS) as u32).saturating_sub(1)
}

/// Bits of a row's number in its piece.
const PLACE: u32 = 24;

/// Sorts the rows of a piece by start. The input is thread by thread in id order; equal starts keep that order.
fn in_time_order(mut rows: Vec<PackedRow>) -> Vec<PackedRow> {
    let start = |row: &PackedRow| (row >> 64) as u64;
    let first = rows.iter().map(start).min().unwrap_or(0);
    let span = rows.iter().map(start).max().unwrap_or(0) - first;
    let bits = u64::BITS - span.leading_zeros();
    if bits + PLACE > u64::BITS || rows.len() >> PLACE > 0 {
        rows.sort();
        return rows;
    }
    let mut words: Vec<u64> = rows.iter().zip(0..).map(|(row, place)| (start(row) - first) << PLACE | place).collect();
    radix::sort(&mut words, PLACE..PLACE + bits);
    words.into_iter().map(|word| rows[(word & ((1 << PLACE) - 1)) as usize]).collect()
}

/// The rows of a piece of time, distributed over bins.
struct BinnedPiece {
    /// Duration and id, bin by bin; each bin is in time order.
    rows: Vec<u64>,
    /// End of each bin.
    ends: Vec<u32>,
    /// Markers whose duration does not fit 32 bits, in time order.
    long: Vec<MarkerId>,
}

impl BinnedPiece {
    fn new(piece: &[PackedRow]) -> Self {
        let mut ends = vec![0_u32; BINS];
        let short = || piece.iter().map(|row| id_and_length(*row)).filter(|(_, length)| *length != TOO_LONG);
        for (_, length) in short() {
            ends[bin(length)] += 1;
        }
        let mut count = 0;
        for end in &mut ends {
            (*end, count) = (count, count + *end);
        }
        let mut rows = vec![0; count as usize];
        for (id, length) in short() {
            // Start of each bin; its end once all rows are distributed.
            let place = &mut ends[bin(length)];
            rows[*place as usize] = word(length, id.0);
            *place += 1;
        }
        let long = piece.iter().map(|row| id_and_length(*row)).filter(|(_, length)| *length == TOO_LONG);
        Self { rows, ends, long: long.map(|(id, _)| id).collect() }
    }

    fn bin(&self, bin: usize) -> &[u64] {
        let begin = bin.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[begin as usize..self.ends[bin] as usize]
    }
}

/// The markers to sort.
#[derive(Clone, Copy)]
struct Selection<'a> {
    profile: &'a Profile,
    scope: &'a Scope,
    hidden: &'a HiddenTypes,
}

/// Sorts the markers of a scope. Ties are in time order, then in file order.
#[must_use]
pub fn ordered(profile: &Profile, scope: &Scope, column: MarkerColumn, descending: bool) -> Vec<MarkerId> {
    ordered_shown(profile, scope, &HiddenTypes::default(), (column, descending))
}

/// Like [`ordered`], without the markers of hidden types.
#[must_use]
pub fn ordered_shown(
    profile: &Profile,
    scope: &Scope,
    hidden: &HiddenTypes,
    (column, descending): (MarkerColumn, bool),
) -> Vec<MarkerId> {
    let selection = Selection { profile, scope, hidden };
    let mut rows = match column {
        MarkerColumn::Start => selection.by_start(),
        MarkerColumn::Duration => selection.by_duration(),
        MarkerColumn::Name => {
            let ranks = ranks(profile.strings.iter().map(|(_, text)| text));
            selection.by_rank(|thread, local| ranks[profile.thread(thread).markers.name(local).index()])
        }
        MarkerColumn::Thread => {
            let names: Vec<_> = profile.threads_with_ids().map(|(id, _)| profile.long_name(id)).collect();
            let ranks = ranks(names.iter().map(AsRef::as_ref));
            selection.by_rank(|thread, _| ranks[thread.index()])
        }
        MarkerColumn::Details => selection.by_details(),
        MarkerColumn::End => selection.by_key(|thread, local| profile.thread(thread).markers.end(local)),
        MarkerColumn::SelfTime => {
            let times: Vec<Vec<Ns>> = selection.threads().map(|thread| self_times(profile.thread(thread))).collect();
            selection.by_key(|thread, local| times[thread.index()][local.index()])
        }
        MarkerColumn::Cpu => selection.by_key(|thread, local| profile.cpu_time(thread, local)),
        MarkerColumn::Category => {
            let ranks = ranks(profile.categories.iter().map(|category| category.name.as_str()));
            let category = |thread: ThreadId, local| profile.thread(thread).markers.category(local).index();
            selection.by_rank(|thread, local| ranks.get(category(thread, local)).copied().unwrap_or(0))
        }
        MarkerColumn::Process => {
            let ranks = ranks(profile.processes.iter().map(|process| process.name.as_str()));
            selection.by_rank(|thread, _| ranks.get(profile.thread(thread).process.index()).copied().unwrap_or(0))
        }
    };
    if descending {
        rows.reverse();
    }
    rows
}

impl<'a> Selection<'a> {
    fn threads(self) -> impl IndexedParallelIterator<Item = ThreadId> {
        let count = self.profile.threads.len();
        (0..count).into_par_iter().map(ThreadId::new).with_max_len(parallel_chunk_size(count))
    }

    /// Number of candidates in a thread: its markers, or its search hits.
    fn len(self, thread: ThreadId) -> usize {
        self.scope.candidates(self.profile, thread)
    }

    /// A candidate by position in time order.
    fn at(self, thread: ThreadId, position: usize) -> LocalMarker {
        self.scope.candidate(thread, position)
    }

    fn start(self, thread: ThreadId, position: usize) -> Ns {
        self.profile.thread(thread).markers.start(self.at(thread, position))
    }

    /// The candidates at `positions` that overlap the range, with id, start and end.
    fn markers(
        self,
        thread: ThreadId,
        positions: std::ops::Range<usize>,
    ) -> impl Iterator<Item = (MarkerId, Ns, Ns)> + 'a {
        let data = self.profile.thread(thread);
        let times = data.markers.times();
        positions.filter_map(move |position| {
            let local = self.at(thread, position);
            let TimeRange { start, end } = times.range(local.index());
            let is_in = self.scope.is_in_range(data, local) && !self.hidden.has(data, local);
            is_in.then(|| (data.global(local), start, end))
        })
    }

    /// All by start, then id.
    fn by_start(self) -> Vec<MarkerId> {
        let ids = |piece: Vec<PackedRow>| piece.into_iter().map(|row| id_and_length(row).0);
        self.pieces(|piece| piece).into_par_iter().flat_map_iter(ids).collect()
    }

    /// Calls `make` with each piece of time, sorted by start, then id; returns the results in time order.
    fn pieces<T: Send>(self, make: impl Fn(Vec<PackedRow>) -> T + Sync) -> Vec<T> {
        let total: usize = (0..self.profile.threads.len()).map(|thread| self.len(ThreadId::new(thread))).sum();
        let step = (PIECE / SAMPLES).min(total.max(1));
        // Every `step`-th marker of the recording, because with many threads, most threads would have no sample.
        let sampled = |thread: ThreadId| {
            let before = self.profile.thread(thread).first_marker.index() % step;
            let first = if before == 0 { 0 } else { step - before };
            (first..self.len(thread)).step_by(step).map(move |at| self.start(thread, at))
        };
        let mut samples: Vec<Ns> = self.threads().flat_map_iter(sampled).collect();
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
                rows.extend(self.markers(thread, positions).map(row));
            }
            make(in_time_order(rows))
        };
        (0..cuts.len() + 1).into_par_iter().with_max_len(1).map(piece).collect()
    }

    /// Number of a thread's candidates that start before a time.
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

    /// By duration, then start, then id; instants count as zero.
    fn by_duration(self) -> Vec<MarkerId> {
        let pieces = self.pieces(|piece| BinnedPiece::new(&piece));
        let ordered = |bin: usize| {
            let mut rows: Vec<u64> = Vec::with_capacity(pieces.iter().map(|piece| piece.bin(bin).len()).sum());
            pieces.iter().for_each(|piece| rows.extend_from_slice(piece.bin(bin)));
            radix::sort(&mut rows, 32..32 + varying_bits(bin));
            rows.into_iter().map(|row| MarkerId(lower(row)))
        };
        let mut ids: Vec<MarkerId> = (0..BINS).into_par_iter().with_max_len(1).flat_map_iter(ordered).collect();
        let mut long: Vec<MarkerId> = pieces.into_iter().flat_map(|piece| piece.long).collect();
        long.par_sort_by_key(|id| {
            let place = self.profile.locate(*id);
            place.map(|(thread, local)| {
                let markers = &self.profile.thread(thread).markers;
                markers.end(local) - markers.start(local)
            })
        });
        ids.extend(long);
        ids
    }

    /// By a rank, then start, then id.
    fn by_rank(self, rank: impl Fn(ThreadId, LocalMarker) -> u32 + Sync) -> Vec<MarkerId> {
        let rows = self.by_start();
        let rank_by_id = |id| self.profile.locate(id).map_or(0, |(thread, local)| rank(thread, local));
        // Rows are already in time order, so their numbers break ties.
        let places = rows.par_iter().zip(0_u32..u32::MAX);
        let mut keys: Vec<u64> = places.map(|(id, place)| word(rank_by_id(*id), place)).collect();
        keys.par_sort_unstable();
        keys.into_par_iter().map(|key| rows[lower(key) as usize]).collect()
    }

    /// By the schema's table label, then start, then id.
    fn by_details(self) -> Vec<MarkerId> {
        self.by_key(|thread, local| {
            self.profile.marker_label(LabelKind::Table, thread, local, self.profile.clock()).to_lowercase()
        })
    }

    /// By a key, then start, then id. Each key is computed once.
    fn by_key<K: Ord + Send + Sync>(self, key: impl Fn(ThreadId, LocalMarker) -> K + Sync) -> Vec<MarkerId> {
        let mut rows = self.by_start();
        rows.par_sort_by_cached_key(|id| self.profile.locate(*id).map(|(thread, local)| key(thread, local)));
        rows
    }
}

/// The rank of each text among the distinct texts, ignoring case.
fn ranks<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut texts: Vec<(String, usize)> = texts.zip(0..).map(|(text, number)| (text.to_lowercase(), number)).collect();
    texts.par_sort_unstable();
    let mut ranks = vec![0; texts.len()];
    for (rank, same) in (0_u32..).zip(texts.chunk_by(|a, b| a.0 == b.0)) {
        same.iter().for_each(|(_, number)| ranks[*number] = rank);
    }
    ranks
}

/// Packs a key above a row number.
fn word(number: u32, place: u32) -> u64 {
    u64::from(number) << 32 | u64::from(place)
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn lower(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_in_the_order_of_lengths() {
        let near = |bit: u32| (-70..70).map(move |by| (1_i64 << bit) + by);
        let mut lengths: Vec<u32> = (0..32).flat_map(near).filter_map(|length| u32::try_from(length).ok()).collect();
        lengths.extend([0, TOO_LONG - 1, TOO_LONG]);
        lengths.sort_unstable();
        lengths.dedup();
        for pair in lengths.windows(2) {
            let (shorter, longer) = (bin(pair[0]), bin(pair[1]));
            assert!(shorter <= longer && longer < BINS, "{pair:?}");
            assert!(shorter < longer || (pair[0] ^ pair[1]) < (1 << varying_bits(shorter)), "{pair:?}");
        }
    }
}
