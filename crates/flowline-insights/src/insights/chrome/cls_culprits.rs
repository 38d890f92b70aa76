//! The layout shifts of a page, and what caused them.

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::layout_shifts::{Culprit, CulpritKind, ShiftCluster, ShiftCulprits};
use flowline_format::{format_counted, format_fixed};
use flowline_index::Derived;
use flowline_profile::{MarkerId, TimeRange};

/// Greater scores fail.
const GOOD: f64 = 0.1;
/// Decimals of scores.
const DECIMALS: u8 = 3;
/// Number of culprits in the summary.
const TOP: usize = 3;

/// See the module.
pub(super) struct ClsCulpritsRule;

impl Rule for ClsCulpritsRule {
    fn name(&self) -> InsightName {
        InsightName::ClsCulprits
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let shifts = context.shifts;
        let unknown = shifts.unknown(period.number());
        if let Some(reason) = unknown.filter(|_| shifts.worst(period.number()).is_none()) {
            return Some(Finding::unknown(reason));
        }
        let score = shifts.score(period.number());
        let all = ShiftCulprits::of(context.index);
        let clusters: Vec<&ShiftCluster> =
            shifts.clusters().iter().filter(|own| own.navigation == period.number()).collect();
        let numbers: Vec<usize> = clusters.iter().flat_map(|own| own.shifts.iter().copied()).collect();
        let worst = shifts.worst(period.number());
        let times = |times: TimeRange| {
            Fact::Group(vec![("start_ns", Fact::Moment(times.start)), ("end_ns", Fact::Moment(times.end))])
        };
        let shift_fact = |at: &usize| {
            let own = &shifts.shifts()[*at];
            let mut facts = vec![
                ("t_ns", Fact::Moment(own.time)),
                ("score", Fact::known(own.is_weighted.then_some(own.score), Fact::Number)),
            ];
            facts.extend(culprit_facts(all.of_shift(*at)));
            facts.push(("marker", Fact::Marker(own.marker)));
            Fact::Group(facts)
        };
        let data = vec![
            ("cls", Fact::known(score, Fact::Number)),
            ("clusters", Fact::Count(i64::try_from(clusters.len()).unwrap_or(i64::MAX))),
            ("worst", Fact::known(worst, |worst| times(worst.times))),
            ("shifts", Fact::List(numbers.iter().map(shift_fact).collect())),
        ];
        let state = match worst {
            None => InsightState::Pass,
            // Shifts without a known weight only add to the score.
            Some(worst) if worst.score >= GOOD => InsightState::Fail,
            Some(_) if unknown.is_some() => InsightState::Unknown,
            Some(_) => InsightState::Informative,
        };
        let markers = numbers.iter().flat_map(|at| {
            let culprits = all.of_shift(*at).iter().map(|culprit| culprit.marker);
            culprits.chain([shifts.shifts()[*at].marker]).collect::<Vec<MarkerId>>()
        });
        let late = worst.and_then(|worst| shifts.shifts().get(worst.worst)).map(|shift| shift.marker);
        let summary = worst.map_or_else(|| "No layout shifts".to_owned(), |worst| summary(worst, all));
        let range = worst.map(|worst| worst.times);
        let unknown = unknown.map(str::to_owned).into_iter().collect();
        Some(Finding { unknown, range, late, data, ..Finding::new(state, summary) }.with_markers(markers))
    }
}

/// The culprits of a shift by kind.
fn culprit_facts(culprits: &[Culprit]) -> Vec<(&'static str, Fact)> {
    let of = |kind: CulpritKind| culprits.iter().filter(move |culprit| culprit.kind == kind);
    let urls = |kind| Fact::List(of(kind).map(url).collect());
    let texts = |texts: &mut dyn Iterator<Item = &str>| Fact::List(texts.map(Fact::text).collect());
    let animation = |culprit: &Culprit| {
        Fact::Group(vec![
            ("name", Fact::text(&culprit.name)),
            ("reasons", texts(&mut culprit.reasons.iter().copied())),
            ("properties", texts(&mut culprit.properties.iter().map(String::as_str))),
        ])
    };
    let image =
        |culprit: &Culprit| Fact::Group(vec![("node", Fact::known(culprit.node, Fact::Count)), ("url", url(culprit))]);
    vec![
        ("fonts", urls(CulpritKind::Font)),
        ("iframes", urls(CulpritKind::Iframe)),
        ("animations", Fact::List(of(CulpritKind::Animation).map(animation).collect())),
        ("unsized_images", Fact::List(of(CulpritKind::UnsizedImage).map(image).collect())),
    ]
}

fn url(culprit: &Culprit) -> Fact {
    if culprit.name.is_empty() { Fact::Unknown } else { Fact::Url(culprit.name.clone()) }
}

/// "CLS 0.132, 6 shifts: animation grow, image without size late.png".
fn summary(worst: &ShiftCluster, all: &ShiftCulprits) -> String {
    let mut found: Vec<&Culprit> = worst.shifts.iter().flat_map(|at| all.of_shift(*at)).collect();
    found.sort_by_key(|culprit| culprit.kind);
    found.dedup_by_key(|culprit| culprit.marker);
    let shifts = format_counted(worst.shifts.len() as u64, "shift");
    let score = match worst.unweighted {
        0 => format!("CLS {} from {shifts}", format_fixed(worst.score, DECIMALS)),
        count => format!("{shifts}, {count} of frames inside the page without a known weight"),
    };
    let names = found.iter().take(TOP).map(|culprit| {
        let name = flowline_index::network::short_name(&culprit.name);
        format!("{} {name}", culprit.kind.title().to_lowercase()).trim_end().to_owned()
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() { score } else { format!("{score}: {}", names.join(", ")) }
}
