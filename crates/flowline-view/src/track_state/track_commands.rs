//! Track commands: collapsing, hiding, order.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::thread_groups::same_group;
use super::track_order::TrackRef;
use super::tracks::toggle;
use crate::{Command, Preset, ViewState};
use flowline_profile::{CounterId, ProcessId, ThreadId};

impl ViewState {
    /// Applies a track command; ignores other commands.
    pub(crate) fn apply_to_tracks(&mut self, command: Command) {
        match command {
            Command::ToggleProcess(process) => self.edit_tracks(|tracks| toggle(&mut tracks.collapsed, process)),
            Command::ToggleThread(thread) => self.edit_tracks(|tracks| toggle(&mut tracks.expanded, thread)),
            Command::ToggleGroup(thread, group) => {
                self.edit_tracks(|tracks| toggle(&mut tracks.collapsed_groups, (thread, group)));
            }
            Command::ToggleMoreGroups(thread) => self.edit_tracks(|tracks| toggle(&mut tracks.all_groups, thread)),
            Command::HideEmptyRows(hide) => self.edit_tracks(|tracks| tracks.hide_empty_rows = hide),
            Command::ToggleFlowTrack(track) => self.edit_tracks(|tracks| toggle(&mut tracks.flow_tracks, track)),
            Command::ToggleCounters(process) => self.toggle_counters(process),
            Command::ShowCounters(process) => self.edit_tracks(|tracks| _ = tracks.counters.insert(process)),
            Command::ToggleTrack(track) => self.edit_tracks(|tracks| toggle(&mut tracks.toggled, track)),
            Command::QueryTrack(command) => self.edit_tracks(|tracks| tracks.change_queries(command)),
            Command::ToggleEmpty(process) => self.edit_tracks(|tracks| toggle(&mut tracks.show_empty, process)),
            Command::ToggleThreadGroup(thread) => self.toggle_thread_group(thread),
            Command::ShowThreadGroup(thread) => self.edit_tracks(|tracks| _ = tracks.open_groups.insert(thread)),
            Command::ShowIdleThreads(shown) => {
                let count = if shown { self.profile.processes.len() } else { 0 };
                self.edit_tracks(|tracks| tracks.show_empty = (0..count).map(ProcessId::new).collect());
            }
            Command::Compact(compact) => self.edit_tracks(|tracks| tracks.compact = compact),
            Command::ShowAllMarkers(shown) => self.edit_tracks(|tracks| tracks.all_markers = shown),
            Command::ShowPreset(preset) => self.show_preset(&preset),
            Command::HideThread(thread) => {
                let own = self.profile.with_nested_tracks(thread);
                self.edit_tracks(|tracks| tracks.hidden.extend(own));
            }
            Command::ShowOnly(thread) => self.show_only(thread),
            Command::RevealTrack(track) => self.reveal_track(track),
            Command::RevealCounter(counter, time) => {
                (self.selected, self.selected_call, self.counter) = (None, None, Some((counter, time)));
                self.reveal_counter(counter, time);
            }
            Command::MoveTrack { track, beside, side } => {
                let profile = Arc::clone(&self.profile);
                self.edit_tracks(|tracks| tracks.order.place(&profile, track, beside, side));
            }
            Command::TogglePinnedThread(thread) => self.edit_tracks(|tracks| tracks.order.toggle_pin(thread)),
            Command::ResetOrder => self.edit_tracks(|tracks| tracks.order = tracks.order.without_changes()),
            Command::ShowThread(thread) => {
                let own: BTreeSet<ThreadId> = self.profile.with_nested_tracks(thread).collect();
                self.edit_tracks(|tracks| tracks.hidden.retain(|thread| !own.contains(thread)));
            }
            Command::HideProcess(process) => {
                let profile = Arc::clone(&self.profile);
                let own = profile.threads_with_ids().filter(|(_, thread)| thread.process == process).map(|(id, _)| id);
                self.edit_tracks(|tracks| tracks.hidden.extend(own));
            }
            Command::ShowAll => self.edit_tracks(|tracks| {
                tracks.hidden.clear();
                tracks.tab = None;
            }),
            Command::SelectTab(tab) => self.edit_tracks(|tracks| tracks.select_tab(tab)),
            Command::ShowThreads(threads) => self.show_threads(&threads),
            Command::ExpandAll => self.expand_all(),
            Command::CollapseAll => self.edit_tracks(|tracks| {
                tracks.expanded.clear();
                tracks.open_groups.clear();
                tracks.shown_members.clear();
            }),
            _ => {}
        }
    }

    fn all_threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.profile.threads.len()).map(ThreadId::new)
    }

    /// Folds the group of a thread with the rows of its threads, or unfolds the group.
    fn toggle_thread_group(&mut self, thread: ThreadId) {
        let members: Vec<ThreadId> = same_group(&self.profile, thread).collect();
        self.edit_tracks(|tracks| {
            let is_listed = |member: &ThreadId| tracks.open_groups.contains(member) || tracks.is_shown_member(*member);
            if members.iter().any(is_listed) {
                for member in &members {
                    tracks.open_groups.remove(member);
                    tracks.shown_members.remove(member);
                    tracks.expanded.remove(member);
                }
            } else {
                tracks.open_groups.insert(thread);
            }
        });
    }

    /// Folds the counters of a process, or lists all of them.
    fn toggle_counters(&mut self, process: Option<ProcessId>) {
        let counters = (0..).map(CounterId::new).zip(&self.profile.counters);
        let own = counters.filter(|(_, counter)| counter.process == process).map(|(id, _)| id);
        let own: Vec<CounterId> = own.collect();
        self.edit_tracks(|tracks| {
            let shown = own.iter().filter(|counter| tracks.shown_counters.remove(counter)).count();
            if !tracks.counters.remove(&process) && shown == 0 {
                tracks.counters.insert(process);
            }
        });
    }

    fn show_preset(&mut self, preset: &Preset) {
        let hidden = preset.hidden(&self.profile).unwrap_or_default();
        self.edit_tracks(|tracks| tracks.hidden = hidden);
        self.perform(Command::Search(preset.search.clone()));
    }

    fn show_only(&mut self, only: ThreadId) {
        let process = self.profile.thread(only).process;
        let own: BTreeSet<ThreadId> = self.profile.with_nested_tracks(only).collect();
        let others = self.all_threads().filter(|thread| !own.contains(thread));
        self.edit_tracks(|tracks| {
            tracks.hidden = others.collect();
            tracks.expanded.insert(only);
            tracks.collapsed.remove(&process);
        });
        // The other threads above it are gone, and so is the reason for the scroll offset.
        self.reveal_track = Some(TrackRef::Thread(only));
    }

    fn show_threads(&mut self, threads: &[ThreadId]) {
        let profile = Arc::clone(&self.profile);
        self.edit_tracks(|tracks| {
            for thread in threads {
                tracks.reveal(&profile, *thread);
            }
        });
    }

    fn expand_all(&mut self) {
        let all = self.all_threads().collect();
        self.edit_tracks(|tracks| {
            tracks.collapsed.clear();
            tracks.expanded = all;
        });
    }
}
