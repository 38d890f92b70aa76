//! The end of a critical path as an option value.

use std::str::FromStr;

use anyhow::Context as _;

use crate::cli::lookup::{resolve_flows, resolve_marker};
use flowline_index::Index;
use flowline_index::search::parse_duration;
use flowline_profile::Ns;
use flowline_session::path_to_time;
use flowline_view::PathTarget;

/// The end of a critical path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathEnd {
    /// The end of a marker, by its number.
    Marker(u32),
    /// The end of a flow, by its id and time.
    Flow(String),
    /// The activity at a time on the displayed clock.
    Time(Ns),
}

impl FromStr for PathEnd {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = match text.split_once(':') {
            Some(("flow", id)) if !id.is_empty() => Some(Self::Flow(id.to_owned())),
            Some(("at", time)) => parse_duration(time).map(Self::Time),
            Some(_) => None,
            None => text.parse().ok().map(Self::Marker),
        };
        found.ok_or_else(|| {
            "expected the number of a marker in `dump markers`, flow:ID;T for the end of a flow, or at:T for a time on \
             the displayed clock"
                .to_owned()
        })
    }
}

impl PathEnd {
    /// Resolves the end in a recording.
    ///
    /// # Errors
    ///
    /// If there is no such marker or flow, or no activity at the time.
    pub(crate) fn resolve(&self, index: &Index, option: &str) -> anyhow::Result<PathTarget> {
        let profile = index.profile();
        Ok(match self {
            Self::Marker(number) => PathTarget::end_of(resolve_marker(profile, *number, option)?),
            Self::Flow(name) => {
                let flows = resolve_flows(index, std::slice::from_ref(name), option)?;
                let last = flows.first().and_then(|flow| index.flows().last_to_end(*flow));
                PathTarget::end_of(last.with_context(|| format!("{option} flow:{name}: the flow has no markers"))?)
            }
            Self::Time(time) => {
                let threads = profile.threads_with_ids().map(|(thread, _)| thread);
                let target = path_to_time(index, threads, profile.time_zero() + *time);
                target.with_context(|| format!("{option}: no activity at this time"))?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_markers_flows_and_times() {
        assert_eq!("12".parse(), Ok(PathEnd::Marker(12)));
        assert_eq!("flow:0x1f;1200".parse(), Ok(PathEnd::Flow("0x1f;1200".into())));
        assert_eq!("at:1.5s".parse(), Ok(PathEnd::Time(Ns(1_500_000_000))));
        for wrong in ["", "-1", "flow:", "at:", "at:soon", "marker:1"] {
            assert!(wrong.parse::<PathEnd>().is_err(), "{wrong}");
        }
    }
}
