//! Work and bytes of code from other companies than the page's.

use std::collections::BTreeMap;

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::{EntitySlice, EntityTimes};
use flowline_format::{format_bytes, format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_index::entities::entity_of;
use flowline_index::network::{NetworkRequest, NetworkRequestId, Outcome};
use flowline_profile::{MarkerId, Ns, TimeRange, Value};

/// See the module.
pub(super) struct ThirdPartiesRule;

/// Main-thread time and bytes of an entity.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    time: Ns,
    bytes: i64,
}

impl Rule for ThirdPartiesRule {
    fn name(&self) -> InsightName {
        InsightName::ThirdParties
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let profile = context.profile();
        if ["ResourceSendRequest", "RunTask"].iter().all(|name| profile.strings.find(name).is_none()) {
            return Some(Finding::unknown("neither requests nor tasks in the recording: record the category toplevel"));
        }
        let url = period.navigation.map_or(context.page.frames().main_url(), |navigation| &navigation.url);
        let first = entity_of(url).map(|entity| entity.name.to_owned());
        let times = EntityTimes::of(context.index);
        let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
        for (name, time) in times.times(period.times.start) {
            sums.entry(name.to_owned()).or_default().time = time;
        }
        let mut range: Option<TimeRange> = None;
        for (id, request) in period.numbered_requests(context).filter(|(_, request)| is_of_page(context, request)) {
            let Some(entity) = entity_of(&request.url) else { continue };
            let bytes = received_bytes(context, id, request);
            if bytes == 0 {
                continue;
            }
            let sum = sums.entry(entity.name.to_owned()).or_default();
            sum.bytes = sum.bytes.saturating_add(bytes);
            if Some(entity.name) != first.as_deref() {
                let own = TimeRange { start: request.start, end: request.end };
                range = Some(range.map_or(own, |range| range.union(own)));
            }
        }
        let is_third = |slice: &&EntitySlice| times.name(slice.entity) != first.as_deref();
        let slices: Vec<&EntitySlice> = times.slices(period.times).iter().filter(is_third).collect();
        let range = slices.iter().map(|slice| slice.times).chain(range).reduce(TimeRange::union);
        let finding = finding(first.as_deref(), sums);
        let late = slices.iter().max_by_key(|slice| slice.times.len()).map(|slice| slice.marker);
        let range = range.filter(|_| finding.state != InsightState::Pass);
        Some(Finding { range, late, ..finding }.with_markers(slices.iter().map(|slice| slice.marker)))
    }
}

/// True if a process that showed the page itself sent a request.
fn is_of_page(context: &Context<'_>, request: &NetworkRequest) -> bool {
    let frames = context.page.frames();
    let pid = || &context.profile().processes[request.process.index()].pid;
    frames.main().is_none_or(|main| frames.is_hosted(main, pid()))
}

/// The bytes that a request brought: those that its end states. Without an end, and where the end states none although
/// data came, as for requests that failed and for responses from memory, those of its headers and its parts, as Chrome
/// DevTools counts them.
fn received_bytes(context: &Context<'_>, id: NetworkRequestId, request: &NetworkRequest) -> i64 {
    let stated = request.encoded_bytes.filter(|bytes| *bytes > 0 && request.cache != "memory");
    if request.outcome != Outcome::Unfinished
        && let Some(bytes) = stated
    {
        return bytes;
    }
    if request.cache == "disk" {
        return 0;
    }
    let profile = context.profile();
    let part = |marker: &MarkerId| {
        let (thread, local) = profile.locate(*marker)?;
        let name = profile.strings.get(profile.thread(thread).markers.name(local));
        let is_part = ["ResourceReceiveResponse", "ResourceReceivedData"].contains(&name);
        let payload = is_part.then(|| profile.payload(thread, local))?;
        payload.get("data")?.get("encodedDataLength").and_then(Value::as_i64).filter(|bytes| *bytes > 0)
    };
    context.index.network().markers(id).iter().filter_map(part).fold(0, i64::saturating_add)
}

fn finding(first: Option<&str>, sums: BTreeMap<String, Sum>) -> Finding {
    let mut sums: Vec<(String, Sum)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse((sum.time, sum.bytes)));
    let third: Vec<&(String, Sum)> = sums.iter().filter(|(name, _)| Some(name.as_str()) != first).collect();
    let entity = |(name, sum): &(String, Sum)| {
        Fact::Group(vec![
            ("name", Fact::text(name)),
            ("main_thread_ns", Fact::Duration(sum.time)),
            ("bytes", Fact::Bytes(bytes_of(*sum))),
            ("first_party", Fact::Flag(Some(name.as_str()) == first)),
        ])
    };
    let data = vec![
        ("first_party", Fact::known(first, Fact::text)),
        ("entities", Fact::List(sums.iter().map(entity).collect())),
    ];
    let time = third.iter().map(|(_, sum)| sum.time).fold(Ns(0), |sum, own| sum + own);
    let bytes: f64 = third.iter().map(|(_, sum)| bytes_of(*sum)).sum();
    let summary = match third.first() {
        None => "No work and no bytes of other companies".to_owned(),
        Some((name, _)) => {
            let others = match third.len() - 1 {
                0 => String::new(),
                count => format!(" and {}", format_counted(count as u64, "other")),
            };
            format!("{name}{others}: {} on the main thread, {}", format_duration_ns(time.0), format_bytes(bytes))
        }
    };
    Finding {
        data,
        ..Finding::new(if third.is_empty() { InsightState::Pass } else { InsightState::Informative }, summary)
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes for people")]
fn bytes_of(sum: Sum) -> f64 {
    sum.bytes as f64
}
