//! Results as JSON values.

use datafusion::arrow::array::{Array, ArrayRef, AsArray as _};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::Result;
use serde_json::Value;

use crate::schema::ColumnType;

/// A number; NaN and infinities are text, because JSON has no such numbers.
fn real(number: f64) -> Value {
    if number.is_nan() {
        "NaN".into()
    } else if number.is_infinite() {
        if number > 0.0 { "inf".into() } else { "-inf".into() }
    } else {
        number.into()
    }
}

/// The values of a column. Types that JSON does not have become text.
pub(crate) fn column_values(column: &ArrayRef) -> Result<Vec<Value>> {
    let of = |value: &dyn Fn(usize) -> Value| {
        (0..column.len()).map(|row| if column.is_null(row) { Value::Null } else { value(row) }).collect()
    };
    if column.data_type() == &DataType::UInt64 {
        let column = column.as_primitive::<datafusion::arrow::datatypes::UInt64Type>();
        return Ok(of(&|row| column.value(row).into()));
    }
    match ColumnType::of(column.data_type()) {
        ColumnType::Boolean => {
            let column = column.as_boolean();
            Ok(of(&|row| column.value(row).into()))
        }
        ColumnType::Integer => {
            let column = cast(column, &DataType::Int64)?;
            let column = column.as_primitive::<Int64Type>();
            Ok(of(&|row| column.value(row).into()))
        }
        ColumnType::Real => {
            let column = cast(column, &DataType::Float64)?;
            let column = column.as_primitive::<Float64Type>();
            Ok(of(&|row| real(column.value(row))))
        }
        ColumnType::Text => {
            let options = FormatOptions::default();
            let formatter = ArrayFormatter::try_new(&**column, &options)?;
            Ok(of(&|row| formatter.value(row).to_string().into()))
        }
    }
}
