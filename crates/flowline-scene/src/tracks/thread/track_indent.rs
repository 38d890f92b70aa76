//! Indentation of tracks below threads and other tracks.

use flowline_profile::{Profile, ThreadId};

/// Indentation of a level in points: of a thread below its process, of a nested track below another.
pub(crate) const LEVEL_INDENT: f32 = 12.0;

/// Indentation in points of the labels of a track below others. Deep tracks are not indented further, so that their names
/// remain readable.
#[expect(clippy::cast_precision_loss, reason = "a few levels")]
pub(crate) fn track_indent(profile: &Profile, thread: ThreadId) -> f32 {
    const MAX_LEVELS: usize = 6;
    LEVEL_INDENT * profile.track_parents(thread).take(MAX_LEVELS).count() as f32
}
