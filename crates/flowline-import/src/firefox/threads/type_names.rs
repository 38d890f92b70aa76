//! Numbers of payload types.

use foldhash::HashMap;

use super::sentinels::NO_TYPE;

/// The payload types of one thread, numbered in order of appearance.
#[derive(Debug)]
pub(in crate::firefox) struct TypeNames {
    names: Vec<String>,
    /// Names as written, with escapes.
    raw: Vec<Vec<u8>>,
    lookup: HashMap<Vec<u8>, u16>,
    /// A cache of numbers, by the length and the first and last byte of the name: a few types make up most payloads.
    recent: [u16; Self::RECENT],
    /// Number of payloads whose type has no number, because there are too many types.
    unnumbered: u64,
}

impl Default for TypeNames {
    fn default() -> Self {
        let (names, raw, lookup) = Default::default();
        Self { names, raw, lookup, recent: [0; Self::RECENT], unnumbered: 0 }
    }
}

impl TypeNames {
    const RECENT: usize = 64;

    #[inline]
    pub(in crate::firefox) fn intern(&mut self, raw: &[u8], decode: impl FnOnce() -> String) -> u16 {
        let end = |byte: Option<&u8>| byte.map_or(0, |byte| usize::from(*byte));
        let slot = (raw.len() * 5 + end(raw.first()) + end(raw.last()) * 3) % Self::RECENT;
        let recent = self.recent[slot];
        if self.raw.get(usize::from(recent)).is_some_and(|known| known == raw) {
            return recent;
        }
        if let Some(&number) = self.lookup.get(raw) {
            self.recent[slot] = number;
            return number;
        }
        let Some(number) = u16::try_from(self.names.len()).ok().filter(|&number| number != NO_TYPE) else {
            self.unnumbered += 1;
            return NO_TYPE;
        };
        self.names.push(decode());
        self.raw.push(raw.to_owned());
        self.lookup.insert(raw.to_owned(), number);
        number
    }

    /// Number of payloads whose type has no number.
    pub(in crate::firefox) const fn unnumbered(&self) -> u64 {
        self.unnumbered
    }

    pub(in crate::firefox) fn names(&self) -> &[String] {
        &self.names
    }
}
