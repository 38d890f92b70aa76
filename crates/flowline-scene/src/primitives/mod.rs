//! The primitives of a frame, and the pipelines that draw each kind.
//!
//! A primitive is an instance type that implements [`Primitive`]: its memory layout, its pipelines and their shaders.
//! The description is plain data, so the GPU layer builds every pipeline from it and needs no code per primitive. A new
//! primitive is a file in this folder, a shader, and a line in the list below.

mod bar;
mod counter;
mod flow_shape;
mod link;
mod marker;
mod pipeline;
mod rect;
mod row;

use std::ops::Range;

use bytemuck::Pod;

pub use bar::BarInstance;
pub use counter::{CounterInstance, EdgeLines};
pub use flow_shape::{BOX_OPACITY, BOX_PAD, FlowInstance, FlowShapeKind, SHAPE_SHIFT};
pub use link::{LinkInstance, LinkKind};
pub use marker::MarkerInstance;
pub use pipeline::shader;
pub use pipeline::{Attribute, AttributeFormat, Blending, PipelineSpec};
pub use rect::RectInstance;
pub use row::{EMPHASIS_SHIFT, Emphasis, MAX_ROWS, ROW_SHIFT, RowBounds};

/// An instance type that the GPU draws.
pub trait Primitive: Pod {
    /// The pipelines that can draw instances.
    const PIPELINES: &'static [PipelineSpec];

    /// Index in [`Primitive::PIPELINES`] of the pipeline that draws this instance.
    fn pipeline(&self) -> usize {
        0
    }
}

/// A primitive in the list below.
pub trait Registered: Primitive {
    /// The entry in the list.
    const KIND: PrimitiveKind;

    /// The instances of this type.
    fn list(instances: &Instances) -> &[Self];

    /// The instances of this type, for adding to them.
    fn list_mut(instances: &mut Instances) -> &mut Vec<Self>;
}

/// Defines the list of primitives: `Kind => field: Instance`.
macro_rules! primitives {
    ($($(#[$doc:meta])* $kind:ident => $list:ident: $instance:ty,)+) => {
        /// The registered primitives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum PrimitiveKind {
            $($(#[$doc])* $kind,)+
        }

        impl PrimitiveKind {
            /// All registered primitives.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)+];

            /// The pipelines that draw instances of this primitive.
            #[must_use]
            pub const fn pipelines(self) -> &'static [PipelineSpec] {
                match self {
                    $(Self::$kind => <$instance as Primitive>::PIPELINES,)+
                }
            }
        }

        /// The instances of a frame, one list per primitive.
        #[derive(Clone, Debug, Default)]
        pub struct Instances {
            $($(#[$doc])* pub $list: Vec<$instance>,)+
        }

        impl Instances {
            /// Clears the lists and keeps their memory.
            pub fn clear(&mut self) {
                $(self.$list.clear();)+
            }

            /// The instances of a primitive as uploaded bytes.
            #[must_use]
            pub fn bytes(&self, kind: PrimitiveKind) -> &[u8] {
                match kind {
                    $(PrimitiveKind::$kind => bytemuck::cast_slice(&self.$list),)+
                }
            }

            /// Splits a range of instances into consecutive runs that use the same pipeline.
            pub fn for_each_run(&self, kind: PrimitiveKind, range: Range<u32>, each: impl FnMut(usize, Range<u32>)) {
                match kind {
                    $(PrimitiveKind::$kind => for_each_run(&self.$list, range, each),)+
                }
            }
        }

        $(impl Registered for $instance {
            const KIND: PrimitiveKind = PrimitiveKind::$kind;

            fn list(instances: &Instances) -> &[Self] {
                &instances.$list
            }

            fn list_mut(instances: &mut Instances) -> &mut Vec<Self> {
                &mut instances.$list
            }
        })+
    };
}

primitives! {
    /// Rectangles.
    Rect => rects: RectInstance,
    /// Markers.
    Marker => markers: MarkerInstance,
    /// Shapes of flow rows.
    FlowShape => flows: FlowInstance,
    /// Areas of counters.
    Counter => counters: CounterInstance,
    /// Connections of flows.
    Link => links: LinkInstance,
    /// Stacked bars.
    Bar => bars: BarInstance,
}

fn for_each_run<T: Primitive>(list: &[T], range: Range<u32>, mut each: impl FnMut(usize, Range<u32>)) {
    if T::PIPELINES.len() == 1 {
        each(0, range);
        return;
    }
    let mut start = range.start;
    for run in list[range.start as usize..range.end as usize].chunk_by(|a, b| a.pipeline() == b.pipeline()) {
        let end = start + u32::try_from(run.len()).unwrap_or(u32::MAX);
        each(run.first().map_or(0, Primitive::pipeline), start..end);
        start = end;
    }
}
