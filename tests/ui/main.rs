//! The window's contents without a real window: the accessibility tree, and the effects of keys and mouse. Every test
//! drives [`flowline::ui::Shell`] like the event loop does.

#[path = "../support/mod.rs"]
mod support;

mod canvas;
mod details;
mod flows;
mod harness;
mod notes;
mod search;
mod tables;
mod window;

use support::recording;
