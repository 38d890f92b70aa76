//! What follows from the samples of threads.

pub mod cpu;
