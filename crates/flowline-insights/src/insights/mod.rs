//! Insights: what was slow, and why, with the markers that show it. Each rule is a file and one line of a list.

mod chrome;
mod context;
mod fact;
mod firefox;
mod insight;
mod interaction_facts;
mod list;
mod name;
mod rule;
mod task_text;

pub use fact::{Fact, Facts, fact};
pub use insight::{Finding, Insight, InsightState};
pub use list::Insights;
pub use name::InsightName;
