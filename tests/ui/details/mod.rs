//! The details of the selected marker.

mod initiators;
mod references;
mod slices;
