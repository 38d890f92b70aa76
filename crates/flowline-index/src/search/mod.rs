//! Search: finds the markers that match a query, on all cores, until a newer query replaces it. (`docs/search.md`
//! describes the query language.)
//!
//! Each distinct name, category, and type is tested once, and so is each combination of them that occurs. Payloads are
//! scanned in place, without decoding, and only for markers that these tests do not decide.

mod generation;
mod hits;
mod matcher;
mod number;
mod passes;
mod problem;
mod query;
mod shown_numbers;
mod words;

pub use generation::{Generation, resolve};
pub use hits::{HitLayout, Hits};
pub use matcher::{Matcher, unknown_keys};
pub use number::{NumberRange, parse_duration};
pub use passes::{run, run_from};
pub use problem::{Problem, ProblemKind};
pub use query::{MarkerTime, Query, Term, Test, flow_query, parts, resource_query, typed_resource, whole_value};
