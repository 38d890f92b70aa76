//! Copies messages field by field, with changes.

use crate::perfetto::wire::{Content, Field, Fields, varint_bytes};

/// Iterates over the fields of a message with their bytes, until damage.
pub(super) fn raw_fields(message: &[u8]) -> impl Iterator<Item = (Field<'_>, &[u8])> {
    let mut fields = Fields::new(message);
    std::iter::from_fn(move || {
        let before = fields.rest();
        let field = fields.next()?;
        Some((field, &before[..before.len() - fields.rest().len()]))
    })
}

/// A message under construction.
#[derive(Debug, Default)]
pub(super) struct MessageBytes(pub(super) Vec<u8>);

impl MessageBytes {
    /// Adds a number as a varint.
    pub(super) fn number(&mut self, field: u64, number: u64) {
        varint_bytes(field << 3, &mut self.0);
        varint_bytes(number, &mut self.0);
    }

    /// Adds a signed number as a varint.
    pub(super) fn signed(&mut self, field: u64, number: i64) {
        self.number(field, number.cast_unsigned());
    }

    /// Adds a floating-point number of 8 bytes.
    pub(super) fn double(&mut self, field: u64, number: f64) {
        varint_bytes(field << 3 | 1, &mut self.0);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Adds text, bytes or a message.
    pub(super) fn bytes(&mut self, field: u64, bytes: &[u8]) {
        varint_bytes(field << 3 | 2, &mut self.0);
        varint_bytes(bytes.len() as u64, &mut self.0);
        self.0.extend_from_slice(bytes);
    }

    /// Adds the bytes of a field unchanged.
    pub(super) fn raw(&mut self, field: &[u8]) {
        self.0.extend_from_slice(field);
    }

    /// Adds the values of a repeated field in the form of the original field: one number, or a packed list.
    pub(super) fn signed_like(&mut self, original: &Field<'_>, values: &[i64]) {
        match (original.content, values) {
            (Content::Number(_), [value]) => self.signed(original.number, *value),
            _ => {
                let mut packed = Vec::new();
                values.iter().for_each(|value| varint_bytes(value.cast_unsigned(), &mut packed));
                self.bytes(original.number, &packed);
            }
        }
    }

    /// Same for floating-point numbers.
    pub(super) fn doubles_like(&mut self, original: &Field<'_>, values: &[f64]) {
        match (original.content, values) {
            (Content::Number(_), [value]) => self.double(original.number, *value),
            _ => {
                let packed: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                self.bytes(original.number, &packed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_fields_are_the_same_bytes() {
        // A varint that is longer than necessary, a double, bytes, a fixed number, and damage.
        let message = b"\x08\x81\x00\x11\0\0\0\0\0\0\xf0\x3f\x1a\x02hi\x25\x01\0\0\0\x0b";
        let mut copy = MessageBytes::default();
        raw_fields(message).for_each(|(_, raw)| copy.raw(raw));
        assert_eq!(copy.0, message[..message.len() - 1]);
    }

    #[test]
    fn lists_keep_their_form() {
        let mut out = MessageBytes::default();
        out.signed_like(&Field { number: 12, content: Content::Bytes(&[1, 2]) }, &[3, 200]);
        out.signed_like(&Field { number: 12, content: Content::Number(1) }, &[-1]);
        out.doubles_like(&Field { number: 46, content: Content::Number(1) }, &[1.5]);
        let fields: Vec<Field<'_>> = Fields::new(&out.0).collect();
        assert_eq!(fields[0].numbers().collect::<Vec<_>>(), [3, 200]);
        assert_eq!((fields[1].signed(), fields[2].double()), (-1, 1.5));
    }
}
