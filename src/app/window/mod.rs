//! The window and its event loop.

mod about;
mod app;
mod capture;
mod loading;
mod native_window;
mod persistence;
mod requests;

pub use app::{LoadTimes, WindowOptions, run};
