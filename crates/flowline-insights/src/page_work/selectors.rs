//! Costs of selectors, added up by selector and style sheet between navigations.
//!
//! An event with costs belongs to the last style update that begins before it, on any thread.

use std::collections::{BTreeMap, BTreeSet};

use crate::markers_by_name::{Named, all_markers_named, markers_named};
use crate::page::Page;
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, Profile, TimeRange, Value};

/// The costs of a selector of a style sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SelectorCosts {
    pub(crate) selector: String,
    pub(crate) sheet: String,
    pub(crate) elapsed_us: f64,
    pub(crate) attempts: i64,
    pub(crate) matches: i64,
    /// Position of its last occurrence.
    last: (usize, usize),
}

/// The costs of all selectors between two navigations.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelectorTimes {
    pub(crate) elapsed_us: f64,
    pub(crate) attempts: i64,
    pub(crate) matches: i64,
    /// The selector that took longest, and the one that was tried most; of equal ones, the later one.
    pub(crate) slowest: Option<SelectorCosts>,
    pub(crate) most_attempts: Option<SelectorCosts>,
    /// The style updates.
    pub(crate) updates: BTreeSet<MarkerId>,
    /// Time from the first update to the end of the last.
    pub(crate) range: Option<TimeRange>,
}

/// The costs before the first navigation, and after each.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelectorsByNavigation {
    pub(crate) is_recorded: bool,
    starts: Vec<Ns>,
    periods: Vec<SelectorTimes>,
}

impl SelectorsByNavigation {
    /// The costs after the start of a navigation, up to the next one.
    pub(crate) fn period(&self, start: Ns) -> Option<&SelectorTimes> {
        self.periods.get(self.starts.partition_point(|own| *own <= start))
    }
}

impl Derived for SelectorsByNavigation {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let stated = markers_named(profile, &["SelectorStats"], |_| true);
        if stated.is_empty() || !profile.source.holds_events() {
            return Self::default();
        }
        let page = Page::of(index);
        let starts: Vec<Ns> = page.main_navigations().map(|navigation| navigation.time).collect();
        let updates = updates(profile);
        let mut sums = vec![(SelectorTimes::default(), BTreeMap::new()); starts.len() + 1];
        let mut is_main = MainFrames { page, profile, known: BTreeMap::new() };
        for (at, (time, named)) in by_time(profile, stated).into_iter().enumerate() {
            let before = updates.partition_point(|(start, _)| *start <= time);
            let Some((start, update)) = updates[..before].last().filter(|(_, update)| is_main.has(*update)) else {
                continue;
            };
            let (times, costs) = &mut sums[starts.partition_point(|own| own <= start)];
            add(profile, named, at, (times, costs));
            times.add_update(profile, *update);
        }
        let periods = sums.into_iter().map(|(times, costs)| times.with_greatest(costs.into_values())).collect();
        Self { is_recorded: true, starts, periods }
    }
}

/// All style updates by start.
fn updates(profile: &Profile) -> Vec<(Ns, MarkerId)> {
    let all = all_markers_named(profile, &["UpdateLayoutTree"]);
    let mut updates: Vec<(Ns, MarkerId)> = all.into_iter().map(|named| place(profile, named)).collect();
    updates.sort_unstable();
    updates
}

fn place(profile: &Profile, (_, id, marker): Named) -> (Ns, MarkerId) {
    let thread = profile.thread(id);
    (thread.markers.start(marker), thread.global(marker))
}

fn by_time(profile: &Profile, named: Vec<Named>) -> Vec<(Ns, Named)> {
    let mut all: Vec<(Ns, Named)> = named.into_iter().map(|named| (place(profile, named).0, named)).collect();
    all.sort_by_key(|(time, _)| *time);
    all
}

/// Tells which style updates are those of the main frame.
struct MainFrames<'a> {
    page: &'a Page,
    profile: &'a Profile,
    known: BTreeMap<MarkerId, bool>,
}

impl MainFrames<'_> {
    fn has(&mut self, update: MarkerId) -> bool {
        let read = || {
            let (thread, local) = self.profile.locate(update)?;
            let payload = self.profile.payload(thread, local);
            let frame = payload.get("beginData")?.get("frame")?.as_str()?;
            Some(self.page.frames().is_main(frame))
        };
        *self.known.entry(update).or_insert_with(|| read().unwrap_or(false))
    }
}

type Costs = BTreeMap<(String, String), SelectorCosts>;

/// Adds the costs that an event states.
fn add(profile: &Profile, (_, id, marker): Named, at: usize, (times, costs): (&mut SelectorTimes, &mut Costs)) {
    let payload = profile.payload_in(profile.thread(id), marker);
    let timings = payload.get("selector_stats").and_then(|stats| stats.get("selector_timings"));
    let Some(Value::List(timings)) = timings else { return };
    for (number, timing) in timings.iter().enumerate() {
        let text = |key: &str| timing.get(key).map(Value::display_js).unwrap_or_default();
        let count = |key: &str| timing.get(key).and_then(Value::as_i64).unwrap_or(0).max(0);
        let elapsed = timing.get("elapsed (us)").and_then(Value::as_f64).filter(|us| us.is_finite()).unwrap_or(0.0);
        let key = (text("selector"), text("style_sheet_id"));
        let own = costs.entry(key).or_insert_with_key(|(selector, sheet)| SelectorCosts {
            selector: selector.clone(),
            sheet: sheet.clone(),
            ..SelectorCosts::default()
        });
        own.elapsed_us += elapsed.max(0.0);
        own.attempts = own.attempts.saturating_add(count("match_attempts"));
        own.matches = own.matches.saturating_add(count("match_count"));
        own.last = (at, number);
        times.elapsed_us += elapsed.max(0.0);
        times.attempts = times.attempts.saturating_add(count("match_attempts"));
        times.matches = times.matches.saturating_add(count("match_count"));
    }
}

impl SelectorTimes {
    fn add_update(&mut self, profile: &Profile, update: MarkerId) {
        let Some((thread, local)) = profile.locate(update) else { return };
        let own = profile.thread(thread).markers.range(local);
        self.updates.insert(update);
        self.range = Some(self.range.map_or(own, |range| range.union(own)));
    }

    fn with_greatest(self, costs: impl Iterator<Item = SelectorCosts>) -> Self {
        let costs: Vec<SelectorCosts> = costs.collect();
        let slowest = costs.iter().max_by(|a, b| a.elapsed_us.total_cmp(&b.elapsed_us).then(a.last.cmp(&b.last)));
        let most = costs.iter().max_by_key(|own| (own.attempts, own.last));
        Self { slowest: slowest.cloned(), most_attempts: most.cloned(), ..self }
    }
}
