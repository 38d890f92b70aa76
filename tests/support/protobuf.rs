//! Writes protocol buffer messages for test traces.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
    }

    fn tag(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    /// Adds an unsigned number.
    pub(crate) fn number(mut self, field: u64, value: u64) -> Self {
        self.tag(field, 0);
        self.varint(value);
        self
    }

    /// Adds a signed number.
    pub(crate) fn signed(self, field: u64, value: i64) -> Self {
        self.number(field, value.cast_unsigned())
    }

    /// Adds an 8-byte number.
    pub(crate) fn word(mut self, field: u64, value: u64) -> Self {
        self.tag(field, 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn double(self, field: u64, value: f64) -> Self {
        self.word(field, value.to_bits())
    }

    pub(crate) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.tag(field, 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    pub(crate) fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    /// Adds a nested message.
    pub(crate) fn message(self, field: u64, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// Adds a packed list of numbers.
    pub(crate) fn numbers(self, field: u64, values: &[u64]) -> Self {
        let mut list = Self::default();
        values.iter().for_each(|value| list.varint(*value));
        self.message(field, &list)
    }
}

/// An empty message.
pub(crate) fn message() -> Message {
    Message::default()
}

/// A trace that consists of packets.
pub(crate) fn trace(packets: &[Message]) -> Vec<u8> {
    packets.iter().fold(message(), |trace, packet| trace.message(1, packet)).0
}
