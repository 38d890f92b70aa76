//! Context menus of the canvas, and the menu of hidden items.

pub(crate) mod axis_menu;
pub(crate) mod chart_menu;
mod copy_menu;
pub(crate) mod flow_menu;
pub(crate) mod hidden_menu;
pub(crate) mod hide_menu;
mod row_menu;
pub(crate) mod track_menu;
