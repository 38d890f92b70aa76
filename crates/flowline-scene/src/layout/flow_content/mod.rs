//! Contents of the flow panel and of flow lanes: lists, areas and shapes.

mod flow_area;
mod flow_lanes;
mod flow_list;
mod flow_scene;
mod flow_sections;
mod shape_cache;

pub use flow_area::Area;
pub use flow_lanes::{FlowLaneGroup, FlowLanes};
pub use flow_list::{FLOW_ROW_HEIGHT, FlowItem, FlowItemKind, FlowList, FlowPart};
pub use flow_scene::FlowScene;
pub use flow_sections::{AlsoConnected, CHAIN_LIMIT, FlowSections, GROUP_ABOVE, SectionContent, SectionRows};
pub use shape_cache::{FlowLaneShapes, FlowShapes, Shape, ShapeCache, ShapeKey};
