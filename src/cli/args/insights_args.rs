//! Arguments of `insights`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::values::parse_range;
use flowline_insights::insights::InsightName;
use flowline_profile::Ns;

/// `insights`.
#[derive(Debug, Args)]
pub(crate) struct InsightsArgs {
    /// Recording ("example" for the bundled one, - for standard input)
    pub(crate) file: PathBuf,
    /// Print one JSON object with stable keys
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) part: PageArgs,
    /// Exit with status 3 if a figure exceeds its limit in this JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) budget: Option<PathBuf>,
    /// Exit with status 3 for these insights, or for: fail (any insight that failed), poor or needs-improvement (figures
    /// rated so or worse), unknown (any insight that the recording cannot answer)
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

/// Options that select page loads.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PageArgs {
    /// Only page loads and insights in this range of the displayed clock, for example 1200..1350 or 1.2s..1.35s
    #[arg(long, value_parser = parse_range, value_name = "A..B")]
    pub(crate) range: Option<(Ns, Ns)>,
    /// Only the navigation with this number (Chrome)
    #[arg(long, value_name = "N", conflicts_with = "window")]
    pub(crate) navigation: Option<u32>,
    /// Only the window with this id (Firefox)
    #[arg(long, value_name = "ID")]
    pub(crate) window: Option<i64>,
    /// Only the pages of a browser tab (Firefox): its id, or a part of the address of its page
    #[arg(long, value_name = "TAB", conflicts_with = "window")]
    pub(crate) tab: Option<String>,
}

/// A rule of `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    /// An insight failed; one that cannot fail found something.
    Insight(InsightName),
    /// Any insight failed.
    AnyFailed,
    /// A figure is poor.
    Poor,
    /// A figure is poor or needs improvement.
    NeedsImprovement,
    /// Any insight is unknown.
    Unknown,
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim() {
            "fail" => Self::AnyFailed,
            "poor" => Self::Poor,
            "needs-improvement" => Self::NeedsImprovement,
            "unknown" => Self::Unknown,
            name => Self::Insight(parse_insight(name)?),
        })
    }
}

/// An insight as an option value: its name, and if there are several, the navigation or process that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InsightChoice {
    pub(crate) name: InsightName,
    /// Number of a navigation, or id of a process.
    pub(crate) of: Option<String>,
}

impl FromStr for InsightChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, of) = text.split_once(';').map_or((text, None), |(name, of)| (name, Some(of.trim().to_owned())));
        Ok(Self { name: parse_insight(name.trim())?, of })
    }
}

/// Parses the name of an insight.
fn parse_insight(text: &str) -> Result<InsightName, String> {
    InsightName::find(text).ok_or_else(|| {
        let names = InsightName::ALL.map(InsightName::name);
        format!("there is no insight of this name; insights are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_words_and_names_of_insights() {
        assert_eq!("fail".parse(), Ok(FailOn::AnyFailed));
        assert_eq!(" needs-improvement".parse(), Ok(FailOn::NeedsImprovement));
        assert_eq!("lcpbreakdown".parse(), Ok(FailOn::Insight(InsightName::LcpBreakdown)));
        let choice = "Cache;1".parse();
        assert_eq!(choice, Ok(InsightChoice { name: InsightName::Cache, of: Some("1".to_owned()) }));
        let error = "LCP".parse::<FailOn>().expect_err("an abbreviation is no name");
        assert!(error.contains("LCPBreakdown"), "{error}");
    }
}
