//! Background work: tasks on the pool, values computed on demand, and jobs, which loops poll and wait for.

mod job;
mod on_demand;
mod task;

pub use job::{Job, PoolTask};
pub(crate) use on_demand::OnDemand;
pub use task::{Running, Task, Wake};
