//! Scrolling of the chart to an item.

use super::chart_list::Item;
use flowline_view::ViewState;

/// Maximum distance in points between a revealed row and the edge of the chart.
const REVEAL_MARGIN: f64 = 60.0;

/// Scrolls an item into view, only as far as needed; `room` is the height of the chart.
pub(crate) fn scroll_to(item: &Item, room: f64, view: &mut ViewState) {
    let margin = (room / 4.0).min(REVEAL_MARGIN);
    let (top, bottom) = (item.y, item.y + item.height);
    if top < view.scroll {
        view.scroll = top - margin;
    } else if bottom > view.scroll + room {
        view.scroll = bottom + margin - room;
    }
}
