//! The bundled example: loading a page of images, from the key press to the largest contentful paint.
//!
//! A new user can find the cause of the delay by following flows: eleven images of <https://gallery.example/> appear
//! quickly, but the largest one arrives late, and once it is decoded, its `load` event must wait for a script that lays
//! out the page for 180 ms. A click during that script waits, too, and two frames with much that is new come late. The
//! recording is the log of a small simulation: every thread runs one task at a time, tasks post other tasks, and each
//! post is a flow.
//!
//! `simulation` runs the tasks, `recording` writes their markers, `samples` writes their samples, `processes` lists the
//! processes and threads. The other modules contain the tasks by subject.

mod background;
mod fields;
mod frames;
mod image;
mod images;
mod navigation;
mod network;
mod page_load;
mod processes;
mod recording;
mod samples;
mod scripts;
mod simulation;
#[cfg(test)]
mod tests;
mod transfer;

pub use page_load::write_example;
