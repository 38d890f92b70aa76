//! Bounds of integer columns that follow from conditions.

use std::sync::Arc;

use datafusion::common::ScalarValue;
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::expressions::{BinaryExpr, CastExpr, Column, InListExpr, Literal};
use datafusion::physical_expr::{PhysicalExpr, split_conjunction};

/// Lower and upper bounds, inclusive, of integer columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    known: Vec<(String, i64, i64)>,
}

impl Bounds {
    /// The bounds that follow from these conditions. Conditions that state none are ignored.
    pub(crate) fn of(filters: &[Arc<dyn PhysicalExpr>]) -> Self {
        let mut bounds = Self::default();
        for part in filters.iter().flat_map(split_conjunction) {
            bounds.add(part);
        }
        bounds
    }

    /// The bounds of a column.
    pub(crate) fn get(&self, column: &str) -> (i64, i64) {
        let found = self.known.iter().find(|(name, ..)| name == column);
        found.map_or((i64::MIN, i64::MAX), |(_, low, high)| (*low, *high))
    }

    fn narrow(&mut self, column: &str, low: i64, high: i64) {
        match self.known.iter_mut().find(|(name, ..)| name == column) {
            Some((_, from, to)) => (*from, *to) = (low.max(*from), high.min(*to)),
            None => self.known.push((column.to_owned(), low, high)),
        }
    }

    fn add(&mut self, part: &Arc<dyn PhysicalExpr>) {
        if let Some(list) = part.downcast_ref::<InListExpr>() {
            let values: Option<Vec<i64>> = list.list().iter().map(integer).collect();
            let ends = values.and_then(|values| Some((*values.iter().min()?, *values.iter().max()?)));
            if let (Some(column), Some((low, high)), false) = (column(list.expr()), ends, list.negated()) {
                self.narrow(column, low, high);
            }
            return;
        }
        let Some(comparison) = part.downcast_ref::<BinaryExpr>() else { return };
        let (left, right) = (comparison.left(), comparison.right());
        let (column, value, operator) = match (column(left), integer(right), column(right), integer(left)) {
            (Some(column), Some(value), ..) => (column, value, *comparison.op()),
            (.., Some(column), Some(value)) => {
                let Some(swapped) = comparison.op().swap() else { return };
                (column, value, swapped)
            }
            _ => return,
        };
        match operator {
            Operator::Eq => self.narrow(column, value, value),
            Operator::Lt => self.narrow(column, i64::MIN, value.saturating_sub(1)),
            Operator::LtEq => self.narrow(column, i64::MIN, value),
            Operator::Gt => self.narrow(column, value.saturating_add(1), i64::MAX),
            Operator::GtEq => self.narrow(column, value, i64::MAX),
            _ => {}
        }
    }
}

fn column(part: &Arc<dyn PhysicalExpr>) -> Option<&str> {
    part.downcast_ref::<Column>().map(Column::name)
}

fn integer(part: &Arc<dyn PhysicalExpr>) -> Option<i64> {
    if let Some(cast) = part.downcast_ref::<CastExpr>() {
        return integer(cast.expr());
    }
    match part.downcast_ref::<Literal>()?.value() {
        ScalarValue::Int64(value) => *value,
        _ => None,
    }
}
