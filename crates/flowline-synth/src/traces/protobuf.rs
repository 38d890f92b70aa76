//! Protocol buffer messages.

/// A message while it is being written.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

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

    /// Adds a variable-length number.
    pub(super) fn number(&mut self, field: u64, value: u64) -> &mut Self {
        self.tag(field, 0);
        self.varint(value);
        self
    }

    /// Adds a number of 8 bytes.
    pub(super) fn word(&mut self, field: u64, value: u64) -> &mut Self {
        self.tag(field, 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn text(&mut self, field: u64, value: &str) -> &mut Self {
        self.content(field, value.as_bytes())
    }

    /// Adds a nested message.
    pub(super) fn message(&mut self, field: u64, value: &Self) -> &mut Self {
        self.content(field, &value.0)
    }

    /// Adds a nested message written by a closure.
    pub(super) fn inside(&mut self, field: u64, write: impl FnOnce(&mut Self)) -> &mut Self {
        let mut inner = Self::default();
        write(&mut inner);
        self.message(field, &inner)
    }

    fn content(&mut self, field: u64, content: &[u8]) -> &mut Self {
        self.tag(field, 2);
        self.varint(content.len() as u64);
        self.0.extend(content);
        self
    }
}
