//! Cargo unifies the features of build dependencies only for packages with a build script.

fn main() {}
