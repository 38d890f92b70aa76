//! Runs properties on random cases.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

/// Runs a property on random cases (`PROPTEST_CASES` sets their number). Panics with the smallest failing case.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: std::fmt::Debug,
{
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(cases);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    match TestRunner::new(config).run(&strategy, test) {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!("{reason}\nfor {case:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
