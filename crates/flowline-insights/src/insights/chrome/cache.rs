//! Files that the browser has to load again at the next visit.

use std::cmp::Reverse;

use super::cache_lifetime::{hit_probability, short_lifetime};
use super::requested::{Requested, requested, union};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::requests::Headers;
use flowline_format::{format_bytes, format_counted};
use flowline_profile::Profile;

/// Status codes of responses that can be kept.
const STATUS: [i64; 3] = [200, 203, 206];
/// Types of files that do not change from visit to visit.
const STATIC: [&str; 5] = ["Font", "Image", "Media", "Script", "Stylesheet"];
/// Files that most visitors still have at their next visit are kept for long enough.
const LIKELY: f64 = 0.925;

/// See the module.
pub(super) struct CacheRule;

/// A file with a short lifetime.
struct Short<'a> {
    requested: Requested<'a>,
    lifetime: i64,
    wasted: f64,
}

impl Rule for CacheRule {
    fn name(&self) -> InsightName {
        InsightName::Cache
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let profile = context.profile();
        if profile.strings.find("ResourceSendRequest").is_none() {
            let reason = "no ResourceSendRequest in the recording: record the category devtools.timeline";
            return Some(Finding::unknown(reason));
        }
        let all = requested(context, period);
        let mut found: Vec<Short<'_>> = all.filter_map(|requested| short(profile, requested)).collect();
        let size = |short: &Short<'_>| short.requested.request.decoded_bytes.unwrap_or(0);
        found.sort_by_key(|short| (Reverse(size(short)), short.lifetime));
        let wasted: f64 = found.iter().map(|short| short.wasted).sum();
        let request = |short: &Short<'_>| {
            Fact::Group(vec![
                ("url", Fact::Url(short.requested.request.url.clone())),
                ("ttl_s", Fact::Count(short.lifetime)),
                ("wasted_bytes", Fact::Bytes(short.wasted)),
                ("marker", Fact::Marker(short.requested.request.marker)),
            ])
        };
        let data =
            vec![("requests", Fact::List(found.iter().map(request).collect())), ("wasted_bytes", Fact::Bytes(wasted))];
        let state = if found.is_empty() { InsightState::Pass } else { InsightState::Fail };
        let summary = match found.len() {
            0 => "No file with a short lifetime".to_owned(),
            count => {
                let files = format_counted(count as u64, "file");
                format!("{files} with short lifetimes, {} to load again", format_bytes(wasted))
            }
        };
        let range = union(found.iter().map(|short| short.requested.times()));
        let late = found.iter().max_by(|a, b| a.wasted.total_cmp(&b.wasted)).map(|short| short.requested.arrival());
        let finding = Finding { range, late, data, ..Finding::new(state, summary) };
        Some(finding.with_markers(found.iter().map(|short| short.requested.request.marker)))
    }
}

/// A request, if it loaded a file that is kept for too short.
fn short<'a>(profile: &Profile, requested: Requested<'a>) -> Option<Short<'a>> {
    let request = requested.request;
    let is_static = STATIC.contains(&request.resource.as_str());
    let is_of_network = request.url.starts_with("http:") || request.url.starts_with("https:");
    if !is_static || !is_of_network || !request.status.is_some_and(|status| STATUS.contains(&status)) {
        return None;
    }
    let headers = Headers::read(profile, requested.fact.response?)?;
    let lifetime = short_lifetime(&headers)?;
    let hits = hit_probability(lifetime);
    let wasted = (1.0 - hits) * bytes(request.encoded_bytes);
    (hits <= LIKELY).then_some(Short { requested, lifetime, wasted })
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
fn bytes(size: Option<i64>) -> f64 {
    size.unwrap_or(0) as f64
}
