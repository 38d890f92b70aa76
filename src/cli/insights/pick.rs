//! The insight that an option names.

use crate::cli::args::InsightChoice;
use flowline_index::{Derived, Index};
use flowline_insights::insights::{Insight, Insights};

/// The insight that an option names; of several, the worst one, and of equally bad ones the first.
///
/// # Errors
/// If the recording has no such insight.
pub(crate) fn pick<'a>(index: &'a Index, choice: &InsightChoice, option: &str) -> anyhow::Result<&'a Insight> {
    let profile = index.profile();
    let name = choice.name.name();
    let of = |own: &Insight| {
        let process = own.process.and_then(|process| profile.processes.get(process.index()));
        own.navigation.map(|number| number.to_string()).or_else(|| process.map(|process| process.pid.to_string()))
    };
    let all = Insights::of(index).list().iter().filter(|own| own.name == choice.name);
    let wanted = all.clone().filter(|own| choice.of.is_none() || of(own) == choice.of);
    if let Some(found) = wanted.min_by_key(|own| own.finding.state) {
        return Ok(found);
    }
    let known: Vec<String> = all.filter_map(of).collect();
    match known.is_empty() {
        true => anyhow::bail!("{option} {name}: the recording has no such insight; `dump insights` lists all"),
        false => anyhow::bail!("{option} {name}: there is none of this number; there are {}", known.join(", ")),
    }
}
