//! Width of the toolbar, and the controls that fit into it.

use egui::Ui;

use crate::widgets::grouped;
use flowline_profile::MarkerSurface;
use flowline_session::Session;

/// Minimum width in points for the rarely used switches; below, they are in a menu.
const MIN_WIDTH_FOR_SWITCHES: f32 = 1020.0;
/// Minimum width in points for one button per layout; below, the layouts are in a menu.
const MIN_WIDTH_FOR_LAYOUTS: f32 = 870.0;
/// Minimum width in points for the panel buttons; below, they are in the menu of the switches.
const MIN_WIDTH_FOR_PANELS: f32 = 730.0;
/// Minimum width in points for the Compare button.
const MIN_WIDTH_TO_COMPARE: f32 = 900.0;
/// Width in points of the search results next to the search box, without the text of their count.
const RESULTS_WIDTH: f32 = 330.0;
/// Maximum width in points of the recording's name.
pub(super) const NAME_WIDTH: f32 = 200.0;

/// Size classes of the toolbar, smallest first. Each includes the controls of the smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ToolbarSize {
    /// The search box, and menus for layouts and everything else.
    Tiny,
    /// Categories, tables and details.
    Small,
    /// A button for each layout.
    Narrow,
    /// Everything.
    Wide,
}

/// Width in points of the Compare button.
const COMPARE_WIDTH: f32 = 90.0;
/// Width in points of the search box: minimum in a tiny window, minimum otherwise (both next to results), and maximum.
const BOX_WIDTH: [f32; 3] = [80.0, 110.0, 300.0];

/// The controls that fit into the toolbar.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolbarLayout {
    pub(super) room: ToolbarSize,
    pub(super) has_compare: bool,
    /// Width in points of the search box during a search; otherwise it takes a share of the remaining width.
    pub(super) search_width: Option<f32>,
}

impl ToolbarLayout {
    /// The size class for `session` and the remaining width of the row. Widths that depend on recording or search are
    /// measured.
    pub(super) fn new(ui: &Ui, session: Option<&Session>) -> Self {
        let available = ui.available_width();
        let more = session.map_or_else(MoreWidth::default, |session| MoreWidth::new(ui, session));
        let (room, least) = match () {
            () if available >= MIN_WIDTH_FOR_SWITCHES + more.switches => (ToolbarSize::Wide, MIN_WIDTH_FOR_SWITCHES),
            () if available >= MIN_WIDTH_FOR_LAYOUTS + more.results => {
                (ToolbarSize::Narrow, MIN_WIDTH_FOR_LAYOUTS + more.results)
            }
            () if available >= MIN_WIDTH_FOR_PANELS + more.count => {
                (ToolbarSize::Small, MIN_WIDTH_FOR_PANELS + more.count)
            }
            () => (ToolbarSize::Tiny, available),
        };
        let has_compare = available > MIN_WIDTH_TO_COMPARE + COMPARE_WIDTH + more.results;
        let is_searching = session.is_some_and(|session| !session.view.search.is_empty());
        // The typed text stays readable as long as there is room for it.
        let [tiny, narrow, widest] = BOX_WIDTH;
        let spare = available - least - if has_compare { COMPARE_WIDTH } else { 0.0 };
        let search_width = match room {
            ToolbarSize::Wide => None,
            ToolbarSize::Tiny => Some(tiny),
            ToolbarSize::Small | ToolbarSize::Narrow => Some((narrow + spare).clamp(narrow, widest)),
        };
        Self { room, has_compare, search_width: search_width.filter(|_| is_searching) }
    }
}

/// Widths in points of toolbar content that depends on the recording or the search.
#[derive(Default)]
struct MoreWidth {
    /// Content next to the rarely used switches.
    switches: f32,
    /// Text with the number of hits and of all markers.
    results: f32,
    /// Text with the number of hits.
    count: f32,
}

impl MoreWidth {
    fn new(ui: &Ui, session: &Session) -> Self {
        let width = |text: String| {
            let font = egui::TextStyle::Button.resolve(ui.style());
            ui.painter().layout_no_wrap(text, font, egui::Color32::PLACEHOLDER).size().x
        };
        let spacing = ui.spacing().item_spacing.x;
        let button = |text: String| width(text) + 2.0 * ui.spacing().button_padding.x + spacing;
        let total = session.index.profile().marker_count();
        let [results, count] = match session.view.search.is_empty() {
            true => [0.0; 2],
            false => [results_text(total, total), grouped(total)].map(width),
        };
        let beside = if session.view.search.is_empty() { 0.0 } else { RESULTS_WIDTH + results };
        let name = width(session.name()).min(NAME_WIDTH) + spacing;
        let all_markers = all_markers_text(session).map_or(0.0, button);
        let call_colors = if has_call_colors(session) { button(BY_FILE.to_owned()) } else { 0.0 };
        Self { switches: beside + name + all_markers + call_colors, results, count }
    }
}

/// Number of hits out of all markers.
pub(super) fn results_text(found: usize, total: usize) -> String {
    format!("{} of {}", grouped(found), grouped(total))
}

/// Text of the switch for markers that the recording hides from the chart or from tables; `None` if there are none.
pub(super) fn all_markers_text(session: &Session) -> Option<String> {
    let most =
        [MarkerSurface::Chart, MarkerSurface::Table].map(|place| session.hidden_markers(place)).into_iter().max()?;
    (most > 0).then(|| format!("All markers (+{})", grouped(most)))
}

/// Text of the switch for the colors of calls.
pub(super) const BY_FILE: &str = "By file";

/// True if the colors of calls can be switched.
pub(super) fn has_call_colors(session: &Session) -> bool {
    !session.index.cpu().is_empty() && !session.index.profile().stacks.is_empty()
}
