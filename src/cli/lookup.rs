//! Resolves markers, flows, threads and searches that are given as option values.

use flowline_format::format_counted;
use flowline_index::flows::FlowName;
use flowline_index::search::{Hits, Query, resolve, run as search};
use flowline_index::{Index, Tab};
use flowline_profile::{FlowId, MarkerId, Profile, TabId, Thread, ThreadId};
use flowline_terminal as terminal;

/// Returns the marker with a number.
///
/// # Errors
///
/// If there is no such marker; the message names `option`.
pub(super) fn resolve_marker(profile: &Profile, number: u32, option: &str) -> anyhow::Result<MarkerId> {
    let marker = MarkerId(number);
    let count = format_counted(profile.marker_count() as u64, "marker");
    anyhow::ensure!(profile.locate(marker).is_some(), "{option} {number}: the recording has {count}, numbered from 0");
    Ok(marker)
}

/// Returns the flows with some names; a name without a time refers to the first flow with that id.
///
/// # Errors
///
/// If there is no such flow; the message names `option`.
pub(super) fn resolve_flows(index: &Index, names: &[String], option: &str) -> anyhow::Result<Vec<FlowId>> {
    let flow = |name: &String| {
        let found = index.flows().find(index.profile(), &FlowName::parse(name));
        found.first().copied().ok_or_else(|| {
            let count = format_counted(index.flows().len() as u64, "flow");
            anyhow::anyhow!("{option} {name}: no such flow; `flowline dump FILE flows` lists the recording's {count}")
        })
    };
    names.iter().map(flow).collect()
}

/// Returns the thread for an argument: its number in `dump threads`, its thread id, or its name.
///
/// # Errors
/// If there is no such thread, or if several threads have the id or name.
pub(super) fn find_thread(profile: &Profile, text: &str) -> anyhow::Result<ThreadId> {
    if let Some(id) = text.parse().ok().filter(|number: &usize| *number < profile.threads.len()).map(ThreadId::new) {
        return Ok(id);
    }
    let find = |holds: &dyn Fn(&Thread) -> bool| -> Vec<ThreadId> {
        profile.threads_with_ids().filter(|(_, thread)| holds(thread)).map(|(id, _)| id).collect()
    };
    let mut found = find(&|thread| thread.tid == text);
    if found.is_empty() {
        found = find(&|thread| thread.name == text);
    }
    if found.is_empty() {
        found = profile.threads_with_ids().map(|(id, _)| id).filter(|id| profile.long_name(*id) == text).collect();
    }
    match found[..] {
        [thread] => Ok(thread),
        [] => anyhow::bail!("there is no thread \"{text}\"; `dump threads` lists all"),
        _ => {
            let numbers: Vec<String> = found.iter().map(|thread| thread.0.to_string()).collect();
            anyhow::bail!("\"{text}\" matches several threads; use one of the numbers {}", numbers.join(", "))
        }
    }
}

/// Finds a tab by its id or by a part of the address of its page.
///
/// # Errors
/// If there is no such tab, or several.
pub(super) fn find_tab<'a>(index: &'a Index, text: &str) -> anyhow::Result<&'a Tab> {
    let tabs = index.pages().tabs();
    if let Some(tab) = text.parse().ok().and_then(|id| tabs.get(TabId(id))) {
        return Ok(tab);
    }
    let found: Vec<&Tab> = tabs.list().iter().filter(|tab| tab.url.contains(text)).collect();
    let known = |tabs: &[&Tab]| {
        let names = tabs.iter().map(|tab| format!("{} ({})", tab.id.0, terminal::visible(&tab.url)));
        names.collect::<Vec<_>>().join(", ")
    };
    match found[..] {
        [tab] => Ok(tab),
        [] if tabs.list().is_empty() => anyhow::bail!("--tab \"{text}\": the recording has no tabs"),
        [] => {
            let all: Vec<&Tab> = tabs.list().iter().collect();
            anyhow::bail!("--tab \"{text}\": there is no such tab; the recording has {}", known(&all))
        }
        _ => anyhow::bail!("--tab \"{text}\" matches several tabs: {}", known(&found)),
    }
}

/// Returns the hits of a search; `None` if it is empty. Problems with the query are reported on standard error.
pub(super) fn found(index: &Index, text: &str) -> Option<Hits> {
    let profile = index.profile();
    // Nothing can cancel a search on the command line, so it always finishes.
    let (query, problems) = resolve(profile, index.flows(), Query::parse(text), &|| true)?;
    problems.iter().for_each(|problem| terminal::error_line(&format!("flowline: search: {problem}")));
    if query.is_empty() { None } else { search(profile, index.flows(), &query, &|| true) }
}
