//! The chart's tracks: one file or folder for each kind.
//!
//! A kind defines the height, the label, the commands and the hit test of its items ([`TrackItem`]), and it draws the items on
//! screen ([`TrackPainter`]). A new kind is a new file here, with its items in the list below and its painter in
//! [`Painters`].

mod columns;
pub(super) mod counter;
pub(super) mod custom;
mod empty_threads;
pub(super) mod flow_track;
mod in_view;
mod list;
mod namesakes;
pub(super) mod network;
mod process;
mod row_spans;
pub(super) mod samples;
mod tape;
pub(super) mod thread;
mod visible_span_cache;

pub use counter::{CounterHeading, CounterItem};
pub use custom::{CustomHeading, CustomRow};
pub use empty_threads::EmptyThreads;
pub use flow_track::{FlowTrackHeading, FlowTrackItem};
pub use in_view::InView;
pub use list::{TrackList, TrackListKey};
pub use network::{NetworkHeading, NetworkRow};
pub use process::ProcessHeading;
pub use samples::{CallRow, SAMPLES_HEIGHT, SamplesHeading};
pub use tape::{TAPE_HEIGHT, TapeGroup, TapeHeading, TapeItem, TapeRows, title as tape_title};
pub(crate) use thread::FoldedRows;
pub use thread::{FoldedGroup, MarkerRow, MoreGroups, ThreadHeading, is_deep, listed_groups, rows_height};

use super::SceneInput;
use super::frame::Frame;
use super::pixel_rect::PixelRect;
use super::pointer_hits::PointerHits;
use super::primitives::{RectInstance, RowPlace};
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

/// What is drawn behind an item.
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
        /// Whether its rows follow.
        expanded: bool,
    },
    /// A line below.
    LineBelow,
}

/// How the label of an item is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelStyle {
    /// The heading of a process.
    Heading,
    /// The heading of a track.
    Track,
    /// A row, a counter.
    #[default]
    Row,
    /// A line that offers to show more.
    More,
    /// A tape.
    Tape,
}

/// What the label column says of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackLabel {
    /// At the left.
    pub text: String,
    /// At the right end.
    pub right: String,
    /// A sentence for screen readers; an item without one has no label.
    pub spoken: String,
    /// Palette entry of a dot before the text.
    pub swatch: Option<u8>,
    /// What the upper and the lower end of its area stand for.
    pub range: Option<(String, String)>,
    /// How it is written.
    pub style: LabelStyle,
    /// Points by which it stands further to the right.
    pub indent: f32,
    /// Whether it is expanded; `None` for items that do not fold.
    pub expanded: Option<bool>,
}

/// An item of the chart: a heading, a row, a counter.
pub trait TrackItem {
    /// Height in points.
    fn height(&self) -> f64;

    /// Numbers that identify it among items of its kind, whether it is folded or not.
    fn identity(&self) -> [u32; 2];

    /// What is drawn behind it.
    fn background(&self) -> Background {
        Background::Plain
    }

    /// What its label says.
    fn label(&self, input: &SceneInput<'_>) -> TrackLabel;

    /// What a click on its label does.
    fn toggle(&self) -> Option<Command> {
        None
    }

    /// What a click on its label does, if it folds nothing.
    fn press(&self, _input: &SceneInput<'_>) -> Option<Command> {
        None
    }

    /// The entries of its label's context menu.
    fn menu(&self) -> Vec<(&'static str, Command)> {
        Vec::new()
    }

    /// The thread whose activity it shows.
    fn activity(&self, _input: &SceneInput<'_>) -> Option<ThreadId> {
        None
    }

    /// What lies at a point (device pixels) of the item.
    fn hits(&self, _input: &SceneInput<'_>, _item: &Item, _x: f32, _y: f32) -> PointerHits {
        PointerHits::default()
    }
}

/// Draws all items of a kind that are on screen.
pub(super) trait TrackPainter {
    /// Adds them to a frame.
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame);
}

macro_rules! item_kinds {
    ($($(#[$doc:meta])* $name:ident($item:ty)),+ $(,)?) => {
        /// What stands at a place of the chart.
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
            /// The thread or process whose heading it is.
            #[must_use]
            pub const fn track(&self) -> Option<TrackRef> {
                match self {
                    Self::Thread(heading) => Some(TrackRef::Thread(heading.thread)),
                    Self::Process(heading) => Some(TrackRef::Process(heading.process)),
                    _ => None,
                }
            }

            /// Whether it stands below the heading of a thread.
            #[must_use]
            pub const fn is_of_thread(&self) -> bool {
                matches!(
                    self,
                    Self::Row(_) | Self::FoldedGroup(_) | Self::MoreGroups(_) | Self::Samples(_) | Self::Calls(_)
                )
            }

            /// Identifies the widgets of an item, whether it is folded or not.
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
    /// Heading of a custom track; a folded one shows its entries on the same line.
    Custom(CustomHeading),
    /// A row of a custom track.
    CustomRow(CustomRow),
    /// Heading of a process.
    Process(ProcessHeading),
    /// Heading of a thread; a collapsed one shows its summary on the same line.
    Thread(ThreadHeading),
    /// A row of an expanded thread.
    Row(MarkerRow),
    /// The only row of a folded group of rows.
    FoldedGroup(FoldedGroup),
    /// A line that stands for the groups of a thread that are not listed.
    MoreGroups(MoreGroups),
    /// Heading of the samples of a thread, with its activity.
    Samples(SamplesHeading),
    /// A row of the stack chart of a thread.
    Calls(CallRow),
    /// Heading of a track of flows; a folded one shows its flows on the same line.
    FlowTrack(FlowTrackHeading),
    /// A row of a track of flows.
    FlowRow(FlowTrackItem),
    /// Heading of the network requests of a process; a folded one shows them on the same line.
    Network(NetworkHeading),
    /// A row of network requests.
    NetworkRow(NetworkRow),
    /// Heading of the counters of a process.
    CounterHeading(CounterHeading),
    /// A counter.
    Counter(CounterItem),
    /// A line that says how many threads of a process have neither markers nor samples.
    EmptyThreads(EmptyThreads),
    /// Heading of the tapes of a type.
    TapeHeading(TapeHeading),
    /// The tape of a flow.
    Tape(TapeItem),
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
    tapes: tape::TapePainter,
    custom: custom::CustomPainter,
}

impl Painters {
    /// All of them. Batches carry their layers, so the order does not matter.
    pub(super) fn all(&mut self) -> [&mut dyn TrackPainter; 8] {
        let Self { threads, flow_tracks, counters, network, calls, activity, tapes, custom } = self;
        [threads, flow_tracks, counters, network, calls, activity, tapes, custom]
    }
}

/// An item and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// Distance from the top of the content in points.
    pub y: f64,
    /// Height in points.
    pub height: f64,
    /// What it is.
    pub kind: ItemKind,
}

/// The place of an item's markers: a little inside the item, so that rows stay apart.
fn row_place(input: &SceneInput<'_>, item: &Item) -> RowPlace {
    let is_summary = matches!(item.kind.background(), Background::TrackHeading { .. });
    let inset = if is_summary { (input.scale * 4.0).round() } else { super::line_width(input.scale) };
    let (y, height) = (input.item_y(item), input.item_height(item));
    RowPlace { y: y + inset, height: (height - 2.0 * inset).max(1.0), padding: [0.0; 2] }
}

/// What is drawn behind an item that lies at `rect`.
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
const fn fold_word(expanded: bool) -> &'static str {
    if expanded { "expanded" } else { "collapsed" }
}
