//! The interface of a kind of track. A kind is a folder of `tracks` and an entry in the list of `kinds`; nothing else names it.

use super::painter::TrackPainter;
use super::track_item::TrackLabel;
use crate::layout::{Hit, PointerHits, ROW_HEIGHT, SceneInput, THREAD_HEIGHT, TrackPart};
use flowline_index::Index;
use flowline_index::search::Hits;
use flowline_profile::{Direction, DisplayClock, MarkerId, Ns, ProcessId, Profile, ThreadId, TimeRange};
use flowline_view::{Arrangement, Command, LitEntries};

/// Where the tracks of a kind are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackPlace {
    /// Above all processes and threads.
    Top,
    /// At the top of their processes, at most one for each. The number of a track is that of its process.
    Process,
    /// Below the headings of their threads.
    Thread,
}

/// The place of an entry on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackEntry {
    /// Number of the track among those of its kind.
    pub track: u32,
    /// Row of the entry.
    pub row: u32,
    /// Times of the entry, which can differ from those of its marker.
    pub times: TimeRange,
}

/// The name by which the user knows a marker that is an entry of a track: the file of a request, the state of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryTitle {
    /// Name, such as "app.js" or "Late frame".
    pub name: String,
    /// Length of the entry, which can differ from that of its marker.
    pub length: Option<Ns>,
}

/// An entry without a marker, as its tooltip shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryCard {
    /// Name of such entries.
    pub name: String,
    /// Times, which a click selects.
    pub times: TimeRange,
    /// Cause or contents.
    pub reason: String,
    /// Where the entry was recorded, such as the name of its thread.
    pub place: String,
}

/// A line of `flowline dump`: an entry of a track.
#[derive(Clone, Debug)]
pub struct DumpLine {
    /// The markers of the entry. A search prints the entry if it finds one of them.
    pub markers: Vec<MarkerId>,
    /// The line.
    pub json: serde_json::Value,
}

/// A kind of track: a heading with rows below it; a collapsed track shows its contents on the line of its heading.
///
/// Tracks are known by their number within the kind. What a kind derives from a recording is found in the index by its
/// type; see [`Derived`](flowline_index::Derived).
pub trait TrackKind: Sync {
    /// Key of the kind, also in saved views.
    fn key(&self) -> &'static str;

    /// Where the tracks are listed.
    fn place(&self) -> TrackPlace;

    /// True if a recording may have such tracks. This must be fast.
    fn may_exist(&self, profile: &Profile) -> bool;

    /// True if the data has been derived.
    fn is_derived(&self, index: &Index) -> bool;

    /// Derives the data. This may be slow, so the window does it on the pool.
    fn derive(&self, index: &Index);

    /// The tracks at the top, or those of a process; none until they are derived.
    fn tracks(&self, index: &Index, process: Option<ProcessId>) -> Vec<u32>;

    /// The tracks below a thread; none until they are derived.
    fn tracks_below(&self, _index: &Index, _thread: ThreadId) -> Vec<u32> {
        Vec::new()
    }

    /// False if the rows of threads show the entries in an arrangement.
    fn is_listed(&self, _profile: &Profile, _arrangement: Arrangement) -> bool {
        true
    }

    /// Number of rows of a track.
    fn rows(&self, index: &Index, track: u32) -> u32;

    /// Number of rows that are listed; a line below them opens the table with the other entries. `None` lists all.
    fn most_rows(&self) -> Option<u32> {
        None
    }

    /// Number of entries on a row.
    fn row_len(&self, index: &Index, track: u32, row: u32) -> u32 {
        let mut count = 0_u32;
        self.row_markers(index, track, row, &mut |_| count = count.saturating_add(1));
        count
    }

    /// False for tracks without rows below their heading, which shows all of their contents.
    fn folds(&self, _index: &Index, _track: u32) -> bool {
        true
    }

    /// True if the heading of an expanded track shows its first row, so that the other rows follow it.
    fn heads_first_row(&self) -> bool {
        false
    }

    /// True if the rows of a track are shown until the user collapses it.
    fn starts_expanded(&self, index: &Index, track: u32) -> bool;

    /// True if a row has contents in a closed range of ticks.
    fn shows_row(&self, index: &Index, track: u32, row: u32, ticks: (u64, u64)) -> bool;

    /// True if a track contains a hit of a search.
    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool;

    /// Height of a heading in points.
    fn heading_height(&self) -> f64 {
        THREAD_HEIGHT
    }

    /// Height of a row in points.
    fn row_height(&self) -> f64 {
        ROW_HEIGHT
    }

    /// Text and accessibility text of a heading. Its style and its state are added.
    fn label(&self, input: &SceneInput<'_>, track: u32) -> TrackLabel;

    /// Text and accessibility text of a row.
    fn row_label(&self, _input: &SceneInput<'_>, _track: u32, _row: u32) -> TrackLabel {
        TrackLabel::default()
    }

    /// Text of a heading's tooltip, below its label.
    fn tooltip(&self, _input: &SceneInput<'_>, _track: u32) -> Option<String> {
        None
    }

    /// Entries of a heading's context menu.
    fn menu(&self, _input: &SceneInput<'_>, _track: u32) -> Vec<(&'static str, Command)> {
        Vec::new()
    }

    /// The marker at an x coordinate of a row, or of a collapsed heading for `None`.
    fn hit(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> Option<Hit>;

    /// Everything at an x coordinate of a row, or of a collapsed heading for `None`.
    fn hits(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> PointerHits {
        PointerHits { chart: self.hit(input, track, row, x), ..PointerHits::default() }
    }

    /// Calls `each` with the markers of the entries on a row, in any order.
    fn row_markers(&self, index: &Index, track: u32, row: u32, each: &mut dyn FnMut(MarkerId));

    /// The times of the entries on a row that have no markers, in any order.
    fn times_on_row(&self, _index: &Index, _track: u32, _row: u32) -> Vec<TimeRange> {
        Vec::new()
    }

    /// The entry that a click on it selects by this marker; `None` if there is none or the data is not derived.
    fn entry_of(&self, index: &Index, marker: MarkerId) -> Option<TrackEntry>;

    /// The place of the entry of a marker in the order of its row; `None` if there is none, or if the entries of this kind
    /// are reached along the rows of their threads only.
    fn place_on_row(&self, _index: &Index, _marker: MarkerId) -> Option<usize> {
        None
    }

    /// The marker that selects the entry at a place of a row.
    fn entry_at(&self, _index: &Index, _track: u32, _row: u32, _place: usize) -> Option<MarkerId> {
        None
    }

    /// The last entry of a row that starts at or before a time, or else its first one. `None` for kinds whose entries are
    /// reached along the rows of their threads only.
    fn entry_near(&self, _index: &Index, _track: u32, _row: u32, _time: Ns) -> Option<MarkerId> {
        None
    }

    /// Starts and ends of the entries around a time on a row: edges of ranges snap to them.
    fn edges_near(&self, _index: &Index, _track: u32, _row: u32, _time: Ns) -> Vec<Ns> {
        Vec::new()
    }

    /// An entry that the pointer found; `None` for entries with markers.
    fn entry_card(&self, _index: &Index, _track: u32, _entry: u32) -> Option<EntryCard> {
        None
    }

    /// The track and the number of the entry without a marker that has exactly these times, which a click on it selects.
    fn entry_with_times(&self, _index: &Index, _times: TimeRange) -> Option<(u32, u32)> {
        None
    }

    /// The entry after or before one without a marker, which is given by its track and number.
    fn next_entry(&self, _index: &Index, _entry: (u32, u32), _direction: Direction) -> Option<u32> {
        None
    }

    /// The contents of the tracks, in the text that describes selected rows: "2 rows of network requests".
    fn contents_name(&self) -> &'static str;

    /// A painter for all tracks of the kind.
    fn painter(&self) -> Box<dyn TrackPainter>;

    /// Calls `each` with the part of every entry of all tracks, and true if the entry overlaps a range.
    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool));

    /// Lines of a marker's card and tooltip, for markers with an entry on such a track.
    fn card_lines(&self, _index: &Index, _marker: MarkerId, _clock: DisplayClock) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The name of a marker that is an entry of such a track, if the name of the marker says little about it.
    fn title(&self, _index: &Index, _marker: MarkerId) -> Option<EntryTitle> {
        None
    }

    /// The line of a marker's tooltip that explains its entry on such a track.
    fn reason(&self, _index: &Index, _marker: MarkerId) -> Option<String> {
        None
    }

    /// The slices to highlight while a marker with an entry on such a track is selected.
    fn lit(&self, _index: &Index, _marker: MarkerId) -> Option<LitEntries> {
        None
    }

    /// False if `flowline dump` has no such contents.
    fn is_dumped(&self) -> bool {
        true
    }

    /// Name of the contents for `flowline dump`, and its description.
    fn dump_name(&self) -> (&'static str, &'static str);

    /// The entries of all tracks, in start order.
    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a>;
}
