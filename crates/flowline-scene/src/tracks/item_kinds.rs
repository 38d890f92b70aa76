//! What items of each kind do: every kind of item implements [`TrackItem`].

use super::track_item::TrackItem;
use crate::layout::{ItemKind, item_kinds};

macro_rules! dispatch {
    ($($(#[$doc:meta])* $name:ident($item:ty)),+ $(,)?) => {
        impl std::ops::Deref for ItemKind {
            type Target = dyn TrackItem;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$name(item) => item),+
                }
            }
        }

        impl ItemKind {
            /// Identifies the widgets of an item, independent of its expanded state.
            #[must_use]
            pub fn widget_key(&self) -> (&'static str, [u32; 2]) {
                match self {
                    $(Self::$name(item) => (item.kind().unwrap_or(stringify!($name)), item.identity())),+
                }
            }
        }
    };
}

item_kinds!(dispatch);
