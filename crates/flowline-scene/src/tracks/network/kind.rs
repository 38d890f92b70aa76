//! The kind of track that shows the network requests of a process.

use super::bars::{self, KEY, NetworkPainter};
use super::{card, dump};
use crate::layout::{Hit, ROW_HEIGHT, SceneInput, TrackPart};
use crate::tracks::{DumpLine, EntryTitle, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::{format_bytes, format_count_short, format_counted};
use flowline_index::network::{NetworkTrack, RowBars};
use flowline_index::search::Hits;
use flowline_index::{Index, Network, RowItems as _};
use flowline_profile::{DisplayClock, MarkerId, Ns, ProcessId, Profile, TimeRange};
use flowline_view::{Arrangement, TrackId};

/// The chart lists at most this many rows.
const MOST_ROWS: u32 = 6;

/// The network requests of processes.
pub(crate) struct NetworkTracks;

/// The track of a process, by its number.
fn track_of(index: &Index, process: u32) -> Option<&NetworkTrack> {
    index.network_if_built()?.track(ProcessId(process))
}

impl TrackKind for NetworkTracks {
    fn key(&self) -> &'static str {
        KEY
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Process
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        Network::may_have(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        index.network_if_built().is_some()
    }

    fn derive(&self, index: &Index) {
        index.network();
    }

    fn tracks(&self, index: &Index, process: Option<ProcessId>) -> Vec<u32> {
        process.filter(|process| track_of(index, process.0).is_some()).map(|process| process.0).into_iter().collect()
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        track_of(index, track).map_or(0, |track| u32::try_from(track.rows()).unwrap_or(u32::MAX))
    }

    fn starts_expanded(&self, index: &Index, track: u32) -> bool {
        track_of(index, track).is_some()
    }

    /// Rows by name contain the requests that are markers.
    fn is_listed(&self, profile: &Profile, arrangement: Arrangement) -> bool {
        arrangement == Arrangement::Stack || !Network::are_markers_in(profile)
    }

    fn most_rows(&self) -> Option<u32> {
        Some(MOST_ROWS)
    }

    fn heads_first_row(&self) -> bool {
        true
    }

    fn heading_height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn row_len(&self, index: &Index, track: u32, row: u32) -> u32 {
        let track = track_of(index, track);
        let bars = track.and_then(|track| Some((track, track.row(Some(row as usize))?)));
        let own = |(track, bars): (&NetworkTrack, RowBars<'_>)| {
            bars.numbers().filter(|bar| track.bars()[*bar as usize].redirect.is_none()).count()
        };
        bars.map_or(0, |bars| u32::try_from(own(bars)).unwrap_or(u32::MAX))
    }

    fn shows_row(&self, index: &Index, track: u32, row: u32, ticks: (u64, u64)) -> bool {
        track_of(index, track).is_some_and(|track| track.shows(row as usize, ticks))
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        let found = index.network_if_built().and_then(|network| Some((network, network.track(ProcessId(track))?)));
        found.is_some_and(|(network, track)| bars::has_hit(index.profile(), network, track, hits))
    }

    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    fn label(&self, input: &SceneInput<'_>, track: u32) -> TrackLabel {
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(TrackId::new(KEY, track), None));
        let all = || track_of(input.index, track).map_or(0, NetworkTrack::requests);
        let count = narrowed.unwrap_or_else(all) as u64;
        let bytes = track_of(input.index, track).map_or(0, NetworkTrack::bytes);
        let size =
            if narrowed.is_none() && bytes > 0 { format!(", {}", format_bytes(bytes as f64)) } else { String::new() };
        TrackLabel {
            text: "Network".to_owned(),
            right: format!("{} {}{size}", format_count_short(count), if count == 1 { "request" } else { "requests" }),
            spoken: format!("Network, {}{size}", format_counted(count, "request")),
            ..TrackLabel::default()
        }
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> Option<Hit> {
        bars::hit(input, (track, row), x)
    }

    fn row_markers(&self, index: &Index, track: u32, row: u32, each: &mut dyn FnMut(MarkerId)) {
        let Some((network, track)) = index.network_if_built().and_then(|all| Some((all, all.track(ProcessId(track))?)))
        else {
            return;
        };
        for bar in track.row(Some(row as usize)).into_iter().flat_map(|bars| bars.numbers()) {
            let bar = &track.bars()[bar as usize];
            match bar.redirect {
                Some(_) => each(bar.marker),
                // The events of a request are instants, so a box over its middle may contain only a later one.
                None => network.markers(bar.request).iter().copied().for_each(&mut *each),
            }
        }
    }

    fn entry_of(&self, index: &Index, marker: MarkerId) -> Option<TrackEntry> {
        let network = index.network_if_built()?;
        let process = network.get(network.request_of(marker)?)?.process;
        let track = network.track(process)?;
        let number = bars::bar_of(network, track, marker).filter(|number| {
            // The events of requests in traces are on rows of their threads.
            network.are_markers() || track.bars()[*number as usize].marker == marker
        })?;
        let row =
            (0..track.rows()).find(|row| track.row(Some(*row)).is_some_and(|bars| bars.position(number).is_some()))?;
        let (packed, clock) = (track.bars()[number as usize].packed, index.clock());
        let times = TimeRange::new(clock.time(packed.start()), clock.time(packed.end()));
        Some(TrackEntry { track: process.0, row: u32::try_from(row).ok()?, times })
    }

    fn place_on_row(&self, index: &Index, marker: MarkerId) -> Option<usize> {
        // The events of requests in traces are on rows of their threads.
        let network = index.network_if_built().filter(|network| network.are_markers())?;
        let track = network.track(network.get(network.request_of(marker)?)?.process)?;
        let number = track.bars_of(network.request_of(marker)?).next()?;
        (0..track.rows()).find_map(|row| track.row(Some(row))?.position(number))
    }

    fn entry_at(&self, index: &Index, track: u32, row: u32, place: usize) -> Option<MarkerId> {
        let track = track_of(index, track)?;
        let number = track.row(Some(row as usize))?.numbers().nth(place)?;
        track.bars().get(number as usize).map(|bar| bar.marker)
    }

    fn entry_near(&self, index: &Index, track: u32, row: u32, time: Ns) -> Option<MarkerId> {
        index.network_if_built().filter(|network| network.are_markers())?;
        let track = track_of(index, track)?;
        let bars = track.row(Some(row as usize))?;
        let number = bars.numbers().nth(bars.started(index.clock().tick(time)).saturating_sub(1))?;
        track.bars().get(number as usize).map(|bar| bar.marker)
    }

    fn edges_near(&self, index: &Index, track: u32, row: u32, time: Ns) -> Vec<Ns> {
        let Some(bars) = track_of(index, track).and_then(|track| track.row(Some(row as usize))) else {
            return Vec::new();
        };
        let (clock, after) = (index.clock(), bars.started(index.clock().tick(time)));
        let around = after.saturating_sub(1)..bars.len().min(after + 1);
        around.map(|at| bars.packed(at)).flat_map(|bar| [clock.time(bar.start()), clock.time(bar.end())]).collect()
    }

    fn contents_name(&self) -> &'static str {
        "network requests"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<NetworkPainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        for request in index.network_if_built().into_iter().flat_map(Network::requests) {
            each((request.process.0, 0), range.overlaps(request.start, request.end));
        }
    }

    fn card_lines(&self, index: &Index, marker: MarkerId, _clock: DisplayClock) -> Vec<(String, String)> {
        card::lines(index, marker)
    }

    fn title(&self, index: &Index, marker: MarkerId) -> Option<EntryTitle> {
        let network = index.network_if_built()?;
        let request = network.get(network.request_of(marker)?).filter(|request| request.marker == marker)?;
        let name = request.short_name();
        (!name.is_empty()).then(|| EntryTitle { name: name.to_owned(), length: Some(request.duration()) })
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        (KEY, "One line per network request")
    }

    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(dump::requests(index))
    }
}
