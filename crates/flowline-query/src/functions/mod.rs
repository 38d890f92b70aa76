//! The functions that Flowline adds to SQL.

mod percentile;
mod relations;
mod scalar;

pub(crate) use percentile::PercentileExact;
pub(crate) use relations::{Relation, RelationFunction};
pub(crate) use scalar::{ExtractArg, IntersectNs};
