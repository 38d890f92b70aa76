//! What broke a budget or a rule of `--fail-on`, with the command that draws it.

use std::path::Path;

use serde_json::{Value, json};

use super::budget::Budget;
use super::choice::{Chosen, label};
use crate::cli::args::FailOn;
use flowline_format::{format_fixed, format_number};
use flowline_insights::insights::{Insight, InsightName, InsightState};
use flowline_insights::page_load::Rating;
use flowline_insights::report::{Metric, MetricKind, Section, SectionKind};
use flowline_profile::{MarkerId, Profile};
use flowline_ui::shell_word;

/// Something that broke a limit.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Key of the figure in budgets, or name of the insight.
    what: &'static str,
    /// What happened, in a sentence.
    text: String,
    value: Option<f64>,
    limit: Option<f64>,
    section: String,
    navigation: Option<u32>,
    marker: Option<MarkerId>,
    command: String,
}

/// A figure that broke a limit.
struct Figure {
    text: String,
    value: Option<f64>,
    limit: Option<f64>,
}

impl Broken {
    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let marker = self.marker.map_or_else(String::new, |marker| format!(", marker {}", marker.0));
        format!("{} ({}{marker}): {}", self.text, self.section, self.command)
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "what": self.what,
            "text": self.text,
            "value": self.value,
            "limit": self.limit,
            "navigation": self.navigation,
            "marker": self.marker.map(|marker| marker.0),
            "command": self.command,
        })
    }
}

/// The outcome of comparing page loads with their limits.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) broken: Vec<Broken>,
    /// Figures with a limit that the recording does not tell, which is no failure.
    pub(crate) untold: Vec<String>,
}

/// Compares page loads with a budget and the rules of `--fail-on`.
pub(crate) struct Limits<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) file: &'a Path,
    pub(crate) budget: &'a Budget,
    pub(crate) rules: &'a [FailOn],
}

impl Limits<'_> {
    /// Compares some page loads.
    pub(crate) fn check(&self, all: &[&Chosen<'_>]) -> Outcome {
        let mut outcome = Outcome::default();
        for own in all {
            let required = self.budget.require.iter().filter(|kind| self.limit(**kind).is_none());
            let limits = self.budget.limits.iter().map(|(kind, limit)| (*kind, Some(*limit)));
            for (kind, limit) in limits.chain(required.map(|kind| (*kind, None))) {
                self.limited(&mut outcome, own.section, kind, limit);
            }
            for metric in &own.section.metrics {
                outcome.broken.extend(self.rated(own.section, metric));
            }
            let broken = own.insights.iter().filter(|insight| self.is_broken(own.section, insight));
            outcome.broken.extend(broken.map(|insight| self.of_insight(own.section, insight)));
        }
        outcome
    }

    fn limit(&self, kind: MetricKind) -> Option<f64> {
        self.budget.limits.iter().find(|(own, _)| *own == kind).map(|(_, limit)| *limit)
    }

    fn limited(&self, outcome: &mut Outcome, section: &Section, kind: MetricKind, limit: Option<f64>) {
        let metric = section.metric(kind);
        let title = kind.title();
        let Some((metric, value)) = metric.and_then(|metric| Some((metric, metric.value?))) else {
            let reason = metric.map_or("not recorded", |metric| metric.unknown.as_str());
            let text = format!("{title} is unknown: {reason}");
            if self.budget.require.contains(&kind) {
                outcome.broken.push(self.of_metric(section, kind, Figure { text, value: None, limit }, None));
            } else {
                outcome.untold.push(format!("{text} ({})", label(self.profile, section)));
            }
            return;
        };
        let number = value.in_budget_unit();
        if let Some(limit) = limit.filter(|limit| number > *limit) {
            let allowed = limit_text(kind, limit);
            let text = format!("{title} {} is above its budget of {allowed}", value.text());
            let figure = Figure { text, value: Some(number), limit: Some(limit) };
            outcome.broken.push(self.of_metric(section, kind, figure, metric.marker));
        }
    }

    /// A figure whose rating breaks a rule.
    fn rated(&self, section: &Section, metric: &Metric) -> Option<Broken> {
        let (rating, value) = metric.rating.zip(metric.value)?;
        let is_broken = match rating {
            Rating::Good => false,
            Rating::NeedsImprovement => self.rules.contains(&FailOn::NeedsImprovement),
            Rating::Poor => self.rules.contains(&FailOn::NeedsImprovement) || self.rules.contains(&FailOn::Poor),
        };
        let text = format!("{} {} is rated \"{}\"", metric.kind.title(), value.text(), rating.name());
        let figure = Figure { text, value: Some(value.in_budget_unit()), limit: None };
        is_broken.then(|| self.of_metric(section, metric.kind, figure, metric.marker))
    }

    fn is_broken(&self, section: &Section, own: &Insight) -> bool {
        let (name, state) = (own.name, own.finding.state);
        // An insight that only informs is broken by anything that it has to say, but only if somebody asks for it.
        let is_found = state == InsightState::Informative && only_informs(section.kind, name);
        let is_named = self.rules.contains(&FailOn::Insight(name)) && (state == InsightState::Fail || is_found);
        let is_failed = state == InsightState::Fail && self.rules.contains(&FailOn::AnyFailed);
        let is_unknown = state == InsightState::Unknown && self.rules.contains(&FailOn::Unknown);
        (is_named || is_failed || is_unknown) && !self.budget.allow.contains(&name)
    }

    fn of_insight(&self, section: &Section, own: &Insight) -> Broken {
        let marker = own.finding.late.or_else(|| own.finding.markers.first().copied());
        let name = own.name.name();
        let state = match own.finding.state {
            InsightState::Fail => "failed",
            InsightState::Informative => "found something",
            InsightState::Unknown => "is unknown",
            InsightState::Pass => "passed",
        };
        let process = own.process.and_then(|process| self.profile.processes.get(process.index()));
        let of = own.navigation.map(|number| number.to_string()).or_else(|| process.map(|own| own.pid.to_string()));
        let insight = of.map_or_else(|| name.to_owned(), |of| format!("{name};{of}"));
        Broken {
            what: name,
            text: format!("{name} {state}: {}", own.finding.summary),
            value: None,
            limit: None,
            section: label(self.profile, section),
            navigation: section.navigation,
            marker,
            command: self.command(name, Some(&insight), marker),
        }
    }

    fn of_metric(&self, section: &Section, kind: MetricKind, figure: Figure, marker: Option<MarkerId>) -> Broken {
        Broken {
            what: kind.budget_key(),
            text: figure.text,
            value: figure.value,
            limit: figure.limit,
            section: label(self.profile, section),
            navigation: section.navigation,
            marker,
            command: self.command(kind.name(), None, marker),
        }
    }

    /// The command that draws it.
    fn command(&self, picture: &str, insight: Option<&str>, marker: Option<MarkerId>) -> String {
        let file = shell_word(&self.file.display().to_string());
        let mut command = format!("flowline render {file} -o {}", shell_word(&format!("{picture}.png")));
        if let Some(insight) = insight {
            command.push_str(&format!(" --insight {}", shell_word(insight)));
        }
        if let Some(marker) = marker {
            command.push_str(&format!(" --select {0} --critical {0}", marker.0));
        }
        command
    }
}

/// True for insights that never fail.
const fn only_informs(kind: SectionKind, name: InsightName) -> bool {
    use InsightName::{DomSize, LongTasks, SlowCssSelector, ThirdParties};
    let is_of_firefox = matches!(kind, SectionKind::Window | SectionKind::Process);
    is_of_firefox || matches!(name, DomSize | LongTasks | SlowCssSelector | ThirdParties)
}

/// A limit for people.
fn limit_text(kind: MetricKind, limit: f64) -> String {
    match kind {
        MetricKind::Cls => format_fixed(limit, 3),
        kind if kind.budget_key().ends_with("_ms") => format!("{} ms", format_number(limit)),
        _ => format_number(limit),
    }
}
