//! The arguments of calls that JavaScript tracing recorded: a buffer of encoded values, the shapes of objects in it, and the
//! place of the arguments that belong to a sample.
//!
//! Processed profiles name the buffer `tracedValuesBuffer`, raw ones `tracedValues`; both contain it as base64 text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::columns::{self, for_each_element};
use super::sentinels::NONE;
use crate::firefox::document::slabs::Slabs;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::samples::CallArguments;

type Result<T> = std::result::Result<T, JsonError>;

/// Offset of a call without arguments. Other negative ones are calls whose arguments are lost.
const NO_ARGUMENTS: f64 = -2.0;

/// The values of a thread as read.
#[derive(Debug, Default)]
pub(in crate::firefox) struct TracedValues {
    /// The buffer and the shapes.
    read: CallArguments,
}

impl TracedValues {
    /// Reads a member of a thread. A buffer that is no base64 text is empty.
    pub(in crate::firefox) fn read_member(&mut self, key: &[u8], cursor: &mut Cursor<'_>) -> Result<()> {
        if cursor.peek()? == Kind::Null {
            return cursor.skip_value();
        }
        if key == b"tracedObjectShapes" {
            return self.read_shapes(cursor);
        }
        let text = cursor.string()?.decode();
        self.read.values = STANDARD.decode(text.as_bytes()).unwrap_or_default().into();
        Ok(())
    }

    fn read_shapes(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.enter_array()?;
        while cursor.next_element()? {
            let names = match cursor.peek()? {
                Kind::Array => names(cursor)?,
                // A missing shape keeps its number.
                _ => cursor.skip_value().map(|()| Vec::new())?,
            };
            self.read.push_shape(names.iter().map(String::as_str));
        }
        Ok(())
    }

    /// The arguments, given the places for each sample.
    pub(in crate::firefox) fn into_arguments(self, places: &[u32]) -> CallArguments {
        let mut arguments = self.read;
        for (sample, place) in (0_u32..).zip(places).filter(|(_, place)| **place != NONE) {
            arguments.sample.push(sample);
            arguments.place.push(*place);
        }
        if arguments.is_empty() { CallArguments::default() } else { arguments }
    }
}

/// The names of a shape. Values of other types keep their places.
fn names(cursor: &mut Cursor<'_>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    cursor.enter_array()?;
    while cursor.next_element()? {
        if cursor.peek()? == Kind::String {
            names.push(cursor.string()?.decode());
        } else {
            cursor.skip_value()?;
            names.push(String::new());
        }
    }
    Ok(names)
}

/// A column of places.
pub(in crate::firefox) fn places<'a>(cursor: &mut Cursor<'a>, slabs: &Slabs<'a>, out: &mut Vec<u32>) -> Result<()> {
    if let Some(numbers) = columns::typed_slab(cursor, slabs)? {
        out.extend(numbers.into_iter().map(of_number));
        return Ok(());
    }
    for_each_element(cursor, slabs, |cursor| {
        out.push(place(cursor)?);
        Ok(())
    })
}

/// The place of the arguments of a sample; [`NONE`] if there are none.
pub(super) fn place(cursor: &mut Cursor<'_>) -> Result<u32> {
    Ok(of_number(columns::number(cursor)?))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers in range")]
fn of_number(number: f64) -> u32 {
    match number {
        NO_ARGUMENTS => CallArguments::NONE_GIVEN,
        _ if (0.0..f64::from(i32::MAX)).contains(&number) && number.fract() == 0.0 => number as u32,
        _ => NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_offsets_or_the_mark_of_a_call_without_arguments() {
        let places = [6.0, 0.0, -2.0, -1.0, 1.5, f64::NAN, 3e9].map(of_number);
        assert_eq!(places, [6, 0, CallArguments::NONE_GIVEN, NONE, NONE, NONE, NONE]);
    }
}
