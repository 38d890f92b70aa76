//! Layout shifts of a process: a diamond for each, over thin bars of the clusters that they form.

mod card;
mod dump;
mod kind;
mod painter;
mod rows;

pub(super) use kind::ShiftTracks;
