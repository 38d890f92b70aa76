//! Divides the window among toolbar, panels and canvas. This is a pure function of the window's size and the open
//! panels, so a frame's geometry is known before its widgets are laid out.

use egui::{Rect, pos2};

use flowline_view::Pane;

/// Heights in points.
const TOOLBAR_HEIGHT: f32 = 40.0;
const STATUS_HEIGHT: f32 = 24.0;
/// Minimum width of the details in points; the maximum is half of the window.
const DETAILS_MIN: f32 = 240.0;
/// Minimum height of the table in points, and its maximum as a fraction of the window.
const TABLE_MIN: f32 = 90.0;
const TABLE_PART: f32 = 0.5;
/// Minimum height of the canvas in points.
const CANVAS_MIN: f32 = 180.0;
/// Height of each recording's heading when two are open, in points.
const HEADING_HEIGHT: f32 = 24.0;
/// Minimum width of the label column in points, and its maximum as a fraction of the canvas.
const LABELS_MIN: f32 = 90.0;
/// Width of the label column in points until the user sets it, in wide windows and in narrow ones.
const LABELS: f32 = 256.0;
const LABELS_NARROW: f32 = 200.0;
/// Windows narrower than this many points are narrow.
const NARROW: f32 = 1100.0;
const LABELS_PART: f32 = 0.6;

/// Panel sizes set by the user, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PanelSizes {
    /// Width of the details.
    pub(crate) details: f32,
    /// Height of the table.
    pub(crate) table: f32,
    /// Width of the label column.
    pub(crate) labels: f32,
    /// The share of the canvas given to a second recording, 0 to 1.
    pub(crate) other: f32,
}

impl Default for PanelSizes {
    fn default() -> Self {
        Self { details: 328.0, table: 216.0, labels: LABELS, other: 0.5 }
    }
}

/// Open panels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenPanels {
    /// The details on the right.
    pub(crate) details: bool,
    /// The table at the bottom.
    pub(crate) table: bool,
    /// A second recording.
    pub(crate) other: bool,
}

/// The areas of two recordings, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OtherLayout {
    /// The headings of both.
    pub(crate) headings: [Rect; 2],
    /// The canvas of the second one.
    pub(crate) canvas: Rect,
}

/// The areas of a window with a recording, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WindowLayout {
    pub(crate) toolbar: Rect,
    pub(crate) status: Rect,
    pub(crate) details: Option<Rect>,
    pub(crate) table: Option<Rect>,
    pub(crate) canvas: Rect,
    pub(crate) other: Option<OtherLayout>,
    /// The effective panel sizes. In a small window they differ from the sizes set by the user.
    pub(crate) sizes: PanelSizes,
}

impl Default for WindowLayout {
    fn default() -> Self {
        Self::divide(Rect::ZERO, PanelSizes::default(), OpenPanels::default())
    }
}

impl WindowLayout {
    /// Divides a window; sizes out of range are clamped.
    pub(crate) fn divide(window: Rect, mut sizes: PanelSizes, open: OpenPanels) -> Self {
        let mut rest = window;
        let toolbar = cut_top(&mut rest, TOOLBAR_HEIGHT);
        let status = cut_bottom(&mut rest, STATUS_HEIGHT);
        let details = open.details.then(|| {
            sizes.details = sizes.details.clamp(DETAILS_MIN, (rest.width() * 0.5).max(DETAILS_MIN));
            cut_right(&mut rest, sizes.details)
        });
        let table = open.table.then(|| {
            let most = (window.height() * TABLE_PART).min(rest.height() - CANVAS_MIN).max(TABLE_MIN);
            sizes.table = sizes.table.clamp(TABLE_MIN, most);
            cut_bottom(&mut rest, sizes.table)
        });
        let is_untouched = (sizes.labels - LABELS).abs() < 0.5;
        if is_untouched && window.width() < NARROW {
            sizes.labels = LABELS_NARROW;
        }
        sizes.labels = sizes.labels.clamp(LABELS_MIN, (rest.width() * LABELS_PART).max(LABELS_MIN));
        let other = open.other.then(|| divide_canvas(&mut rest, &mut sizes.other));
        Self { toolbar, status, details, table, canvas: rest, other, sizes }
    }

    /// The whole area of a recording; [`Rect::NOTHING`] if it is not open.
    pub(crate) fn area(&self, pane: Pane) -> Rect {
        match (pane, &self.other) {
            (Pane::A, Some(other)) => other.headings[0].union(self.canvas),
            (Pane::A, None) => self.canvas,
            (Pane::B, Some(other)) => other.headings[1].union(other.canvas),
            (Pane::B, None) => Rect::NOTHING,
        }
    }
}

/// Divides the canvas between two recordings; `part` is the share of the second.
fn divide_canvas(canvas: &mut Rect, part: &mut f32) -> OtherLayout {
    let first = cut_top(canvas, HEADING_HEIGHT);
    let height = canvas.height().max(1.0);
    let least = ((CANVAS_MIN + HEADING_HEIGHT) / height).min(0.5);
    *part = part.clamp(least, 1.0 - least);
    let mut below = cut_bottom(canvas, (height * *part).round());
    let second = cut_top(&mut below, HEADING_HEIGHT);
    OtherLayout { headings: [first, second], canvas: below }
}

fn cut_top(rest: &mut Rect, height: f32) -> Rect {
    let y = (rest.min.y + height).min(rest.max.y);
    let cut = Rect::from_min_max(rest.min, pos2(rest.max.x, y));
    rest.min.y = y;
    cut
}

fn cut_bottom(rest: &mut Rect, height: f32) -> Rect {
    let y = (rest.max.y - height).max(rest.min.y);
    let cut = Rect::from_min_max(pos2(rest.min.x, y), rest.max);
    rest.max.y = y;
    cut
}

fn cut_right(rest: &mut Rect, width: f32) -> Rect {
    let x = (rest.max.x - width).max(rest.min.x);
    let cut = Rect::from_min_max(pos2(x, rest.min.y), rest.max);
    rest.max.x = x;
    cut
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    #[test]
    fn the_table_takes_at_most_half_of_the_window() {
        let open = OpenPanels { table: true, ..OpenPanels::default() };
        let height = |window: f32, wanted: f32| {
            let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, window));
            let sizes = PanelSizes { table: wanted, ..PanelSizes::default() };
            let parts = WindowLayout::divide(window, sizes, open);
            assert!(parts.canvas.height() >= CANVAS_MIN - 0.1, "{parts:?}");
            parts.table.map_or(0.0, |table| table.height())
        };
        assert_eq!([height(1000.0, 216.0), height(700.0, 216.0)], [216.0; 2]);
        assert_eq!([height(1000.0, 800.0), height(600.0, 800.0)], [500.0, 300.0]);
    }

    #[test]
    fn the_parts_fill_the_window_at_any_size() {
        for (width, height) in [(1440.0, 900.0), (600.0, 300.0), (100.0, 50.0), (0.0, 0.0)] {
            for case in 0..8 {
                let [details, table, other] = [1, 2, 4].map(|bit| case & bit > 0);
                let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
                let open = OpenPanels { details, table, other };
                let parts = WindowLayout::divide(window, PanelSizes::default(), open);
                let second = parts.other.map(|other| [other.headings[0], other.headings[1], other.canvas]);
                let mut all = vec![parts.toolbar, parts.status, parts.canvas];
                all.extend(parts.details.into_iter().chain(parts.table).chain(second.into_iter().flatten()));
                let area: f32 = all.iter().map(Rect::area).sum();
                assert!((area - window.area()).abs() < 1.0, "{parts:?}");
                assert!(all.iter().all(|part| part.width() >= 0.0 && part.height() >= 0.0));
            }
        }
    }
}
