//! Reading recordings: every version, container and form means the same, as naive readers and other programs say.

#[path = "../support/mod.rs"]
mod support;

mod chrome;
mod derive;
mod example;
mod json;
mod real_recordings;
mod synthetic;
mod versions;

use support::recording;
