//! The hidden threads and the order of tracks in a trace: a member of `metadata.modifications`, beside the notes of DevTools, which
//! ignores it. A recording opens with it unless a view of the recording is stored.

use std::sync::Arc;

use super::format::SavedView;
use super::names::{Names, StableNames};
use super::track_format::SavedTracks;
use super::tracks;
use flowline_index::modifications::metadata_member;
use flowline_profile::Profile;
use flowline_session::Session;

/// Name of the member.
pub const ARRANGEMENT: &str = "flowlineTracks";

impl SavedView {
    /// The hidden threads and the order of tracks as JSON; `None` if nothing is hidden, pinned or moved.
    #[must_use]
    pub fn arrangement(&self) -> Option<String> {
        let SavedTracks { hidden, top_threads, process_order, thread_order, .. } = self.recording.tracks.clone()?;
        let own = SavedTracks { hidden, top_threads, process_order, thread_order, ..SavedTracks::default() };
        (own != SavedTracks::default()).then(|| serde_json::to_string(&own).ok()).flatten()
    }
}

/// The arrangement that a trace contains, as JSON.
#[must_use]
pub fn own_arrangement(profile: &Profile) -> Option<String> {
    let modifications = metadata_member(profile, "modifications")?;
    let mut text = String::new();
    modifications.get(ARRANGEMENT)?.to_json(&mut text);
    Some(text)
}

/// Applies the arrangement that a trace contains, as far as its threads exist.
pub(crate) fn show_own(session: &mut Session, names: impl FnOnce(&Session) -> StableNames) {
    let saved =
        own_arrangement(session.index.profile()).and_then(|text| serde_json::from_str::<SavedTracks>(&text).ok());
    let Some(saved) = saved else { return };
    let (index, tables) = (Arc::clone(&session.index), names(session));
    let names = Names::new(&index, &tables);
    session.view.edit_tracks(|shown| tracks::arrange(&saved, shown, &names));
}
