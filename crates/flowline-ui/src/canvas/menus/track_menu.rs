//! Menu entries of a track: a thread, a process, counters, or network requests; shared by label column and chart.

use crate::widgets::menu::{self, Groups, entry};
use flowline_profile::ThreadId;
use flowline_scene::{Item, ItemKind, SceneInput};
use flowline_session::Session;
use flowline_view::Command;

/// The entries for an item. Headings define their own; other collapsible items get one that expands or collapses them.
pub(in crate::canvas) fn entries(input: &SceneInput<'_>, kind: &ItemKind) -> Vec<(&'static str, Command)> {
    let menu = kind.menu(input);
    if !menu.is_empty() {
        return menu.into_iter().map(|(text, command)| (text, with_nested_tracks(input, command))).collect();
    }
    match kind {
        ItemKind::Counter(item) => {
            let counter = input.index.profile().counters.get(item.counter.index());
            let fold =
                counter.map(|counter| ("Toggle counters of the process", Command::ToggleCounters(counter.process)));
            fold.into_iter().collect()
        }
        kind => {
            let toggle = kind.toggle().filter(|_| kind.folds(input));
            toggle.map(|toggle| ("Expand or collapse", toggle)).into_iter().collect()
        }
    }
}

/// A filter by a thread also selects the tracks below it.
fn with_nested_tracks(input: &SceneInput<'_>, command: Command) -> Command {
    match command {
        Command::PickThreads(threads) => {
            let profile = input.index.profile();
            Command::PickThreads(threads.into_iter().flat_map(|id| profile.with_nested_tracks(id)).collect())
        }
        command => command,
    }
}

/// The thread of a row.
pub(super) const fn thread_of(item: &Item) -> Option<ThreadId> {
    match &item.kind {
        ItemKind::Thread(heading) => Some(heading.thread),
        ItemKind::Row(row) => Some(row.thread),
        ItemKind::CollapsedGroup(group) => Some(group.thread),
        ItemKind::MoreGroups(groups) => Some(groups.thread),
        ItemKind::Samples(heading) => Some(heading.thread),
        ItemKind::Calls(row) => Some(row.thread),
        _ => None,
    }
}

/// A submenu of the chart's menu: that of a track that is no thread.
pub(super) fn submenu(menu: &mut Groups<'_>, session: &Session, item: &Item) -> Option<Command> {
    let input = session.scene_input();
    let label = item.kind.label(&input).text;
    let title = if label.is_empty() { "Track".to_owned() } else { short(&label) };
    let commands = entries(&input, &item.kind);
    let mut chosen = None;
    if !commands.is_empty() {
        menu::submenu(menu.ui(), &title, |ui| {
            for (text, command) in commands {
                if entry(ui, text, true) {
                    chosen = Some(command);
                }
            }
        });
    }
    chosen
}

/// Shortens a name to fit into a menu.
pub(super) fn short(name: &str) -> String {
    const LIMIT: usize = 40;
    let mut text: String = name.chars().take(LIMIT).collect();
    if text.len() < name.len() {
        text.push('…');
    }
    text
}
