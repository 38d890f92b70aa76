//! SQL over recordings: the tables of one recording are read from its index; those of thousands are exported as
//! Parquet and queried by the same SQL here, on Spark, or elsewhere.
//!
//! This package is built on request only, because its engine is large.

pub mod commands;
pub mod engine;
pub mod export;
pub mod fleet;
mod functions;
pub mod recording;
pub mod schema;
mod tables;
