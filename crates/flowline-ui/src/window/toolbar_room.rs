//! How much room the toolbar has, and so what it shows.

use egui::Ui;

use crate::widgets::grouped;
use flowline_profile::Place;
use flowline_session::Session;

/// Width in points from which on the toolbar has room for switches that are rarely used; below, they are in a menu.
const MIN_WIDTH_FOR_SWITCHES: f32 = 1020.0;
/// Width in points from which on the toolbar has room for a button for each layout; below, they are in a menu.
const MIN_WIDTH_FOR_LAYOUTS: f32 = 870.0;
/// Width in points from which on the toolbar has room for buttons of panels; below, they are in the menu of the switches.
const MIN_WIDTH_FOR_PANELS: f32 = 730.0;
/// Width in points from which on the toolbar has room for a button that compares.
const MIN_WIDTH_TO_COMPARE: f32 = 900.0;
/// Width in points that the results of a search take beside the search box and their count.
const RESULTS_WIDTH: f32 = 330.0;
/// Width in points that the name of the recording takes at most.
pub(super) const NAME_WIDTH: f32 = 200.0;

/// How much room the toolbar has, the least first. Each has what those before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    /// For the search box, and menus of layouts and of the rest.
    Tiny,
    /// For categories, tables and details.
    Small,
    /// For all layouts.
    Narrow,
    /// For everything.
    Wide,
}

/// Width in points of a button that compares.
const COMPARE_WIDTH: f32 = 90.0;
/// Width in points of the search box: the least beside what a search found, in a tiny window and otherwise, and the most.
const BOX_WIDTH: [f32; 3] = [80.0, 110.0, 300.0];

/// What the toolbar has room for.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolbarRoom {
    pub(super) room: Room,
    pub(super) has_compare: bool,
    /// Width in points of the search box if there is a search; else it takes a part of what is left.
    pub(super) search_width: Option<f32>,
}

impl ToolbarRoom {
    /// The room for `session` in what is left of a row. Everything that differs between recordings and searches is measured.
    pub(super) fn new(ui: &Ui, session: Option<&Session>) -> Self {
        let available = ui.available_width();
        let more = session.map_or_else(MoreWidth::default, |session| MoreWidth::new(ui, session));
        let (room, least) = match () {
            () if available >= MIN_WIDTH_FOR_SWITCHES + more.switches => (Room::Wide, MIN_WIDTH_FOR_SWITCHES),
            () if available >= MIN_WIDTH_FOR_LAYOUTS + more.results => {
                (Room::Narrow, MIN_WIDTH_FOR_LAYOUTS + more.results)
            }
            () if available >= MIN_WIDTH_FOR_PANELS + more.count => (Room::Small, MIN_WIDTH_FOR_PANELS + more.count),
            () => (Room::Tiny, available),
        };
        let has_compare = available > MIN_WIDTH_TO_COMPARE + COMPARE_WIDTH + more.results;
        let is_searching = session.is_some_and(|session| !session.view.search.is_empty());
        // What was typed stays readable while there is room for it.
        let [tiny, narrow, widest] = BOX_WIDTH;
        let spare = available - least - if has_compare { COMPARE_WIDTH } else { 0.0 };
        let search_width = match room {
            Room::Wide => None,
            Room::Tiny => Some(tiny),
            Room::Small | Room::Narrow => Some((narrow + spare).clamp(narrow, widest)),
        };
        Self { room, has_compare, search_width: search_width.filter(|_| is_searching) }
    }
}

/// Width in points of what only some recordings and searches have in the toolbar.
#[derive(Default)]
struct MoreWidth {
    /// Of what stands there beside the switches.
    switches: f32,
    /// Of how many of all markers a search found.
    results: f32,
    /// Of how many a search found.
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

/// How many markers a search found.
pub(super) fn results_text(found: usize, total: usize) -> String {
    format!("{} of {}", grouped(found), grouped(total))
}

/// The text of the switch for markers that the recording keeps out of the chart or of tables; absent if there are none.
pub(super) fn all_markers_text(session: &Session) -> Option<String> {
    let most = [Place::Chart, Place::Table].map(|place| session.hidden_markers(place)).into_iter().max()?;
    (most > 0).then(|| format!("All markers (+{})", grouped(most)))
}

/// The text of the switch for the colours of calls.
pub(super) const BY_FILE: &str = "By file";

/// Whether calls have colours to choose from.
pub(super) fn has_call_colors(session: &Session) -> bool {
    !session.index.cpu().is_empty() && !session.index.profile().stacks.is_empty()
}
