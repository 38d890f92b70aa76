//! Origins with many static files that were loaded over HTTP/1.

use std::collections::{BTreeMap, BTreeSet};

use super::requested::union;
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::requests::RequestFacts;
use flowline_format::format_counted;
use flowline_index::Derived;
use flowline_index::entities::{Entity, entity_of, host};
use flowline_index::network::{NetworkRequest, parts_of_url};
use flowline_profile::TimeRange;

/// Origins with fewer static files do not profit.
const LEAST: usize = 6;
/// Static files with fewer bytes are mostly counters of visits.
const LEAST_BYTES: i64 = 100;

/// See the module.
pub(super) struct ModernHttpRule;

impl Rule for ModernHttpRule {
    fn name(&self) -> InsightName {
        InsightName::ModernHttp
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        if context.profile().strings.find("ResourceSendRequest").is_none() {
            let reason = "no ResourceSendRequest in the recording: record the category devtools.timeline";
            return Some(Finding::unknown(reason));
        }
        let first_party = period.navigation.and_then(|own| entity_of(&own.url));
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for request in period.requests(context).filter(|request| is_static(request, first_party)) {
            *counts.entry(origin(&request.url)).or_default() += 1;
        }
        let mut seen = BTreeSet::new();
        let is_old = |request: &&NetworkRequest| {
            counts.get(&origin(&request.url)).is_some_and(|count| *count >= LEAST)
                && is_http_1(&request.protocol)
                && request.cache != "service worker"
                && !is_local(&request.url)
        };
        let old = period.requests(context).filter(is_old);
        let found: Vec<&NetworkRequest> = old.filter(|request| seen.insert(request.url.as_str())).collect();
        let hosts: BTreeSet<&str> = found.iter().map(|request| host(&request.url)).collect();
        let summary = match hosts.first() {
            None => "No origin with many files uses HTTP/1".to_owned(),
            Some(first) => {
                let count = format_counted(found.len() as u64, "request");
                let others = if hosts.len() > 1 { " and others" } else { "" };
                format!("{count} over HTTP/1 to {first}{others}")
            }
        };
        let urls = found.iter().map(|request| Fact::Url(request.url.clone()));
        let data = vec![("requests", Fact::List(urls.collect()))];
        let state = if found.is_empty() { InsightState::Pass } else { InsightState::Fail };
        let times = |request: &&NetworkRequest| TimeRange { start: request.start, end: request.end };
        let last = found.iter().max_by_key(|request| request.end);
        let arrival = |request: &NetworkRequest| {
            let id = context.index.network().request_of(request.marker);
            let finish = id.and_then(|id| RequestFacts::of(context.index).get(id)?.finish);
            finish.unwrap_or(request.marker)
        };
        let late = last.map(|last| arrival(last));
        let finding = Finding { range: union(found.iter().map(times)), late, data, ..Finding::new(state, summary) };
        Some(finding.with_markers(found.iter().map(|request| request.marker)))
    }
}

/// Scheme and host with port.
fn origin(url: &str) -> (&str, &str) {
    let (scheme, authority, _) = parts_of_url(url);
    (scheme, authority)
}

/// True for files that do not change from visit to visit. Tiny ones of known companies count visits.
fn is_static(request: &NetworkRequest, first_party: Option<Entity<'_>>) -> bool {
    let is_file = ["Font", "Image", "Media", "Script", "Stylesheet"].contains(&request.resource.as_str());
    if !is_file || is_local(&request.url) {
        return false;
    }
    let is_tiny = request.decoded_bytes.is_some_and(|bytes| bytes < LEAST_BYTES);
    let entity = entity_of(&request.url).filter(|entity| entity.is_known);
    !is_tiny || entity.is_none() || entity == first_party
}

fn is_local(url: &str) -> bool {
    let host = host(url);
    host == "localhost" || host == "127.0.0.1" || host.ends_with(".localhost")
}

fn is_http_1(protocol: &str) -> bool {
    let name = protocol.get(..6).map(str::to_ascii_lowercase);
    name.is_some_and(|name| name == "http/0" || name == "http/1")
}
