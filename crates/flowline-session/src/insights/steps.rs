//! The steps from one insight to the next.

use std::sync::Arc;

use super::focus::{insight_focus, is_focus_of};
use super::report::InsightReport;
use crate::recording::Session;
use flowline_index::Derived;
use flowline_insights::insights::{Insight, InsightState, Insights};
use flowline_profile::Direction;
use flowline_view::InsightFocus;

/// True for an insight that a step leads to. The others have nothing to show.
const fn is_step(insight: &Insight) -> bool {
    matches!(insight.finding.state, InsightState::Fail | InsightState::Informative)
}

impl Session {
    /// The emphasis of the insight after the emphasized one, or before it, in the order in which they are listed. Without an
    /// emphasis, the steps begin in the section of the page load that the recording shows. `None` at the end, without
    /// insights, and until they have been derived, which the first call starts.
    #[must_use]
    pub fn next_insight(&self, direction: Direction) -> Option<Arc<InsightFocus>> {
        let report = self.insight_report()?;
        let all = Insights::if_built(&self.index)?.list();
        let listed: Vec<&Insight> =
            report.sections.iter().flat_map(|own| &own.insights).filter_map(|at| all.get(*at)).collect();
        let focus = self.view.insight.as_deref();
        let here = focus.and_then(|focus| listed.iter().position(|own| is_focus_of(focus, own)));
        let (before, from) = match here {
            Some(here) => (here, here + 1),
            None => {
                let main = main_part(&report);
                (main.end, main.start)
            }
        };
        let found = match direction {
            Direction::Forward => listed[from..].iter().find(|own| is_step(own)),
            Direction::Back => listed[..before].iter().rev().find(|own| is_step(own)),
        };
        found.map(|insight| Arc::new(insight_focus(&self.index, insight)))
    }
}

/// The positions of the insights of the main section among those listed; of all without such a section.
fn main_part(report: &InsightReport) -> std::ops::Range<usize> {
    let mut start = 0;
    for section in &report.sections {
        let end = start + section.insights.len();
        if section.is_main {
            return start..end;
        }
        start = end;
    }
    0..start
}
