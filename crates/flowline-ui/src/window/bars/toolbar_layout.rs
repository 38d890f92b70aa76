//! Places of the toolbar's controls. Nothing in it depends on the search or the selection, so nothing moves while the
//! user works; every width is fixed or measured from texts that do not change.

use egui::{Rect, Ui, pos2, vec2};

use crate::widgets::{Dropdown, segmented_width};

/// Height of the controls in points.
pub(super) const HEIGHT: f32 = 24.0;
/// Points between controls, and between groups of controls.
const GAP: f32 = 8.0;
const GROUP_GAP: f32 = 20.0;
/// Minimum width of the window in points for a menu *Analyze* of its own; below, it is part of the menu *View*.
const MIN_WIDTH_FOR_ANALYZE: f32 = 1200.0;
/// Minimum width of the window in points for one button per layout; below, they are a menu.
const MIN_WIDTH_FOR_SEGMENTS: f32 = 1100.0;
/// Width of the search field in points: in wide windows, in others, and the minimum.
const SEARCH_WIDTHS: [f32; 3] = [440.0, 300.0, 140.0];
/// Range of the width in points of the recording's name. Within it, the name is as wide as the label column.
const NAME_WIDTHS: [f32; 2] = [64.0, 420.0];
/// Width in points of the recording's name without a label column.
const NAME_WIDTH: f32 = 200.0;
/// Width in points of the buttons at the right end, and of the warnings before them: with words, and as an icon.
const RIGHT_WIDTH: f32 = 144.0;
const WARNINGS_WIDTHS: [f32; 2] = [108.0, 32.0];

/// The names of the layouts, from left to right.
pub(super) const LAYOUT_NAMES: [&str; 3] = ["By name", "Stack", "By object"];
/// Label of the layouts.
pub(super) const ROWS: &str = "Rows";

/// Widths of texts in points.
#[derive(Clone, Copy, Debug)]
struct TextWidths {
    segments: f32,
    rows_menu: f32,
    view: f32,
    analyze: f32,
    /// The choice of a tab; 0 without one.
    tabs: f32,
}

/// Places of the controls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ToolbarLayout {
    /// The menu of the recording.
    pub(super) name: Rect,
    pub(super) search: Rect,
    /// Layouts and menus.
    pub(super) middle: Rect,
    /// Warnings; empty without warnings.
    pub(super) warnings: Rect,
    /// Switches of panels, settings and help.
    pub(super) right: Rect,
    pub(super) has_segments: bool,
    pub(super) has_analyze: bool,
}

impl ToolbarLayout {
    /// Places in `bar`; `labels` is the width of the label column in points, `tabs` that of the choice of a tab.
    pub(super) fn new(ui: &Ui, bar: Rect, labels: f32, has_warnings: bool, tabs: f32) -> Self {
        let label = segmented_width(ui, [ROWS]);
        // Any of the layouts may be chosen, and the menu must not change its width.
        let rows_menu = LAYOUT_NAMES.map(|name| Dropdown::choice(ROWS, name, "").width(ui)).into_iter();
        let widths = TextWidths {
            segments: label + segmented_width(ui, LAYOUT_NAMES),
            rows_menu: rows_menu.fold(0.0, f32::max),
            view: Dropdown::menu("View").width(ui),
            analyze: Dropdown::menu("Analyze").width(ui),
            tabs,
        };
        Self::place(bar, labels, has_warnings, widths)
    }

    fn place(bar: Rect, labels: f32, has_warnings: bool, widths: TextWidths) -> Self {
        let has_analyze = bar.width() >= MIN_WIDTH_FOR_ANALYZE;
        let has_segments = bar.width() >= MIN_WIDTH_FOR_SEGMENTS;
        let [words, icon] = WARNINGS_WIDTHS;
        let warnings = if has_analyze { words } else { icon } * f32::from(u8::from(has_warnings));
        let rows = if has_segments { widths.segments } else { widths.rows_menu };
        let analyze = if has_analyze { GAP + widths.analyze } else { 0.0 };
        let tabs = if widths.tabs > 0.0 { GAP + widths.tabs } else { 0.0 };
        let middle = rows + GAP + widths.view + analyze + tabs;
        let fixed = GROUP_GAP + middle + GAP + warnings + RIGHT_WIDTH;
        let [wide, narrow, least] = SEARCH_WIDTHS;
        let name = if labels < 1.0 { NAME_WIDTH } else { labels.clamp(NAME_WIDTHS[0], NAME_WIDTHS[1]) };
        let room = (bar.width() - fixed).max(0.0);
        let name = name.min((room - least).max(NAME_WIDTHS[0].min(room)));
        let search = (if has_analyze { wide } else { narrow }).min((room - name).max(0.0));
        let at = |left: f32, width: f32| {
            Rect::from_min_size(pos2(left, bar.center().y - HEIGHT / 2.0), vec2(width.max(0.0), HEIGHT))
        };
        let left = bar.min.x + name + search + GROUP_GAP;
        let right = (bar.max.x - RIGHT_WIDTH).max(left + middle + GAP + warnings);
        Self {
            name: at(bar.min.x, name),
            search: at(bar.min.x + name, search),
            middle: at(left, middle),
            warnings: at(right - warnings, warnings),
            right: at(right, RIGHT_WIDTH),
            has_segments,
            has_analyze,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: TextWidths = TextWidths { segments: 240.0, rows_menu: 116.0, view: 64.0, analyze: 80.0, tabs: 0.0 };

    fn place(width: f32, labels: f32, has_warnings: bool) -> ToolbarLayout {
        let bar = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 40.0));
        ToolbarLayout::place(bar, labels, has_warnings, WIDTHS)
    }

    #[test]
    fn controls_never_overlap_and_stay_in_the_window() {
        for width in [800.0, 900.0, 1000.0, 1099.0, 1100.0, 1199.0, 1200.0, 1440.0, 1600.0, 2400.0] {
            for labels in [0.0, 90.0, 200.0, 256.0, 480.0] {
                for has_warnings in [false, true] {
                    let layout = place(width, labels, has_warnings);
                    let all = [layout.name, layout.search, layout.middle, layout.warnings, layout.right];
                    for pair in all.windows(2) {
                        assert!(pair[0].max.x <= pair[1].min.x + 0.01, "{width} {labels} {layout:?}");
                    }
                    assert!(layout.right.max.x <= width + 0.01 && layout.search.width() >= 139.0, "{width} {layout:?}");
                }
            }
        }
    }

    #[test]
    fn the_search_begins_at_the_chart_with_the_stated_widths() {
        for (width, labels, search) in [(1600.0, 256.0, 440.0), (1000.0, 200.0, 300.0)] {
            let layout = place(width, labels, true);
            assert_eq!((layout.search.min.x, layout.search.width()), (labels, search));
        }
        let [narrow, medium, wide] = [1000.0, 1150.0, 1300.0].map(|width| place(width, 256.0, false));
        assert!(!narrow.has_segments && medium.has_segments && wide.has_segments);
        assert!(!narrow.has_analyze && !medium.has_analyze && wide.has_analyze);
    }
}
