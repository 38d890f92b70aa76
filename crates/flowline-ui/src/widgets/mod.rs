//! Building blocks of panels and tables, and their style.

mod arrow;
mod counts;
mod cpp_name;
mod dialog;
mod dropdown;
mod elide;
mod empty_state;
mod hatch;
pub(crate) mod icon;
mod indent;
mod key_cap;
mod list_filter;
pub(crate) mod menu;
mod progress_bar;
mod segmented;
pub mod style;
mod surface;
pub(crate) mod table;
mod text_cursor;
pub(crate) mod tree;
pub(crate) mod virtual_list;

pub(crate) use arrow::arrow;
pub(crate) use counts::{counted, grouped};
pub(crate) use cpp_name::{elide_name, short_forms};
pub(crate) use dialog::{
    Dialog, body_height, dialog_buttons, has_dialog, main_button, page_button, page_icon_button,
    page_icon_button_width, suppress_tooltips, text_field,
};
pub(crate) use dropdown::Dropdown;
pub(crate) use elide::{clamp_lines, differences, elide, elide_common, short_location};
pub(crate) use empty_state::{empty_state, empty_state_with};
pub(crate) use hatch::hatch;
pub(crate) use indent::Indent;
pub(crate) use key_cap::key_cap;
pub(crate) use list_filter::{leave_by_arrows, list_filter};
pub(crate) use progress_bar::progress_bar;
pub(crate) use segmented::{Segment, segmented, segmented_named, segmented_width};
pub(crate) use surface::{palette_of, surface};
pub(crate) use text_cursor::{cursor_to_end, select_all, select_range};
