//! The window and its event loop.

mod about;
mod app;
mod capture;
mod graphics_start;
mod load_measure;
mod loading;
mod native_window;
mod persistence;
mod requests;

pub use app::{WindowOptions, run};
pub use load_measure::LoadTimes;
