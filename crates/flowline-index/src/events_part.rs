//! The part of a recording that holds its events, if that is a small part: a single early event, a wrong time or an absurd
//! duration must not decide what the first view shows.
//!
//! Events count where they begin, because one wrong end would otherwise stretch the part. Samples and the values of counters
//! are events, too.

use rayon::prelude::*;

use flowline_profile::{Ns, Profile, Thread, TimeRange};

/// The part contains all but one in so many of the starts.
const LEFT_OUT: u64 = 200;
/// It ends where all but one in so many of its events have ended.
const UNENDED: usize = 20;
/// It is at most this part of the recording: one in so many.
const PART: i64 = 20;
/// Number of equal intervals in which starts are counted.
const BINS: usize = 4_000;
/// The search is repeated within the part that it found, at most this many times.
const MOST_PASSES: usize = 8;
/// A recording of Chrome begins with one of these markers; what is earlier happened before it.
const BEGINNINGS: [&str; 2] = ["TracingStartedInBrowser", "TracingStartedInPage"];
/// At most one in so many of the events may be earlier.
const EARLIER: u64 = 20;

/// The part with the events of a recording, with a margin; `None` if they are spread over more than a twentieth of it.
pub(crate) fn events_part(profile: &Profile, extent: TimeRange) -> Option<TimeRange> {
    let starts = Starts { profile };
    let part = starts.dense_part(extent).map(|part| {
        let margin = Ns(part.len() / 20);
        TimeRange::new((part.start - margin).max(extent.start), (part.end + margin).min(extent.end))
    });
    let within = part.unwrap_or(extent);
    let Some(beginning) = starts.beginning().filter(|time| *time > within.start && *time < within.end) else {
        return part;
    };
    let earlier = starts.count_in(TimeRange::new(extent.start, beginning));
    let is_far = (beginning - within.start).0 > within.len() / PART;
    let is_few = earlier.saturating_mul(EARLIER) <= starts.count_in(extent);
    if is_far && is_few { Some(TimeRange::new(beginning, within.end)) } else { part }
}

/// The times at which markers, samples and values begin.
#[derive(Clone, Copy)]
struct Starts<'a> {
    profile: &'a Profile,
}

impl Starts<'_> {
    /// The shortest part with nearly all starts, up to where nearly all of its events have ended.
    fn dense_part(self, extent: TimeRange) -> Option<TimeRange> {
        let limit = extent.len() / PART;
        let mut part = extent;
        let mut needed = None;
        for _ in 0..MOST_PASSES {
            let counts = self.histogram(part);
            let all: u64 = counts.iter().sum();
            let needed = *needed.get_or_insert(all - all / LEFT_OUT);
            let found = shortest(&counts, needed).map(|bins| bins_in(part, &bins))?;
            let found = self.exact(found)?;
            if found.len() > limit {
                return None;
            }
            let is_narrow = found.len() > part.len() / 2;
            part = found;
            if is_narrow || part.is_empty() {
                break;
            }
        }
        let end = self.end_of_most(part).map_or(part.end, |end| end.max(part.end));
        let part = TimeRange::new(part.start, end);
        (!part.is_empty() && part.len() <= limit).then_some(part)
    }

    /// All starts, in parallel parts.
    fn fold<T: Send>(
        self,
        empty: impl Fn() -> T + Sync + Send,
        add: impl Fn(&mut T, Ns, Ns) + Sync + Send,
        join: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let of_thread = |mut all: T, thread: &Thread| {
            thread.markers.times().ranges().for_each(|own| add(&mut all, own.start, own.end));
            let samples = thread.samples.iter().flat_map(|samples| &samples.cpu.time);
            samples.for_each(|time| add(&mut all, *time, *time));
            all
        };
        let mut all = self.profile.threads.par_iter().fold(&empty, of_thread).reduce(&empty, &join);
        for series in self.profile.counters.iter().flat_map(|counter| &counter.series) {
            series.samples.iter().for_each(|sample| add(&mut all, sample.time, sample.time));
        }
        all
    }

    /// Number of starts in each of [`BINS`] equal intervals of a range.
    fn histogram(self, range: TimeRange) -> Vec<u64> {
        let width = bin_width(range);
        let add = |counts: &mut Vec<u64>, start: Ns, _: Ns| {
            let at = (start - range.start).0;
            if at >= 0 && start <= range.end {
                counts[usize::try_from(at / width).unwrap_or(0).min(BINS - 1)] += 1;
            }
        };
        let join = |mut all: Vec<u64>, other: Vec<u64>| {
            all.iter_mut().zip(other).for_each(|(sum, own)| *sum += own);
            all
        };
        self.fold(|| vec![0; BINS], add, join)
    }

    /// From the first to the last start within a range.
    fn exact(self, range: TimeRange) -> Option<TimeRange> {
        let add = |found: &mut Option<TimeRange>, start: Ns, _: Ns| {
            if range.start <= start && start <= range.end {
                let own = TimeRange::new(start, start);
                *found = Some(found.map_or(own, |found| found.union(own)));
            }
        };
        self.fold(|| None, add, |one, other| one.into_iter().chain(other).reduce(TimeRange::union))
    }

    /// The time at which nearly all events that begin within a range have ended.
    fn end_of_most(self, range: TimeRange) -> Option<Ns> {
        let add = |ends: &mut Vec<Ns>, start: Ns, end: Ns| {
            if range.start <= start && start <= range.end {
                ends.push(end);
            }
        };
        let join = |mut all: Vec<Ns>, other: Vec<Ns>| {
            all.extend(other);
            all
        };
        let mut ends = self.fold(Vec::new, add, join);
        let at = ends.len().checked_sub(1)? - ends.len() / UNENDED;
        Some(*ends.select_nth_unstable(at).1)
    }

    /// Number of starts before the end of a range.
    fn count_in(self, range: TimeRange) -> u64 {
        let add = |count: &mut u64, start: Ns, _: Ns| *count += u64::from(range.start <= start && start < range.end);
        self.fold(|| 0, add, |one, other| one + other)
    }

    /// The first marker with which a recording of Chrome begins.
    fn beginning(self) -> Option<Ns> {
        let names: Vec<_> = BEGINNINGS.iter().filter_map(|name| self.profile.strings.find(name)).collect();
        let of_thread = |thread: &Thread| {
            let attributes = thread.markers.attributes();
            let is_one: Vec<bool> = attributes.items().iter().map(|own| names.contains(&own.name)).collect();
            let found = is_one.contains(&true).then(|| attributes.numbers().position(|number| is_one[number]));
            found.flatten().map(|marker| thread.markers.times().start(marker))
        };
        if names.is_empty() { None } else { self.profile.threads.iter().filter_map(of_thread).min() }
    }
}

fn bin_width(range: TimeRange) -> i64 {
    range.len() / BINS as i64 + 1
}

/// The time of some intervals of a range.
fn bins_in(range: TimeRange, bins: &std::ops::Range<usize>) -> TimeRange {
    let at = |bin: usize| Ns(range.start.0.saturating_add(bin_width(range).saturating_mul(bin as i64)));
    TimeRange::new(at(bins.start), (at(bins.end) - Ns(1)).min(range.end))
}

/// The fewest consecutive intervals with at least so many starts.
fn shortest(counts: &[u64], needed: u64) -> Option<std::ops::Range<usize>> {
    let (mut sum, mut first, mut best) = (0_u64, 0_usize, None::<std::ops::Range<usize>>);
    for (last, count) in counts.iter().enumerate() {
        sum += count;
        while sum - counts[first] >= needed && first < last {
            sum -= counts[first];
            first += 1;
        }
        if sum >= needed && best.as_ref().is_none_or(|best| last + 1 - first < best.len()) {
            best = Some(first..last + 1);
        }
    }
    best.filter(|_| needed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{CategoryId, Marker, MarkerFlags, MarkerTable, PayloadRef, StringId};

    fn profile(markers: &[(i64, i64)]) -> Profile {
        let marker = |(start, length): &(i64, i64)| Marker {
            start: Ns(*start),
            end: Ns(start + length),
            name: StringId::new(0),
            category: CategoryId::new(0),
            kind: None,
            flags: MarkerFlags::default(),
            payload: PayloadRef::NONE,
            begin: PayloadRef::NONE,
            supplement: None,
        };
        let markers = MarkerTable::build(markers.iter().map(marker).collect());
        Profile { threads: vec![Thread { markers, ..Thread::default() }], ..Profile::default() }
    }

    fn part(markers: &[(i64, i64)]) -> Option<(i64, i64)> {
        let profile = profile(markers);
        let extent = profile.threads[0].markers.times().extent()?;
        events_part(&profile, extent).map(|part| (part.start.0, part.end.0))
    }

    #[test]
    fn an_absurd_duration_or_an_early_event_leaves_the_part_of_the_others() {
        let mut events: Vec<(i64, i64)> = (0..400).map(|number| (1_000_000 + number * 100, 80)).collect();
        assert_eq!(part(&events), None, "evenly spread");
        events.insert(200, (1_020_000, i64::MAX / 4));
        let is_it =
            |(start, end): (i64, i64)| (997_000..=1_000_000).contains(&start) && (1_039_000..1_045_000).contains(&end);
        assert!(part(&events).is_some_and(is_it), "{:?}", part(&events));
        events.insert(0, (-1_000_000_000_000_000, 5));
        assert!(part(&events).is_some_and(is_it), "two wrong events of 402: {:?}", part(&events));
    }

    #[test]
    fn events_that_begin_together_and_take_long_are_shown_to_their_ends() {
        let events: Vec<(i64, i64)> = (0..300).map(|number| (number, 1_000_000 + number)).collect();
        assert_eq!(part(&events), None);
        assert_eq!(part(&[(0, 10)]), None);
        assert_eq!(part(&[]), None);
    }

    #[test]
    fn the_shortest_intervals_are_found() {
        assert_eq!(shortest(&[1, 0, 5, 0, 5, 0, 1], 10), Some(2..5));
        assert_eq!(shortest(&[1, 0, 5, 0, 5, 0, 1], 11), Some(0..5));
        assert_eq!(shortest(&[3], 3), Some(0..1));
        assert_eq!((shortest(&[1, 1], 3), shortest(&[0, 0], 0)), (None, None));
    }
}
