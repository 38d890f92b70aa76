//! The work of a page of Chrome: what its main threads ran, for whom, and the events that state sizes of the document, of
//! images and of selectors. Each is read once for all insights.

mod document_events;
mod document_sizes;
mod entity_times;
mod entries;
mod fonts;
mod image_paints;
mod main_threads;
mod selectors;

pub(crate) use document_events::DocumentEvents;
pub(crate) use document_sizes::{DocumentSizes, DomStats, LargeWork};
pub(crate) use entity_times::{EntitySlice, EntityTimes};
pub(crate) use entries::PageEntries;
pub(crate) use fonts::{FontLoad, FontLoads};
pub(crate) use image_paints::{ImagePaint, ImagePaints};
pub(crate) use main_threads::main_threads;
pub(crate) use selectors::{SelectorCosts, SelectorsByNavigation};
