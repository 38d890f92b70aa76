//! Text that was invisible while its font was on its way.

use super::requested::{Requested, requested, union};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::{FontLoad, FontLoads};
use flowline_format::{format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_index::network::PhaseKind;
use flowline_profile::Ns;

/// Values of `font-display` with which text waits for its font.
const WAITING: [&str; 3] = ["block", "fallback", "auto"];
/// Times are whole multiples of this, because browsers wait for about that long anyway.
const STEP: i64 = 5_000_000;
/// Text becomes visible after this time in any case.
const MOST: i64 = 3_000_000_000;

/// See the module.
pub(super) struct FontDisplayRule;

/// A font for which text waited.
struct Waited<'a> {
    load: &'a FontLoad,
    requested: Requested<'a>,
    wasted: Ns,
}

impl Rule for FontDisplayRule {
    fn name(&self) -> InsightName {
        InsightName::FontDisplay
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        if context.profile().strings.find("ResourceSendRequest").is_none() {
            let reason = "no ResourceSendRequest in the recording: record the category devtools.timeline";
            return Some(Finding::unknown(reason));
        }
        let fonts = FontLoads::of(context.index);
        let all = requested(context, period).filter(|own| own.request.resource == "Font");
        let loads = all.flat_map(|own| fonts.of_request(&own.fact.id).iter().map(move |load| (load, own)));
        let mut found: Vec<Waited<'_>> = loads.filter_map(|(load, own)| waited(load, own)).collect();
        found.sort_by_key(|own| std::cmp::Reverse(own.wasted));
        let name = |own: &Waited<'_>| fonts.name(&own.load.url).map(str::to_owned);
        let font = |own: &Waited<'_>| {
            Fact::Group(vec![
                ("name", Fact::known(name(own), Fact::Text)),
                ("url", Fact::Url(own.load.url.clone())),
                ("display", Fact::text(&own.load.display)),
                ("wasted_ns", Fact::Duration(own.wasted)),
                ("marker", Fact::Marker(own.load.marker)),
            ])
        };
        let data = vec![("fonts", Fact::List(found.iter().map(font).collect()))];
        let state = if found.is_empty() { InsightState::Pass } else { InsightState::Fail };
        let summary = match found.first() {
            None => "No text waited for a font".to_owned(),
            Some(first) => {
                let name = name(first).unwrap_or_else(|| first.requested.request.short_name().to_owned());
                let time = format_duration_ns(first.wasted.0);
                match found.len() {
                    1 => format!("Text waited {time} for {name}"),
                    count => format!("Text waited for {}, {time} for {name}", format_counted(count as u64, "font")),
                }
            }
        };
        let range = union(found.iter().map(|own| own.requested.times()));
        let late = found.first().map(|own| own.requested.fact.finish.unwrap_or(own.requested.request.marker));
        let markers = found.iter().flat_map(|own| [own.load.marker, own.requested.request.marker]);
        Some(Finding { range, late, data, ..Finding::new(state, summary) }.with_markers(markers))
    }
}

/// A font, if text waited for it.
fn waited<'a>(load: &'a FontLoad, requested: Requested<'a>) -> Option<Waited<'a>> {
    if !WAITING.contains(&load.display.as_str()) {
        return None;
    }
    let sent = requested.request.phases.iter().find(|phase| phase.kind == PhaseKind::Sent)?.start;
    let waited = (requested.fact.finished? - sent).0;
    let wasted = (waited - waited.rem_euclid(STEP)).clamp(0, MOST);
    (wasted > 0).then_some(Waited { load, requested, wasted: Ns(wasted) })
}
