//! A plain reader of raw recordings.

mod chrome;
mod cpu_profile;
mod figures;
mod firefox;
mod firefox_markers;
mod firefox_requests;
mod firefox_tables;
mod json;
mod read;

pub(crate) use figures::{EVERYTHING, Figures, PlainThread, union};
pub(crate) use read::{Form, Plain, read};
