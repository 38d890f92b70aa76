//! Flow lanes: one row for each flow of the scope. Waits are hatched, runs are solid in the color of the running
//! marker, and other members are marks across the row. With a search, hits are highlighted.

mod heading;
mod hit;
mod instants;
mod lane;
mod links;
mod list;
mod on_screen;
mod outside;
mod painter;

pub use lane::FLOW_LANE_HEIGHT;
pub(crate) use on_screen::selected_lane;
pub(crate) use painter::FlowLanePainter;
