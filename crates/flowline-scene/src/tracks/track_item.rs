//! What an item of the chart does: its height, background, label, menu and hits.

use std::ops::Range;

use crate::geometry::PixelRect;
use crate::layout::{Item, ItemKind, PointerHits, ROW_HEIGHT, SceneInput};
use crate::primitives::{RectInstance, RowBounds};
use crate::theme::{Palette, with_alpha};
use crate::tracks::surfaces::content_top;
use flowline_format::format_count;
use flowline_index::{ProcessTime, SYSTEM_DEEP_ENTRY, SYSTEM_HIGH_ENTRY};
use flowline_profile::{Arrangement, ColorBy, Ns, ThreadId};
use flowline_view::{Command, TrackId};

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
    /// Less important text behind it.
    pub detail: String,
    /// Text at the right end.
    pub right: String,
    /// Description for screen readers; an item without one has no label.
    pub spoken: String,
    /// Palette entry of a dot before the text.
    pub swatch: Option<u8>,
    /// Style.
    pub style: LabelStyle,
    /// Indentation in points.
    pub indent: f32,
    /// True if the item is expanded; `None` for items that cannot be collapsed.
    pub expanded: Option<bool>,
}

impl TrackLabel {
    /// The label of a line for items that are not listed.
    pub(super) fn of_more(count: u32, of: &str, indent: f32) -> Self {
        let count = u64::from(count);
        Self {
            text: format!("{} more", format_count(count)),
            right: "show".into(),
            spoken: format!("{} more {of}{}, show", format_count(count), if count == 1 { "" } else { "s" }),
            style: LabelStyle::More,
            indent,
            expanded: Some(false),
            ..Self::default()
        }
    }
}

/// The activity that the heading of a thread, a group or a process shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityGraph {
    /// The threads whose time is added up.
    pub threads: Vec<ThreadId>,
    /// A column is as high as its item if the threads were busy for its whole time, this many times.
    pub divisor: u32,
}

/// An item of the chart: a heading, a row, a counter.
pub trait TrackItem {
    /// Height in points.
    fn height(&self) -> f64;

    /// Numbers that identify the item among items of its kind, independent of its expanded state.
    fn identity(&self) -> [u32; 2];

    /// Key of the registered kind of the item's track, if it has one.
    fn kind(&self) -> Option<&'static str> {
        None
    }

    /// Background of the item.
    fn background(&self) -> Background {
        Background::Plain
    }

    /// Contents of the item's label.
    fn label(&self, input: &SceneInput<'_>) -> TrackLabel;

    /// The time beside the item's name, once it is measured.
    fn figure(&self, _input: &SceneInput<'_>) -> Option<ProcessTime> {
        None
    }

    /// Explanation of the time beside the item's name, in lines.
    fn figure_tooltip(&self, input: &SceneInput<'_>) -> Option<String> {
        self.figure(input).map(|figure| input.figure_tooltip(figure, &[]))
    }

    /// Command that expands or collapses the item when its label is clicked.
    fn toggle(&self) -> Option<Command> {
        None
    }

    /// False for the heading of a track that has no rows to expand.
    fn folds(&self, _input: &SceneInput<'_>) -> bool {
        true
    }

    /// Command for a click on the label of an item that cannot be collapsed.
    fn press(&self, _input: &SceneInput<'_>) -> Option<Command> {
        None
    }

    /// Key of the registered kind whose table a click on the label opens.
    fn table(&self) -> Option<&'static str> {
        None
    }

    /// Entries of the label's context menu.
    fn menu(&self, _input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        Vec::new()
    }

    /// The thread whose exact CPU use the item shows or describes.
    fn activity(&self, _input: &SceneInput<'_>) -> Option<ThreadId> {
        None
    }

    /// The graph that fills the item.
    fn graph(&self, _input: &SceneInput<'_>) -> Option<ActivityGraph> {
        None
    }

    /// The rows of a track of a registered kind that the item represents: its own row, or all rows of a collapsed track.
    fn track_rows(&self, _input: &SceneInput<'_>) -> Option<(TrackId, Range<u32>)> {
        None
    }

    /// Starts and ends of the entries around a time, for rows of tracks of registered kinds.
    fn edges_near(&self, _input: &SceneInput<'_>, _time: Ns) -> Vec<Ns> {
        Vec::new()
    }

    /// Hits at a point of the item (device pixels).
    fn hits(&self, _input: &SceneInput<'_>, _item: &Item, _x: f32, _y: f32) -> PointerHits {
        PointerHits::default()
    }
}

/// Position of an item's markers: slightly smaller than the item, so that rows stay apart.
pub(super) fn row_place(input: &SceneInput<'_>, item: &Item) -> RowBounds {
    // Headings as low as a row are rows themselves.
    let is_summary =
        item.kind.height() > ROW_HEIGHT && matches!(item.kind.background(), Background::TrackHeading { .. });
    let inset = if is_summary { (input.scale * 4.0).round() } else { crate::line_width(input.scale) };
    let (y, height, top) = (input.item_y(item), input.item_height(item), content_top(input, item, inset));
    RowBounds { system: system_entry(input, item), ..RowBounds::new(y + top, (height - top - inset).max(1.0)) }
}

/// The palette entry of `System` on a row: its lightness changes from depth to depth, so that nested slices stay apart.
fn system_entry(input: &SceneInput<'_>, item: &Item) -> f32 {
    const BY_DEPTH: [u8; 3] = [0, SYSTEM_HIGH_ENTRY, SYSTEM_DEEP_ENTRY];
    let depth = match item.kind {
        ItemKind::Row(row) if input.view.arrangement == Arrangement::Stack => row.row,
        ItemKind::Calls(row) => row.row,
        _ => return 0.0,
    };
    if input.view.color_by == ColorBy::Kind { f32::from(BY_DEPTH[depth as usize % BY_DEPTH.len()]) } else { 0.0 }
}

/// Draws the background of an item at `rect`.
pub(crate) fn background(item: &Item, rect: PixelRect, palette: &Palette, line: f32, rects: &mut Vec<RectInstance>) {
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
pub(super) const fn expansion_text(expanded: bool) -> &'static str {
    if expanded { "expanded" } else { "collapsed" }
}
