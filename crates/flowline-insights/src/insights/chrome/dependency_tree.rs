//! Chains of requests of which each found the next one.

use std::collections::BTreeMap;

use super::dependencies::chains;
use super::requested::{NO_DOCUMENT, Requested, document, hard, requested, union};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::DocumentEvents;
use crate::requests::header;
use flowline_format::{format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_index::network::parts_of_url;
use flowline_profile::Ns;

/// At most this many early connections are listed.
const MAX_PRECONNECTS: usize = 100;

/// See the module.
pub(super) struct NetworkDependencyTreeRule;

impl Rule for NetworkDependencyTreeRule {
    fn name(&self) -> InsightName {
        InsightName::NetworkDependencyTree
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let navigation = hard(period)?;
        let Some(document) = document(context, period) else { return Some(Finding::unknown(NO_DOCUMENT)) };
        let others = requested(context, period).filter(|own| own.id != document.id && !own.fact.is_of_worker);
        let all: Vec<Requested<'_>> = [document].into_iter().chain(others).collect();
        let found = chains(&all, &navigation.frame);
        let longest = found.longest.as_slice();
        let is_chained = found.list.iter().any(|chain| chain.len() >= 2);
        let urls = |chain: &[usize]| {
            let urls = chain.iter().filter_map(|at| all.get(*at)).map(|own| Fact::Url(own.request.url.clone()));
            Fact::List(urls.collect())
        };
        let links = longest.iter().filter_map(|at| all.get(*at)).map(|own| {
            Fact::Group(vec![
                ("url", Fact::Url(own.request.url.clone())),
                ("start_ns", Fact::Moment(own.request.start)),
                ("end_ns", Fact::Moment(own.request.end)),
                ("marker", Fact::Marker(own.request.marker)),
            ])
        });
        let length = length(&all, longest);
        let data = vec![
            ("longest_ns", Fact::Duration(length)),
            ("longest", urls(longest)),
            ("longest_requests", Fact::List(links.collect())),
            ("chains", Fact::List(found.list.iter().map(|chain| urls(chain)).collect())),
            ("preconnects", Fact::List(preconnects(context, period, &document))),
        ];
        let state = if is_chained { InsightState::Fail } else { InsightState::Pass };
        let members = || found.list.iter().flatten().filter_map(|at| all.get(*at));
        let late = longest.last().and_then(|at| all.get(*at)).map(|own| own.fact.finish.unwrap_or(own.request.marker));
        let finding = Finding {
            unknown: found.left_out().into_iter().collect(),
            range: union(members().map(Requested::times)),
            late,
            data,
            ..Finding::new(state, summary(&all, longest, length))
        };
        Some(finding.with_markers(members().map(|own| own.request.marker)))
    }
}

/// Time from the start of a chain to the end of its last request.
fn length(all: &[Requested<'_>], chain: &[usize]) -> Ns {
    let at = |at: Option<&usize>| at.and_then(|at| all.get(*at));
    let ends = at(chain.first()).zip(at(chain.last()));
    ends.map_or(Ns(0), |(first, last)| last.request.end - first.request.start)
}

fn summary(all: &[Requested<'_>], longest: &[usize], length: Ns) -> String {
    let last = longest.last().and_then(|at| all.get(*at)).filter(|_| longest.len() >= 2);
    let Some(last) = last else { return "No request waited for another one".to_owned() };
    let count = format_counted(longest.len() as u64, "request");
    format!("Chain of {count}, {}, up to {}", format_duration_ns(length.0), last.request.short_name())
}

/// The early connections that the page asked for, and whether they were used.
fn preconnects(context: &Context<'_>, period: &Period<'_>, document: &Requested<'_>) -> Vec<Fact> {
    let mut asked: BTreeMap<(String, &str), bool> = BTreeMap::new();
    for own in DocumentEvents::of(context.index).preconnects().iter().take(MAX_PRECONNECTS) {
        asked.insert((own.value.clone(), "link element"), true);
    }
    let response = document.fact.response.and_then(|response| header(context.profile(), response, "link"));
    for url in response.iter().flat_map(|links| preconnect_links(links)).take(MAX_PRECONNECTS) {
        asked.insert((absolute(url, &document.request.url), "response header"), true);
    }
    if asked.is_empty() {
        return Vec::new();
    }
    let origin = |url: &str| {
        let (scheme, authority, _) = parts_of_url(url);
        format!("{scheme}{authority}")
    };
    for request in period.requests(context) {
        let used = origin(&request.url);
        for ((url, _), is_unused) in &mut asked {
            *is_unused &= origin(url) != used;
        }
    }
    let fact = |((url, source), is_unused): ((String, &str), bool)| {
        Fact::Group(vec![
            ("url", Fact::Url(url)),
            ("unused", Fact::Flag(is_unused)),
            ("source", Fact::Text(source.to_owned())),
        ])
    };
    asked.into_iter().map(fact).collect()
}

/// The addresses of a `Link` header with `rel=preconnect`.
fn preconnect_links(links: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in links.split('<').skip(1) {
        let Some((url, attributes)) = part.split_once('>') else { continue };
        let is_preconnect = attributes.split([';', ',']).any(|attribute| {
            let Some((name, value)) = attribute.split_once('=') else { return false };
            let kinds = value.trim().trim_matches(['"', '\'']);
            let mut kinds = kinds.split_ascii_whitespace();
            name.trim().eq_ignore_ascii_case("rel") && kinds.any(|kind| kind.eq_ignore_ascii_case("preconnect"))
        });
        if is_preconnect {
            found.push(url.trim());
        }
    }
    found
}

/// An address that may lack its scheme.
fn absolute(url: &str, document: &str) -> String {
    match url.strip_prefix("//") {
        Some(rest) => {
            let (scheme, ..) = parts_of_url(document);
            format!("{scheme}{rest}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{absolute, preconnect_links};

    #[test]
    fn headers_ask_for_connections() {
        let links = "<https://a.test>; rel=preconnect; crossorigin, <https://b.test/x.css>; rel=preload; as=style, \
                     <//c.test>; rel=\"dns-prefetch preconnect\", <broken; rel=preconnect";
        assert_eq!(preconnect_links(links), ["https://a.test", "//c.test"]);
        assert_eq!(absolute("//c.test", "https://d.test/x"), "https://c.test");
        assert_eq!(absolute("http://c.test", "https://d.test/x"), "http://c.test");
        assert!(preconnect_links("").is_empty());
    }
}
