//! Events with the stack at their start. They name the stack by an id (`sampleTraceId`) that the CPU profile of their
//! thread resolves.
//!
//! Arguments are not read with the events, so the text is searched for the key once. Only the events around these
//! places are parsed.

use memchr::memmem;
use rayon::prelude::*;

use crate::trace_events::text::event::Event;
use crate::trace_events::text::metadata::event_args;
use flowline_profile::{Source, Value};

const KEY: &str = "sampleTraceId";
/// Number of bytes that one thread searches at a time.
const PIECE: usize = 1 << 22;

/// Returns the offsets of the key in a text, ascending.
pub(in crate::trace_events) fn places(text: &[u8]) -> Vec<u64> {
    let finder = memmem::Finder::new(KEY.as_bytes());
    let search = |piece: usize| -> Vec<u64> {
        let from = piece * PIECE;
        let to = (from + PIECE + KEY.len() - 1).min(text.len());
        finder.find_iter(&text[from..to]).map(|at| (from + at) as u64).collect()
    };
    (0..text.len().div_ceil(PIECE)).into_par_iter().with_max_len(1).flat_map_iter(search).collect()
}

/// The ids of the events of a thread that have one: event offset and id, ascending.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct SampleTraceIds(Vec<(u64, u64)>);

/// Looks up ids. Lookups are fast if the offsets mostly ascend.
pub(in crate::trace_events) struct SampleTraceIdReader<'a> {
    ids: &'a [(u64, u64)],
    /// Position of the last offset, or its insertion point.
    at: usize,
}

impl SampleTraceIds {
    pub(in crate::trace_events) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(in crate::trace_events) fn reader(&self) -> SampleTraceIdReader<'_> {
        SampleTraceIdReader { ids: &self.0, at: 0 }
    }
}

impl SampleTraceIdReader<'_> {
    /// Returns the id of the event at an offset.
    pub(in crate::trace_events) fn get(&mut self, offset: u64) -> Option<u64> {
        let mut step = 1;
        if self.ids.get(self.at).is_some_and(|(at, _)| *at < offset) {
            // Exponential search, then binary search in the last step.
            while self.ids.get(self.at + step).is_some_and(|(at, _)| *at < offset) {
                self.at += step;
                step *= 2;
            }
            let end = self.ids.len().min(self.at + step);
            self.at += self.ids[self.at..end].partition_point(|(at, _)| *at < offset);
        } else {
            while self.at > 0 && self.ids[self.at - 1].0 >= offset {
                let begin = self.at.saturating_sub(step);
                let before = self.ids[begin..self.at].partition_point(|(at, _)| *at < offset);
                self.at = begin + before;
                if before > 0 {
                    break;
                }
                step *= 2;
            }
        }
        self.ids.get(self.at).filter(|(at, _)| *at == offset).map(|(_, id)| *id)
    }
}

/// Returns the ids of the events that have one. `events` are the events of a thread in file order; `places` are the
/// offsets of the key.
pub(in crate::trace_events) fn of_events(source: &Source, events: &[Event], places: &[u64]) -> SampleTraceIds {
    let mut next = 0;
    let mut candidates: Vec<&Event> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let end = events.get(at + 1).map_or(u64::MAX, Event::offset);
        while places.get(next).is_some_and(|place| *place < event.offset()) {
            next += 1;
        }
        if places.get(next).is_some_and(|place| *place < end) && matches!(event.ph(), b'X' | b'B' | b'I') {
            candidates.push(event);
        }
    }
    let read = |event: &&Event| Some((event.offset(), id(&event_args(source, event))?));
    SampleTraceIds(candidates.par_iter().filter_map(read).collect())
}

/// Returns the id in arguments; 0 means no id.
fn id(args: &Value) -> Option<u64> {
    let id = match args.get("beginData") {
        Some(begin) => begin.get(KEY),
        None => args.get(KEY).or_else(|| args.get("data")?.get(KEY)),
    };
    let id = match id? {
        Value::Uint(id) => Some(*id),
        id => id.as_i64().and_then(|id| u64::try_from(id).ok()),
    };
    id.filter(|id| *id != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_json::{Cursor, decode_value};

    #[test]
    fn ids_are_exact_and_begin_data_counts_alone() {
        let of = |args: &str| id(&decode_value(&mut Cursor::at(args.as_bytes(), 0)).expect("JSON"));
        assert_eq!(of(r#"{"sampleTraceId":9007199254740993}"#), Some(9_007_199_254_740_993));
        assert_eq!(of(r#"{"data":{"sampleTraceId":5}}"#), Some(5));
        assert_eq!(of(r#"{"beginData":{"sampleTraceId":6},"data":{"sampleTraceId":5}}"#), Some(6));
        assert_eq!(of(r#"{"beginData":{},"data":{"sampleTraceId":5}}"#), None);
        assert_eq!([of(r#"{"sampleTraceId":0}"#), of(r#"{"sampleTraceId":-1}"#), of("[]")], [None; 3]);
    }

    #[test]
    fn places_at_the_edges_of_pieces_are_found_once() {
        let mut text = vec![b'.'; 2 * PIECE + 40];
        for at in [0, PIECE - 13, PIECE + 1, 2 * PIECE - 5, 2 * PIECE + 20] {
            text[at..at + KEY.len()].copy_from_slice(KEY.as_bytes());
        }
        let expected = [0, PIECE - 13, PIECE + 1, 2 * PIECE - 5, 2 * PIECE + 20].map(|at| at as u64);
        assert_eq!(places(&text), expected);
    }

    #[test]
    fn ids_are_found_in_any_order() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut offsets: Vec<u64> = (0..300).map(|_| random.u64(..1000)).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let ids = SampleTraceIds(offsets.iter().map(|offset| (*offset, offset * 7)).collect());
        let mut reader = ids.reader();
        for _ in 0..20_000 {
            let offset = random.u64(..1002);
            let expected = offsets.binary_search(&offset).ok().map(|_| offset * 7);
            assert_eq!(reader.get(offset), expected, "{offset}");
        }
        assert_eq!(SampleTraceIds::default().reader().get(3), None);
    }
}
