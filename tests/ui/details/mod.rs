//! The details of the selected marker.

mod call_titles;
mod glance;
mod initiators;
mod references;
mod slices;
mod times_by_kind;
mod values;
