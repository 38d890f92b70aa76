//! Budgets: limits of the figures of page loads, in a JSON file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use super::choice::Chosen;
use flowline_insights::insights::InsightName;
use flowline_insights::report::MetricKind;
use flowline_load::read_small_file;

/// A budget as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    navigation: Option<String>,
    metrics: BTreeMap<String, f64>,
    allow: Vec<String>,
    require: Vec<String>,
}

/// A budget.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Budget {
    /// The page loads that it is about: `first`, `last`, `all`, or the beginning of an address.
    navigation: Option<String>,
    /// Limits, in milliseconds, scores or numbers.
    pub(crate) limits: Vec<(MetricKind, f64)>,
    /// Insights that may fail.
    pub(crate) allow: Vec<InsightName>,
    /// Figures that must be known.
    pub(crate) require: Vec<MetricKind>,
}

impl Budget {
    /// Reads a budget.
    ///
    /// # Errors
    /// If the file cannot be read, or does not contain a budget.
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        let place = || file.display().to_string();
        let text = read_small_file(file).with_context(place)?;
        let text = std::str::from_utf8(&text).context("this is not a budget").with_context(place)?;
        Self::parse(text).with_context(place)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let written: Written = serde_json::from_str(text).context("this is not a budget")?;
        let limit = |(key, limit): (&String, &f64)| {
            ensure!(limit.is_finite() && *limit >= 0.0, "the limit of {key} is not a number from 0 on");
            Ok((metric(key)?, *limit))
        };
        let insight = |name: &String| InsightName::find(name).with_context(|| format!("there is no insight {name}"));
        Ok(Self {
            limits: written.metrics.iter().map(limit).collect::<anyhow::Result<_>>()?,
            allow: written.allow.iter().map(insight).collect::<anyhow::Result<_>>()?,
            require: written.require.iter().map(|key| metric(key)).collect::<anyhow::Result<_>>()?,
            navigation: written.navigation,
        })
    }

    /// The sections that the budget is about: page loads, without pages of the browser if there are others; without any
    /// page load, all sections.
    ///
    /// # Errors
    /// If there is none: a budget that is compared with nothing is not kept.
    pub(crate) fn select<'a, 'b>(&self, all: &'b [Chosen<'a>]) -> anyhow::Result<Vec<&'b Chosen<'a>>> {
        let pages: Vec<&Chosen<'_>> = all.iter().filter(|own| own.section.is_page()).collect();
        let sites: Vec<&Chosen<'_>> = pages.iter().copied().filter(|own| !own.section.is_of_browser).collect();
        let some = [sites, pages, all.iter().collect()].into_iter().find(|some| !some.is_empty()).unwrap_or_default();
        let selected: Vec<&Chosen<'_>> = match self.navigation.as_deref() {
            None | Some("all") => some,
            Some("first") => some.into_iter().take(1).collect(),
            Some("last") => some.into_iter().last().into_iter().collect(),
            Some(url) => some.into_iter().filter(|own| own.section.url.starts_with(url)).collect(),
        };
        let of = self.navigation.as_deref().unwrap_or("all");
        ensure!(!selected.is_empty(), "the recording has no page load that the budget is about (navigation: {of})");
        Ok(selected)
    }
}

fn metric(key: &str) -> anyhow::Result<MetricKind> {
    MetricKind::ALL.into_iter().find(|kind| kind.budget_key() == key).with_context(|| {
        format!("there is no metric {key}; metrics are {}", MetricKind::ALL.map(MetricKind::budget_key).join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_name_metrics_and_insights_that_exist() {
        let text = r#"{"navigation": "first", "metrics": {"lcp_ms": 2500, "cls": 0.1}, "allow": ["Viewport"],
            "require": ["lcp_ms"]}"#;
        let budget = Budget::parse(text).expect("a budget");
        assert_eq!(budget.limits, [(MetricKind::Cls, 0.1), (MetricKind::Lcp, 2_500.0)]);
        assert_eq!((budget.allow, budget.require), (vec![InsightName::Viewport], vec![MetricKind::Lcp]));
        for (wrong, part) in [
            (r#"{"metrics": {"lcp_s": 1}}"#, "lcp_ms"),
            (r#"{"metrics": {"lcp_ms": -1}}"#, "lcp_ms"),
            (r#"{"allow": ["Nothing"]}"#, "Nothing"),
            (r#"{"budget": {}}"#, "budget"),
            ("[", "budget"),
        ] {
            let error = format!("{:#}", Budget::parse(wrong).expect_err(wrong));
            assert!(error.contains(part), "{wrong}: {error}");
        }
    }
}
