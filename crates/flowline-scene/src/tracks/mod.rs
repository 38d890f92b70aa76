//! The chart's tracks: one file or folder per kind.
//!
//! A kind defines the height, the label, the commands and the hit test of its items ([`TrackItem`]), and it draws the
//! items on screen ([`TrackPainter`]). A new kind is a new file here, with its items in the list below and its painter
//! in [`Painters`].

mod columns;
pub(super) mod counter;
pub(super) mod custom;
mod duplicate_names;
mod empty_threads;
mod flow_lane;
pub(super) mod flow_track;
mod in_view;
mod list;
pub(super) mod network;
mod process;
mod row_spans;
pub(super) mod samples;
pub(super) mod thread;
mod visible_span_cache;

pub use counter::{CounterHeading, CounterItem};
pub use custom::{CustomHeading, CustomRow};
pub use empty_threads::EmptyThreads;
pub use flow_lane::{FLOW_LANE_HEIGHT, FlowLaneGroup, FlowLaneHeading, FlowLaneItem, FlowLanes, title as lane_title};
pub use flow_track::{FlowTrackHeading, FlowTrackItem};
pub use in_view::InViewFilter;
pub use list::{TrackList, TrackListKey};
pub use network::{NetworkHeading, NetworkRow};
pub use process::ProcessHeading;
pub use samples::{CallRow, SAMPLES_HEIGHT, SamplesHeading};
pub(crate) use thread::CollapsedGroupRows;
pub use thread::{CollapsedGroup, MarkerRow, MoreGroups, ThreadHeading, is_deep, listed_groups, rows_height};

use super::SceneInput;
use super::frame::Frame;
use super::pixel_rect::PixelRect;
use super::pointer_hits::PointerHits;
use super::primitives::{RectInstance, RowBounds};
use super::theme::{Palette, with_alpha};
use flowline_profile::ThreadId;
use flowline_view::{Command, TrackRef};

/// Height of a process heading in points.
pub const PROCESS_HEIGHT: f64 = 24.0;
/// Height of the heading of a thread, of counters, or of a flow track in points.
pub const THREAD_HEIGHT: f64 = 20.0;
/// Height of a row in points.
pub const ROW_HEIGHT: f64 = 17.0;
/// Height of a counter in points.
pub const COUNTER_HEIGHT: f64 = 44.0;

/// Background of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// The background of the chart.
    Plain,
    /// A stripe, on every other row.
    Stripe,
    /// The heading of a process.
    Heading,
    /// The heading of a track, with a line above. The heading of a collapsed track is also its only row.
    TrackHeading {
        /// True if the rows are shown below.
        expanded: bool,
    },
    /// A line below.
    LineBelow,
}

/// Style of an item's label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelStyle {
    /// The heading of a process.
    Heading,
    /// The heading of a track.
    Track,
    /// A row or a counter.
    #[default]
    Row,
    /// A line that expands to more items.
    More,
    /// A flow lane.
    FlowLane,
}

/// Contents of an item's label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackLabel {
    /// Text at the left.
    pub text: String,
    /// Text at the right end.
    pub right: String,
    /// Description for screen readers; an item without one has no label.
    pub spoken: String,
    /// Palette entry of a dot before the text.
    pub swatch: Option<u8>,
    /// Values at the upper and lower end of the area.
    pub range: Option<(String, String)>,
    /// Style.
    pub style: LabelStyle,
    /// Indentation in points.
    pub indent: f32,
    /// True if the item is expanded; `None` for items that cannot be collapsed.
    pub expanded: Option<bool>,
}

/// An item of the chart: a heading, a row, a counter.
pub trait TrackItem {
    /// Height in points.
    fn height(&self) -> f64;

    /// Numbers that identify the item among items of its kind, independent of its expanded state.
    fn identity(&self) -> [u32; 2];

    /// Background of the item.
    fn background(&self) -> Background {
        Background::Plain
    }

    /// Contents of the item's label.
    fn label(&self, input: &SceneInput<'_>) -> TrackLabel;

    /// Command that expands or collapses the item when its label is clicked.
    fn toggle(&self) -> Option<Command> {
        None
    }

    /// Command for a click on the label of an item that cannot be collapsed.
    fn press(&self, _input: &SceneInput<'_>) -> Option<Command> {
        None
    }

    /// Entries of the label's context menu.
    fn menu(&self) -> Vec<(&'static str, Command)> {
        Vec::new()
    }

    /// The thread whose activity the item shows.
    fn activity(&self, _input: &SceneInput<'_>) -> Option<ThreadId> {
        None
    }

    /// Hits at a point of the item (device pixels).
    fn hits(&self, _input: &SceneInput<'_>, _item: &Item, _x: f32, _y: f32) -> PointerHits {
        PointerHits::default()
    }
}

/// Draws all items of one kind that are on screen.
pub(super) trait TrackPainter {
    /// Adds the items to a frame.
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame);
}

macro_rules! item_kinds {
    ($($(#[$doc:meta])* $name:ident($item:ty)),+ $(,)?) => {
        /// Kind of an item in the chart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ItemKind {
            $($(#[$doc])* $name($item)),+
        }

        impl std::ops::Deref for ItemKind {
            type Target = dyn TrackItem;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$name(item) => item),+
                }
            }
        }

        impl ItemKind {
            /// The thread or process whose heading this is.
            #[must_use]
            pub const fn track(&self) -> Option<TrackRef> {
                match self {
                    Self::Thread(heading) => Some(TrackRef::Thread(heading.thread)),
                    Self::Process(heading) => Some(TrackRef::Process(heading.process)),
                    _ => None,
                }
            }

            /// True if the item belongs below the heading of a thread.
            #[must_use]
            pub const fn is_of_thread(&self) -> bool {
                matches!(
                    self,
                    Self::Row(_) | Self::CollapsedGroup(_) | Self::MoreGroups(_) | Self::Samples(_) | Self::Calls(_)
                )
            }

            /// Identifies the widgets of an item, independent of its expanded state.
            #[must_use]
            pub fn widget_key(&self) -> (&'static str, [u32; 2]) {
                match self {
                    $(Self::$name(item) => (stringify!($name), item.identity())),+
                }
            }
        }

        $(impl From<$item> for ItemKind {
            fn from(item: $item) -> Self {
                Self::$name(item)
            }
        })+
    };
}

item_kinds! {
    /// Heading of a custom track; a collapsed one shows its entries on the same line.
    Custom(CustomHeading),
    /// A row of a custom track.
    CustomRow(CustomRow),
    /// Heading of a process.
    Process(ProcessHeading),
    /// Heading of a thread; a collapsed one shows its summary on the same line.
    Thread(ThreadHeading),
    /// A row of an expanded thread.
    Row(MarkerRow),
    /// The only row of a collapsed group of rows.
    CollapsedGroup(CollapsedGroup),
    /// A line for the groups of a thread that are not listed.
    MoreGroups(MoreGroups),
    /// Heading of the samples of a thread, with its activity.
    Samples(SamplesHeading),
    /// A row of the stack chart of a thread.
    Calls(CallRow),
    /// Heading of a flow track; a collapsed one shows its flows on the same line.
    FlowTrack(FlowTrackHeading),
    /// A row of a flow track.
    FlowRow(FlowTrackItem),
    /// Heading of the network requests of a process; a collapsed one shows them on the same line.
    Network(NetworkHeading),
    /// A row of network requests.
    NetworkRow(NetworkRow),
    /// Heading of the counters of a process.
    CounterHeading(CounterHeading),
    /// A counter.
    Counter(CounterItem),
    /// A line with the number of threads of a process that have neither markers nor samples.
    EmptyThreads(EmptyThreads),
    /// Heading of the flow lanes of a type.
    FlowLaneHeading(FlowLaneHeading),
    /// The lane of a flow.
    FlowLane(FlowLaneItem),
}

/// The painters of all kinds, with their caches.
#[derive(Debug, Default)]
pub(super) struct Painters {
    threads: thread::MarkerPainter,
    flow_tracks: flow_track::FlowTrackPainter,
    counters: counter::CounterPainter,
    network: network::NetworkPainter,
    calls: samples::CallPainter,
    activity: samples::ActivityPainter,
    flow_lanes: flow_lane::FlowLanePainter,
    custom: custom::CustomPainter,
}

impl Painters {
    /// All painters. Batches have layers, so the order does not matter.
    pub(super) fn all(&mut self) -> [&mut dyn TrackPainter; 8] {
        let Self { threads, flow_tracks, counters, network, calls, activity, flow_lanes, custom } = self;
        [threads, flow_tracks, counters, network, calls, activity, flow_lanes, custom]
    }
}

/// An item and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// Distance from the top of the content in points.
    pub y: f64,
    /// Height in points.
    pub height: f64,
    /// Kind of the item.
    pub kind: ItemKind,
}

/// Position of an item's markers: slightly smaller than the item, so that rows stay apart.
fn row_place(input: &SceneInput<'_>, item: &Item) -> RowBounds {
    let is_summary = matches!(item.kind.background(), Background::TrackHeading { .. });
    let inset = if is_summary { (input.scale * 4.0).round() } else { super::line_width(input.scale) };
    let (y, height) = (input.item_y(item), input.item_height(item));
    RowBounds { y: y + inset, height: (height - 2.0 * inset).max(1.0), padding: [0.0; 2] }
}

/// Draws the background of an item at `rect`.
pub(super) fn background(item: &Item, rect: PixelRect, palette: &Palette, line: f32, rects: &mut Vec<RectInstance>) {
    match item.kind.background() {
        Background::Plain => {}
        Background::Stripe => rects.push(RectInstance::filled(rect, palette.stripe)),
        Background::Heading => rects.push(RectInstance::filled(rect, palette.heading)),
        Background::TrackHeading { expanded } => {
            let fill = if expanded { with_alpha(palette.heading, 150) } else { with_alpha(palette.stripe, 255) };
            rects.push(RectInstance::filled(rect, fill));
            rects.push(RectInstance::filled(PixelRect { height: line, ..rect }, palette.grid));
        }
        Background::LineBelow => {
            let below = PixelRect { y: rect.bottom() - line, height: line, ..rect };
            rects.push(RectInstance::filled(below, palette.grid));
        }
    }
}

/// "expanded" or "collapsed", for screen readers.
const fn expansion_text(expanded: bool) -> &'static str {
    if expanded { "expanded" } else { "collapsed" }
}
