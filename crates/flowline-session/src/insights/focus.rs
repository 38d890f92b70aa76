//! The emphasis of an insight: its range and its markers.

use std::sync::Arc;

use super::report::InsightReport;
use crate::recording::Session;
use flowline_index::{Derived, Index};
use flowline_insights::insights::{Insight, Insights};
use flowline_insights::page_load::PageId;
use flowline_insights::report::Sections;
use flowline_view::InsightFocus;

/// The emphasis of an insight. Without a range of its own, it is about its navigation, or else about everything.
#[must_use]
pub fn insight_focus(index: &Index, insight: &Insight) -> InsightFocus {
    let finding = &insight.finding;
    InsightFocus {
        range: finding.range.or_else(|| Some(Sections::of(index).of_insight(insight)?.times)),
        markers: Some(Arc::from(finding.markers.as_slice())),
        ..name_of(insight)
    }
}

/// The emphasis without its range and its markers.
fn name_of(insight: &Insight) -> InsightFocus {
    InsightFocus {
        name: insight.name.name().to_owned(),
        navigation: insight.navigation,
        window: window_of(insight),
        process: insight.process,
        range: None,
        markers: None,
    }
}

const fn window_of(insight: &Insight) -> Option<i64> {
    match insight.page {
        PageId::Window(window) => Some(window),
        PageId::Frame(_) | PageId::None => None,
    }
}

/// True if the chart emphasizes an insight.
#[must_use]
pub fn is_focus_of(focus: &InsightFocus, insight: &Insight) -> bool {
    focus.name == insight.name.name()
        && (focus.navigation, focus.window, focus.process) == (insight.navigation, window_of(insight), insight.process)
}

impl Session {
    /// The insights; `None` while they are derived in the background, which the first call starts.
    #[must_use]
    pub fn insight_report(&self) -> Option<Arc<InsightReport>> {
        self.report.get(&self.index, self.tab())
    }

    /// The emphasized insight, once insights have been derived.
    #[must_use]
    pub fn focused_insight(&self) -> Option<&Insight> {
        let focus = self.view.insight.as_deref()?;
        Insights::if_built(&self.index)?.list().iter().find(|insight| is_focus_of(focus, insight))
    }

    /// Finds the range and the markers of an insight that was restored by its name.
    pub(crate) fn resolve_insight(&mut self) {
        if self.view.insight.as_ref().is_none_or(|focus| focus.markers.is_some()) {
            return;
        }
        if self.insight_report().is_none() {
            return;
        }
        let found = self.focused_insight().map(|insight| insight_focus(&self.index, insight));
        // An insight that this recording does not have dims nothing.
        self.view.restore_insight(found);
    }
}
