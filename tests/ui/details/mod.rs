//! The details of the selected marker.

mod glance;
mod initiators;
mod references;
mod slices;
mod values;
