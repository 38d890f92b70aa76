//! The list of primitives.

use std::ops::Range;

use super::bar::BarInstance;
use super::counter::CounterInstance;
use super::flow_shape::FlowInstance;
use super::link::LinkInstance;
use super::marker::MarkerInstance;
use super::pipeline::PipelineSpec;
use super::primitive::Primitive;
use super::rect::RectInstance;

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
