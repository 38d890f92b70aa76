//! The list of rules, in the order in which their answers are listed.

use rayon::prelude::*;

use super::forced_reflow::ForcedReflowRule;
use super::inp_breakdown::InpBreakdownRule;
use super::jank::JankRule;
use super::long_tasks::LongTasksRule;
use super::main_thread_io::MainThreadIoRule;
use super::network_waits::NetworkWaitsRule;
use super::sync_ipc::SyncIpcRule;
use crate::insights::context::Context;
use crate::insights::insight::Insight;
use crate::insights::rule::ThreadRule;
use crate::page_load::PageId;
use flowline_profile::ThreadId;

/// Name of the main threads of processes.
const MAIN_THREAD: &str = "GeckoMain";

/// All rules.
static RULES: [&dyn ThreadRule; 7] = [
    &InpBreakdownRule,
    &ForcedReflowRule,
    &LongTasksRule,
    &JankRule,
    &SyncIpcRule,
    &MainThreadIoRule,
    &NetworkWaitsRule,
];

/// The insights of a profile.
pub(in crate::insights) fn insights(context: &Context<'_>) -> Vec<Insight> {
    let profile = context.profile();
    let is_main = |id: &ThreadId| profile.thread(*id).name == MAIN_THREAD;
    let threads = profile.threads_with_ids().map(|(id, _)| id).filter(is_main);
    let questions: Vec<_> = threads.flat_map(|thread| RULES.iter().map(move |rule| (thread, rule))).collect();
    let answer = |(thread, rule): (ThreadId, &&dyn ThreadRule)| {
        let finding = rule.evaluate(context, thread)?;
        let process = Some(profile.thread(thread).process);
        Some(Insight { name: rule.name(), navigation: None, page: PageId::None, process, finding })
    };
    questions.into_par_iter().filter_map(answer).collect()
}
