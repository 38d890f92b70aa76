//! `percentile_exact`: the percentile by nearest rank, as the statistics of the window compute it.

use std::mem::size_of;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{
    Array as _, ArrayRef, ArrowNumericType, AsArray as _, BooleanArray, ListArray, PrimitiveArray,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility};
use datafusion::physical_expr::expressions::Literal;

/// The aggregate function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct PercentileExact {
    signature: Signature,
}

impl PercentileExact {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

/// The share as a number from 0 to 1.
fn share(args: &AccumulatorArgs<'_>) -> Result<f64> {
    let value = args.exprs.get(1).and_then(|share| share.downcast_ref::<Literal>()).map(Literal::value);
    match value {
        Some(ScalarValue::Float64(Some(share))) if (0.0..=1.0).contains(share) => Ok(*share),
        _ => plan_err!("the second argument of percentile_exact must be a literal from 0 to 1, such as 0.99"),
    }
}

impl AggregateUDFImpl for PercentileExact {
    fn name(&self) -> &'static str {
        "percentile_exact"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        Ok(arg_types[0].clone())
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        match arg_types {
            [value, _] if value.is_integer() => Ok(vec![DataType::Int64, DataType::Float64]),
            [value, _] if value.is_numeric() || value.is_null() => Ok(vec![DataType::Float64, DataType::Float64]),
            [value, _] => plan_err!("percentile_exact needs numbers, not {value}"),
            _ => plan_err!(
                "percentile_exact has two arguments: the values and a share, such as percentile_exact(dur, 0.99)"
            ),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let item = Field::new_list_field(args.input_fields[0].data_type().clone(), true);
        Ok(vec![Arc::new(Field::new(format!("{}[values]", args.name), DataType::List(Arc::new(item)), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Single(Mutex::new(self.create_groups_accumulator(args)?))))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        let share = share(&args)?;
        if args.is_distinct {
            return plan_err!("percentile_exact does not support DISTINCT");
        }
        Ok(match args.expr_fields[0].data_type() {
            DataType::Int64 => Box::new(Groups::<Int64Type> { values: Vec::new(), share, compare: i64::cmp }),
            _ => Box::new(Groups::<Float64Type> { values: Vec::new(), share, compare: f64::total_cmp }),
        })
    }
}

/// The values of each group.
struct Groups<T: ArrowNumericType> {
    values: Vec<Vec<T::Native>>,
    share: f64,
    compare: fn(&T::Native, &T::Native) -> std::cmp::Ordering,
}

/// Position of the percentile among values in order: that of the ceil(share * count)-th, at least the first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the count")]
fn rank(share: f64, count: usize) -> usize {
    ((share * count as f64).ceil() as usize).clamp(1, count) - 1
}

/// Lists of the values of these groups.
fn lists<T: ArrowNumericType>(groups: Vec<Vec<T::Native>>) -> ListArray {
    let offsets = OffsetBuffer::from_lengths(groups.iter().map(Vec::len));
    let values = PrimitiveArray::<T>::new(groups.concat().into(), None);
    ListArray::new(Arc::new(Field::new_list_field(T::DATA_TYPE, true)), offsets, Arc::new(values), None)
}

impl<T: ArrowNumericType + Send> GroupsAccumulator for Groups<T> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.values.resize(total, Vec::new());
        let values = values[0].as_primitive::<T>();
        for (at, group) in groups.iter().enumerate() {
            let is_kept = filter.is_none_or(|filter| filter.is_valid(at) && filter.value(at));
            if is_kept && values.is_valid(at) {
                self.values[*group].push(values.value(at));
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let groups = emit_to.take_needed(&mut self.values).into_iter().map(|mut values| {
            let rank = rank(self.share, values.len().max(1));
            (!values.is_empty()).then(|| *values.select_nth_unstable_by(rank, self.compare).1)
        });
        Ok(Arc::new(groups.collect::<PrimitiveArray<T>>()))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![Arc::new(lists::<T>(emit_to.take_needed(&mut self.values)))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.values.resize(total, Vec::new());
        let states = states[0].as_list::<i32>();
        for (group, values) in groups.iter().zip(states.iter()) {
            if let Some(values) = values {
                self.values[*group].extend_from_slice(values.as_primitive::<T>().values());
            }
        }
        Ok(())
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let values = values[0].as_primitive::<T>();
        let is_kept = |at: usize| filter.is_none_or(|filter| filter.is_valid(at) && filter.value(at));
        let one = |at: usize| if is_kept(at) && values.is_valid(at) { vec![values.value(at)] } else { Vec::new() };
        Ok(vec![Arc::new(lists::<T>((0..values.len()).map(one).collect()))])
    }

    fn size(&self) -> usize {
        self.values.iter().map(|values| values.capacity() * size_of::<T::Native>() + size_of::<Vec<T::Native>>()).sum()
    }
}

/// The accumulator of a query without groups. The lock is never contended; it makes the value shareable.
struct Single(Mutex<Box<dyn GroupsAccumulator>>);

impl std::fmt::Debug for Single {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("percentile_exact")
    }
}

impl Single {
    fn inner(&mut self) -> &mut dyn GroupsAccumulator {
        &mut **self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Accumulator for Single {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner().update_batch(values, &vec![0; values[0].len()], None, 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let values = self.inner().evaluate(EmitTo::All)?;
        if values.is_empty() {
            ScalarValue::try_new_null(values.data_type())
        } else {
            ScalarValue::try_from_array(&values, 0)
        }
    }

    fn size(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let states = self.inner().state(EmitTo::All)?;
        let first = |state: &ArrayRef| {
            if state.is_empty() {
                ScalarValue::try_new_null(state.data_type())
            } else {
                ScalarValue::try_from_array(state, 0)
            }
        };
        states.iter().map(first).collect()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.inner().merge_batch(states, &vec![0; states[0].len()], 1)
    }
}
