//! The statistics part of `flowline bench`: latency of queries.

use std::time::Instant;

use flowline_index::Index;
use flowline_index::search::{Query, run as search};
use flowline_index::statistics::compare::compare;
use flowline_index::statistics::{
    Columns, Grouping, RangeRule, Scale, Statistics, Subject, Tracks, distribution, members, run,
};
use flowline_profile::{Ns, TimeRange};

/// Number of runs of each query.
const TIMES: usize = 3;

/// Milliseconds of each query.
#[derive(Debug, Default)]
pub(super) struct QueryTimes {
    /// All markers by name, until counts and totals are available.
    first: Vec<f64>,
    /// The same, until all columns except CPU times are available.
    all: Vec<f64>,
    /// The same with CPU times, which are read from the text of the recording.
    cpu: Vec<f64>,
    /// A tenth of the time range by name.
    tenth: Vec<f64>,
    /// Search hits by name, without the search itself.
    searched: Vec<f64>,
    /// The members of the largest group and the histogram of their lengths.
    histogram: Vec<f64>,
    /// Complete comparison of the first half with the second.
    compared: Vec<f64>,
}

impl QueryTimes {
    /// Returns the label, the JSON key and the times of each query.
    pub(super) fn named(&self) -> [(&'static str, &'static str, &[f64]); 7] {
        [
            ("stats, first", "everything_by_name_first", &self.first),
            ("stats, all", "everything_by_name", &self.all),
            ("with CPU times", "everything_by_name_with_cpu", &self.cpu),
            ("of a tenth", "tenth_by_name", &self.tenth),
            ("of a search", "search_by_name", &self.searched),
            ("histogram", "histogram", &self.histogram),
            ("comparison", "compare_halves", &self.compared),
        ]
    }
}

/// All columns that do not need the text of the recording.
const COLUMNS: Columns = Columns { cpu: false, ..Columns::ALL };

fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Runs all queries.
pub(super) fn measure(index: &Index) -> QueryTimes {
    let mut answers = QueryTimes::default();
    let by_name = Grouping::default();
    let extent = index.extent();
    let part = |from: i64, to: i64| {
        let at = |tenth: i64| Ns(extent.start.0.saturating_add(extent.len() / 10 * tenth));
        let range = TimeRange::new(at(from), if to == 10 { extent.end } else { at(to) });
        Subject::new(index, Tracks::All, Some(range), RangeRule::StartsInside, None)
    };
    let everything = Subject::everything(index);
    let answer = |subject: &Subject<'_>| run(subject, &by_name, COLUMNS, &|| true, |_| {});
    let mut largest = None;
    for _ in 0..TIMES {
        let began = Instant::now();
        let first = |_: &Statistics| answers.first.push(since(began));
        let found = run(&everything, &by_name, COLUMNS, &|| true, first);
        answers.all.push(since(began));
        largest = found.and_then(|found| found.groups.into_iter().max_by_key(|group| group.count));
        let began = Instant::now();
        let _tenth = answer(&part(4, 5));
        answers.tenth.push(since(began));
    }
    let Some(largest) = largest else { return answers };
    let began = Instant::now();
    let _all = run(&everything, &by_name, Columns::ALL, &|| true, |_| {});
    answers.cpu.push(since(began));
    let name = largest.key.first().map_or("", |name| name.text(index.profile()));
    let query = Query::parse(&format!("name:\"{}\"", name.to_lowercase().replace('"', "")));
    let hits = search(index.profile(), index.flows(), &query, &|| true);
    for _ in 0..TIMES {
        let began = Instant::now();
        let _found = answer(&Subject::new(index, Tracks::All, None, RangeRule::StartsInside, hits.as_ref()));
        answers.searched.push(since(began));
        let began = Instant::now();
        let listed = members(&everything, &by_name, &largest.key, &|| true).unwrap_or_default();
        let _histogram = distribution(index.profile(), &listed, Scale::Log, 64, &|| true);
        answers.histogram.push(since(began));
        let began = Instant::now();
        if let Some((a, b)) = answer(&part(0, 5)).zip(answer(&part(5, 10))) {
            let _compared = compare(&a, &b, &|| true);
        }
        answers.compared.push(since(began));
    }
    answers
}
