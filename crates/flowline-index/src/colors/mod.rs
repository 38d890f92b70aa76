//! Colors: the kind of work of every marker, and the palette entries of markers, calls and counters.
//!
//! A palette has 16 entries. The first ten are the kinds of work, by the numbers of [`Kind`](flowline_profile::Kind). A marker
//! has three entries, one for each property that can determine its color: kind, name, and the file of calls or the category
//! of slices. The shader picks one of them, so that another choice changes no data.

mod call_colors;
mod devtools_names;
mod entries;
mod entry_colors;
mod kind_rules;
mod kind_words;
mod styles;
mod work_sums;

pub(crate) use call_colors::{CallPalette, CallPalettes};
pub use devtools_names::kind_of_event;
pub use entries::{
    COLOR_WORDS, HARM_ENTRY, IDLE_ENTRY, PALETTE_ENTRIES, SYSTEM_DEEP_ENTRY, SYSTEM_HIGH_ENTRY, WARN_ENTRY,
    color_index, color_of_name,
};
pub use entry_colors::EntryColors;
pub use kind_rules::{KindRules, category_entry};
pub use styles::Styles;
pub use work_sums::KindShare;
