//! `args`: the arguments of slices, decoded for the slices that remain after conditions on `arg_set_id`.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array};
use datafusion::error::Result;
use flowline_json::Value;

use super::bounds::Bounds;
use super::builders::{Cell, Columns};
use super::rows::Rows;
use super::slices::slice_ranges;
use crate::recording::{Recording, constant};
use crate::schema::{ARGS, TableSpec};

/// The arguments of a recording. Units are slices.
#[derive(Debug)]
pub(crate) struct Args {
    recording: Arc<Recording>,
}

impl Args {
    pub(crate) fn new(recording: &Arc<Recording>) -> Self {
        Self { recording: Arc::clone(recording) }
    }
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Argument {
    pub(crate) key: String,
    pub(crate) value: Value,
}

impl Argument {
    /// Name of its type.
    pub(crate) const fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Uint(_) => "uint",
            Value::Number(_) => "real",
            Value::String(_) | Value::List(_) | Value::Object(_) => "string",
        }
    }

    /// The value as text; `None` for null.
    pub(crate) fn text(&self) -> Option<String> {
        match &self.value {
            Value::Null => None,
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Int(number) => Some(number.to_string()),
            Value::Uint(number) => Some(number.to_string()),
            Value::Number(number) => Some(number.to_string()),
            Value::String(text) => Some(text.clone()),
            Value::List(_) => Some("[]".into()),
            Value::Object(_) => Some("{}".into()),
        }
    }
}

/// The arguments of a slice, flattened, in source order. Empty lists and objects are one argument with their text.
pub(crate) fn arguments(recording: &Recording, slice: i64) -> Vec<Argument> {
    let mut found = Vec::new();
    let Some((track, local)) = recording.locate(slice) else { return found };
    if recording.profile().thread(track).markers.payload(local).offset().is_some()
        && let Value::Object(members) = recording.profile().payload_resolved(track, local)
    {
        for (key, value) in last_of_each(members) {
            flatten(key, value, &mut found);
        }
    }
    found
}

/// Objects with at most this many members are compared pair by pair, which is faster than a set.
const FEW: usize = 24;

/// The members of an object; the last one of those with the same key.
fn last_of_each(mut members: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let is_last = |at: usize| members[at + 1..].iter().all(|(key, _)| *key != members[at].0);
    let kept: Vec<bool> = if members.len() <= FEW {
        (0..members.len()).map(is_last).collect()
    } else {
        let mut seen = HashSet::new();
        let mut kept: Vec<bool> = members.iter().rev().map(|(key, _)| seen.insert(key.as_str())).collect();
        kept.reverse();
        kept
    };
    if kept.contains(&false) {
        let mut kept = kept.into_iter();
        members.retain(|_| kept.next().unwrap_or(true));
    }
    members
}

fn flatten(key: String, value: Value, found: &mut Vec<Argument>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members = last_of_each(members).into_iter();
            members.for_each(|(name, value)| flatten(format!("{key}.{name}"), value, found));
        }
        Value::List(items) if !items.is_empty() => {
            items.into_iter().enumerate().for_each(|(at, value)| flatten(format!("{key}[{at}]"), value, found));
        }
        value => found.push(Argument { key, value }),
    }
}

impl Rows for Args {
    fn spec(&self) -> &'static TableSpec {
        ARGS
    }

    fn units(&self) -> usize {
        self.recording.profile().marker_count()
    }

    fn has_row_per_unit(&self) -> bool {
        false
    }

    fn is_cheap(&self, column: usize) -> bool {
        column <= ARGS.position("arg_set_id")
    }

    fn ranges(&self, bounds: &Bounds) -> Vec<Range<usize>> {
        slice_ranges(&self.recording, bounds.get("arg_set_id"), &Bounds::default(), |_| None)
    }

    fn read(&self, units: &[u32], columns: &[usize]) -> Result<(Vec<ArrayRef>, usize)> {
        let mut rows = Columns::new(ARGS);
        for unit in units {
            for argument in arguments(&self.recording, i64::from(*unit)) {
                let text = matches!(argument.kind(), "string" | "uint").then(|| argument.text()).flatten();
                let integer = match argument.value {
                    Value::Int(number) => Some(number),
                    Value::Bool(flag) => Some(i64::from(flag)),
                    _ => None,
                };
                let real = if let Value::Number(number) = argument.value { Some(number) } else { None };
                rows.push(&[
                    self.recording.id().into(),
                    Cell::number(*unit),
                    argument.key.as_str().into(),
                    argument.kind().into(),
                    text.as_deref().into(),
                    integer.into(),
                    real.into(),
                ]);
            }
        }
        let count = rows.rows();
        let all = rows.finish();
        Ok((columns.iter().map(|column| Arc::clone(&all[*column])).collect(), count))
    }

    fn read_cheap(&self, units: &[u32], columns: &[usize]) -> Result<Vec<ArrayRef>> {
        let column = |column: &usize| -> ArrayRef {
            if *column == 0 {
                constant(self.recording.id(), units.len())
            } else {
                Arc::new(Int64Array::from_iter_values(units.iter().map(|unit| i64::from(*unit))))
            }
        };
        Ok(columns.iter().map(column).collect())
    }

    fn units_at_once(&self) -> usize {
        1024
    }
}
