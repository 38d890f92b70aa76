//! The frames of a page on one line, the topmost of its process: shown, late, dropped, missed, idle.

mod card;
mod columns;
mod dump;
mod insight_work;
mod kind;
mod main_work;
mod painter;
mod row;

pub(super) use kind::FrameTracks;
