//! `intersect_ns` and `extract_arg`.

use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, Int64Array, StringViewBuilder};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::recording::Recording;
use crate::tables::arguments;

/// `intersect_ns(ts, dur, ts2, dur2)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct IntersectNs {
    signature: Signature,
}

impl IntersectNs {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Int64; 4], Volatility::Immutable) }
    }
}

/// The length of the time that two ranges share.
fn intersection([ts, dur, other_ts, other_dur]: [i64; 4]) -> i64 {
    let end = ts.saturating_add(dur.max(0)).min(other_ts.saturating_add(other_dur.max(0)));
    end.saturating_sub(ts.max(other_ts)).max(0)
}

impl ScalarUDFImpl for IntersectNs {
    fn name(&self) -> &'static str {
        "intersect_ns"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        let columns: Vec<&Int64Array> = columns.iter().map(|column| column.as_primitive::<Int64Type>()).collect();
        let row = |at: usize| {
            let known = columns.iter().all(|column| column.is_valid(at));
            known.then(|| intersection([0, 1, 2, 3].map(|column| columns[column].value(at))))
        };
        let values: Int64Array = (0..columns[0].len()).map(row).collect();
        Ok(ColumnarValue::Array(Arc::new(values)))
    }
}

/// `extract_arg(arg_set_id, key)`.
#[derive(Debug)]
pub(crate) struct ExtractArg {
    signature: Signature,
    recordings: Vec<Arc<Recording>>,
}

impl ExtractArg {
    pub(crate) fn new(recordings: &[Arc<Recording>]) -> Self {
        let types = vec![DataType::Int64, DataType::Utf8View];
        Self { signature: Signature::exact(types, Volatility::Immutable), recordings: recordings.to_vec() }
    }

    fn ids(&self) -> Vec<&str> {
        self.recordings.iter().map(|recording| recording.id()).collect()
    }
}

impl PartialEq for ExtractArg {
    fn eq(&self, other: &Self) -> bool {
        self.ids() == other.ids()
    }
}

impl Eq for ExtractArg {}

impl std::hash::Hash for ExtractArg {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.ids().hash(state);
    }
}

impl ScalarUDFImpl for ExtractArg {
    fn name(&self) -> &'static str {
        "extract_arg"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8View)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [recording] = &self.recordings[..] else {
            return exec_err!(
                "extract_arg works with one recording; with several, join `args` on recording_id and arg_set_id"
            );
        };
        let columns: Vec<ArrayRef> = ColumnarValue::values_to_arrays(&args.args)?;
        let (sets, keys) = (columns[0].as_primitive::<Int64Type>(), columns[1].as_string_view());
        let mut values = StringViewBuilder::new();
        for at in 0..sets.len() {
            let found = (sets.is_valid(at) && keys.is_valid(at)).then(|| arguments(recording, sets.value(at)));
            let found = found.and_then(|all| all.into_iter().find(|argument| argument.key == keys.value(at)));
            values.append_option(found.and_then(|argument| argument.text()));
        }
        Ok(ColumnarValue::Array(Arc::new(values.finish())))
    }
}

#[cfg(test)]
mod tests {
    use super::intersection;

    #[test]
    fn ranges_share_the_time_that_both_cover() {
        for (ranges, expected) in [
            ([0, 10, 5, 10], 5),
            ([5, 10, 0, 10], 5),
            ([0, 10, 10, 5], 0),
            ([0, 10, 20, 5], 0),
            ([0, 10, 2, 3], 3),
            ([0, -5, 0, 10], 0),
            ([i64::MAX - 1, 10, 0, i64::MAX], 1),
            ([i64::MIN, 5, i64::MIN, 9], 5),
        ] {
            assert_eq!(intersection(ranges), expected, "{ranges:?}");
        }
    }
}
