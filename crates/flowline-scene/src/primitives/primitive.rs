//! The interface of primitives.

use bytemuck::Pod;

use super::pipeline::PipelineSpec;

/// An instance type that the GPU draws.
pub trait Primitive: Pod {
    /// The pipelines that can draw instances.
    const PIPELINES: &'static [PipelineSpec];

    /// Index in [`Primitive::PIPELINES`] of the pipeline that draws this instance.
    fn pipeline(&self) -> usize {
        0
    }
}
