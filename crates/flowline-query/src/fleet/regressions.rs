//! `flowline fleet regressions`: names whose durations or share of the waits differ between two labels.
//!
//! Each recording contributes one value per name and metric, so that a recording with many slices does not count more
//! than others. The rank sum test of Mann and Whitney compares the values of the two sides.

use std::collections::BTreeMap;

use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use flowline_index::statistics::compare::rank_sum;
use serde::Serialize;

use super::views::register_views;

/// The values that are compared.
const VALUES: &str = "SELECT name, metric, side, value FROM regression_value";

/// The labels in the views.
const LABELS: [&str; 2] = ["%\"build\":\"1\"%", "%\"build\":\"2\"%"];

/// Values of a share are compared in parts of this.
const SHARE_UNIT: f64 = 1e9;

/// One metric of one name on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regression {
    /// Name of the slices, or of the blocker.
    pub name: String,
    /// `p50` and `p99` in nanoseconds, `blocker share` from 0 to 1.
    pub metric: String,
    /// Number of recordings on each side that have a value.
    pub recordings: [usize; 2],
    /// Median of the values on each side.
    pub median: [f64; 2],
    /// Median of B divided by that of A; `None` if that of A is 0.
    pub ratio: Option<f64>,
    /// Probability that a value of B is greater than one of A; ties count half.
    pub greater: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// A label, as `key=value`.
#[must_use]
fn pattern(label: &(String, String)) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    // Quotes end a SQL string; backslashes and the wildcards of LIKE match themselves after a backslash.
    let mut pattern = format!("{}:{}", text(&label.0), text(&label.1)).replace('\'', "''");
    for special in ['\\', '%', '_'] {
        pattern = pattern.replace(special, &format!("\\{special}"));
    }
    format!("%{pattern}%")
}

/// The lower median.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) / 2]
}

/// Compares the recordings with the label `a` with those with the label `b`; the most certain difference is first.
///
/// # Errors
/// If the tables are incomplete.
pub async fn regressions(
    context: &SessionContext,
    a: &(String, String),
    b: &(String, String),
) -> Result<Vec<Regression>> {
    let sides = [pattern(a), pattern(b)];
    // Both at once: a label may be the one that the views have for the other side.
    let change = |sql: &str| {
        let parts = sql.split(LABELS[0]).map(|part| part.replace(LABELS[1], &sides[1]));
        parts.collect::<Vec<_>>().join(&sides[0])
    };
    register_views(context, change).await?;
    let mut groups: BTreeMap<(String, String), [Vec<f64>; 2]> = BTreeMap::new();
    for batch in context.sql(VALUES).await?.collect().await? {
        let text = |column: usize| cast(batch.column(column), &DataType::Utf8);
        let (names, metrics, sides) = (text(0)?, text(1)?, text(2)?);
        let values = batch.column(3).as_primitive::<Float64Type>();
        for row in 0..batch.num_rows() {
            let key =
                (names.as_string::<i32>().value(row).to_owned(), metrics.as_string::<i32>().value(row).to_owned());
            let side = usize::from(sides.as_string::<i32>().value(row) == "b");
            groups.entry(key).or_default()[side].push(values.value(row));
        }
    }
    let mut found: Vec<Regression> = groups.into_iter().filter_map(|(key, sides)| compared(key, sides)).collect();
    found.sort_by(|one, other| {
        one.p.total_cmp(&other.p).then_with(|| (&one.name, &one.metric).cmp(&(&other.name, &other.metric)))
    });
    Ok(found)
}

/// Compares the values of two sides; `None` if one has none.
fn compared((name, metric): (String, String), [mut a, mut b]: [Vec<f64>; 2]) -> Option<Regression> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let unit = if metric == "blocker share" { SHARE_UNIT } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "durations and shares are positive")]
    let numbers = |values: &[f64]| values.iter().map(|value| (value * unit).round() as u64).collect::<Vec<u64>>();
    let test = rank_sum(&mut numbers(&a), &mut numbers(&b));
    let medians = [median(&mut a), median(&mut b)];
    let ratio = (medians[0] > 0.0).then(|| medians[1] / medians[0]);
    Some(Regression {
        name,
        metric,
        recordings: [a.len(), b.len()],
        median: medians,
        ratio,
        greater: test.greater,
        p: test.p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_patterns_of_json() {
        let label = |key: &str, value: &str| pattern(&(key.into(), value.into()));
        assert_eq!(label("build", "1"), r#"%"build":"1"%"#);
        assert_eq!(label("it's", r#"a"b"#), r#"%"it''s":"a\\"b"%"#);
        assert_eq!(label("a_b", "50%"), r#"%"a\_b":"50\%"%"#);
    }

    #[test]
    fn a_difference_between_the_sides_is_certain() {
        let key = || ("paint".to_owned(), "p50".to_owned());
        let slow =
            compared(key(), [vec![10.0, 11.0, 12.0, 13.0, 14.0, 15.0], vec![20.0, 21.0, 22.0, 23.0, 24.0, 25.0]]);
        let slow = slow.expect("values on both sides");
        assert_eq!((slow.median, slow.greater), ([12.0, 22.0], 1.0));
        assert!(slow.p < 0.01, "{slow:?}");
        let same = compared(key(), [vec![5.0; 6], vec![5.0; 6]]).expect("values on both sides");
        assert_eq!((same.p, same.ratio), (1.0, Some(1.0)));
        assert_eq!(compared(key(), [vec![1.0], vec![]]), None);
    }
}
