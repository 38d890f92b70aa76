//! The primitives of a frame, and the pipelines that draw each kind.
//!
//! A primitive is an instance type that implements [`Primitive`]: its memory layout, its pipelines and their shaders.
//! The description is plain data, so the GPU layer builds every pipeline from it and needs no code per primitive. A new
//! primitive is a file in this folder, a shader, and a line in the list in `registry`.

mod bar;
mod counter;
mod flow_shape;
mod link;
mod marker;
mod pipeline;
mod primitive;
mod rect;
mod registry;
mod row;

pub use bar::BarInstance;
pub use counter::{CounterInstance, EdgeLines};
pub use flow_shape::{BOX_OPACITY, BOX_PAD, FlowInstance, FlowShapeKind, SHAPE_SHIFT};
pub use link::{LinkInstance, LinkKind};
pub use marker::MarkerInstance;
pub use pipeline::{Attribute, AttributeFormat, Blending, PipelineSpec, shader};
pub use primitive::Primitive;
pub use rect::RectInstance;
pub use registry::{Instances, PrimitiveKind, Registered};
pub use row::{EMPHASIS_SHIFT, Emphasis, MAX_ROWS, ROW_SHIFT, RowBounds};
