//! Allocations of raw profiles: markers of two types, which become samples weighted in bytes.

use super::raw_thread::RawThread;
use super::sampled::{RawSamples, Sampled};
use super::sentinels::NONE;
use flowline_json::{Cursor, decode_value};
use flowline_profile::samples::WeightUnit;
use flowline_profile::{Ns, Value};

/// Payload types.
const JS: &str = "JS allocation";
const NATIVE: &str = "Native allocation";

/// Moves the allocations of a raw thread from its markers to its samples. The marker columns must have the same length.
pub(in crate::firefox) fn take(thread: &mut RawThread, text: &[u8]) {
    let number = |name: &str| thread.kinds.names().iter().position(|known| known == name);
    let kinds = [JS, NATIVE].map(number);
    if kinds == [None; 2] {
        return;
    }
    let markers = &mut thread.markers;
    let is_kind = |row: usize, kind: Option<usize>| kind == Some(usize::from(markers.kind[row]));
    let of_rows: Vec<Option<bool>> = (0..markers.len())
        .map(|row| if is_kind(row, kinds[0]) { Some(true) } else { is_kind(row, kinds[1]).then_some(false) })
        .collect();
    let sampled = thread.sampled.get_or_insert_default();
    for (row, is_js) in of_rows.iter().enumerate() {
        if let Some(is_js) = is_js {
            add(sampled, *is_js, markers.start[row], markers.payload[row], text);
        }
    }
    let rows = (0..).zip(&markers.start).zip(&of_rows).filter(|(_, allocation)| allocation.is_some());
    thread.allocation_rows = rows.map(|((row, time), _)| (row, *time)).collect();
    markers.retain(|row| of_rows[row].is_none());
}

fn add(sampled: &mut Sampled, is_js: bool, time: Ns, payload: u64, text: &[u8]) {
    let stack = sampled.marker_stack(payload).map_or(NONE, |taken| taken.stack);
    let place = usize::try_from(payload).unwrap_or(usize::MAX);
    let value = decode_value(&mut Cursor::at(text, place)).unwrap_or(Value::Null);
    let table: &mut RawSamples = if is_js { &mut sampled.js_allocations } else { &mut sampled.native_allocations };
    if let Some(address) = value.get("memoryAddress").and_then(address) {
        table.address.resize(table.time.len(), u64::MAX);
        table.address.push(address);
    } else if !table.address.is_empty() {
        table.address.push(u64::MAX);
    }
    table.unit = WeightUnit::Bytes;
    table.time.push(time);
    table.stack.push(stack);
    table.weight.push(value.get("size").and_then(Value::as_f64).unwrap_or(0.0));
}

fn address(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::Uint(number) => Some(*number),
        _ => None,
    }
}
