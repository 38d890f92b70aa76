//! The reference for statistics: it visits every marker, sorts everything and adds everything up.

use std::collections::BTreeMap;

use flowline::index::nesting::is_nested;
use flowline::index::search::Hits;
use flowline::index::statistics::{Group, Key, KeyValue, RangeRule, Statistics};
use flowline::index::{Arrangement, Index, Nesting};
use flowline::profile::{LocalMarker, MarkerFlags, MarkerId, Profile, ThreadId, TimeRange, Value};

/// Scope of the statistics, for the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) threads: Option<&'a [ThreadId]>,
    pub(crate) range: Option<TimeRange>,
    pub(crate) rule: RangeRule,
    pub(crate) hits: Option<&'a Hits>,
}

/// A counted marker: start, end, and both clipped to the range.
#[derive(Clone, Copy, Debug)]
struct Member {
    id: ThreadId,
    marker: LocalMarker,
    start: i128,
    end: i128,
    from: i128,
    to: i128,
    flags: MarkerFlags,
}

/// Values of a payload field as text.
fn field(profile: &Profile, id: ThreadId, marker: LocalMarker, key: &str) -> KeyValue {
    match profile.payload_resolved(id, marker).get(key) {
        None | Some(Value::Null) => KeyValue::Missing,
        Some(Value::String(text)) => KeyValue::Text(text.as_str().into()),
        Some(other) => KeyValue::Text(other.display_js().into()),
    }
}

fn value(profile: &Profile, id: ThreadId, marker: LocalMarker, key: &Key) -> KeyValue {
    let thread = profile.thread(id);
    match key {
        Key::Name => KeyValue::Text(profile.marker_name(id, marker).into()),
        Key::Category => KeyValue::Text(profile.category_name(thread.markers.category(marker)).into()),
        Key::Thread => KeyValue::Thread(id),
        Key::Process => KeyValue::Process(thread.process),
        Key::Field(key) => field(profile, id, marker, key),
    }
}

fn members(profile: &Profile, question: Question<'_>) -> Vec<Member> {
    let mut found = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        for index in 0..thread.markers.len() {
            let marker = LocalMarker::new(index);
            let flowline::profile::TimeRange { start, end } = thread.markers.range(marker);
            let is_inside = question.range.is_none_or(|range| match question.rule {
                RangeRule::StartsInside => range.start <= start && start < range.end,
                RangeRule::Overlaps => range.overlaps(start, end),
            });
            let is_selected_row = question.threads.is_none_or(|threads| threads.contains(&id));
            if !is_inside || !is_selected_row || question.hits.is_some_and(|hits| !hits.contains(id, marker)) {
                continue;
            }
            let (from, to) = question.range.map_or((start, end), |range| (start.max(range.start), end.min(range.end)));
            let [start, end, from, to] = [start, end, from, to].map(|time| i128::from(time.0));
            found.push(Member { id, marker, start, end, from, to, flags: thread.markers.flags(marker) });
        }
    }
    found
}

/// Length of the union of intervals and points, and the longest gap between its pieces.
fn union(mut parts: Vec<(i128, i128)>) -> (i128, Option<i128>) {
    parts.sort_unstable();
    let mut pieces: Vec<(i128, i128)> = Vec::new();
    for (from, to) in parts {
        match pieces.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => pieces.push((from, to)),
        }
    }
    let busy = pieces.iter().map(|(from, to)| to - from).sum();
    (busy, pieces.windows(2).map(|pair| pair[1].0 - pair[0].1).max())
}

/// The time of a member without any open direct child.
fn self_time(index: &Index, member: &Member, range: Option<TimeRange>) -> i128 {
    let thread = index.profile().thread(member.id);
    if !is_nested(thread, member.marker) {
        return member.to - member.from;
    }
    let rows = &index.layout(Arrangement::Stack).thread(member.id).rows;
    let nesting = Nesting::for_marker(thread, rows, member.marker);
    let part = |child: LocalMarker| {
        let inside = |time: i64| range.map_or(time, |range| time.clamp(range.start.0, range.end.0));
        let times = [thread.markers.start(child), thread.markers.end(child)];
        let [from, to] = times.map(|time| i128::from(inside(time.0)));
        (from, to)
    };
    member.to - member.from - union(nesting.children(member.marker).map(part).collect()).0
}

/// The self time of an interval inside a range.
pub(crate) fn self_time_of(index: &Index, id: ThreadId, marker: LocalMarker, range: Option<TimeRange>) -> i128 {
    let thread = index.profile().thread(id);
    let TimeRange { start, end } = thread.markers.range(marker);
    let (from, to) = range.map_or((start, end), |range| (start.max(range.start), end.min(range.end)));
    let [start, end, from, to] = [start, end, from, to].map(|time| i128::from(time.0));
    self_time(index, &Member { id, marker, start, end, from, to, flags: thread.markers.flags(marker) }, range)
}

/// The ceil(p n)-th smallest value.
fn percentile(sorted: &[i128], thousandths: usize) -> i128 {
    sorted[(sorted.len() * thousandths).div_ceil(1000).max(1) - 1]
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Asserts that a group matches its members.
#[track_caller]
fn check_group(index: &Index, group: &Group, members: &[Member], range: Option<TimeRange>, with_self: bool) {
    let timed: Vec<&Member> = members.iter().filter(|member| !member.flags.has(MarkerFlags::INSTANT)).collect();
    let incomplete = members.iter().filter(|member| member.flags.has(MarkerFlags::INCOMPLETE)).count();
    assert_eq!((group.count, group.timed), (members.len() as u64, timed.len() as u64), "{group:?}");
    assert_eq!(group.incomplete, incomplete as u64, "{group:?}");
    assert_eq!(group.total, timed.iter().map(|member| member.to - member.from).sum::<i128>(), "{group:?}");
    assert_eq!(Some(i128::from(group.first.0)), members.iter().map(|member| member.start).min());
    assert_eq!(Some(i128::from(group.last.0)), members.iter().map(|member| member.end).max());
    let (busy, gap) = union(members.iter().map(|member| (member.from, member.to)).collect());
    assert_eq!((group.covered.map(i128::from), group.longest_gap.map(i128::from)), (Some(busy), gap), "{group:?}");
    if with_self {
        let sum = timed.iter().map(|member| self_time(index, member, range)).sum::<i128>();
        assert_eq!(group.self_time, Some(sum), "{group:?}");
    }
    let profile = index.profile();
    let cpu =
        timed.iter().filter_map(|member| profile.cpu_time(member.id, member.marker)).map(|time| i128::from(time.0));
    assert_eq!(group.cpu, cpu.reduce(|a, b| a + b), "{group:?}");
    let mut sorted: Vec<i128> = timed.iter().map(|member| member.end - member.start).collect();
    sorted.sort_unstable();
    let Some(lengths) = group.lengths else {
        assert!(sorted.is_empty() && group.mean.is_none(), "{group:?}");
        return;
    };
    let shown = [lengths.min, lengths.p50, lengths.p90, lengths.p99, lengths.p999, lengths.max].map(i128::from);
    let [p50, p90, p99, p999] = [500, 900, 990, 999].map(|thousandths| percentile(&sorted, thousandths));
    assert_eq!(shown, [sorted[0], p50, p90, p99, p999, sorted[sorted.len() - 1]], "{group:?}");
    let floats: Vec<f64> = sorted.iter().map(|length| *length as f64).collect();
    let mean = floats.iter().sum::<f64>() / floats.len() as f64;
    let variance = floats.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / floats.len() as f64;
    assert!(near(group.mean.expect("a mean"), mean) && near(lengths.deviation, variance.sqrt()), "{group:?}");
}

/// Asserts that all columns match the reference. Returns the members of each group in time order.
#[track_caller]
pub(crate) fn check(
    index: &Index,
    found: &Statistics,
    keys: &[Key],
    question: Question<'_>,
    with_self: bool,
) -> Vec<Vec<MarkerId>> {
    let profile = index.profile();
    let all = members(profile, question);
    let mut groups: BTreeMap<Vec<KeyValue>, Vec<Member>> = BTreeMap::new();
    for member in &all {
        let key = keys.iter().map(|key| value(profile, member.id, member.marker, key)).collect();
        groups.entry(key).or_default().push(*member);
    }
    assert_eq!(found.groups.len(), groups.len());
    assert!(found.complete);
    assert!(found.groups.is_sorted_by_key(|group| std::cmp::Reverse((group.total, group.count))));
    for group in &found.groups {
        let members = groups.get(&group.key).unwrap_or_else(|| panic!("{group:?}"));
        check_group(index, group, members, question.range, with_self);
    }
    let sum = |of: fn(&Group) -> i128| found.groups.iter().map(of).sum::<i128>();
    assert_eq!(i128::from(found.totals.count), sum(|group| i128::from(group.count)));
    assert_eq!(found.totals.total, sum(|group| group.total));
    assert_eq!(found.totals.self_time.unwrap_or(0), sum(|group| group.self_time.unwrap_or(0)));
    if !all.is_empty() {
        check_group(index, &found.totals, &all, question.range, with_self);
    }
    let ids = |group: &Group| {
        let mut members = groups[&group.key].clone();
        members.sort_by_key(|member| (member.start, member.id, member.marker));
        members.iter().map(|member| profile.thread(member.id).global(member.marker)).collect()
    };
    found.groups.iter().map(ids).collect()
}
