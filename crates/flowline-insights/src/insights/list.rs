//! All insights of a recording.

use rayon::prelude::*;

use super::context::Context;
use super::insight::{Insight, InsightState};
use super::{chrome, firefox};
use crate::page::Page;
use crate::page_load::PageId;
use flowline_index::{Derived, Index};
use flowline_profile::Profile;

/// The insights of a recording.
#[derive(Clone, Debug, Default)]
pub struct Insights(Vec<Insight>);

impl Insights {
    /// All insights, by period or process, in the order in which they are listed.
    #[must_use]
    pub fn list(&self) -> &[Insight] {
        &self.0
    }
}

impl Derived for Insights {
    fn derive(index: &Index) -> Self {
        let context = Context::new(index);
        if !context.profile().source.holds_events() {
            return Self(firefox::insights(&context));
        }
        let periods = context.periods();
        let questions: Vec<_> =
            periods.iter().flat_map(|period| chrome::RULES.iter().map(move |rule| (period, rule))).collect();
        let answer = |(period, rule): (_, &&'static dyn super::rule::Rule)| {
            let period: &super::context::Period<'_> = period;
            let finding = rule.evaluate(&context, period)?;
            Some(Insight { name: rule.name(), navigation: period.number(), page: PageId::None, process: None, finding })
        };
        let all: Vec<Insight> = questions.into_par_iter().filter_map(answer).collect();
        // Advice about the recording of a browser would not help others.
        let is_known = |own: &Insight| own.finding.state != InsightState::Unknown;
        let has_any = all.iter().any(is_known) || is_of_browser(context.profile(), context.page);
        Self(if has_any { all } else { Vec::new() })
    }
}

/// True if a trace shows a page, or has a main thread of Chrome.
fn is_of_browser(profile: &Profile, page: &Page) -> bool {
    let is_main = |name: &str| name.starts_with("Cr") && name.ends_with("Main");
    let has_page = page.frames().main().is_some() || !page.navigations().is_empty();
    has_page || profile.threads.iter().any(|thread| is_main(&thread.name))
}
