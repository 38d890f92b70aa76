//! All insights of a recording.

use rayon::prelude::*;

use super::context::Context;
use super::insight::Insight;
use super::{chrome, firefox};
use crate::page_load::PageId;
use flowline_index::{Derived, Index};

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
        Self(questions.into_par_iter().filter_map(answer).collect())
    }
}
