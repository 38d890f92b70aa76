//! Command-line arguments, as clap parses them.

mod arguments;
mod dump_args;
mod insights_args;
mod layouts;
mod path_end;
mod scope_args;
mod second_args;
mod tree_args;
mod values;
mod view_args;

pub(super) use arguments::{
    Arguments, BenchArgs, CacheAction, CacheArgs, Command, FormatArg, InfoArgs, QueryArgs, RenderArgs, SynthArgs,
};
pub(super) use dump_args::{DumpArgs, What};
pub(super) use insights_args::{FailOn, InsightChoice, InsightsArgs, PageArgs};
pub(super) use layouts::ChartLayoutArg;
pub(super) use path_end::PathEnd;
pub(super) use scope_args::{
    AnnotateArgs, CompareArgs, CompareOf, CutArgs, CutFormat, ExportArgs, GroupArgs, ScopeArgs, StatsArgs, StatsOf,
};
pub(super) use second_args::SecondArgs;
pub(super) use tree_args::TreeArgs;
pub(super) use values::parse_range;
