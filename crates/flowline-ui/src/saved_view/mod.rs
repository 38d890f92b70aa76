//! Saved views: everything that the user arranged in the window of a recording, as JSON. A file per recording stores
//! its view, and links contain one.
//!
//! Members:
//! - `version`: 1
//! - `times`: `shown`, \[whole ns, fraction of a ns, length in ns\]; the `committed` ranges; the views `before` them,
//!   each with the number of ranges committed at that time; the `selected` and the `measured` range; the `zero` marker
//!   at the time origin
//! - `layout`: `rows` by name or as stacks; `switch_to_flow_layout` for the layout by flow, with `order` and `types`; `scroll` in
//!   points; `functions` and `call_colors` of stack charts
//! - `search`: the search text
//! - `tracks`: tracks that are `expanded`, `collapsed`, `hidden` …, and the order: `top_threads`, `process_order`,
//!   `thread_order`
//! - `selection`: `marker` or `call`; `rows`, `threads`, `samples`, `counters` of a box; `picked_threads`, the selected
//!   threads
//! - `flows`: `entered`, `pinned` and their `pin_names`, `history` and position `at` in it, `open_groups` …
//! - `path`: the marker at the end of the critical path
//! - `hide_notes`: true if notes are hidden in the chart
//! - `tables`: columns, widths, order, filter and groups of each table
//! - `window`: the open `table`, `hidden` panels, `sizes` in points, `no_tooltips` if clicks do not pin tooltips
//! - `second`: `layout`, `tracks`, `selection`, `flows`, `path` of a second recording; only in links
//!
//! A missing member means the initial state of a recording. Times are nanoseconds on the recording's clock. [`names`]
//! defines the names of threads, markers and flows. Items that are not found are skipped and counted. Reading never
//! fails because of a single member: an invalid one counts as missing.

mod chart;
mod flows;
mod link;
pub(crate) mod names;
mod selection;
mod tracks;
mod view_json;
mod window;

pub use view_json::SavedView;
pub use window::SavedPanelSizes;
pub(crate) use window::SavedWindow;
