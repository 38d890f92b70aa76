//! Typed indexes.

use bytemuck::{Pod, Zeroable};

use crate::persist::persist;

/// Declares a `u32` index type with conversions from and to `usize`.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub u32);
        persist!($name(index));

        impl $name {
            /// The index of a position in a table; saturates at `u32::MAX`.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The position in the table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// An interned string of [`crate::Strings`].
    StringId
}
id! {
    /// A process, in file order.
    ProcessId
}
id! {
    /// A thread, in file order (a raw profile's parent first, then its processes).
    ThreadId
}
id! {
    /// A marker of the whole recording: threads in file order, markers in start order.
    MarkerId
}
id! {
    /// A marker within its thread, in start order.
    LocalMarker
}
id! {
    /// A marker category of the recording.
    CategoryId
}
id! {
    /// A payload type, with or without a schema.
    TypeId
}
id! {
    /// A flow of the recording, numbered by start.
    FlowId
}
id! {
    /// A counter, in file order.
    CounterId
}
id! {
    /// A function of [`crate::samples::StackTables`].
    FuncId
}
id! {
    /// A frame of [`crate::samples::StackTables`].
    FrameId
}
id! {
    /// A stack of [`crate::samples::StackTables`].
    StackId
}
